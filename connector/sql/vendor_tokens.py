"""Tokens that a dialect means in another way than its grammar reads them."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.dialects import SqlDialect

__all__ = ["vendor_tokens"]

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_CURRENCIES = frozenset("$£€¥")


def vendor_tokens(tokens: list[Token], text: str, dialect: SqlDialect) -> list[Token]:
    """The tokens as the grammar should see them; the same list where nothing is to be done."""
    if dialect.name == "informix":
        return [_dot(token) if _qualifies(tokens, i) else token for i, token in enumerate(tokens)]
    if dialect.family == "tsql" and not _CURRENCIES.isdisjoint(text):
        return _with_money(tokens)
    return tokens


def _qualifies(tokens: list[Token], i: int) -> bool:
    """Informix writes ``database:owner.table``; with a dot in its place the grammar reads it as it is meant."""
    if tokens[i].token_type is not TokenType.COLON or not 0 < i < len(tokens) - 1:
        return False
    before, following = tokens[i - 1], tokens[i + 1]
    adjacent = before.end + 1 == tokens[i].start and tokens[i].end + 1 == following.start
    return adjacent and before.token_type in _NAMES and following.token_type in _NAMES


def _dot(token: Token) -> Token:
    return Token(TokenType.DOT, ".", token.line, token.col, token.start, token.end, token.comments)


def _with_money(tokens: list[Token]) -> list[Token]:
    """``$1.50``: an amount of money is a number, not the column 50 of a table called $1."""
    found: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        i += 1
        if token.token_type is TokenType.VAR and token.text[0] in _CURRENCIES and token.text[1:].isdigit():
            end = token.end
            amount = token.text[1:]
            if i + 1 < len(tokens) and tokens[i].text == "." and tokens[i + 1].start == tokens[i].end + 1:
                if tokens[i + 1].token_type is TokenType.NUMBER and tokens[i].start == end + 1:
                    amount, end = f"{amount}.{tokens[i + 1].text}", tokens[i + 1].end
                    i += 2
            token = Token(TokenType.NUMBER, amount, token.line, token.col, token.start, end, token.comments)
        found.append(token)
    return found
