"""Small questions about tokens and text that several readers ask."""

from __future__ import annotations

import re

from sqlglot.tokenizer_core import Token, TokenType

__all__ = [
    "CLOSING",
    "LITERALS",
    "OPENING",
    "STRINGS",
    "TRANSACTION_WORDS",
    "first_on_line",
    "last_on_line",
    "spaces",
    "word",
]

STRINGS = frozenset(
    {
        TokenType.STRING,
        TokenType.NATIONAL_STRING,
        TokenType.RAW_STRING,
        TokenType.UNICODE_STRING,
        TokenType.BYTE_STRING,
        TokenType.HEREDOC_STRING,
        TokenType.BIT_STRING,
        TokenType.HEX_STRING,
        *(kind for kind in TokenType if kind.name == "NATIONAL_RAW_STRING"),
    }
)
"""Everything in quotes that is not a name. One of the types exists only in newer releases of sqlglot."""

LITERALS = STRINGS | {TokenType.NUMBER}

OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})

TRANSACTION_WORDS = frozenset(
    "TRANSACTION TRAN WORK DISTRIBUTED ISOLATION READ DEFERRED IMMEDIATE EXCLUSIVE DEFERRABLE NAME DIALOG".split()
)
"""Words behind BEGIN that make it the start of a transaction instead of a block."""

_QUOTED = STRINGS | {TokenType.IDENTIFIER}


def word(tokens: list[Token], i: int) -> str:
    """The unquoted word or sign at `i` in upper case; empty for what is quoted and where there is no token."""
    if 0 <= i < len(tokens):
        token = tokens[i]
        if token.token_type not in _QUOTED:
            return token.text.upper()
    return ""


def first_on_line(tokens: list[Token], i: int) -> bool:
    """Whether no other token stands before the one at `i` on its line."""
    return i == 0 or tokens[i - 1].line < tokens[i].line


def last_on_line(tokens: list[Token], i: int) -> bool:
    """Whether no other token stands behind the one at `i` on its line."""
    return i + 1 >= len(tokens) or tokens[i + 1].line > tokens[i].line


def spaces(text: str) -> str:
    """White space of the same length and with the same line ends as `text`."""
    return _NOT_LINE_END.sub(" ", text)


_NOT_LINE_END = re.compile(r"[^\r\n]")
