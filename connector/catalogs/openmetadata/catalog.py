"""OpenMetadata as an implementation of the catalog protocol.

A session looks up or creates objects, writes edges, and removes those that a source no longer has.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from operator import attrgetter
from typing import ClassVar, Literal

from connector.addresses import safe_url
from connector.catalogs.catalog import Catalog, DeliverySettings, PruneSettings, Seen, Session
from connector.catalogs.ledger import Ledger
from connector.catalogs.openmetadata.client import OpenMetadataClient, build, decode_name, split
from connector.catalogs.openmetadata.creation import Creator, NotCreatedError
from connector.catalogs.openmetadata.details import TextLimits
from connector.catalogs.openmetadata.lineage_view import LineageView, Target
from connector.catalogs.openmetadata.lookup import Found, Lookup
from connector.catalogs.openmetadata.mapping import Mapping as CatalogMapping
from connector.catalogs.openmetadata.mapping import load_mapping
from connector.catalogs.openmetadata.plan import ARROW, Plan
from connector.catalogs.openmetadata.planning import look_through, make_plan
from connector.catalogs.openmetadata.prune import Outdated, OutdatedEdge, find_outdated, prune
from connector.catalogs.openmetadata.settings import OpenMetadataSettings
from connector.catalogs.openmetadata.writing import EDGE, EdgeWriter, Outcome, ResolvedEdge, resolve
from connector.catalogs.settings import Backoff
from connector.catalogs.summary import DeadLetters, Failure, Summary
from connector.common.file_lock import only_writer
from connector.common.progress import Progress
from connector.errors import ConfigurationError, UnavailableError
from connector.lineage import Lineage
from connector.naming import join_name

_log = logging.getLogger("connector.catalogs")

VIEW = "lineage view"
"""Under this name the summary counts edges that the search index did not show, and shows again."""
_SUPPORTED = "2."
"""Supported versions of the server."""


def check_server(client: OpenMetadataClient, settings: OpenMetadataSettings) -> str:
    """The server's version, once it has answered, is one that we know, and accepts our token."""
    version = client.version()
    if not version:
        raise UnavailableError(f"The server at {client.url} is not OpenMetadata: it reports no version.")
    if not version.startswith(_SUPPORTED) and settings.version_check != "off":
        text = f"OpenMetadata at {client.url} is version {version}, but this connector supports {_SUPPORTED}x"
        if settings.version_check == "fail":
            raise ConfigurationError(f"{text}; set version_check: warn to try anyway.")
        _log.warning("%s", text)
    client.check_token()
    return version


class OpenMetadataSession(Session[Plan, Outdated]):
    """One load. `written` and `pruned` tell what becomes of each edge as it happens; `write` and `prune` only count."""

    def __init__(
        self,
        settings: OpenMetadataSettings,
        mapping: CatalogMapping,
        client: OpenMetadataClient,
        ledger: Ledger,
        pool: ThreadPoolExecutor,
        letters: DeadLetters,
        progress: Progress,
        summary: Summary,
    ) -> None:
        self.summary = summary
        summary.lineage_types |= {EDGE, VIEW}
        self._settings = settings
        self._mapping = mapping
        self._client = client
        self._ledger = ledger
        self._pool = pool
        self._letters = letters
        self._progress = progress
        self._limits = TextLimits(mapping.query_characters, mapping.statements)
        self._lookup = Lookup(client, pool, progress)
        self._edges: list[ResolvedEdge] = []
        self._started = time.monotonic()

    def write(self, plan: Plan, *, verify: bool) -> None:
        for _ in self.written(plan, verify=verify):
            pass

    def written(self, plan: Plan, *, verify: bool) -> Iterator[Outcome]:
        """Write the edges of a plan, and say of each what became of it."""
        self.summary.notes.extend(plan.notes)
        lookup = self._lookup
        lookup.find_all(plan.wanted())
        self._create_missing(plan)
        for stage in look_through(plan, lookup.absent & lookup.reasons.keys()):
            del lookup.reasons[stage]
        yield from self._counted(self._missing(plan))
        edges = resolve(plan.edges.values(), lookup.found, plan.source)
        if not self._mapping.self_edges:
            edges = [edge for edge in edges if edge.source.id != edge.target.id]
        self._edges = edges
        writer = EdgeWriter(self._client, self._ledger, plan.source, self._pool, self._limits, self._progress)
        yield from self._counted(writer.write_all(edges, verify=verify or not self._settings.trust_ledger))
        if self._settings.repair:
            self._repair_view({*self._targets_of_services(), *map(_target, lookup.found.values())})
        elif verify:
            self._repair_view({_target(edge.target) for edge in edges}, {edge.ids for edge in edges})

    def outdated(self, plan: Plan) -> Outdated:
        """To be asked after the plan was written."""
        lookup = self._lookup
        return find_outdated(
            plan.source,
            {edge.ids for edge in self._edges},
            [plan.objects[key] for key in lookup.reasons],
            {found.id: found for found in lookup.found.values() if found.type != "storedProcedure"}.values(),
            self._client,
            self._ledger,
            self._pool,
            self._limits,
        )

    def prune(self, plan: Plan, outdated: Outdated) -> None:
        for _ in self.pruned(plan, outdated):
            pass

    def pruned(self, plan: Plan, outdated: Outdated) -> Iterator[Outcome]:
        """Remove what is outdated, and say of each edge what became of it."""
        yield from self._counted(prune(outdated, plan.source, self._client, self._ledger, self._pool))
        removed = outdated.remove.values()
        ids = {(str(edge.source["id"]), str(edge.target["id"])) for edge in removed}
        # Of edges that are deleted one after the other, the search index keeps some.
        self._repair_view({_target_of(edge) for edge in removed}, ids)

    def close(self) -> None:
        self.summary.missing.sort()
        self.summary.seconds = time.monotonic() - self._started

    # --- the lineage view ---------------------------------------------------------------------------------------------

    def _repair_view(self, targets: Set[Target], only: Set[tuple[str, str]] | None = None) -> None:
        if not targets:
            return
        seen = LineageView(self._client, self._pool, self._progress).repair(
            sorted(targets, key=attrgetter("fqn")), only
        )
        if seen.repaired:
            self.summary.of(VIEW).updated += len(seen.repaired)
        for name in seen.left:
            self.summary.notes.append(f"{name}: the lineage view does not show what the server stores")
        if seen.problem is not None:
            self.summary.notes.append(f"The lineage view could not be checked: {seen.problem}")

    def _targets_of_services(self) -> Iterator[Target]:
        for service in services_of(self._mapping, self._settings.service):
            for database in self._client.listed("database", service=build((service,))):
                for table in self._client.listed("table", columns=False, database=str(database["fullyQualifiedName"])):
                    yield Target("table", str(table["id"]), str(table["fullyQualifiedName"]))

    # --- counting -----------------------------------------------------------------------------------------------------

    def _counted(self, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
        for outcome in outcomes:
            self._count(outcome)
            yield outcome

    def _count(self, outcome: Outcome) -> None:
        summary = self.summary
        counts = summary.of(EDGE)
        setattr(counts, outcome.verdict, getattr(counts, outcome.verdict) + 1)
        if outcome.edge is not None:
            summary.notes.extend(outcome.edge.notes)
            for column in outcome.edge.missing_columns:
                summary.miss("column", column, [outcome.name])
        if outcome.verdict == "failed" or (outcome.verdict == "missing" and self._settings.missing == "fail"):
            summary.failures.append(Failure(EDGE, outcome.name, outcome.reason, lacking=outcome.verdict == "missing"))
            self._letters.add(EDGE, outcome.name, outcome.reason, outcome.details)

    # --- objects ------------------------------------------------------------------------------------------------------

    def _create_missing(self, plan: Plan) -> None:
        creator = Creator(self._client, self.summary)
        lookup = self._lookup
        for key, found in list(lookup.found.items()):
            lookup.found[key] = creator.complete(plan.objects[key], found)
        for key in list(lookup.reasons):
            wanted = plan.objects[key]
            if key not in lookup.absent or not creator.may_create(wanted):
                continue
            try:
                lookup.found[key] = creator.create(wanted)
            except NotCreatedError as error:
                lookup.reasons[key] = str(error)
            else:
                del lookup.reasons[key]

    def _missing(self, plan: Plan) -> Iterator[Outcome]:
        """Report what the server does not have, with the edges that wanted it."""
        lookup = self._lookup
        for key, reason in lookup.reasons.items():
            wanting = [edge.name for edge in plan.edges.values() if key in (*edge.key, *edge.routines)]
            self.summary.miss(*key, wanting)
            if key not in lookup.absent:
                self.summary.notes.append(f"{key[0]} {key[1]}: {reason}")
        for edge in plan.edges.values():
            reasons = [lookup.reasons[key] for key in dict.fromkeys(edge.key) if key in lookup.reasons]
            if reasons:
                yield Outcome(edge.name, "missing", "; ".join(reasons))


def _target(found: Found) -> Target:
    return Target(found.type, found.id, found.fqn)


def _target_of(edge: OutdatedEdge) -> Target:
    return Target(edge.target["type"], str(edge.target["id"]), edge.name.partition(ARROW)[2])


def services_of(mapping: CatalogMapping, service: str | None) -> list[str]:
    """The database services that a mapping names, and the run's own."""
    named = [rule.service.text for rule in mapping.services if rule.service is not None and not rule.service.fields]
    return list(dict.fromkeys([*([service] if service else []), *named]))


def known_columns(client: OpenMetadataClient, services: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Tables as ``database.schema.table``, each with the names of its columns."""
    for service in services:
        for database in client.listed("database", service=build((service,))):
            for page, _ in client.pages("table", database=str(database["fullyQualifiedName"])):
                for table in page:
                    parts = [decode_name(part) for part in split(str(table["fullyQualifiedName"]))[1:]]
                    columns = [decode_name(str(column["name"])) for column in table.get("columns") or ()]
                    if columns:
                        yield join_name(parts), columns


class OpenMetadataDelivery(OpenMetadataSettings, DeliverySettings, PruneSettings):
    """OpenMetadata."""

    type: Literal["openmetadata"] = "openmetadata"
    """The kind of catalog."""


class OpenMetadataCatalog(Catalog[OpenMetadataSettings, Plan, Outdated]):
    """OpenMetadata: lineage as edges between the tables and containers that it knows."""

    name = "openmetadata"
    title = "OpenMetadata"
    settings_class = OpenMetadataDelivery
    login_flags: ClassVar[Mapping[str, str]] = {
        "url": "OPENMETADATA_URL",
        "token_file": "OPENMETADATA_TOKEN_FILE, or the token in OPENMETADATA_TOKEN",
        "ca_file": "OPENMETADATA_CA_FILE",
    }
    flags: ClassVar[Mapping[str, str]] = {
        "mapping": "openmetadata",
        "service": "the cluster",
        "missing": "fail",
        "workers": "4",
    }

    @property
    def place(self) -> str:
        return safe_url(self.settings.url)

    @property
    def needs_everything(self) -> bool:
        """All statements of a pair of tables share one edge, which is replaced as a whole."""
        return True

    @property
    def looks_again(self) -> bool:
        """A table that an edge needs may have been ingested since, or an edge may have been removed."""
        return True

    @cached_property
    def mapping(self) -> CatalogMapping:
        return load_mapping(self.settings.mapping)[0]

    def check(self) -> str:
        load_mapping(self.settings.mapping)
        with self.settings.connect(Backoff(attempts=1)) as client:
            version = check_server(client, self.settings)
        return f"{self.place}: reachable, version {version}"

    def plan(self, lineages: Iterable[Lineage], *, source: str, seen: Mapping[str, Seen] | None = None) -> Plan:
        """Of what a log tells (`seen`) the first day is written; the last one would change every edge on every run."""
        return make_plan(lineages, self.mapping, source, self.settings.service, seen)

    def show(self, plan: Plan) -> Iterator[str]:
        return (edge.name for edge in plan.edges.values())

    @contextmanager
    def open(self, progress: Progress, summary: Summary | None = None) -> Iterator[OpenMetadataSession]:
        settings = self.settings
        with DeadLetters(settings.dead_letter_file) as letters, settings.connect() as client:
            check_server(client, settings)
            with (
                only_writer(client.url),
                Ledger(settings.state, client.url) as ledger,
                ThreadPoolExecutor(settings.workers, thread_name_prefix="openmetadata") as pool,
            ):
                session = OpenMetadataSession(
                    settings, self.mapping, client, ledger, pool, letters, progress, summary or Summary()
                )
                try:
                    yield session
                finally:
                    session.close()
