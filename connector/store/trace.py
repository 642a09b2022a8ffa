"""The lineage of an object: what feeds it, or what it feeds, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from connector.store.lookup import find_name
from connector.store.reading.graph import walk
from connector.store.reading.records import Direction, GraphEdge
from connector.store.rows import select_among
from connector.store.tables import (
    COLUMN_EDGES,
    COLUMN_NAMES,
    COLUMNS,
    NO_PROCESS,
    OBJECT_NAMES,
    OBJECTS,
    PROCESSES,
    TABLE_EDGES,
)


@dataclass(frozen=True, slots=True)
class TraceProcess:
    """A statement along the path."""

    number: int
    qualified_name: str
    type: str
    query_hash_id: str
    procedure_name: str


@dataclass(slots=True, eq=False)
class TraceNode:
    """A table or column that was reached."""

    qualified_name: str
    kind: str
    distance: int = 0
    """Steps from the start; 0 is the start itself."""
    type: str = "fdd"
    """`fdd` if at least one path from the start is data flow throughout, `fdr` if every path contains impact."""
    number: int = 0


@dataclass(slots=True, eq=False)
class Step:
    """An edge with all the statements that create it."""

    type: str
    source: TraceNode
    target: TraceNode
    processes: list[TraceProcess] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Trace:
    """The part of the lineage graph that can be reached from the start in one direction."""

    name: str
    direction: Direction
    columns: bool
    """Whether the nodes are columns."""
    starts: list[TraceNode]
    nodes: list[TraceNode]
    """Without the start, nearest first, then by name."""
    steps: list[Step]
    """Ordered by their nearer ends, then by their farther ones."""

    def near(self, step: Step) -> TraceNode:
        """The end of a step on the side of the start."""
        return step.target if self.direction == "upstream" else step.source

    def far(self, step: Step) -> TraceNode:
        return step.source if self.direction == "upstream" else step.target


def read_trace(connection: Connection, name: str, direction: Direction, *, depth: int | None, columns: bool) -> Trace:
    """The lineage of the object or column `name`. A column is always traced column by column."""
    named = find_name(connection, name)
    columns = columns or named.is_column
    if named.is_column or not columns:
        starts = [named.number]
    else:
        query = select(COLUMNS.c.guid).where(COLUMNS.c.parent_id == str(named.number))
        starts = [int(guid) for guid in connection.execute(query).scalars() if guid.isdecimal()]
    walked = walk(connection, COLUMN_EDGES if columns else TABLE_EDGES, starts, direction, depth=depth)
    found = [
        TraceNode(*row, walked.distance[number], "fdd" if number in walked.direct else "fdr", number)
        for number, row in _names(connection, walked.distance, columns=columns).items()
    ]
    found.sort(key=lambda node: (node.distance, node.qualified_name, node.kind))
    nodes = {node.number: node for node in found}
    processes = _processes(connection, {edge.process for edge in walked.edges} - {NO_PROCESS})
    steps = _steps(walked.edges, nodes, processes)
    trace = Trace(named.name, direction, columns, found[: len(set(starts))], found[len(set(starts)) :], steps)
    place = {node: at for at, node in enumerate(found)}
    steps.sort(key=lambda step: (place[trace.near(step)], trace.far(step).qualified_name, trace.far(step).kind))
    return trace


def _steps(edges: Iterable[GraphEdge], nodes: dict[int, TraceNode], processes: dict[int, TraceProcess]) -> list[Step]:
    """One step for each pair of ends, whichever statements create it; data flow if one of them is."""
    made: dict[tuple[int, int], list[GraphEdge]] = {}
    for edge in edges:
        made.setdefault((edge.source, edge.target), []).append(edge)
    steps = []
    for (source, target), several in made.items():
        kind = "fdd" if any(edge.type == "fdd" for edge in several) else "fdr"
        found = {processes[edge.process] for edge in several if edge.process in processes}
        ordered = sorted(found, key=lambda process: process.qualified_name)
        steps.append(Step(kind, nodes[source], nodes[target], ordered))
    return steps


def _names(connection: Connection, numbers: Iterable[int], *, columns: bool) -> dict[int, tuple[str, str]]:
    """The name of each object or column, and the type of the object."""
    query, guid = (COLUMN_NAMES, COLUMNS.c.guid) if columns else (OBJECT_NAMES, OBJECTS.c.guid)
    rows = select_among(connection, query, guid, [str(number) for number in numbers])
    return {int(guid): (name, kind) for guid, name, kind in rows}


def _processes(connection: Connection, numbers: set[int]) -> dict[int, TraceProcess]:
    table = PROCESSES.c
    query = select(table.id, table.qualified_name, table.type, table.query_hash_id, table.procedure_name)
    return {row.id: TraceProcess(*row) for row in select_among(connection, query, table.id, numbers)}
