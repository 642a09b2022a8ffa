"""Rules for Spark and Databricks."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words
from connector.sql.words import (
    CLOSING,
    NAMES,
    OPENING,
    STRINGS,
    Replacement,
    Tokens,
    closing,
    drop_where,
    like,
    opening,
    replace_where,
    word,
)

_GROUPING = frozenset({TokenType.GROUP_BY, TokenType.COMMA, TokenType.L_PAREN})
_ENDS = frozenset({",", "ORDER BY", "SORT BY", "PRUNE", "KEEP", "COPARTITION"})


@replace_where
def _time_window(tokens: Tokens, i: int) -> Replacement | None:
    """``GROUP BY window(ts, '1 hour')``: a function, and no WINDOW clause."""
    if tokens[i].token_type is not TokenType.WINDOW or not i or word(tokens, i + 1) != "(":
        return None
    return ([like(tokens[i], TokenType.VAR, tokens[i].text)], 1) if tokens[i - 1].token_type in _GROUPING else None


def _schema_evolution(tokens: Tokens, i: int) -> int:
    """``INSERT WITH SCHEMA EVOLUTION INTO t``, ``MERGE WITH SCHEMA EVOLUTION INTO t``: new columns are added to the target."""
    return 3 if at_words(tokens, i, "WITH", "SCHEMA", "EVOLUTION") else 0


def _once(tokens: Tokens, i: int) -> int:
    """``CREATE FLOW f AS INSERT INTO ONCE t BY NAME …``: how often the flow runs."""
    return (
        1 if word(tokens, i) == "ONCE" and word(tokens, i - 1) == "INTO" and word(tokens, i + 2) in ("BY", ".") else 0
    )


def _credential(tokens: Tokens, i: int) -> int:
    """``FROM 's3://…' WITH (CREDENTIAL c)``: by which right a file is read."""
    named = at_words(tokens, i, "WITH", "(", "CREDENTIAL") and i and tokens[i - 1].token_type in STRINGS
    return closing(tokens, i + 1) + 1 - i if named else 0


def _behind_table(tokens: Tokens, i: int) -> int:
    """``f(TABLE(t) AS x PARTITION BY (a, b) PRUNE WHEN EMPTY ORDER BY c COPARTITION (x, y))``: how the rows that a function
    takes are dealt out. These columns are among those that it reads anyway."""
    if not i or tokens[i - 1].token_type is not TokenType.R_PAREN or not _ends_table(tokens, i - 1):
        return 0
    at = i
    if word(tokens, at) == "AS":
        at += 2
        at = closing(tokens, at) + 1 if word(tokens, at) == "(" else at
    dealt = at
    if at_words(tokens, at, "WITH", "SINGLE", "PARTITION"):
        at += 3
    elif word(tokens, at) == "PARTITION BY":
        at = _behind_item(tokens, at + 1)
    at = _behind_emptiness(tokens, at)
    if at > dealt and word(tokens, at) in ("ORDER BY", "SORT BY"):
        at = _behind_item(tokens, at + 1)
    at = _behind_emptiness(tokens, at)
    if at_words(tokens, at, "COPARTITION", "("):
        at = closing(tokens, at + 1) + 1
    return at - i if at > dealt else 0


def _behind_emptiness(tokens: Tokens, i: int) -> int:
    is_there = word(tokens, i) in ("PRUNE", "KEEP") and at_words(tokens, i + 1, "WHEN", "EMPTY")
    return i + 3 if is_there else i


def _ends_table(tokens: Tokens, i: int) -> bool:
    """Whether a parenthesis that closes here holds a table or a query, as an argument of a function."""
    start = opening(tokens, i)
    is_query = word(tokens, start + 1) in ("SELECT", "WITH") and word(tokens, start - 1) in ("(", ",", "=>")
    return is_query or word(tokens, start - 1) == "TABLE"


def _behind_item(tokens: Tokens, start: int) -> int:
    """Behind one expression, or several in a parenthesis."""
    i = start
    while i < len(tokens) and word(tokens, i) not in _ENDS and tokens[i].token_type not in CLOSING:
        i = closing(tokens, i) + 1 if tokens[i].token_type in OPENING else i + 1
    return i


_OPERANDS = (
    NAMES
    | STRINGS
    | frozenset({TokenType.NUMBER, TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.END, TokenType.NULL})
)


def _struct_fields(tokens: Tokens) -> Tokens:
    """``struct(a, b c)``: a field may have its name without AS, as a column of a select list has."""
    structs: list[bool] = []
    found: Tokens = []
    for i, token in enumerate(tokens):
        kind = token.token_type
        if kind in OPENING:
            structs.append(word(tokens, i - 1) == "STRUCT")
        elif kind in CLOSING:
            del structs[-1:]
        elif structs and structs[-1] and kind in NAMES and _is_alias(tokens, i):
            found.append(like(token, TokenType.ALIAS, "AS"))
        found.append(token)
    return found


def _is_alias(tokens: Tokens, i: int) -> bool:
    ends = word(tokens, i + 1) in (",", ")") and word(tokens, i - 2) != "INTERVAL"
    return ends and tokens[i - 1].token_type in _OPERANDS


DEALT_ROWS: Rule = drop_where(_behind_table)

DATABRICKS: tuple[Rule, ...] = (
    _time_window,
    _struct_fields,
    drop_where(_schema_evolution),
    drop_where(_once),
    drop_where(_credential),
    DEALT_ROWS,
)
