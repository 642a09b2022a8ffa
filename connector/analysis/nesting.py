"""Deeply nested subqueries, for grammars that look at the whole inside of a query at each of its levels.

Such a parser costs the square of the depth. The inside of every few levels is parsed by itself and put back into the
tree around it.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.repair.tools import like

__all__ = ["GRAMMARS", "parse_nested", "too_deep"]

GRAMMARS = frozenset({"bigquery", "redshift"})
"""The dialects with such a parser: both let a column in FROM be unnested without saying so."""

_LEVELS = 5
_STUB = "\0query"
_QUERIES = frozenset({TokenType.SELECT, TokenType.WITH})


def too_deep(kinds: list[TokenType], text: str) -> bool:
    """Whether queries stand in one another more than a few levels deep. `text` is looked at first: that costs nothing.

    `kinds` are the types of the statement's tokens.
    """
    if text.upper().count("SELECT") <= _LEVELS:
        return False
    depth = deepest = 0
    opened: list[bool] = []
    opening, closing = TokenType.L_PAREN, TokenType.R_PAREN
    for i, kind in enumerate(kinds):
        if kind is opening:
            query = i + 1 < len(kinds) and kinds[i + 1] in _QUERIES
            opened.append(query)
            if query:
                depth += 1
                deepest = max(deepest, depth)
        elif kind is closing and opened:
            depth -= opened.pop()
    return deepest > _LEVELS


def parse_nested(parser: Any, tokens: list[Token], text: str) -> list[Any]:
    """As `parser.parse`, level by level."""
    outer, inner = _cut(tokens)
    nodes: list[Any] = parser.parse(outer, text)
    if not inner:
        return nodes
    trees = [parse_nested(parser, part, text)[0] for part in inner]
    for node in nodes:
        if node is None:
            continue
        for column in list(node.find_all(exp.Column)):
            name = column.name
            if name.startswith(_STUB) and column.parent is not None:
                column.parent.replace(trees[int(name.removeprefix(_STUB))])
    return nodes


def _cut(tokens: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """The tokens with a stub for each query on the last level that is parsed at once, and these queries."""
    outer: list[Token] = []
    inner: list[list[Token]] = []
    opened: list[bool] = []
    depth = start = 0
    for i, token in enumerate(tokens):
        kind = token.token_type
        if kind is TokenType.L_PAREN:
            query = i + 1 < len(tokens) and tokens[i + 1].token_type in _QUERIES
            opened.append(query)
            depth += query
            if query and depth == _LEVELS + 1:
                stub = f"{_STUB}{len(inner)}"
                outer += [token, like(token, TokenType.SELECT, "SELECT"), like(token, TokenType.VAR, stub)]
                start = i + 1
                continue
        elif kind is TokenType.R_PAREN and opened:
            if opened.pop():
                depth -= 1
                if depth == _LEVELS:
                    inner.append(tokens[start:i])
        if depth <= _LEVELS:
            outer.append(token)
    return outer, inner
