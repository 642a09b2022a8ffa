"""From a script to its statements.

The text is tokenised once. Client commands and placeholders are dealt with before that, and only where a cheap look
finds any; the cutting looks at the few tokens that may end or begin a statement.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from operator import attrgetter
from threading import local

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token
from sqlglot.tokens import Tokenizer

from connector.model import Problem, Script
from connector.sql.boundaries import WATCHED
from connector.sql.clients import clear_commands
from connector.sql.cutting import cut
from connector.sql.dialects import SqlDialect
from connector.sql.placeholders import fill_placeholders, restore
from connector.sql.qualifiers import dotted
from connector.sql.rescue import tokenize_in_pieces
from connector.sql.statement import Statement
from connector.sql.tokens import STRUCTURE

__all__ = ["ReadResult", "read_fragment", "read_statements"]


_MARKS = STRUCTURE | WATCHED
_type = attrgetter("token_type")

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
    # Asking a token for its type costs more than any use of it, and few types matter: each token is asked once.
    kinds = list(map(_type, tokens))
    marks = [i for i, kind in enumerate(kinds) if kind in _MARKS]
    for start, end, span_end in cut(tokens, kinds, marks, dialect, cleared):
        inside = marks[bisect_left(marks, start) : bisect_left(marks, end)]
        if start:
            inside = [i - start for i in inside]
        first = base + tokens[start].start
        behind = base + tokens[end - 1].end + 1
        span_end = max(behind, base + span_end)
        result.statements.append(
            Statement(script, base, tokens[start:end], first, behind, span_end, kinds[start:end], inside)
        )
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
