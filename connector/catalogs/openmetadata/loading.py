"""The whole way from lineage to OpenMetadata, for the command line, for scheduled runs and for the ingestion plugin."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from connector.catalogs.dead_letters import DeadLetters
from connector.catalogs.ledger import Ledger
from connector.catalogs.locking import only_writer
from connector.catalogs.openmetadata.client import OpenMetadataClient
from connector.catalogs.openmetadata.creation import Creator, NotCreatedError
from connector.catalogs.openmetadata.details import TextLimits
from connector.catalogs.openmetadata.lookup import Lookup
from connector.catalogs.openmetadata.mapping import Mapping as CatalogMapping
from connector.catalogs.openmetadata.mapping import load_mapping
from connector.catalogs.openmetadata.plan import Plan
from connector.catalogs.openmetadata.planning import make_plan
from connector.catalogs.openmetadata.prune import Outdated, find_outdated, prune
from connector.catalogs.openmetadata.resolved import resolve
from connector.catalogs.openmetadata.settings import OpenMetadataSettings
from connector.catalogs.openmetadata.writing import EDGE, EdgeWriter, Outcome
from connector.catalogs.progress import NoProgress, Progress
from connector.catalogs.summary import Failure, Summary
from connector.errors import ConfigurationError, UnavailableError
from connector.lineage import Lineage

__all__ = ["check_server", "deliver", "push"]

_log = logging.getLogger("connector.catalogs")

_SUPPORTED = "2."
"""Versions of the server that this was made for."""


def check_server(client: OpenMetadataClient, settings: OpenMetadataSettings) -> str:
    """The server's version, once it has answered, is one that we know, and accepts our token."""
    version = client.version()
    if not version:
        raise UnavailableError(f"What answers at {client.url} is not OpenMetadata: it has no version.")
    if not version.startswith(_SUPPORTED) and settings.version_check != "off":
        text = f"OpenMetadata at {client.url} is version {version}, and this connector was made for {_SUPPORTED}x"
        if settings.version_check == "fail":
            raise ConfigurationError(f"{text}; version_check: warn tries it all the same.")
        _log.warning("%s", text)
    client.check_token()
    return version


def push(
    lineages: Iterable[Lineage],
    settings: OpenMetadataSettings,
    *,
    source: str,
    seen: Mapping[str, Any] | None = None,
    verify: bool = False,
    prune_if: Callable[[Outdated], bool] | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Write lineage to OpenMetadata.

    `source` names the input: what another source has written is never pruned. `prune_if` is shown the edges that the
    source does not have any more and says whether they are removed; without it nothing is removed. With `verify` every
    edge is read, also where the settings have the ledger trusted. What a log tells of statements (`seen`) is not written: it would
    change every edge on every run.
    """
    mapping, _ = load_mapping(settings.mapping)
    plan = make_plan(lineages, mapping, source, settings.service)
    summary = Summary()
    for _outcome in deliver(
        plan, mapping, settings, summary, verify=verify, prune_if=prune_if, progress=progress or NoProgress()
    ):
        pass
    return summary


def deliver(
    plan: Plan,
    mapping: CatalogMapping,
    settings: OpenMetadataSettings,
    summary: Summary,
    *,
    verify: bool = False,
    prune_if: Callable[[Outdated], bool] | None = None,
    progress: Progress | None = None,
) -> Iterator[Outcome]:
    """Bring the server to what a plan says; what becomes of each edge is given on as it happens, and counted."""
    started = time.monotonic()
    letters = DeadLetters(settings.dead_letter_file)
    summary.notes.extend(plan.notes)
    try:
        with settings.connect() as client:
            check_server(client, settings)
            with only_writer(client.url), Ledger(settings.state, client.url) as ledger:
                load = _Load(plan, mapping, settings, client, ledger, summary, progress or NoProgress())
                for outcome in load.run(verify=verify, prune_if=prune_if):
                    _count(outcome, settings, summary, letters)
                    yield outcome
    finally:
        letters.close()
        summary.missing.sort()
        summary.seconds = time.monotonic() - started


def _count(outcome: Outcome, settings: OpenMetadataSettings, summary: Summary, letters: DeadLetters) -> None:
    counts = summary.of(EDGE)
    setattr(counts, outcome.verdict, getattr(counts, outcome.verdict) + 1)
    if outcome.edge is not None:
        summary.notes.extend(outcome.edge.notes)
    if outcome.verdict == "failed" or (outcome.verdict == "missing" and settings.missing == "fail"):
        summary.failures.append(Failure(EDGE, outcome.name, outcome.reason))
        letters.add(EDGE, outcome.name, outcome.reason, outcome.details)
    elif outcome.verdict == "missing":
        summary.notes.append(f"{outcome.name}: {outcome.reason}")


class _Load:
    def __init__(
        self,
        plan: Plan,
        mapping: CatalogMapping,
        settings: OpenMetadataSettings,
        client: OpenMetadataClient,
        ledger: Ledger,
        summary: Summary,
        progress: Progress,
    ) -> None:
        self._plan = plan
        self._mapping = mapping
        self._settings = settings
        self._client = client
        self._ledger = ledger
        self._summary = summary
        self._progress = progress
        self._limits = TextLimits(mapping.query_characters, mapping.statements)

    def run(self, *, verify: bool, prune_if: Callable[[Outdated], bool] | None) -> Iterator[Outcome]:
        plan, workers = self._plan, self._settings.workers
        with ThreadPoolExecutor(workers, thread_name_prefix="openmetadata") as pool:
            lookup = Lookup(self._client, pool, self._progress)
            lookup.find_all(plan.wanted())
            self._create_missing(lookup)
            yield from self._missing(lookup)
            edges = resolve(plan.edges.values(), lookup.found, plan.source)
            if not self._mapping.self_edges:
                edges = [edge for edge in edges if edge.source.id != edge.target.id]
            writer = EdgeWriter(self._client, self._ledger, plan.source, pool, workers, self._limits, self._progress)
            yield from writer.write_all(edges, verify=verify or not self._settings.trust_ledger)
            if prune_if is None:
                return
            if self._summary.failures:
                self._summary.notes.append("Nothing was removed, because some edges failed.")
                return
            outdated = find_outdated(
                plan.source,
                {edge.ids for edge in edges},
                [plan.objects[key] for key in lookup.reasons],
                {found.id: found for found in lookup.found.values() if found.type != "storedProcedure"}.values(),
                self._client,
                self._ledger,
                pool,
                self._limits,
            )
            if outdated and prune_if(outdated):
                yield from prune(outdated, plan.source, self._client, self._ledger)

    def _create_missing(self, lookup: Lookup) -> None:
        creator = Creator(self._client, self._summary)
        for key, found in list(lookup.found.items()):
            lookup.found[key] = creator.complete(self._plan.objects[key], found)
        for key in list(lookup.reasons):
            wanted = self._plan.objects[key]
            if key not in lookup.absent or not creator.may_create(wanted):
                continue
            try:
                lookup.found[key] = creator.create(wanted)
            except NotCreatedError as error:
                lookup.reasons[key] = str(error)
            else:
                del lookup.reasons[key]

    def _missing(self, lookup: Lookup) -> Iterator[Outcome]:
        """Report what the server does not have, with the edges that wanted it."""
        for key, reason in lookup.reasons.items():
            self._summary.of(key[0]).missing += 1
            self._summary.missing.append(key)
            if key[0] == "storedProcedure":
                wanting = [edge.name for edge in self._plan.edges.values() if key in edge.routines]
                self._summary.notes.append(f"{reason}, the pipeline of {_some(wanting)}")
        for edge in self._plan.edges.values():
            reasons = [lookup.reasons[key] for key in dict.fromkeys(edge.key) if key in lookup.reasons]
            if reasons:
                yield Outcome(edge.name, "missing", "; ".join(reasons))


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more edges"
