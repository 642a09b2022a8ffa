"""Edges of a load against those the store has: what is added, changed and taken away.

A statement that is loaded again says anew what it writes: with better metadata a `*` has become columns, and the old edge
is wrong. So the edges of a statement into a table are replaced as a whole by those of the latest load that saw the
statement write that table. What the same text wrote elsewhere (under another default schema) stays.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from sqlalchemy import Connection, Table, select

from connector.model import Column, Entity, Process
from connector.model.levels import ColumnEdge, TableEdge
from connector.store.identity import storable
from connector.store.rows import delete_rows, insert_rows, select_among, update_rows
from connector.store.summary import Counts
from connector.store.tables import NO_PROCESS

__all__ = ["column_edge_rows", "save_edges", "table_edge_rows"]

Key = tuple[Any, ...]
EdgeRows = dict[Key, tuple[Any, ...]]
"""What a table says beside its primary key, by primary key."""


def column_edge_rows(
    edges: Iterable[ColumnEdge], columns: dict[Column, int], processes: dict[Process, int]
) -> EdgeRows:
    rows: EdgeRows = {}
    for edge in edges:
        process = processes[edge.process] if edge.process is not None else NO_PROCESS
        key = (columns[edge.target], columns[edge.source], process, edge.type)
        if key not in rows:
            rows[key] = (edge.effect, edge.clause, edge.join_type, edge.condition and storable(edge.condition))
    return rows


def table_edge_rows(edges: Iterable[TableEdge], objects: dict[Entity, int], processes: dict[Process, int]) -> EdgeRows:
    """One row for each pair and process; of several edges one of data makes it data."""
    rows: EdgeRows = {}
    for edge in edges:
        process = processes[edge.process] if edge.process is not None else NO_PROCESS
        key = (objects[edge.target], objects[edge.source], process)
        if key not in rows or edge.type == "fdd":
            rows[key] = (edge.type,)
    return rows


def save_edges(
    connection: Connection,
    table: Table,
    rows: EdgeRows,
    processes: Collection[int],
    stale: Callable[[Key], bool],
    counts: Counts,
) -> None:
    """Write the difference. `stale` tells of a stored edge that the load does not have whether it should have had it."""
    keys = [column.name for column in table.primary_key]
    others = [column.name for column in table.c if not column.primary_key]
    width = len(keys)
    known: EdgeRows = {}
    query = select(*[table.c[name] for name in (*keys, *others)])
    for row in select_among(connection, query, table.c.process_id, processes):
        known[tuple(row[:width])] = tuple(row[width:])
    removed = [key for key in known if key not in rows and stale(key)]
    created = sorted([key for key in rows if key not in known])
    updated = [key for key, values in rows.items() if key in known and known[key] != values]
    names = [*keys, *others]
    delete_rows(connection, table, keys, removed)
    insert_rows(connection, table, names, [(*key, *rows[key]) for key in created])
    update_rows(connection, table, keys, [dict(zip(names, (*key, *rows[key]), strict=True)) for key in updated])
    counts.created += len(created)
    counts.updated += len(updated)
    counts.removed += len(removed)
    counts.unchanged += len(rows) - len(created) - len(updated)
