"""Rules for Exasol."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, Tokens, at_words, closing, drop_where, find_word, like
from connector.sql.words import OPENING, STRINGS, word

__all__ = ["EXASOL"]


def _preferring(tokens: Tokens, i: int) -> int:
    """The skyline clause ``PREFERRING …``."""
    if word(tokens, i) != "PREFERRING":
        return 0
    end = find_word(tokens, i, "GROUP BY", "ORDER BY", "LIMIT", "UNION")
    return (end if end >= 0 else len(tokens)) - i


def _invalid_rows(tokens: Tokens) -> Tokens:
    """``SELECT … WITH INVALID UNIQUE (a)``, ``SELECT INVALID PRIMARY KEY (a)``: rows that break a constraint."""
    start = find_word(tokens, 0, "INVALID")
    if start < 0:
        return tokens
    first = start - 1 if word(tokens, start - 1) == "WITH" else start
    end = start
    while end < len(tokens) and tokens[end].token_type is not TokenType.L_PAREN:
        end += 1
    behind = closing(tokens, end) + 1
    referencing = find_word(tokens, behind, "REFERENCING")
    star = [like(tokens[first], TokenType.STAR, "*")] if tokens[first - 1].token_type is TokenType.SELECT else []
    return [*tokens[:first], *star, *tokens[behind : referencing if referencing >= 0 else len(tokens)]]


def _values_between(tokens: Tokens) -> Tokens:
    """``VALUES BETWEEN 1 AND 9 WITH STEP 2``: made-up numbers, one stands for all."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "VALUES", "BETWEEN")), -1)
    if start < 0:
        return tokens
    end = start
    while end < len(tokens) and tokens[end].token_type not in (TokenType.ALIAS, TokenType.R_PAREN):
        end = closing(tokens, end) + 1 if tokens[end].token_type in OPENING else end + 1
    here = tokens[start]
    row = [like(here, TokenType.L_PAREN, "("), like(here, TokenType.NUMBER, "1"), like(here, TokenType.R_PAREN, ")")]
    return [*tokens[: start + 1], *row, *tokens[end:]]


def _explain_virtual(tokens: Tokens, i: int) -> int:
    """``FROM (EXPLAIN VIRTUAL SELECT …)``."""
    return 2 if at_words(tokens, i, "EXPLAIN", "VIRTUAL") else 0


def _delete_star(tokens: Tokens) -> Tokens:
    """``DELETE * FROM t``."""
    is_star = len(tokens) > 2 and tokens[0].token_type is TokenType.DELETE and tokens[1].token_type is TokenType.STAR
    return [tokens[0], *tokens[2:]] if is_star else tokens


def _second_precision(tokens: Tokens, i: int) -> int:
    """``INTERVAL '1.9' SECOND(2, 2)``."""
    if word(tokens, i) == "(" and word(tokens, i - 1) in ("SECOND", "HOUR", "DAY", "MINUTE", "YEAR", "MONTH"):
        return closing(tokens, i) + 1 - i if tokens[i - 2].token_type in STRINGS else 0
    return 0


EXASOL: tuple[Rule, ...] = (
    drop_where(_preferring),
    _invalid_rows,
    _values_between,
    drop_where(_explain_virtual),
    _delete_star,
    drop_where(_second_precision),
)
