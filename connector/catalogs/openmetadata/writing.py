"""Resolves the names of planned edges to the server's objects and columns, and updates the edges: reads and compares them, writes
only those that differ, and reads them back.

A 500 does not mean that nothing was written, and a 200 does not mean that everything was: in both cases the edge is read
and looked at.

The server keeps a copy of the edges in its search index, in the document of their target, and the lineage view shows that
copy. Of two writes with the same target under way at once one is lost there, silently. So each target has a lane: what is
in it happens one after the other, whoever does it, and only lanes run side by side.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from hashlib import sha256
from queue import SimpleQueue
from threading import Event
from typing import Literal, TypeVar

from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.openmetadata.client import Document, OpenMetadataClient
from connector.catalogs.openmetadata.details import Contribution, TextLimits, merge, same
from connector.catalogs.openmetadata.edge_descriptions import Told, read_marks
from connector.catalogs.openmetadata.lookup import Found
from connector.catalogs.openmetadata.plan import (
    ARROW,
    LINEAGE_SOURCES,
    ColumnRef,
    Key,
    Mappings,
    PlannedEdge,
    PlannedStatement,
)
from connector.common.progress import Progress

_LONGEST_FUNCTION = 10_000


@dataclass(slots=True)
class ResolvedEdge:
    """An edge between two objects of the server."""

    source: Found
    target: Found
    contribution: Contribution
    missing_columns: list[str] = field(default_factory=list)
    """Columns that statements name and the server does not have."""
    notes: list[str] = field(default_factory=list)
    """What else of it the server has no place for."""

    @property
    def name(self) -> str:
        return f"{self.source.fqn}{ARROW}{self.target.fqn}"

    @property
    def ids(self) -> tuple[str, str]:
        return self.source.id, self.target.id


@dataclass(slots=True)
class _Columns:
    sources: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)


def resolve(edges: Iterable[PlannedEdge], found: Mapping[Key, Found], source: str) -> list[ResolvedEdge]:
    """The edges whose ends are both there. Names that turn out to be one object make one edge."""
    groups: dict[tuple[str, str], list[PlannedEdge]] = {}
    for edge in edges:
        if edge.source in found and edge.target in found:
            ids = found[edge.source].id, found[edge.target].id
            groups.setdefault(ids, []).append(edge)
    return [_resolve(group, found, source) for group in groups.values()]


def _resolve(group: list[PlannedEdge], found: Mapping[Key, Found], source: str) -> ResolvedEdge:
    first = group[0]
    start, end = found[first.source], found[first.target]
    missing: dict[str, None] = {}
    direct: dict[str, _Columns] = {}
    indirect: dict[str, _Columns] = {}
    for edge in group:
        _collect(edge.direct, start, end, direct, missing)
        _collect(edge.indirect, start, end, indirect, missing)
    made = {edge.made for edge in group}
    routines = sorted({key for edge in group for key in edge.routines})
    known = [found[key] for key in routines if key in found]
    contribution = Contribution(
        source,
        next((each for each in LINEAGE_SOURCES if each in made), "QueryLineage"),
        [*_entries(direct), *_entries(_impact(indirect, direct))],
        {each.identity: each.text for edge in group for each in edge.statements},
        tuple(sorted({found[key].fqn if key in found else key[1] for key in routines})),
        known[0].reference if known else None,
        _told(each for edge in group for each in edge.statements),
    )
    resolved = ResolvedEdge(start, end, contribution, list(missing))
    if any(edge.stars for edge in group):
        resolved.notes.append(f"{resolved.name}: a * was not expanded, its columns are not known")
    if len(known) > 1:
        resolved.notes.append(f"{resolved.name}: several routines write it, {known[0].fqn} is named as its pipeline")
    return resolved


def _told(statements: Iterable[PlannedStatement]) -> dict[str, Told]:
    """What people are told; of a statement that stands in several places, the first."""
    found: dict[str, Told] = {}
    for each in statements:
        told = Told(each.kind, each.place, each.since)
        found[each.identity] = min(told, found.get(each.identity, told))
    return found


def _collect(
    mappings: Mapping[ColumnRef, Mappings],
    start: Found,
    end: Found,
    into: dict[str, _Columns],
    missing: dict[str, None],
) -> None:
    for ref, made_of in mappings.items():
        target = end.column(ref)
        if target is None:
            missing[f"{end.fqn}.{ref.text}"] = None
            continue
        names = set()
        for origin in made_of.sources:
            name = start.column(origin)
            if name is None:
                missing[f"{start.fqn}.{origin.text}"] = None
            else:
                names.add(name)
        if names:
            columns = into.setdefault(target, _Columns())
            columns.sources |= names
            columns.functions |= made_of.functions


def _impact(indirect: dict[str, _Columns], direct: dict[str, _Columns]) -> dict[str, _Columns]:
    """Impact where there is no data flow between the same two columns."""
    found = {}
    for target, columns in indirect.items():
        rest = columns.sources - (direct[target].sources if target in direct else set())
        if rest:
            clauses = ", ".join(sorted(columns.functions))
            found[target] = _Columns(rest, {f"impact ({clauses})" if clauses else "impact"})
    return found


def _entries(columns: dict[str, _Columns]) -> list[Document]:
    entries = []
    for target in sorted(columns):
        entry: Document = {"fromColumns": sorted(columns[target].sources), "toColumn": target}
        functions = "; ".join(sorted(columns[target].functions))
        if functions:
            cut = len(functions) > _LONGEST_FUNCTION
            entry["function"] = functions[:_LONGEST_FUNCTION] + "…" if cut else functions
        entries.append(entry)
    return entries


Item = TypeVar("Item")
Result = TypeVar("Result")


def lanes_of(items: Iterable[Item], target: Callable[[Item], Hashable]) -> list[list[Item]]:
    """The items by target, the longest lane first, so that it does not end alone."""
    lanes: dict[Hashable, list[Item]] = {}
    for item in items:
        lanes.setdefault(target(item), []).append(item)
    return sorted(lanes.values(), key=len, reverse=True)


def in_lanes(
    pool: ThreadPoolExecutor, lanes: Iterable[Sequence[Item]], work: Callable[[Item], Result]
) -> Iterator[Result]:
    """Do the work for every item; the results come as soon as they are there.

    After an exception nothing more is begun. What was under way has arrived, or has failed too; it is told before the
    exception is raised.
    """
    results: SimpleQueue[tuple[Result] | BaseException | None] = SimpleQueue()
    stop = Event()

    def follow(lane: Sequence[Item]) -> None:
        try:
            for item in lane:
                if stop.is_set():
                    return
                results.put((work(item),))
        except BaseException as error:  # noqa: BLE001  raised again where the results are read
            stop.set()
            results.put(error)
        finally:
            results.put(None)

    under_way = [pool.submit(follow, lane) for lane in lanes]
    failure: BaseException | None = None
    try:
        open_lanes = len(under_way)
        while open_lanes:
            found = results.get()
            if found is None:
                open_lanes -= 1
            elif isinstance(found, BaseException):
                failure = failure or found
            else:
                yield found[0]
    finally:
        stop.set()  # also when the caller no longer consumes the results
        for future in under_way:
            future.cancel()
    if failure is not None:
        raise failure


EDGE = "edge"
Verdict = Literal["created", "updated", "unchanged", "removed", "missing", "failed"]

_SAMPLE = 40
"""How many edges of the ledger are looked for on the server before the ledger is believed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an edge."""

    name: str
    verdict: Verdict
    reason: str = ""
    edge: ResolvedEdge | None = None
    details: Document | None = None
    """What the server holds now, or what it refused."""


def ledger_type(source: str) -> str:
    """Several sources may have a part in one edge; the ledger keeps them apart."""
    return f"{EDGE}:{source}"


class EdgeWriter:
    """Writes the edges of one source, several at a time, those of one target one after the other."""

    def __init__(
        self,
        client: OpenMetadataClient,
        ledger: Ledger,
        source: str,
        pool: ThreadPoolExecutor,
        limits: TextLimits,
        progress: Progress,
        today: date | None = None,
    ) -> None:
        self._client = client
        self._ledger = ledger
        self._source = source
        self._pool = pool
        self._limits = limits
        self._progress = progress
        self._today = (today or datetime.now(timezone.utc).date()).isoformat()

    def write_all(self, edges: list[ResolvedEdge], *, verify: bool) -> Iterator[Outcome]:
        """Write edges, and say of each what became of it as soon as that is known."""
        records = {} if verify else self._trusted(edges)
        unknown: list[ResolvedEdge] = []
        for edge in edges:
            record = records.get((ledger_type(self._source), edge.name))
            if record is not None and record.digest == self._digest(edge):
                yield Outcome(edge.name, "unchanged", edge=edge)
            else:
                unknown.append(edge)
        self._progress.begin("Writing lineage", len(unknown))
        try:
            for outcome in in_lanes(self._pool, lanes_of(unknown, lambda edge: edge.target.id), self._update):
                self._remember(outcome)
                self._progress.advance(1)
                yield outcome
        finally:
            self._progress.end()

    def _update(self, edge: ResolvedEdge) -> Outcome:
        """Bring one edge to what it should be. Runs on a worker thread."""
        expected: Document | None = None
        try:
            stored = self._client.edge(*edge.ids)
            expected = merge(stored, edge.contribution, self._limits, self._today)
            if same(stored, expected):
                return Outcome(edge.name, "unchanged", edge=edge, details=stored)
            self._put(edge, expected)
            now = self._client.edge(*edge.ids)
        except RefusedError as error:
            return Outcome(edge.name, "failed", str(error), edge, expected)
        if not same(now, expected):
            reason = "the server accepted the edge but stores something else: " + _difference(now, expected)
            return Outcome(edge.name, "failed", reason, edge, expected)
        return Outcome(edge.name, "created" if stored is None else "updated", edge=edge, details=now)

    def _put(self, edge: ResolvedEdge, expected: Document) -> None:
        backoff = self._client.http.backoff
        for failures in range(1, backoff.attempts + 1):
            try:
                self._client.put_edge(edge.source.reference, edge.target.reference, expected)
            except RefusedError as error:
                if error.status != 500:
                    raise
                if same(self._client.edge(*edge.ids), expected):
                    return
                if failures == backoff.attempts:
                    raise
                backoff.wait(failures)
            else:
                return

    # --- the ledger -------------------------------------------------------------------------------------------------

    def _trusted(self, edges: list[ResolvedEdge]) -> dict[tuple[str, str], Record]:
        """The ledger, unless edges of a sample are gone or not ours any more: then the server is not the one it was."""
        records = self._ledger.records()
        known = [edge for edge in edges if (ledger_type(self._source), edge.name) in records]
        step = max(1, len(known) // _SAMPLE)
        if all(self._pool.map(self._is_ours, known[::step][:_SAMPLE])):
            return records
        self._ledger.forget([key for key in records if key[0] == ledger_type(self._source)])
        return {}

    def _is_ours(self, edge: ResolvedEdge) -> bool:
        stored = self._client.edge(*edge.ids)
        return stored is not None and self._source in read_marks(stored.get("description"))[1]

    def _remember(self, outcome: Outcome) -> None:
        edge = outcome.edge
        if edge is None or outcome.verdict not in ("created", "updated", "unchanged"):
            return
        guid = " ".join((edge.source.type, edge.source.id, edge.target.type, edge.target.id))
        record = Record(ledger_type(self._source), edge.name, guid, self._digest(edge))
        self._ledger.save([record], [(EDGE, edge.name)], self._source)

    def _digest(self, edge: ResolvedEdge) -> str:
        """A fingerprint of all that we have to say of an edge."""
        ours = edge.contribution
        content = [
            edge.ids,
            ours.made,
            ours.columns,
            sorted(ours.statements.items()),
            ours.routines,
            ours.pipeline,
            sorted(ours.told.items()),
            [self._limits.characters, self._limits.statements],
        ]
        return sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _difference(stored: Document | None, expected: Document) -> str:
    """What of the expected details is not there, in a few words."""
    if stored is None:
        return "no edge"
    have = {
        (source, entry.get("toColumn"))
        for entry in stored.get("columnsLineage") or ()
        for source in entry.get("fromColumns") or ()
    }
    want = {(source, entry["toColumn"]) for entry in expected["columnsLineage"] for source in entry["fromColumns"]}
    lost = sorted(want - have)
    if lost:
        return f"{len(lost)} pairs of columns are missing, {lost[0][0]} -> {lost[0][1]} among them"
    names = ("source", "description", "sqlQuery", "pipeline", "columnsLineage")
    return "other " + ", ".join(name for name in names if stored.get(name) != expected.get(name))
