"""Cutting the tokens of a script into statements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.batches import batch_statements
from connector.sql.blocks import BODY_STARTS, body_end
from connector.sql.boundaries import WATCHED, begins_anew
from connector.sql.clients import Cleared
from connector.sql.dialects import SqlDialect
from connector.sql.words import first_on_line, last_on_line

__all__ = ["cut"]

Piece = tuple[int, int, int]
"""First token, token behind the last, and the offset behind the terminator (0: there is none)."""

_SEMICOLON = TokenType.SEMICOLON
_BEGINNINGS = frozenset(
    {
        TokenType.ALTER,
        TokenType.BEGIN,
        TokenType.COMMAND,
        TokenType.COMMENT,
        TokenType.COMMIT,
        TokenType.CREATE,
        TokenType.DECLARE,
        TokenType.DELETE,
        TokenType.DROP,
        TokenType.EXECUTE,
        TokenType.GRANT,
        TokenType.INSERT,
        TokenType.LT,
        TokenType.MERGE,
        TokenType.REVOKE,
        TokenType.ROLLBACK,
        TokenType.SELECT,
        TokenType.SET,
        TokenType.SLASH,
        TokenType.TRUNCATE,
        TokenType.UPDATE,
        TokenType.WITH,
    }
)
"""Tokens that begin a statement and follow no division sign."""
_LEFT_DELIMITERS = frozenset({"~", "/", "//", "$$", "|", "||", "\\"})
"""What MySQL scripts end routines with; some of them lost the DELIMITER command that said so."""


def cut(tokens: list[Token], dialect: SqlDialect, cleared: Cleared) -> Iterator[Piece]:
    """The statements of a token list, in order."""
    batch = _batch_t_sql if dialect.family == "tsql" else _batch
    for start, stop in _batches(tokens, dialect, cleared):
        if cleared.bodies and cleared.in_body(tokens[start].start):
            yield from _whole(tokens, start, stop)
        else:
            yield from batch(tokens, start, stop, dialect)


def _batches(tokens: list[Token], dialect: SqlDialect, cleared: Cleared) -> Iterator[tuple[int, int]]:
    """Ranges of tokens that no statement crosses."""
    borders = _line_terminators(tokens, dialect)
    if cleared.breaks:
        starts = [token.start for token in tokens]
        borders.extend((found, found) for found in (bisect_left(starts, offset) for offset in cleared.breaks))
        borders.sort()
    start = 0
    for stop, behind in borders:
        if stop > start:
            yield start, stop
        start = max(start, behind)
    if start < len(tokens):
        yield start, len(tokens)


def _line_terminators(tokens: list[Token], dialect: SqlDialect) -> list[tuple[int, int]]:
    """``GO`` and ``/`` on a line of their own: the token and the one behind the terminator."""
    if dialect.family == "tsql":
        candidates = [i for i, token in enumerate(tokens) if token.token_type is TokenType.COMMAND]
        return [(i, _behind_go(tokens, i)) for i in candidates if _is_go(tokens, i)]
    if dialect.family == "plsql":
        candidates = [i for i, token in enumerate(tokens) if token.token_type is TokenType.SLASH]
        return [(i, i + 1) for i in candidates if _is_slash_line(tokens, i)]
    return []


def _is_slash_line(tokens: list[Token], i: int) -> bool:
    """A slash on its own line, unless it divides: then no statement ends before it and none begins behind it."""
    if not first_on_line(tokens, i) or not last_on_line(tokens, i):
        return False
    if i == 0 or i + 1 == len(tokens):
        return True
    before, following = tokens[i - 1].token_type, tokens[i + 1].token_type
    return before is _SEMICOLON or following in _BEGINNINGS


def _is_go(tokens: list[Token], i: int) -> bool:
    if tokens[i].text.upper() != "GO" or not first_on_line(tokens, i):
        return False
    if last_on_line(tokens, i):
        return True
    following = tokens[i + 1].token_type
    return (following is TokenType.NUMBER or following is _SEMICOLON) and last_on_line(tokens, i + 1)


def _behind_go(tokens: list[Token], i: int) -> int:
    return i + 1 if last_on_line(tokens, i) else i + 2


def _whole(tokens: list[Token], start: int, stop: int) -> Iterator[Piece]:
    """All of a batch whose end was announced: semicolons are inside it, except at its very end."""
    span_end = 0
    while stop > start and tokens[stop - 1].token_type is _SEMICOLON:
        span_end = tokens[stop - 1].end + 1
        stop -= 1
    if stop > start:
        yield start, stop, span_end


def _batch(tokens: list[Token], start: int, stop: int, dialect: SqlDialect) -> Iterator[Piece]:
    """Statements that end with a semicolon or with the beginning of another, those with a body included."""
    inside = tokens if stop - start == len(tokens) else tokens[start:stop]
    marks = [i for i, token in enumerate(inside, start) if token.token_type in WATCHED]
    marks.append(stop)
    next_mark = 0
    i = start
    while i < stop:
        opening = tokens[i].token_type
        if opening is _SEMICOLON:
            i += 1
            continue
        end = body_end(tokens, i, stop, dialect.family, dialect.name) if opening in BODY_STARTS else -1
        if end < 0:
            while marks[next_mark] <= i:
                next_mark += 1
            queried = opening is TokenType.SELECT
            end = marks[next_mark]
            while end < stop:
                kind = tokens[end].token_type
                if kind is _SEMICOLON or begins_anew(tokens, i, end, queried):
                    break
                queried = queried or kind is TokenType.SELECT
                next_mark += 1
                end = marks[next_mark]
        closed = end < stop and tokens[end].token_type is _SEMICOLON
        last = _without_delimiter(tokens, i, end, dialect)
        yield i, last, tokens[end].end + 1 if closed and last == end else 0
        i = end + 1 if closed else end


def _without_delimiter(tokens: list[Token], start: int, end: int, dialect: SqlDialect) -> int:
    if dialect.family == "mysql" and tokens[start].token_type is TokenType.CREATE:
        while end - 1 > start and tokens[end - 1].text in _LEFT_DELIMITERS:
            end -= 1
    return end


def _batch_t_sql(tokens: list[Token], start: int, stop: int, dialect: SqlDialect) -> Iterator[Piece]:
    for first, end in batch_statements(tokens, start, stop):
        last = end
        while last > first and tokens[last - 1].token_type is _SEMICOLON:
            last -= 1
        if last > first:
            closed = last < stop and tokens[last].token_type is _SEMICOLON
            yield first, last, tokens[last].end + 1 if closed else 0
