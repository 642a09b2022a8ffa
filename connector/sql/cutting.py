"""Cutting the tokens of a script into statements."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.blocks import BODY_STARTS, body_end
from connector.sql.boundaries import WATCHED, begins_anew
from connector.sql.client_commands import Cleared
from connector.sql.dialects import SqlDialect
from connector.sql.tsql_batches import batch_statements
from connector.sql.words import first_on_line, last_on_line

__all__ = ["cut"]

Piece = tuple[int, int, int]
"""First token, token behind the last, and the offset behind the terminator (0: there is none)."""

_SEMICOLON = TokenType.SEMICOLON
_SELECT = TokenType.SELECT
_COMMAND = TokenType.COMMAND
_SLASH = TokenType.SLASH
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


def cut(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], dialect: SqlDialect, cleared: Cleared
) -> Iterable[Piece]:
    """The statements of a token list, in order.

    `kinds` are the types of the tokens, `marks` the places of those that are watched or tell the structure.
    """
    borders = _line_terminators(tokens, kinds, dialect)
    batch = _batch_t_sql if dialect.family.batches else _batch
    if tokens and not (borders or cleared.breaks or cleared.bodies):
        return batch(tokens, kinds, marks, 0, len(tokens), dialect)
    pieces: list[Piece] = []
    for start, stop in _batches(tokens, borders, cleared):
        if cleared.bodies and cleared.in_body(tokens[start].start):
            pieces.extend(_whole(tokens, start, stop))
        else:
            pieces.extend(batch(tokens, kinds, marks, start, stop, dialect))
    return pieces


def _batches(tokens: list[Token], borders: list[tuple[int, int]], cleared: Cleared) -> Iterator[tuple[int, int]]:
    """Ranges of tokens that no statement crosses."""
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


def _line_terminators(tokens: list[Token], kinds: list[TokenType], dialect: SqlDialect) -> list[tuple[int, int]]:
    """``GO`` and ``/`` on a line of their own: the token and the one behind the terminator."""
    if dialect.family.batches:
        if _COMMAND in kinds:
            candidates = [i for i, kind in enumerate(kinds) if kind is _COMMAND]
            return [(i, _behind_go(tokens, i)) for i in candidates if _is_go(tokens, i)]
    elif dialect.family.slash_lines and _SLASH in kinds:
        candidates = [i for i, kind in enumerate(kinds) if kind is _SLASH]
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


def _batch(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, stop: int, dialect: SqlDialect
) -> Iterator[Piece]:
    """Statements that end with a semicolon or with the beginning of another, those with a body included."""
    watched = [i for i in marks[bisect_left(marks, start) : bisect_left(marks, stop)] if kinds[i] in WATCHED]
    watched.append(stop)
    next_mark = 0
    i = start
    while i < stop:
        opening = kinds[i]
        if opening is _SEMICOLON:
            i += 1
            continue
        end = body_end(tokens, i, stop, dialect.family) if opening in BODY_STARTS else -1
        if end < 0:
            while watched[next_mark] <= i:
                next_mark += 1
            queried = opening is _SELECT
            end = watched[next_mark]
            while end < stop:
                kind = kinds[end]
                if kind is _SEMICOLON or begins_anew(tokens, kinds, marks, i, end, queried):
                    break
                queried = queried or kind is _SELECT
                next_mark += 1
                end = watched[next_mark]
        closed = end < stop and kinds[end] is _SEMICOLON
        last = _without_delimiter(tokens, i, end) if dialect.family.leaves_delimiters else end
        yield i, last, tokens[end].end + 1 if closed and last == end else 0
        i = end + 1 if closed else end


def _without_delimiter(tokens: list[Token], start: int, end: int) -> int:
    if tokens[start].token_type is TokenType.CREATE:
        while end - 1 > start and tokens[end - 1].text in _LEFT_DELIMITERS:
            end -= 1
    return end


def _batch_t_sql(
    tokens: list[Token], kinds: list[TokenType], marks: list[int], start: int, stop: int, dialect: SqlDialect
) -> Iterator[Piece]:
    for first, end in batch_statements(tokens, kinds, start, stop):
        last = end
        while last > first and kinds[last - 1] is _SEMICOLON:
            last -= 1
        if last > first:
            closed = last < stop and kinds[last] is _SEMICOLON
            yield first, last, tokens[last].end + 1 if closed else 0
