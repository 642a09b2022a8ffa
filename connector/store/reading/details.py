"""The details of an object, and of a statement."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, or_, select

from connector.store.lookup import UnknownNameError
from connector.store.reading.records import ObjectPage, StatementPage, StoredStatement, StoreObject
from connector.store.reading.resolving import columns_of, read_objects, read_statements, resolve
from connector.store.reading.texts import UNKNOWN_DIALECT, dialects_of, read_texts
from connector.store.tables import NO_PROCESS, OBJECTS, PROCESSES, TABLE_EDGES

_LISTED = 200
"""Maximum number of statements and neighbours to list; the busiest tables have thousands."""


def read_object(connection: Connection, reference: str) -> ObjectPage:
    """The details of an object; for a column, those of its object."""
    found, _ = resolve(connection, reference)
    edges = TABLE_EDGES.c
    upstream = _numbers(connection, edges.source_id, edges.target_id == found.number)
    downstream = _numbers(connection, edges.target_id, edges.source_id == found.number)
    writers = _numbers(connection, edges.process_id, edges.target_id == found.number) - {NO_PROCESS}
    readers = _numbers(connection, edges.process_id, edges.source_id == found.number) - {NO_PROCESS}
    statements = read_statements(connection, writers | readers)
    definition = select(OBJECTS.c.ddl).where(OBJECTS.c.guid == str(found.number))
    first = [each.first_seen for each in statements.values() if each.first_seen is not None]
    last = [each.last_seen for each in statements.values() if each.last_seen is not None]
    return ObjectPage(
        object=found,
        dialect=dialects_of(connection, [found.number]).get(found.number, UNKNOWN_DIALECT),
        definition=connection.execute(definition).scalar_one_or_none(),
        columns=columns_of(connection, [found.number]),
        upstream=_named(connection, upstream - {found.number}),
        downstream=_named(connection, downstream - {found.number}),
        written_by=_latest(statements, writers),
        read_by=_latest(statements, readers),
        written_by_total=len(writers),
        read_by_total=len(readers),
        users=sorted({user for each in statements.values() for user in each.users}),
        first_seen=min(first, default=None),
        last_seen=max(last, default=None),
    )


def read_statement(connection: Connection, reference: str) -> StatementPage:
    """The details of a statement; if several have the same hash, of the one seen last."""
    table = PROCESSES.c
    if reference.isascii() and reference.isdecimal() and int(reference) < _LARGEST:
        condition = table.id == int(reference)
    else:
        condition = or_(table.query_hash_id == reference.lower(), table.text_hash_id == reference.lower())
    numbers = _numbers(connection, table.id, condition)
    statements = _latest(read_statements(connection, numbers), numbers)
    if not statements:
        raise UnknownNameError(f"The store has no statement {reference!r}.")
    chosen = statements[0]
    edges = TABLE_EDGES.c
    text, dialect = read_texts(connection, [chosen.number]).get(chosen.number, (None, UNKNOWN_DIALECT))
    return StatementPage(
        statement=chosen,
        text=text,
        inputs=_named(connection, _numbers(connection, edges.source_id, edges.process_id == chosen.number)),
        outputs=_named(connection, _numbers(connection, edges.target_id, edges.process_id == chosen.number)),
        dialect=dialect,
        alike=statements[1:],
    )


_LARGEST = 2**63
"""Greater than all statement numbers; a hash may consist of decimal digits only, but is larger."""


def _numbers(connection: Connection, column: Any, condition: Any) -> set[int]:
    return set(connection.execute(select(column).where(condition).distinct()).scalars())


def _named(connection: Connection, numbers: Collection[int]) -> list[StoreObject]:
    found = read_objects(connection, numbers).values()
    return sorted(found, key=lambda each: each.qualified_name)[:_LISTED]


def _latest(statements: dict[int, StoredStatement], numbers: Collection[int]) -> list[StoredStatement]:
    """The most recently seen first, up to the listed number."""
    chosen = [statements[number] for number in numbers if number in statements]
    chosen.sort(key=lambda each: each.qualified_name)
    chosen.sort(key=lambda each: each.last_seen.timestamp() if each.last_seen else 0.0, reverse=True)
    return chosen[:_LISTED]
