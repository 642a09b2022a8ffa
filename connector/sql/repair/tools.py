"""Helpers for the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import split_list
from connector.sql.words import OPENING, Tokens, closing, like, on_level, select_all, word

Rule = Callable[[Tokens], Tokens]
"""Gives the tokens without one kind of clause, or the same list when it finds none."""

OPERANDS = frozenset(
    {TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN, TokenType.PLACEHOLDER}
)
"""Tokens that may stand before an infix operator."""


def at_words(tokens: Tokens, i: int, *words: str) -> bool:
    """Whether these words stand at `i`."""
    for wanted in words:
        if word(tokens, i) != wanted:
            return False
        i += 1
    return True


def find_word(tokens: Tokens, start: int, *words: str) -> int:
    """The first of these words from `start` on that stands on the same level of brackets, -1 when there is none."""
    return next((i for i in on_level(tokens, start) if word(tokens, i) in words), -1)


def whole_table(tokens: Sequence[Token]) -> Tokens:
    """``TABLE t`` as the query it means: ``SELECT * FROM t``."""
    return [*select_all(tokens[0]), *tokens[1:]]


def name_end(tokens: Tokens, start: int) -> int:
    """After a name that starts at `start`, IF NOT EXISTS before it included."""
    at = start
    while at < len(tokens) and tokens[at].text.upper() in ("IF", "NOT", "EXISTS"):
        at += 1
    at += 1
    while at + 1 < len(tokens) and tokens[at].token_type is TokenType.DOT:
        at += 2
    return at


def first_of_each(tokens: Tokens, start: int, end: int) -> Tokens:
    """The first word of each item of a list, and the commas between them."""
    found = tokens[start : start + 1]
    i = start
    while i < end:
        if tokens[i].token_type in OPENING:
            i = closing(tokens, i)
        elif tokens[i].token_type is TokenType.COMMA:
            found += tokens[i : i + 2]
        i += 1
    return found


def unqualified_columns(part: int) -> Rule:
    """A rule for ``INSERT INTO t (t.a, t.b) …``: of each name in the list of columns only this part stays."""

    def rule(tokens: Tokens) -> Tokens:
        start = find_word(tokens, 0, "INSERT") + 1
        while start and word(tokens, start) in ("INTO", "OVERWRITE", "TABLE"):
            start += 1
        if not start or word(tokens, start) == "FUNCTION":
            return tokens
        start = name_end(tokens, start)
        if word(tokens, start) != "(":
            # An alias stands between.
            start += 2 if word(tokens, start) == "AS" else 1
        if word(tokens, start) != "(":
            return tokens
        end = closing(tokens, start)
        listed = split_list(tokens[start + 1 : end])
        if not listed or not all(_is_name(item) for item in listed) or max(map(len, listed)) == 1:
            return tokens
        kept = [item[part] for item in listed]
        commas = [like(item, TokenType.COMMA, ",") for item in kept[1:]]
        between = [token for pair in zip(commas, kept[1:], strict=True) for token in pair]
        return [*tokens[: start + 1], kept[0], *between, *tokens[end:]]

    return rule


def delete_from_from(tokens: Tokens) -> Tokens:
    """``DELETE FROM t FROM t JOIN s …``: the first FROM only names the target."""
    if tokens[0].token_type is not TokenType.DELETE or len(tokens) < 5 or tokens[1].token_type is not TokenType.FROM:
        return tokens
    end = name_end(tokens, 2)
    if end < len(tokens) and tokens[end].token_type is TokenType.FROM:
        return tokens[:1] + tokens[2:]
    return tokens


def _is_name(item: Tokens) -> bool:
    """Whether words and dots take turns."""
    dots = [token.token_type is TokenType.DOT for token in item]
    return len(item) % 2 == 1 and not any(dots[::2]) and all(dots[1::2])
