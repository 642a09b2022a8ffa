"""Edges that a source no longer has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger
from connector.catalogs.openmetadata.client import Document, OpenMetadataClient, reference, split
from connector.catalogs.openmetadata.details import TextLimits, same, without
from connector.catalogs.openmetadata.edge_descriptions import read_marks
from connector.catalogs.openmetadata.lookup import Found, fits
from connector.catalogs.openmetadata.plan import ARROW, PlannedObject
from connector.catalogs.openmetadata.writing import EDGE, Outcome, in_lanes, lanes_of, ledger_type

_Ids = tuple[str, str]


@dataclass(frozen=True, slots=True)
class OutdatedEdge:
    """An edge with a part of ours that the source no longer has."""

    name: str
    source: Document
    target: Document
    rest: Document | None = None
    """What others have in it."""


@dataclass(slots=True)
class Outdated:
    """What a source wrote earlier and no longer has."""

    remove: dict[tuple[str, str], OutdatedEdge] = field(default_factory=dict)
    """Edges that belong to this source alone, by type and name."""
    release: dict[tuple[str, str], OutdatedEdge] = field(default_factory=dict)
    """Edges that stay, without our part, because others have one."""
    gone: list[tuple[str, str]] = field(default_factory=list)
    """Edges that the server does not have either, or in which nothing of ours is left."""

    def __bool__(self) -> bool:
        return bool(self.remove or self.release or self.gone)


def find_outdated(
    source: str,
    current: set[_Ids],
    missing: Sequence[PlannedObject],
    around: Iterable[Found],
    client: OpenMetadataClient,
    ledger: Ledger,
    pool: ThreadPoolExecutor,
    limits: TextLimits,
) -> Outdated:
    """The edges of a source that are not `current`: by the ledger, and by the marks on the edges around known objects.

    An edge of an object that is wanted but was not found this time (`missing`) may come back with it, and stays.
    """
    found = Outdated()
    candidates: dict[_Ids, OutdatedEdge] = {}
    records = ledger.records()
    for key in sorted(ledger.claims(source)):
        record = records.get((ledger_type(source), key[1]))
        if record is None or _is_missing(key[1], missing):
            continue
        start_type, start, end_type, end = record.guid.split(" ")
        if (start, end) not in current:
            edge = OutdatedEdge(key[1], {"id": start, "type": start_type}, {"id": end, "type": end_type})
            candidates[start, end] = edge
    objects = list(around)
    for edges in pool.map(lambda each: list(_marked(client, each, source)), objects):
        for edge in edges:
            ids = (str(edge.source["id"]), str(edge.target["id"]))
            if ids not in current and not _is_missing(edge.name, missing):
                candidates.setdefault(ids, edge)
    details = pool.map(lambda each: client.edge(str(each.source["id"]), str(each.target["id"])), candidates.values())
    for edge, stored in zip(candidates.values(), details, strict=True):
        name = (EDGE, edge.name)
        if stored is None or source not in read_marks(stored.get("description"))[1]:
            found.gone.append(name)
            continue
        rest = without(stored, source, limits)
        if rest is None:
            found.remove[name] = edge
        else:
            found.release[name] = OutdatedEdge(edge.name, edge.source, edge.target, rest)
    return found


def _is_missing(name: str, missing: Sequence[PlannedObject]) -> bool:
    """Whether an end of the edge of this name is one of these objects."""
    ends = [split(end) for end in name.split(ARROW)]
    return any(fits(end, wanted) for wanted in missing for end in ends)


def _marked(client: OpenMetadataClient, around: Found, source: str) -> Iterator[OutdatedEdge]:
    """The edges of an object that carry a mark of the source."""
    for start, end, edge in client.edges_around(around.type, around.fqn):
        if source in read_marks((edge.get("lineageDetails") or {}).get("description"))[1]:
            name = f"{start['fullyQualifiedName']}{ARROW}{end['fullyQualifiedName']}"
            yield OutdatedEdge(name, reference(start), reference(end))


def prune(
    outdated: Outdated, source: str, client: OpenMetadataClient, ledger: Ledger, pool: ThreadPoolExecutor
) -> Iterator[Outcome]:
    """Take our part out of outdated edges; edges in which nothing else is go as a whole."""
    _forget(outdated.gone, source, ledger)
    edges = [*outdated.remove.values(), *outdated.release.values()]
    lanes = lanes_of(edges, lambda edge: edge.target["id"])
    for outcome in in_lanes(pool, lanes, lambda edge: _take_out(edge, client)):
        if outcome.verdict != "failed":
            _forget([(EDGE, outcome.name)], source, ledger)
        yield outcome


def _take_out(edge: OutdatedEdge, client: OpenMetadataClient) -> Outcome:
    """Runs on a worker thread."""
    if edge.rest is None:
        try:
            client.delete_edge(edge.source, edge.target)
        except RefusedError as error:
            return Outcome(edge.name, "failed", f"it was not removed: {error}")
        return Outcome(edge.name, "removed")
    try:
        client.put_edge(edge.source, edge.target, edge.rest)
    except RefusedError as error:
        if not same(client.edge(str(edge.source["id"]), str(edge.target["id"])), edge.rest):
            return Outcome(edge.name, "failed", f"our part of it was not removed: {error}", details=edge.rest)
    return Outcome(edge.name, "updated", "our part of it was removed")


def _forget(names: Sequence[tuple[str, str]], source: str, ledger: Ledger) -> None:
    ledger.forget([(ledger_type(source), name) for _, name in names])
    ledger.disclaim(names, source)
