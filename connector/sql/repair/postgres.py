"""Rules for PostgreSQL, its relatives and Vertica."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, Tokens, at_words, closing, drop_where, like
from connector.sql.words import word

__all__ = ["POSTGRES", "VERTICA"]


def _order_operator(tokens: Tokens, i: int) -> int:
    """``ORDER BY a USING <``."""
    if word(tokens, i) != "USING" or i + 1 >= len(tokens):
        return 0
    if word(tokens, i + 1) == "OPERATOR" and word(tokens, i + 2) == "(":
        return closing(tokens, i + 2) + 1 - i
    return 2 if tokens[i + 1].token_type in (TokenType.LT, TokenType.GT, TokenType.LTE, TokenType.GTE) else 0


def _overriding(tokens: Tokens, i: int) -> int:
    """``INSERT … OVERRIDING SYSTEM VALUE``."""
    return 3 if word(tokens, i) == "OVERRIDING" and word(tokens, i + 2) == "VALUE" else 0


def _unicode_name(tokens: Tokens, i: int) -> int:
    """``U&"…" UESCAPE '!'``: the escaped name as written."""
    if at_words(tokens, i, "U", "&") and tokens[min(i + 2, len(tokens) - 1)].token_type is TokenType.IDENTIFIER:
        return 2
    return 2 if word(tokens, i) == "UESCAPE" else 0


def _similar_substring(tokens: Tokens) -> Tokens:
    """``SUBSTRING(a SIMILAR p ESCAPE e)``: a function of its three arguments."""
    left: Tokens = []
    inside = False
    for i, token in enumerate(tokens):
        if word(tokens, i) == "SIMILAR" and word(tokens, i + 1) != "TO":
            inside = True
            left.append(like(token, TokenType.COMMA, ","))
        elif inside and word(tokens, i) == "ESCAPE":
            inside = False
            left.append(like(token, TokenType.COMMA, ","))
        else:
            left.append(token)
    changed = any(new is not old for new, old in zip(left, tokens, strict=True))
    return left if changed else tokens


def _lenient_cast(tokens: Tokens, i: int) -> int:
    """``a::!INT``: a cast that gives NULL where it fails."""
    before = i > 0 and tokens[i - 1].token_type is TokenType.DCOLON
    return 1 if before and tokens[i].token_type is TokenType.NOT else 0


def _limit_over(tokens: Tokens, i: int) -> int:
    """``LIMIT 2 OVER (PARTITION BY …)``."""
    if word(tokens, i) == "OVER" and word(tokens, i + 1) == "(" and word(tokens, i - 2) == "LIMIT":
        return closing(tokens, i + 1) + 1 - i
    return 0


def _join_kinds(tokens: Tokens) -> Tokens:
    """The plan's ``NULLAWARE ANTI JOIN`` and ``SEMIALL JOIN``."""
    changed = drop_where(lambda found, i: 1 if word(found, i) == "NULLAWARE" else 0)(tokens)
    if any(word(changed, i) == "SEMIALL" for i in range(len(changed))):
        return [like(token, TokenType.SEMI, "SEMI") if token.text.upper() == "SEMIALL" else token for token in changed]
    return changed


POSTGRES: tuple[Rule, ...] = (
    drop_where(_order_operator),
    drop_where(_overriding),
    drop_where(_unicode_name),
    _similar_substring,
)

VERTICA: tuple[Rule, ...] = (drop_where(_lenient_cast), drop_where(_limit_over), _join_kinds)
