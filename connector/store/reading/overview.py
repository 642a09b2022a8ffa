"""The whole store at once, table by table: a starting point for people who do not know what to search for."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, select

from connector.store.reading.records import GraphEdge, Overview, StoreObject
from connector.store.reading.resolving import OBJECT_QUERY, read_statements
from connector.store.tables import NO_PROCESS, OBJECTS, TABLE_EDGES

__all__ = ["read_overview"]

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
