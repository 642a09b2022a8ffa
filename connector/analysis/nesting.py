"""Deeply nested subqueries, for grammars that look at the whole inside of a query at each of its levels.

Such a parser costs the square of the depth. Each query is parsed by itself and put back into the tree around it.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.repair.tools import like

__all__ = ["parse_nested", "too_deep"]

_LEVELS = 5
"""Queries that stand in one another no deeper than this are parsed at once."""
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
    pieces = _cut(tokens)
    nodes: list[Any] = parser.parse(pieces[0], text)
    trees = [nodes, *([parser.parse(piece, text)[0]] for piece in pieces[1:])]
    # From the outside inwards, so that no tree is searched once more as a part of another.
    for tree in trees:
        for node in tree:
            if node is None:
                continue
            for column in list(node.find_all(exp.Column)):
                name = column.name
                if name.startswith(_STUB) and column.parent is not None:
                    column.parent.replace(trees[int(name.removeprefix(_STUB))][0])
    return nodes


def _cut(tokens: list[Token]) -> list[list[Token]]:
    """The tokens of the outermost query and then those of each query below, with a stub where it was taken out."""
    current: list[Token] = []
    pieces = [current]
    around: list[list[Token]] = []
    """The queries that are interrupted by another."""
    opened: list[bool] = []
    """For each open parenthesis whether it holds a query."""
    for i, token in enumerate(tokens):
        kind = token.token_type
        current.append(token)
        if kind is TokenType.L_PAREN:
            is_query = i + 1 < len(tokens) and tokens[i + 1].token_type in _QUERIES
            opened.append(is_query)
            if is_query:
                stub = f"{_STUB}{len(pieces)}"
                current += [like(token, TokenType.SELECT, "SELECT"), like(token, TokenType.VAR, stub)]
                around.append(current)
                current = []
                pieces.append(current)
        elif kind is TokenType.R_PAREN and opened and opened.pop():
            current.pop()
            current = around.pop()
            current.append(token)
    return pieces
