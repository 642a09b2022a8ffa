"""Names that a dialect qualifies with another sign than the dot."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect

__all__ = ["dotted"]

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


def dotted(tokens: list[Token], dialect: SqlDialect) -> list[Token]:
    """Informix writes ``database:owner.table``; with a dot in its place the grammar reads it as it is meant."""
    if dialect.name != "informix":
        return tokens
    return [_dot(token) if _qualifies(tokens, i) else token for i, token in enumerate(tokens)]


def _qualifies(tokens: list[Token], i: int) -> bool:
    if tokens[i].token_type is not TokenType.COLON or not 0 < i < len(tokens) - 1:
        return False
    before, following = tokens[i - 1], tokens[i + 1]
    adjacent = before.end + 1 == tokens[i].start and tokens[i].end + 1 == following.start
    return adjacent and before.token_type in _NAMES and following.token_type in _NAMES


def _dot(token: Token) -> Token:
    return Token(TokenType.DOT, ".", token.line, token.col, token.start, token.end, token.comments)
