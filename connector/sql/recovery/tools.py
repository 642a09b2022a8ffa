"""Changes of a token list, and what all kinds of regions ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.layout import Layout
from connector.sql.recovery.names import opaque
from connector.sql.recovery.vocabulary import VERBS
from connector.sql.repair.tools import like

__all__ = ["Change", "end_of_rows", "holds_tables", "replaced"]

_MOVING = VERBS | {TokenType.FROM, TokenType.JOIN, TokenType.INTO, TokenType.STRAIGHT_JOIN}
_ROW_CLAUSES = frozenset(
    {
        TokenType.WHERE,
        TokenType.GROUP_BY,
        TokenType.HAVING,
        TokenType.ORDER_BY,
        TokenType.LIMIT,
        TokenType.FETCH,
        TokenType.OFFSET,
        TokenType.UNION,
        TokenType.EXCEPT,
        TokenType.INTERSECT,
        TokenType.WINDOW,
        TokenType.QUALIFY,
    }
)


@dataclass(frozen=True, slots=True)
class Change:
    """The tokens with one region replaced, and the tokens of the region as they were."""

    tokens: list[Token]
    region: list[Token]
    behind: int
    """Where the first token behind the region stands: who stumbles over that has not been helped much."""


def replaced(
    layout: Layout, first: int, last: int, written: list[Token], shown: int | None = None, until: int | None = None
) -> Change:
    """The tokens with `written` in the place of those from `first` to `last`; the region may be smaller than that."""
    tokens = layout.tokens
    region = tokens[first if shown is None else shown : last if until is None else until]
    return Change([*tokens[:first], *written, *tokens[last:]], region or tokens[first:last], _start(tokens, last))


def _start(tokens: list[Token], i: int) -> int:
    return tokens[i].start if i < len(tokens) else tokens[-1].end


def holds_tables(layout: Layout, first: int, last: int) -> bool:
    """Whether a word stands there, outside of brackets, that brings tables with it: nothing of that may be left out."""
    i = first
    while i < last:
        if layout.tokens[i].token_type in _MOVING:
            return True
        i = layout.behind(i)
    return False


def end_of_rows(layout: Layout, first: int, last: int, names: list[list[Token]]) -> Iterator[Change]:
    """The tokens without a clause; its names are read in a condition of the same query, if it takes one."""
    tokens = layout.tokens
    if names:
        here = tokens[first]
        end = layout.clause_behind(last, _ROW_CLAUSES) if last < len(tokens) else last
        end = min(end, layout.inside(layout.owner[first])[1])
        condition = [like(here, TokenType.QUALIFY, "QUALIFY"), *opaque(here, names)]
        yield Change(
            [*tokens[:first], *tokens[last:end], *condition, *tokens[end:]], tokens[first:last], _start(tokens, last)
        )
    if not layout.holds_query(first, last):
        yield Change([*tokens[:first], *tokens[last:]], tokens[first:last], _start(tokens, last))
