"""Readers of our own for statements that the grammar does not know or knows too narrowly.

Each looks at the tokens of a statement and says what it found, as one of the readings; the analysis gives it
a meaning. A module declares its readers in `READS`, by the first word of their statements, and is found by that. A reader
that does not recognise its statement answers None, and the statement goes to the grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from connector.common.lazy import declared
from connector.sql.dialects import SqlDialect
from connector.sql.readers.create import read_view
from connector.sql.readers.cursor import Cursor
from connector.sql.readers.exporting import read_outfile
from connector.sql.readers.moves import PARTITION_FUNCTIONS, read_execute, read_select_call
from connector.sql.readers.readings import Reading
from connector.sql.statement import Statement

__all__ = ["TOKEN_READERS", "Cursor", "TokenReader", "is_rename_call", "read_outfile", "read_statement", "read_view"]

TokenReader = Callable[[Cursor], Reading | None]

TOKEN_READERS: dict[str, TokenReader] = declared(__name__, __path__, "READS")
"""By the first word of the statement."""


def read_statement(
    statement: Statement, dialect: SqlDialect, readers: Mapping[str, TokenReader] = TOKEN_READERS
) -> Reading | None:
    """What the statement says, where a reader of ours knows its kind."""
    tokens = statement.tokens
    reader = readers.get(tokens[0].text.upper()) if tokens else None
    if reader is not None:
        return reader(Cursor(statement, dialect))
    if len(tokens) > 2 and tokens[1].text.upper() in PARTITION_FUNCTIONS:
        return read_select_call(Cursor(statement, dialect))
    return None


def is_rename_call(statement: Statement, dialect: SqlDialect) -> bool:
    """Whether a call is one of ``sp_rename``, which is a definition in the clothes of a call."""
    first = statement.tokens[0].text.upper() if statement.tokens else ""
    return first in ("EXEC", "EXECUTE", "SP_RENAME") and read_execute(Cursor(statement, dialect)) is not None
