"""From numbers and names to the objects, columns and statements of the store."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, func, select

from connector.store.descriptions import COLUMN, OBJECT
from connector.store.level_rows import DATASETS
from connector.store.lookup import UnknownNameError, find_name
from connector.store.reading.history import History, read_histories
from connector.store.reading.ordering import in_order
from connector.store.reading.records import Column, StoredStatement, StoreObject
from connector.store.rows import select_among
from connector.store.tables import COLUMNS, DESCRIPTIONS, NO_PROCESS, OBJECTS, PROCESSES

__all__ = ["OBJECT_QUERY", "columns_of", "read_columns", "read_objects", "read_statements", "resolve"]


def _comment(table: Table) -> ColumnElement[str | None]:
    """What people have written in the store counts more than what a definition says."""
    return func.coalesce(func.nullif(table.c.comment, ""), DESCRIPTIONS.c.comment)


def _described(table: Table, kind: str) -> ColumnElement[bool]:
    return and_(DESCRIPTIONS.c.guid == table.c.guid, DESCRIPTIONS.c.kind == kind)


OBJECT_QUERY = (
    select(OBJECTS.c.guid, OBJECTS.c.qualified_name, OBJECTS.c.object_type, _comment(OBJECTS))
    .outerjoin(DESCRIPTIONS, _described(OBJECTS, OBJECT))
    .where(OBJECTS.c.object_type.in_(DATASETS))
)
"""The tables, views, paths and stages, each a row for `StoreObject`."""
_COLUMN = select(
    COLUMNS.c.guid, COLUMNS.c.qualified_name, COLUMNS.c.parent_id, DESCRIPTIONS.c.data_type, _comment(COLUMNS)
).outerjoin(DESCRIPTIONS, _described(COLUMNS, COLUMN))


def resolve(connection: Connection, reference: str) -> tuple[StoreObject, Column | None]:
    """What a number, a name or the end of a name stands for: an object, or a column with its object."""
    is_column = False
    if reference.isascii() and reference.isdecimal():
        number = int(reference)
    else:
        named = find_name(connection, reference)
        number, is_column = named.number, named.is_column
    objects = {} if is_column else read_objects(connection, [number])
    if objects:
        return objects[number], None
    columns = read_columns(connection, [number])
    if not columns:
        raise UnknownNameError(f"The store has no object with the number {number}.")
    column = columns[number]
    return read_objects(connection, [column.owner])[column.owner], column


def read_objects(connection: Connection, numbers: Iterable[int]) -> dict[int, StoreObject]:
    """The tables, views, paths and stages with these numbers."""
    rows = select_among(connection, OBJECT_QUERY, OBJECTS.c.guid, [str(number) for number in numbers])
    return {int(guid): StoreObject(int(guid), *said) for guid, *said in rows}


def read_columns(connection: Connection, numbers: Iterable[int]) -> dict[int, Column]:
    rows = select_among(connection, _COLUMN, COLUMNS.c.guid, [str(number) for number in numbers])
    return {int(guid): Column(int(guid), name, int(owner), *said) for guid, name, owner, *said in rows}


def columns_of(connection: Connection, objects: Collection[int]) -> list[Column]:
    """The columns of some objects, those of each object in their order."""
    rows = select_among(connection, _COLUMN, COLUMNS.c.parent_id, [str(number) for number in objects])
    found = [Column(int(guid), name, int(owner), *said) for guid, name, owner, *said in rows if guid.isdecimal()]
    return in_order(connection, found)


def read_statements(connection: Connection, numbers: Collection[int]) -> dict[int, StoredStatement]:
    """The statements with these numbers, and when they were seen."""
    table = PROCESSES.c
    query = select(
        table.id,
        table.qualified_name,
        table.type,
        table.query_hash_id,
        table.text_hash_id,
        table.procedure_name,
        table.approximate,
    )
    rows = list(select_among(connection, query, table.id, set(numbers) - {NO_PROCESS}))
    histories = read_histories(connection, {row.id: row.query_hash_id for row in rows})
    return {row.id: _statement(row, histories[row.id]) for row in rows}


def _statement(row: Row[Any], history: History) -> StoredStatement:
    return StoredStatement(
        number=row.id,
        qualified_name=row.qualified_name,
        type=row.type,
        hash=row.query_hash_id,
        text_hash=row.text_hash_id,
        procedure=row.procedure_name,
        approximate=bool(row.approximate),
        first_seen=history.first_seen,
        last_seen=history.last_seen,
        count=history.count,
        users=tuple(sorted(history.users)),
        origin=", ".join(sorted(history.origins)) or None,
    )
