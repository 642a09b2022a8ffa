"""From the tables to those who want to be told: the store, and the catalogs.

What belongs to a finished run is delivered once, but for catalogs that look again on every run. The store records a delivery in the transaction that loads it. A catalog
cannot do that, so the record is made behind the delivery; a run that is killed between the two sends again what the catalog
has, and sending the same again changes nothing there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from connector.catalogs.progress import Progress
from connector.catalogs.registry import catalog_of
from connector.catalogs.seen import Seen
from connector.errors import ConnectorError
from connector.lineage import Lineage
from connector.pipeline.outcome import CatalogOutcome
from connector.pipeline.stored import history_in, levels_in, results_in
from connector.pipeline.tables import Commit, OutdatedUnits, TableFolder, final_groups
from connector.store import LoadSummary, Store
from connector.store.collector import collector_paused
from connector.store.log_history import LogHistory

if TYPE_CHECKING:
    from connector.settings.models import Job

__all__ = ["deliver_to_catalogs", "deliver_to_store"]

_log = logging.getLogger("connector.pipeline")


def deliver_to_store(job: Job, tables: TableFolder) -> list[LoadSummary]:
    """Load what the store does not have yet, one finished run after the other."""
    done: list[LoadSummary] = []
    with Store.open(job.store.url) as store, collector_paused():
        known = store.deliveries()
        for group in final_groups(tables.commits()):
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
                deliveries=[final.name],
            )
            if summary is not None:
                done.append(summary)
    return done


def deliver_to_catalogs(job: Job, tables: TableFolder, progress: Progress) -> Iterator[CatalogOutcome]:
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
                outcome.error = str(error)
                _log.error("%s %s: %s", settings.type, outcome.name, error)
            else:
                outcome.statements = lineages.statements
                if pending and not (outcome.summary.failures or outcome.summary.unattached):
                    tables.mark_delivered(receiver, pending)
        progress.advance(1)
        yield outcome


class _Lineages:
    """The models of some commits, read one after the other."""

    def __init__(
        self, job: Job, tables: TableFolder, commits: Sequence[Commit], outdated: OutdatedUnits | None
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
            yield Lineage(model, self._job.options)


def _seen(tables: TableFolder, groups: Iterable[Sequence[Commit]]) -> Mapping[str, Seen]:
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
    """A scheduled run has nobody to ask; the settings have said so."""
    return True
