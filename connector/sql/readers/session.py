"""Statements that change no rows but how names are resolved or described: default schema or database, and comments."""

from __future__ import annotations

from connector.sql.readers.cursor import Cursor
from connector.sql.readers.readings import Comment, DefaultChange, Reading
from connector.sql.table_names import NameRef
from connector.sql.words import STRINGS

_SCHEMA_SETTINGS = frozenset({"SEARCH_PATH", "SCHEMA", "CURRENT_SCHEMA", "CURRENT SCHEMA", "CURRENTSCHEMA"})
_KINDS = frozenset({"WAREHOUSE", "ROLE", "SCHEMA", "DATABASE", "CATALOG"})
"""What some dialects say between USE and a name."""
_NO_SCHEMA = frozenset({"$user", "pg_temp", "pg_catalog", "information_schema"})
"""Entries of a search path that contain no tables of users."""


def read_set_default(cursor: Cursor) -> Reading | None:
    """``SET search_path TO a, b``, ``SET SCHEMA x``, ``SET CURRENT SCHEMA = x``, ``SET CATALOG x``."""
    cursor.i += 1
    cursor.take_any("SESSION", "LOCAL")
    if cursor.word() == "CATALOG" and cursor.stop - cursor.i == 2:
        cursor.i += 1
        name = _name(cursor)
        return DefaultChange(database=name) if name else None
    if cursor.at("CURRENT", "SCHEMA"):
        cursor.i += 1
    elif cursor.word() not in _SCHEMA_SETTINGS:
        return None
    cursor.i += 1
    cursor.take_any("=", "TO")
    return _first_schema(cursor)


def read_session(cursor: Cursor) -> Reading | None:
    """``ALTER SESSION SET CURRENT_SCHEMA = x``; None for any other ALTER."""
    if not cursor.take("ALTER", "SESSION", "SET") or not cursor.take_any("CURRENT_SCHEMA", "SEARCH_PATH"):
        return None
    cursor.take("=")
    return _first_schema(cursor)


def read_open_schema(cursor: Cursor) -> Reading | None:
    """Exasol: ``OPEN SCHEMA x``."""
    return _first_schema(cursor) if cursor.take("OPEN", "SCHEMA") else None


def read_used_word(cursor: Cursor) -> Reading | None:
    """``USE warehouse``: a database of that name, where the grammar waits for the name of a warehouse."""
    if cursor.stop != 2 or cursor.word(1) not in _KINDS or cursor.dialect.stages:
        return None
    name = (cursor.tokens[1].text, False)
    if cursor.dialect.layers == 2 or cursor.dialect.family.use_names_database:
        return DefaultChange(database=name)
    return DefaultChange(schema=name)


def _first_schema(cursor: Cursor) -> Reading | None:
    """The first entry that is a schema by itself: new tables are made there, and bare names looked up there first."""
    while not cursor.at_end():
        name = _name(cursor) if cursor.word() != "DEFAULT" else None
        if name is None:
            break
        if name[0].lower() not in _NO_SCHEMA and not name[0].startswith("$"):
            return DefaultChange(schema=name)
        if not cursor.take(","):
            break
    return None


def _name(cursor: Cursor) -> tuple[str, bool] | None:
    """A bare word, or a name in quotes of either kind; a name in a string is folded as a bare one."""
    if cursor.kind() in STRINGS:
        text = cursor.tokens[cursor.i].text.partition(",")[0].strip(' "')
        cursor.i += 1
        return (text, False) if text else None
    found = cursor.name()
    if found is None or cursor.word() in (".", "("):
        return None
    return found.parts[-1]


_TABLES = frozenset({"TABLE", "VIEW", "MATERIALIZED VIEW", "COLUMN"})
_BEFORE_KIND = frozenset({"MATERIALIZED", "EXTERNAL", "FOREIGN", "DYNAMIC"})


def read_comment(cursor: Cursor) -> Comment | None:
    """Snowflake asks ``IF EXISTS`` before ON, others after the kind; Teradata writes AS or nothing instead of IS."""
    cursor.i += 1
    cursor.skip_if_exists()
    if not cursor.take("ON"):
        return None
    while cursor.word() in _BEFORE_KIND:
        cursor.i += 1
    kind = cursor.word()
    if kind not in _TABLES:
        return None
    cursor.i += 1
    name = cursor.created_name()
    if name is None:
        return None
    cursor.take_any("IS", "AS")
    text = cursor.string()
    if text is None:
        return None
    if kind != "COLUMN":
        return Comment(name, None, text)
    if len(name.parts) < 2:
        return None
    column = NameRef([name.parts[-1]], -1, -1)
    return Comment(NameRef(name.parts[:-1], name.start, name.end), column, text)


READS = {"COMMENT": read_comment, "OPEN": read_open_schema, "SET": read_set_default, "USE": read_used_word}
