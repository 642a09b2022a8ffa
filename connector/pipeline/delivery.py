"""Delivers what is new in the tables to the store and the catalogs.

What belongs to a finished run is delivered once, except to catalogs that look again on every run. The store records a
delivery in the transaction that loads it. A catalog cannot do that, so the record is made behind the delivery; a run that is killed between the two sends again what the catalog
has, and sending the same again changes nothing there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING

from connector.catalogs import catalog_of
from connector.catalogs.catalog import Seen
from connector.common.collector import collector_paused
from connector.common.progress import Progress
from connector.errors import ConfigurationError, ConnectorError, UnavailableError
from connector.lineage import Lineage
from connector.pipeline.commits import Commit, OutdatedUnits, final_groups
from connector.pipeline.run_report import CatalogOutcome
from connector.pipeline.stored import history_in, levels_in, results_in
from connector.pipeline.tables import LineageTables
from connector.store import LoadSummary, Store
from connector.store.known_levels import known_levels
from connector.store.processes import LogHistory

if TYPE_CHECKING:
    from connector.settings.models import Job


def deliver_to_store(job: Job, tables: LineageTables) -> list[LoadSummary]:
    """Load what the store does not have yet, one finished run after the other."""
    groups = final_groups(tables.commits())
    if not groups:
        return []
    done: list[LoadSummary] = []
    with Store.open(job.store.url) as store, collector_paused():
        receiver = f"store {store.label}"
        known = {name.rpartition("/")[2] for name in store.deliveries() if name.startswith(f"{tables.id}/")}
        _check_store(store, known, {group[-1].name for group in groups}, tables.held(receiver), tables.storage.label)
        for group in groups:
            final = group[-1]
            if final.name in known:
                continue
            summary = store.load_rows(
                levels_in(tables, group),
                source=job.name,
                run=final.run,
                started=datetime.fromisoformat(final.started),
                history=history_in(tables, group),
                problems=final.problems,
                deliveries=[f"{tables.id}/{final.name}"],
            )
            if summary is not None:
                tables.mark_delivered(receiver, [final], store.size())
                done.append(summary)
    return done


def _check_store(store: Store, known: Set[str], committed: Set[str], held: Mapping[str, int], tables: str) -> None:
    """A store and tables that contradict each other are no basis to go on from: runs would be lost or counted twice."""
    if known - committed:
        raise ConfigurationError(
            f"The store {store.label} has runs that the tables at {tables} lack: the latest part of the tables' log is gone. "
            "Restore the tables from a backup, or move them and the store away and run again: both are rebuilt from the "
            "sources."
        )
    size = store.size()
    lacking = [kind for kind, count in held.items() if size[kind] < count]
    if known and lacking:
        kind = lacking[0]
        raise ConfigurationError(
            f"The store {store.label} has {size[kind]:,} {kind}, and had {held[kind]:,} after the last run: something has "
            "been deleted from it. Move it away, or name another one, and run again: it is rebuilt from the tables."
        )


def deliver_to_catalogs(job: Job, tables: LineageTables, progress: Progress) -> Iterator[CatalogOutcome]:
    """Send each catalog what it does not have yet. A catalog that fails does not keep the others from being told."""
    groups = final_groups(tables.commits())
    for settings in job.catalogs:
        catalog = catalog_of(settings)
        source = settings.source or job.name
        receiver = f"{settings.type} {catalog.place} {source}"
        known = tables.delivered(receiver)
        pending = [commit for group in groups if group[-1].name not in known for commit in group]
        outcome = CatalogOutcome(settings.type, catalog.place)
        if pending or (groups and catalog.looks_again):
            whole = catalog.needs_everything or settings.prunes
            chosen = [commit for group in groups for commit in group] if whole else pending
            outdated = OutdatedUnits(chosen, [each.name for each in job.sources]) if whole else None
            lineages = _Lineages(job, tables, chosen, outdated)
            try:
                outcome.summary = catalog.deliver(
                    lineages,
                    source=source,
                    seen=_seen(tables, groups),
                    verify=settings.verify,
                    prune_if=_always if settings.prunes else None,
                    progress=progress,
                )
            except ConnectorError as error:
                outcome.error, outcome.unavailable = str(error), isinstance(error, UnavailableError)
            else:
                outcome.statements = lineages.statements
                if pending and not (outcome.summary.failures or outcome.summary.unattached):
                    tables.mark_delivered(receiver, pending)
        progress.advance(1)
        yield outcome


class _Lineages:
    """The models of some commits, read one after the other."""

    def __init__(
        self, job: Job, tables: LineageTables, commits: Sequence[Commit], outdated: OutdatedUnits | None
    ) -> None:
        self._job = job
        self._tables = tables
        self._commits = commits
        self._outdated = outdated
        self.statements = 0

    def __iter__(self) -> Iterator[Lineage]:
        self.statements = 0
        for result in results_in(self._tables, self._commits):
            if self._outdated is not None and self._outdated(result.key, result.source):
                continue
            model = result.model
            self.statements += len(model.processes)
            assert result.levels is not None
            yield Lineage(model, self._job.options, levels=known_levels(result.levels, model))


def _seen(tables: LineageTables, groups: Iterable[Sequence[Commit]]) -> Mapping[str, Seen]:
    """When and how often statements were run, by identity, over everything that was read so far."""
    found: dict[str, LogHistory] = {}
    for row in history_in(tables, [commit for group in groups for commit in group]):
        known = found.get(row.identity)
        if known is None:
            found[row.identity] = row
        else:
            known.add(row)
    return {identity: Seen(row.first_seen, row.last_seen, row.run_count) for identity, row in found.items()}


def _always(_: object) -> bool:
    """A scheduled run cannot ask for confirmation; the settings decide."""
    return True
