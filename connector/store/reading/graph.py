"""Follows edges upstream or downstream, up to a given depth and size, and makes graphs to draw: the lineage around an object or a
column, and the whole store table by table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal

from sqlalchemy import Connection, Select, Table, select

from connector.store.reading.records import (
    Column,
    Direction,
    Graph,
    GraphEdge,
    Impact,
    ImpactedColumn,
    ImpactedObject,
    Overview,
    Relation,
    StoredStatement,
    StoreObject,
)
from connector.store.reading.resolving import (
    OBJECT_QUERY,
    columns_of,
    in_order,
    read_columns,
    read_objects,
    read_statements,
    resolve,
)
from connector.store.rows import select_among
from connector.store.tables import COLUMN_EDGES, NO_PROCESS, OBJECTS, TABLE_EDGES

_FLOWS = ("fdd", "fdr")
_LINKS = ("join", "er")
_EDGES_PER_NODE = 10
"""Maximum number of edges per reachable node; beyond that a diagram is useless."""


@dataclass(slots=True)
class Walk:
    """What was reached from the start in one direction."""

    distance: dict[int, int]
    """Steps from the start, by node."""
    direct: set[int]
    """The nodes reached by data flow alone; every path to the others contains impact."""
    edges: list[GraphEdge] = field(default_factory=list)
    truncated: bool = False


def walk(
    connection: Connection,
    table: Table,
    starts: Iterable[int],
    direction: Direction,
    *,
    depth: int | None,
    most: float = inf,
) -> Walk:
    """Proceeds layer by layer: each layer is one query, and stopping at `most` nodes leaves the nearest part complete."""
    roots = list(dict.fromkeys(starts))
    result = Walk(dict.fromkeys(roots, 0), set(roots))
    layer: Collection[int] = roots
    steps = 0
    while layer and (depth is None or steps < depth):
        steps += 1
        following: dict[int, None] = {}
        for edge in _edges(connection, table, layer, direction):
            if len(result.edges) >= most * _EDGES_PER_NODE:
                result.truncated = True
                break
            far = edge.source if direction == "upstream" else edge.target
            if far not in result.distance:
                if len(result.distance) >= most:
                    result.truncated = True
                    continue
                result.distance[far] = steps
                following[far] = None
            result.edges.append(edge)
        layer = following
    _mark_direct(result, direction)
    return result


def links_between(connection: Connection, columns: Collection[int]) -> list[GraphEdge]:
    """The joins and foreign keys between some columns."""
    rows = select_among(
        connection, edges_query(COLUMN_EDGES).where(COLUMN_EDGES.c.type.in_(_LINKS)), COLUMN_EDGES.c.target_id, columns
    )
    members = set(columns)
    return [GraphEdge(*row) for row in rows if row.source_id in members]


def _edges(connection: Connection, table: Table, layer: Collection[int], direction: Direction) -> list[GraphEdge]:
    near = table.c.target_id if direction == "upstream" else table.c.source_id
    rows = select_among(connection, edges_query(table).where(table.c.type.in_(_FLOWS)), near, layer)
    return sorted(
        [GraphEdge(*row) for row in rows], key=lambda edge: (edge.source, edge.target, edge.process, edge.type)
    )


def edges_query(table: Table) -> Select[Any]:
    """The rows for `GraphEdge`."""
    columns = table.c
    shared = [columns.source_id, columns.target_id, columns.type, columns.process_id]
    if table is COLUMN_EDGES:
        shared += [columns.effect_type, columns.clause_type, columns.join_type, columns.condition]
        shared += [columns.expression, columns.transformation]
    return select(*shared)


def _mark_direct(result: Walk, direction: Direction) -> None:
    """Follows data flow only; such a path may be longer than the shortest one."""
    outward: dict[int, list[int]] = {}
    for edge in result.edges:
        if edge.type == "fdd":
            near, far = (edge.target, edge.source) if direction == "upstream" else (edge.source, edge.target)
            outward.setdefault(near, []).append(far)
    pending = list(result.direct)
    while pending:
        for far in outward.get(pending.pop(), ()):
            if far not in result.direct:
                result.direct.add(far)
                pending.append(far)


Way = Literal["upstream", "downstream", "both"]


def read_graph(
    connection: Connection, reference: str, way: Way, *, depth: int | None, columns: bool, most: int
) -> Graph:
    """A column is always followed by column; a table with `columns` on both levels."""
    start, column = resolve(connection, reference)
    graph = Graph(start, column)
    if column is not None or columns:
        starts = [column] if column is not None else columns_of(connection, [start.number])
        _walk_columns(connection, graph, starts, way, depth, most)
    if column is None:
        for walked in _walks(connection, TABLE_EDGES, [start.number], way, depth, most):
            graph.table_edges.extend(walked.edges)
            graph.truncated |= walked.truncated
        graph.table_edges = list(dict.fromkeys(graph.table_edges))
    else:
        graph.table_edges = _between_tables(graph)
    _name(connection, graph)
    return graph


def _walk_columns(
    connection: Connection, graph: Graph, starts: list[Column], way: Way, depth: int | None, most: int
) -> None:
    reached: dict[int, None] = dict.fromkeys([column.number for column in starts])
    edges: list[GraphEdge] = []
    for walked in _walks(connection, COLUMN_EDGES, list(reached), way, depth, most):
        reached |= dict.fromkeys(walked.distance)
        edges.extend(walked.edges)
        graph.truncated |= walked.truncated
    edges.extend(links_between(connection, list(reached)))
    graph.column_edges = list(dict.fromkeys(edges))
    ordered = in_order(connection, read_columns(connection, reached).values())
    graph.columns = {column.number: column for column in ordered}


def _walks(
    connection: Connection, table: Table, starts: list[int], way: Way, depth: int | None, most: int
) -> Iterable[Walk]:
    directions: tuple[Direction, ...] = ("upstream", "downstream") if way == "both" else (way,)
    return [walk(connection, table, starts, direction, depth=depth, most=most) for direction in directions]


def _between_tables(graph: Graph) -> list[GraphEdge]:
    """The table edges that follow from column edges; if one of several is data flow, the result is data flow."""
    kinds: dict[tuple[int, int, int], str] = {}
    for edge in graph.column_edges:
        if edge.type in ("fdd", "fdr"):
            key = graph.columns[edge.source].owner, graph.columns[edge.target].owner, edge.process
            if kinds.get(key) != "fdd":
                kinds[key] = edge.type
    return [GraphEdge(source, target, kind, process) for (source, target, process), kind in kinds.items()]


def _name(connection: Connection, graph: Graph) -> None:
    numbers = {column.owner for column in graph.columns.values()}
    for edge in graph.table_edges:
        numbers.update((edge.source, edge.target))
    others = read_objects(connection, numbers - {graph.start.number})
    graph.objects = {graph.start.number: graph.start} | dict(sorted(others.items(), key=_by_name))
    edges = (*graph.column_edges, *graph.table_edges)
    graph.statements = read_statements(connection, {edge.process for edge in edges})


def _by_name(item: tuple[int, StoreObject]) -> str:
    return item[1].qualified_name


_EDGES = 50_000
"""Maximum number of edges to read."""

_STATEMENTS = 2_000
"""Maximum number of statements for listing the statements of each edge; beyond that, an edge is one line for all of them."""


def read_overview(connection: Connection, *, most: int) -> Overview:
    """If the store has more than `most` objects, every schema is represented by its objects with the most edges."""
    columns = TABLE_EDGES.c
    query = select(columns.source_id, columns.target_id, columns.type, columns.process_id).where(
        columns.type.in_(("fdd", "fdr"))
    )
    rows = connection.execute(query.limit(_EDGES + 1)).all()
    edges = [GraphEdge(*row) for row in rows[:_EDGES]]
    everything = _all_objects(connection)
    objects = everything if len(everything) <= most else _chosen(everything, edges, most)
    edges = [edge for edge in edges if edge.source in objects and edge.target in objects]
    statements = {edge.process for edge in edges} - {NO_PROCESS}
    if len(statements) > _STATEMENTS:
        edges, statements = _without_statements(edges), set()
    truncated = len(rows) > _EDGES or len(objects) < len(everything)
    return Overview(len(everything), objects, edges, read_statements(connection, statements), truncated)


def _all_objects(connection: Connection) -> dict[int, StoreObject]:
    rows = connection.execute(OBJECT_QUERY.order_by(OBJECTS.c.qualified_name))
    return {int(guid): StoreObject(int(guid), *said) for guid, *said in rows if guid.isdecimal()}


def _chosen(everything: dict[int, StoreObject], edges: list[GraphEdge], most: int) -> dict[int, StoreObject]:
    """Takes objects from the schemas in turn, the best connected first, so that no schema is left out."""
    degree = Counter(number for edge in edges for number in (edge.source, edge.target))
    turns: Counter[tuple[str | None, ...]] = Counter()
    ranked = []
    for number, found in sorted(everything.items(), key=lambda item: -degree[item[0]]):
        schema = found.place[:-1]
        turns[schema] += 1
        ranked.append((turns[schema], number))
    kept = {number for _, number in sorted(ranked)[:most]}
    return {number: found for number, found in everything.items() if number in kept}


def _without_statements(edges: list[GraphEdge]) -> list[GraphEdge]:
    kinds: dict[tuple[int, int], str] = {}
    for edge in edges:
        if kinds.get((edge.source, edge.target)) != "fdd":
            kinds[edge.source, edge.target] = edge.type
    return [GraphEdge(source, target, kind, NO_PROCESS) for (source, target), kind in kinds.items()]


def read_impact(connection: Connection, reference: str, *, most: int) -> Impact:
    """Follows columns; for a table also where only tables are known, because a statement could not be resolved."""
    start, start_column = resolve(connection, reference)
    starts = [start_column] if start_column is not None else columns_of(connection, [start.number])
    by_column = walk(
        connection, COLUMN_EDGES, [each.number for each in starts], "downstream", depth=None, most=most * 4
    )
    by_table = Walk({}, set())
    if start_column is None:
        by_table = walk(connection, TABLE_EDGES, [start.number], "downstream", depth=None, most=most)
    columns = read_columns(connection, by_column.distance)
    touched = _Touched(by_column, by_table, columns)
    touched.statements = read_statements(connection, touched.made_by())
    begun = set() if start_column is not None else {start.number}
    numbers = touched.objects() - begun
    objects = read_objects(connection, numbers)
    impacted = [touched.describe(objects[number]) for number in numbers if number in objects]
    impacted = [each for each in impacted if each.columns or each.object.number in by_table.distance]
    impacted.sort(key=lambda each: (each.distance, each.object.qualified_name))
    truncated = by_column.truncated or by_table.truncated or len(impacted) > most
    return Impact(start, start_column, impacted[:most], truncated)


class _Touched:
    """Combines two walks by object."""

    def __init__(self, by_column: Walk, by_table: Walk, columns: dict[int, Column]) -> None:
        self._by_column = by_column
        self._by_table = by_table
        self.statements: dict[int, StoredStatement] = {}
        self._columns: dict[int, list[Column]] = {}
        for number, distance in by_column.distance.items():
            if distance and number in columns:
                self._columns.setdefault(columns[number].owner, []).append(columns[number])
        self._processes: dict[int, set[int]] = {}
        for edge in by_column.edges:
            if edge.target in columns:
                self._processes.setdefault(columns[edge.target].owner, set()).add(edge.process)
        for edge in by_table.edges:
            self._processes.setdefault(edge.target, set()).add(edge.process)

    def objects(self) -> set[int]:
        return {*self._columns, *self._by_table.distance}

    def made_by(self) -> set[int]:
        return {number for numbers in self._processes.values() for number in numbers}

    def describe(self, found: StoreObject) -> ImpactedObject:
        """An object with its affected columns and the statements that affect them."""
        by_column, by_table = self._by_column, self._by_table
        columns = [
            ImpactedColumn(column, _relation(column.number, by_column), by_column.distance[column.number])
            for column in self._columns.get(found.number, [])
        ]
        columns.sort(key=lambda each: (each.column.is_rows, each.distance, each.column.name))
        distances = [each.distance for each in columns]
        if found.number in by_table.distance:
            distances.append(by_table.distance[found.number])
        direct = any(each.relation == "direct" for each in columns) or found.number in by_table.direct
        numbers = self._processes.get(found.number, set())
        statements = sorted(
            [self.statements[number] for number in numbers if number in self.statements],
            key=lambda each: each.qualified_name,
        )
        return ImpactedObject(
            found,
            "direct" if direct else "indirect",
            min(distances, default=0),
            columns,
            statements,
            sorted({user for each in statements for user in each.users}),
        )


def _relation(number: int, walked: Walk) -> Relation:
    return "direct" if number in walked.direct else "indirect"
