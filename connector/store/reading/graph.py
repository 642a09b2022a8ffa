"""The lineage around an object or a column, as objects and edges that can be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from sqlalchemy import Connection, Table

from connector.store.reading.ordering import in_order
from connector.store.reading.records import Column, Direction, Graph, GraphEdge, StoreObject
from connector.store.reading.resolving import columns_of, read_columns, read_objects, read_statements, resolve
from connector.store.reading.walking import Walk, links_between, walk
from connector.store.tables import COLUMN_EDGES, TABLE_EDGES

__all__ = ["Way", "read_graph"]

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
