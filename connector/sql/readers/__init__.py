"""Readers of our own for statements that the grammar does not know or knows too narrowly.

Each looks at the tokens of a statement and says what it found, as one of the readings; whoever wants lineage gives it
a meaning. They are found by the first word. A reader that does not recognise its statement answers None, and the
statement goes to the grammar.
"""

from __future__ import annotations

from collections.abc import Callable

from connector.sql.dialects import SqlDialect
from connector.sql.readers.alter import read_alter
from connector.sql.readers.comments import read_comment
from connector.sql.readers.copying import read_copy, read_get, read_put, read_unload
from connector.sql.readers.create import read_create, read_view
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.defaults import read_open_schema, read_set_default, read_used_word
from connector.sql.readers.loading import read_bulk, read_directory, read_export, read_import, read_load, read_outfile
from connector.sql.readers.moves import (
    PARTITION_FUNCTIONS,
    read_changes,
    read_drop,
    read_exchange,
    read_execute,
    read_rename,
    read_select_call,
)
from connector.sql.readers.readings import Reading
from connector.sql.statement import Statement

__all__ = ["Cursor", "is_rename_call", "read_outfile", "read_statement", "read_view"]

_READERS: dict[str, Callable[[Cursor], Reading | None]] = {
    "ALTER": read_alter,
    "APPLY": read_changes,
    "BULK": read_bulk,
    "COMMENT": read_comment,
    "COPY": read_copy,
    "CREATE": read_create,
    "DEFINE": read_create,
    "DROP": read_drop,
    "EXCHANGE": read_exchange,
    "EXEC": read_execute,
    "EXECUTE": read_execute,
    "EXPORT": read_export,
    "GET": read_get,
    "IMPORT": read_import,
    "INSERT": read_directory,
    "LOAD": read_load,
    "OPEN": read_open_schema,
    "PUT": read_put,
    "RENAME": read_rename,
    "REPLACE": read_create,
    "SET": read_set_default,
    "UNLOAD": read_unload,
    "USE": read_used_word,
}


def read_statement(statement: Statement, dialect: SqlDialect) -> Reading | None:
    """What the statement says, where a reader of ours knows its kind."""
    tokens = statement.tokens
    reader = _READERS.get(tokens[0].text.upper()) if tokens else None
    if reader is not None:
        return reader(Cursor(statement, dialect))
    if len(tokens) > 2 and tokens[1].text.upper() in PARTITION_FUNCTIONS:
        return read_select_call(Cursor(statement, dialect))
    return None


def is_rename_call(statement: Statement, dialect: SqlDialect) -> bool:
    """Whether a call is one of ``sp_rename``, which is a definition in the clothes of a call."""
    first = statement.tokens[0].text.upper() if statement.tokens else ""
    return first in ("EXEC", "EXECUTE") and read_execute(Cursor(statement, dialect)) is not None
