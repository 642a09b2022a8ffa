"""Small questions about tokens and text that several readers ask."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot.tokenizer_core import Token, TokenType

Tokens = list[Token]

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
    """
    TRANSACTION TRAN WORK DISTRIBUTED ISOLATION ISOLATED READ DEFERRED IMMEDIATE EXCLUSIVE DEFERRABLE NAME DIALOG QUERY LOGGING
    """.split()
)
"""Words behind BEGIN that make it the start of a transaction, a dialog or a log instead of a block."""

QUOTED = STRINGS | {TokenType.IDENTIFIER}
"""What is not a word of the language, whatever it says."""


def word(tokens: list[Token], i: int) -> str:
    """The unquoted word or sign at `i` in upper case; empty for what is quoted and where there is no token."""
    if 0 <= i < len(tokens):
        token = tokens[i]
        if token.token_type not in QUOTED:
            return token.text.upper()
    return ""


def closing(tokens: list[Token], i: int, stop: int | None = None) -> int:
    """The bracket that closes the one at `i`; the last token (before `stop`) where none does."""
    end = len(tokens) if stop is None else stop
    depth = 0
    for j in range(i, end):
        kind = tokens[j].token_type
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            depth -= 1
            if not depth:
                return j
    return end - 1


def first_on_line(tokens: list[Token], i: int) -> bool:
    """Whether no other token stands before the one at `i` on its line."""
    return i == 0 or tokens[i - 1].line < tokens[i].line


def last_on_line(tokens: list[Token], i: int) -> bool:
    """Whether no other token stands behind the one at `i` on its line."""
    return i + 1 >= len(tokens) or tokens[i + 1].line > tokens[i].line


def like(token: Token, kind: TokenType, text: str) -> Token:
    """A token that is not in the text, at the place of one that is."""
    return Token(kind, text, token.line, token.col, token.start, token.end, [])


def spaces(text: str) -> str:
    """White space of the same length and with the same line ends as `text`."""
    return _NOT_LINE_END.sub(" ", text)


_NOT_LINE_END = re.compile(r"[^\r\n]")


Match = Callable[[Tokens, int], int]
"""How many tokens a clause takes that begins at this place; 0 when none begins here."""


def drop_where(match: Match) -> Callable[[Tokens], Tokens]:
    """A rule that takes out every clause that `match` finds."""

    def rule(tokens: Tokens) -> Tokens:
        i = next((i for i in range(len(tokens)) if match(tokens, i)), -1)
        if i < 0:
            return tokens
        left = tokens[:i]
        while i < len(tokens):
            size = match(tokens, i)
            if size:
                i += size
            else:
                left.append(tokens[i])
                i += 1
        return left

    return rule


def select_all(here: Token) -> Tokens:
    """``SELECT * FROM``, at the place of a token."""
    words = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    return [like(here, kind, text) for kind, text in words]
