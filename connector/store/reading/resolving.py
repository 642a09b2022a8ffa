"""From numbers and names to the objects, columns and statements of the store.

The store keeps columns without an order, because different statements list them in different orders. The definition of a table has
the right order; without one, a statement that writes the table has an order that people know. Other columns follow by name, and
the row column comes last.

Query logs know who ran a statement and how often; for other statements, only the loads are known. Only the rows of the requested
statements are read: a store may contain a million others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, func, select

from connector.store.lookup import UnknownNameError, find_name
from connector.store.object_rows import DATASETS
from connector.store.reading.records import Column, StoredStatement, StoreObject
from connector.store.rows import select_among, utc
from connector.store.tables import (
    BATCH_PROCESSES,
    COLUMN,
    COLUMNS,
    DESCRIPTIONS,
    LOG_HISTORY,
    NO_PROCESS,
    OBJECT,
    OBJECTS,
    PROCESSES,
    RUNS,
    TABLE_EDGES,
)

_WORD = re.compile(r"[^\W\d][\w$#]*")
_MOST_OBJECTS = 500
"""Maximum number of objects for which texts are read to determine the order."""


def in_order(connection: Connection, columns: Iterable[Column]) -> list[Column]:
    """The columns object by object, each object's in the order of its definition."""
    listed = list(columns)
    places = _places(connection, {column.owner for column in listed})
    return sorted(listed, key=lambda column: _key(column, places.get(column.owner, {})))


def _key(column: Column, places: dict[str, int]) -> tuple[int, bool, int, str]:
    name = column.name
    return column.owner, column.is_rows, places.get(name.lower(), len(places)), name


def _places(connection: Connection, objects: Collection[int]) -> dict[int, dict[str, int]]:
    """The first positions of the words in the definitions, by object."""
    if len(objects) > _MOST_OBJECTS:
        return {}
    texts = _definitions(connection, objects)
    texts |= _writers(connection, [number for number in objects if number not in texts])
    found: dict[int, dict[str, int]] = {}
    for number, text in texts.items():
        places = found[number] = {}
        for word in _WORD.findall(text.lower()):
            places.setdefault(word, len(places))
    return found


def _definitions(connection: Connection, objects: Collection[int]) -> dict[int, str]:
    query = select(OBJECTS.c.guid, OBJECTS.c.ddl).where(OBJECTS.c.ddl.is_not(None))
    rows = select_among(connection, query, OBJECTS.c.guid, [str(number) for number in objects])
    return {int(guid): text for guid, text in rows}


def _writers(connection: Connection, objects: Collection[int]) -> dict[int, str]:
    """For each object the text of one statement that writes it, the same one every time."""
    edges = TABLE_EDGES.c
    chosen = select(edges.target_id, func.min(edges.process_id)).where(edges.process_id != NO_PROCESS)
    made = {
        row[0]: row[1] for row in select_among(connection, chosen.group_by(edges.target_id), edges.target_id, objects)
    }
    query = select(PROCESSES.c.id, PROCESSES.c.sql_text).where(PROCESSES.c.sql_text.is_not(None))
    texts = {row[0]: row[1] for row in select_among(connection, query, PROCESSES.c.id, set(made.values()))}
    return {number: texts[process] for number, process in made.items() if process in texts}


@dataclass(slots=True)
class History:
    """What is known about a statement."""

    first_seen: datetime | None = None
    last_seen: datetime | None = None
    count: int = 0
    users: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)

    def add(self, first: datetime | None, last: datetime | None, origin: str) -> None:
        first, last = (None if each is None else utc(each) for each in (first, last))
        if first is not None and (self.first_seen is None or first < self.first_seen):
            self.first_seen = first
        if last is not None and (self.last_seen is None or last > self.last_seen):
            self.last_seen = last
        if origin:
            self.origins.add(origin)


def read_histories(connection: Connection, hashes: Mapping[int, str]) -> dict[int, History]:
    """The histories of statements, whose hashes are given by number."""
    logged = _logged(connection, set(hashes.values()))
    loaded = _loaded(connection, [number for number, identity in hashes.items() if identity not in logged])
    return {number: logged.get(identity) or loaded.get(number) or History() for number, identity in hashes.items()}


def _logged(connection: Connection, hashes: set[str]) -> dict[str, History]:
    found: dict[str, History] = {}
    for row in select_among(connection, select(LOG_HISTORY), LOG_HISTORY.c.query_hash_id, hashes):
        history = found.setdefault(row.query_hash_id, History())
        history.add(row.first_seen, row.last_seen, row.source)
        history.count += row.run_count
        history.users.update(json.loads(row.users))
    return found


def _loaded(connection: Connection, numbers: list[int]) -> dict[int, History]:
    members = BATCH_PROCESSES.c
    batches: dict[int, list[int]] = {}
    held = select(members.process_id, members.batch_id)
    for number, batch in select_among(connection, held, members.process_id, numbers):
        batches.setdefault(batch, []).append(number)
    runs: dict[int, set[str]] = {}
    found: dict[int, History] = {}
    happened = select(RUNS.c.batch_id, RUNS.c.run, RUNS.c.source, RUNS.c.started_at)
    for batch, run, source, started in select_among(connection, happened, RUNS.c.batch_id, batches):
        for number in batches[batch]:
            found.setdefault(number, History()).add(started, started, source)
            runs.setdefault(number, set()).add(run)
    for number, history in found.items():
        history.count = len(runs[number])
    return found


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
        procedure=row.procedure_name,
        approximate=bool(row.approximate),
        first_seen=history.first_seen,
        last_seen=history.last_seen,
        count=history.count,
        users=tuple(sorted(history.users)),
        origin=", ".join(sorted(history.origins)) or None,
    )
