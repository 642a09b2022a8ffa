"""From a script to its statements.

The text is tokenised once. Client commands and placeholders are dealt with before that, and only where a cheap look
finds any; the cutting looks at the few tokens that may end or begin a statement.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import local

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token
from sqlglot.tokens import Tokenizer

from connector.model import Problem, Script
from connector.sql.clients import clear_commands
from connector.sql.cutting import cut
from connector.sql.dialects import SqlDialect
from connector.sql.placeholders import fill_placeholders, restore
from connector.sql.qualifiers import dotted
from connector.sql.rescue import tokenize_in_pieces
from connector.sql.statement import Statement

__all__ = ["ReadResult", "read_fragment", "read_statements"]


_KEPT = 100_000
"""Longer texts get a tokenizer of their own: one that is kept holds on to the last text it has read."""


@dataclass(slots=True, eq=False)
class ReadResult:
    """The statements of a script in order, and what could not be read."""

    statements: list[Statement] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_statements(script: Script, dialect: SqlDialect) -> ReadResult:
    """The statements of a whole script."""
    return read_fragment(script, script.text, 0, dialect)


def read_fragment(script: Script, text: str, base: int, dialect: SqlDialect) -> ReadResult:
    """The statements of a part of a script that is SQL in itself (a quoted routine body) and starts at offset `base`."""
    result = ReadResult()
    cleared = clear_commands(text, dialect)
    prepared, fills = fill_placeholders(cleared.text, dialect)
    try:
        tokens = _tokenize(prepared, dialect)
    except TokenError:
        tokens, broken = tokenize_in_pieces(prepared, dialect)
        for start, end, message in broken:
            result.problems.append(Problem("SyntaxError", message, (script, base + start, base + end)))
            cleared.breaks.extend((start, end))
        cleared.breaks.sort()
    if fills:
        tokens = restore(tokens, fills)
    tokens = dotted(tokens, dialect)
    for start, end, span_end in cut(tokens, dialect, cleared):
        result.statements.append(_statement(script, base, tokens[start:end], span_end))
    return result


class _Tokenizers(local):
    """The tokenizers of one thread by the name of the dialect. For a short statement making one is half of the work."""

    def __init__(self) -> None:
        self.known: dict[str, Tokenizer] = {}


_TOKENIZERS = _Tokenizers()


def _tokenize(text: str, dialect: SqlDialect) -> list[Token]:
    if len(text) > _KEPT:
        return dialect.sqlglot.tokenize(text)
    known = _TOKENIZERS.known
    tokenizer = known.get(dialect.name)
    if tokenizer is None:
        tokenizer = known[dialect.name] = dialect.sqlglot.tokenizer()
    return tokenizer.tokenize(text)


def _statement(script: Script, base: int, tokens: list[Token], span_end: int) -> Statement:
    end = base + tokens[-1].end + 1
    return Statement(script, base, tokens, base + tokens[0].start, end, max(end, base + span_end))
