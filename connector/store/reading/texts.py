"""The text of statements, and the dialect they are written in.

Statements are shown to people who may not see their literals. Masking them requires the dialect, which the store keeps at the root
of the objects that the statement uses.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from connector.errors import UnknownDialectError
from connector.sql.dialects import get_dialect
from connector.sql.identity import mask_literals
from connector.store.rows import select_among
from connector.store.tables import OBJECTS, PROCESSES, TABLE_EDGES

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
