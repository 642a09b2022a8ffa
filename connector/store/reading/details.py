"""The details of an object and of a statement, with its text and the dialect it is written in.

Statements are shown to people who may not see their literals. Masking them requires the dialect, which the store keeps at the root
of the objects that the statement uses.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, or_, select

from connector.errors import UnknownDialectError
from connector.sql.dialects import get_dialect
from connector.sql.identity import mask_literals
from connector.store.lookup import UnknownNameError
from connector.store.reading.records import ObjectPage, StatementPage, StoredStatement, StoreObject
from connector.store.reading.resolving import columns_of, read_objects, read_statements, resolve
from connector.store.rows import select_among
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


UNKNOWN_DIALECT = "ansi"
_LEVELS = 6
"""Maximum number of ancestors of an object: database, cluster, dialect, and some reserve."""


def read_texts(connection: Connection, statements: Collection[int]) -> dict[int, tuple[str, str]]:
    """Text and dialect of the statements that have a text."""
    query = select(PROCESSES.c.id, PROCESSES.c.sql_text).where(PROCESSES.c.sql_text.is_not(None))
    texts = {row[0]: row[1] for row in select_among(connection, query, PROCESSES.c.id, statements)}
    touched = _touched(connection, texts)
    dialects = dialects_of(connection, set(touched.values()))
    return {number: (text, dialects.get(touched.get(number, 0), UNKNOWN_DIALECT)) for number, text in texts.items()}


def dialects_of(connection: Connection, objects: Collection[int]) -> dict[int, str]:
    """The names of the dialects at the roots of some objects."""
    known: dict[str, tuple[str, str, str | None]] = {}
    layer = {str(number) for number in objects}
    query = select(OBJECTS.c.guid, OBJECTS.c.object_type, OBJECTS.c.qualified_name, OBJECTS.c.parent_id)
    for _ in range(_LEVELS):
        for guid, kind, name, parent in select_among(connection, query, OBJECTS.c.guid, layer):
            known[guid] = (kind, name, parent)
        layer = {parent for _, _, parent in known.values() if parent} - known.keys()
        if not layer:
            break
    found = {}
    for number in objects:
        at: str | None = str(number)
        while at in known:
            kind, name, parent = known[at]
            if kind == "sqldialect":
                found[number] = name
                break
            at = parent
    return found


def _touched(connection: Connection, statements: Collection[int]) -> dict[int, int]:
    """An object that each statement writes."""
    query = select(TABLE_EDGES.c.process_id, TABLE_EDGES.c.target_id)
    return {row[0]: row[1] for row in select_among(connection, query, TABLE_EDGES.c.process_id, statements)}


class Texts:
    """Prepares statement texts for display: literals are masked unless requested, credentials always."""

    def __init__(self, *, show_literals: bool) -> None:
        self.literals_masked = not show_literals

    def shown(self, text: str | None, dialect: str) -> str | None:
        if text is None:
            return None
        try:
            known = get_dialect(dialect)
        except UnknownDialectError:  # a store that another program has filled may have others
            known = get_dialect(UNKNOWN_DIALECT)
        return mask_literals(text, known, literals=self.literals_masked)
