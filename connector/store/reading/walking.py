"""Follows edges upstream or downstream, step by step, up to a given depth and size."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from sqlalchemy import Connection, Select, Table, select

from connector.store.reading.records import Direction, GraphEdge
from connector.store.rows import select_among
from connector.store.tables import COLUMN_EDGES

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
        connection, _query(COLUMN_EDGES).where(COLUMN_EDGES.c.type.in_(_LINKS)), COLUMN_EDGES.c.target_id, columns
    )
    members = set(columns)
    return [GraphEdge(*row) for row in rows if row.source_id in members]


def _edges(connection: Connection, table: Table, layer: Collection[int], direction: Direction) -> list[GraphEdge]:
    near = table.c.target_id if direction == "upstream" else table.c.source_id
    rows = select_among(connection, _query(table).where(table.c.type.in_(_FLOWS)), near, layer)
    return sorted(
        [GraphEdge(*row) for row in rows], key=lambda edge: (edge.source, edge.target, edge.process, edge.type)
    )


def _query(table: Table) -> Select[Any]:
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
