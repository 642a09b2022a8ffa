"""The recursive queries behind `upstream` and `downstream`.

The database collects the reachable edges. The distance of each node, and whether it is reached by data flow or impact, follows
from those edges and is computed in Python. The recursion therefore only carries numbers and visits each node once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Select, Table, literal, select

from connector.store.lookup import find_name
from connector.store.rows import select_among
from connector.store.tables import COLUMN_EDGES, COLUMNS, NO_PROCESS, OBJECTS, PROCESSES, TABLE_EDGES
from connector.store.trace import Direction, RawEdge, Trace, TraceProcess, build_trace

__all__ = ["trace_name"]

_FLOWS = ("fdd", "fdr")

_COUNTED_DEPTH = 8
"""Up to here the recursion counts steps, to stop early. It then may meet a node once for each depth, so beyond that it is
cheaper to collect everything and cut afterwards."""


def trace_name(connection: Connection, name: str, direction: Direction, *, depth: int | None, columns: bool) -> Trace:
    """The lineage of the object or column `name`. A column is always traced column by column."""
    named = find_name(connection, name)
    columns = columns or named.is_column
    if named.is_column or not columns:
        starts = [named.number]
    else:
        query = select(COLUMNS.c.guid).where(COLUMNS.c.parent_id == str(named.number))
        starts = [int(guid) for guid in connection.execute(query).scalars() if guid.isdecimal()]
    table = COLUMN_EDGES if columns else TABLE_EDGES
    edges: list[RawEdge] = []
    for at in range(0, len(starts), 1000):
        query = _reachable(table, starts[at : at + 1000], direction, depth)
        edges.extend((near, far, kind, process) for near, far, kind, process in connection.execute(query).all())
    numbers = {*starts, *(edge[0] for edge in edges), *(edge[1] for edge in edges)}
    names = _column_names(connection, numbers) if columns else _object_names(connection, numbers)
    processes = _processes(connection, {edge[3] for edge in edges} - {NO_PROCESS})
    return build_trace(
        named.name, direction, starts, dict.fromkeys(edges), names, processes, columns=columns, depth=depth
    )


def _reachable(table: Table, starts: list[int], direction: Direction, depth: int | None) -> Select[Any]:
    near, far = (
        (table.c.target_id, table.c.source_id)
        if direction == "upstream"
        else (
            table.c.source_id,
            table.c.target_id,
        )
    )
    flows = table.c.type.in_(_FLOWS)
    if depth is not None and depth <= _COUNTED_DEPTH:
        counted = select(near.label("number"), literal(0).label("depth")).where(near.in_(starts), flows).distinct()
        reached = counted.cte("reached", recursive=True)
        onward = select(far, reached.c.depth + 1).where(near == reached.c.number, flows, reached.c.depth < depth - 1)
    else:
        reached = select(near.label("number")).where(near.in_(starts), flows).distinct().cte("reached", recursive=True)
        onward = select(far).where(near == reached.c.number, flows)
    reached = reached.union(onward)
    nodes = select(reached.c.number).distinct().subquery()
    return select(near, far, table.c.type, table.c.process_id).where(near == nodes.c.number, flows)


def _column_names(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[str, str]]:
    query = select(COLUMNS.c.guid, COLUMNS.c.qualified_name, OBJECTS.c.object_type).join(
        OBJECTS, OBJECTS.c.guid == COLUMNS.c.parent_id
    )
    rows = select_among(connection, query, COLUMNS.c.guid, [str(number) for number in numbers])
    return {int(guid): (name, kind) for guid, name, kind in rows}


def _object_names(connection: Connection, numbers: Iterable[int]) -> dict[int, tuple[str, str]]:
    query = select(OBJECTS.c.guid, OBJECTS.c.qualified_name, OBJECTS.c.object_type)
    rows = select_among(connection, query, OBJECTS.c.guid, [str(number) for number in numbers])
    return {int(guid): (name, kind) for guid, name, kind in rows}


def _processes(connection: Connection, numbers: set[int]) -> dict[int, TraceProcess]:
    table = PROCESSES.c
    query = select(table.id, table.qualified_name, table.type, table.query_hash_id, table.procedure_name)
    return {row.id: TraceProcess(*row) for row in select_among(connection, query, table.id, numbers)}
