"""Rules for Db2."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import OPERANDS, Rule, at_words
from connector.sql.words import NAMES, Replacement, Tokens, closing, drop_where, like, opening, replace_where, word

_DURATIONS = frozenset(
    name for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND") for name in (unit, unit + "S")
)
_CHANGES = frozenset({TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE})
_VERBS = _CHANGES | {TokenType.SELECT}


@replace_where
def _concat_operator(tokens: Tokens, i: int) -> Replacement | None:
    """DB2's infix CONCAT is ||."""
    if tokens[i].text.upper() != "CONCAT" or not i:
        return None
    is_call = word(tokens, i + 1) == "(" and tokens[i - 1].token_type not in OPERANDS
    return None if is_call else ([like(tokens[i], TokenType.DPIPE, "||")], 1)


@replace_where
def _order_of(tokens: Tokens, i: int) -> Replacement | None:
    """``ORDER BY ORDER OF q``: in the order that the query q has; a constant stands for it."""
    return ([like(tokens[i], TokenType.STRING, "")], 3) if i and at_words(tokens, i, "ORDER", "OF") else None


def _labelled_duration(tokens: Tokens, i: int) -> int:
    """Db2: ``d - 1 DAY``, ``d + (n + 1) DAYS``; the unit after a number, or after what is added."""
    if word(tokens, i) not in _DURATIONS or not i:
        return 0
    before = tokens[i - 1].token_type
    if before is TokenType.NUMBER:
        return 1
    start = opening(tokens, i - 1) if before is TokenType.R_PAREN else i - 1
    while start > 0 and (tokens[start - 1].token_type in NAMES or tokens[start - 1].token_type is TokenType.DOT):
        start -= 1
    return int(before in OPERANDS and word(tokens, start - 1) in ("+", "-"))


def _changed_rows(tokens: Tokens) -> Tokens:
    """``SELECT … FROM FINAL TABLE (INSERT …)``: the rows of a change are those of a common table expression that returns
    them. It stands before the expression that reads it, and behind those that it may read itself."""
    kept: Tokens = []
    listing = word(tokens, 0) == "WITH"
    item = int(listing)
    depth = i = 0
    found = False
    while i < len(tokens):
        if listing and not depth and tokens[i].token_type in _VERBS:
            item, listing = len(kept), False
        elif listing and not depth and tokens[i].token_type is TokenType.COMMA:
            item = len(kept) + 1
        depth += (tokens[i].text == "(") - (tokens[i].text == ")")
        if (
            word(tokens, i) in ("FINAL", "NEW", "OLD")
            and at_words(tokens, i + 1, "TABLE", "(")
            and i + 3 < len(tokens)
            and tokens[i + 3].token_type in _CHANGES
        ):
            end = closing(tokens, i + 2)
            here = tokens[i]
            name = like(here, TokenType.VAR, f"{here.text.lower()}_table")
            returning = (like(here, TokenType.RETURNING, "RETURNING"), like(here, TokenType.STAR, "*"))
            query = [name, like(here, TokenType.ALIAS, "AS"), *tokens[i + 2 : end], *returning, tokens[end]]
            kept[item:item] = _as_expression(query, kept, item)
            kept.append(name)
            found = True
            i = end
        else:
            kept.append(tokens[i])
        i += 1
    return kept if found else tokens


def _as_expression(query: Tokens, tokens: Tokens, item: int) -> Tokens:
    """A common table expression with the word or the commas that it needs at its place."""
    here = query[0]
    if not item:
        return [like(here, TokenType.WITH, "WITH"), *query]
    comma = like(here, TokenType.COMMA, ",")
    return [*query, comma] if tokens[item - 1].token_type in (TokenType.WITH, TokenType.COMMA) else [comma, *query]


DB2: tuple[Rule, ...] = (
    _order_of,
    _changed_rows,
    _concat_operator,
    drop_where(_labelled_duration),
)
