"""Rules for the functions of JSON, which the standard gives many clauses that change no lineage."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words
from connector.sql.words import LITERALS, STRINGS, Tokens, closing, drop_where, like, word

_JSON_DEFAULTS = frozenset({"NULL", "ERROR", "ABSENT", "TRUE", "FALSE"})


def _on_empty_or_error(tokens: Tokens, i: int) -> int:
    """``NULL ON EMPTY``, ``DEFAULT 'x' ON ERROR``, ``ABSENT ON NULL``: what a JSON function gives instead of a value."""
    if word(tokens, i) in _JSON_DEFAULTS and at_words(tokens, i + 1, "ON"):
        return 3 if word(tokens, i + 2) in ("EMPTY", "ERROR", "NULL") else 0
    if word(tokens, i) == "DEFAULT" and i + 3 < len(tokens) and tokens[i + 1].token_type in LITERALS:
        return 4 if word(tokens, i + 2) == "ON" and word(tokens, i + 3) in ("EMPTY", "ERROR") else 0
    if word(tokens, i) == "EMPTY" and word(tokens, i + 1) in ("ARRAY", "OBJECT") and word(tokens, i + 2) == "ON":
        return 4
    return 0


def _json_wrapper(tokens: Tokens, i: int) -> int:
    """``WITH [CONDITIONAL] [ARRAY] WRAPPER``: the shape of what JSON_QUERY gives."""
    if word(tokens, i) not in ("WITH", "WITHOUT"):
        return 0
    end = i + 1
    while word(tokens, end) in ("CONDITIONAL", "UNCONDITIONAL", "ARRAY"):
        end += 1
    return end + 1 - i if word(tokens, end) == "WRAPPER" else 0


def _json_returning(tokens: Tokens, i: int) -> int:
    """``JSON_VALUE(j, '$.a' RETURNING type)``: the type does not matter."""
    if word(tokens, i) != "RETURNING" or i == 0 or tokens[i - 1].token_type not in STRINGS:
        return 0
    depth_end = i + 1
    while depth_end < len(tokens) and tokens[depth_end].token_type not in (TokenType.R_PAREN, TokenType.COMMA):
        if tokens[depth_end].token_type is TokenType.L_PAREN:
            depth_end = closing(tokens, depth_end)
        elif word(tokens, depth_end) in ("NULL", "ERROR", "DEFAULT", "ABSENT"):
            break
        depth_end += 1
    return depth_end - i


def _strictness(tokens: Tokens, i: int) -> int:
    """``IS JSON STRICT WITH UNIQUE KEYS``, ``IS JSON (LAX)``: how closely the text is looked at."""
    if word(tokens, i - 1) != "JSON" or word(tokens, i - 2) not in ("IS", "NOT"):
        return 0
    end = i
    while word(tokens, end) in ("STRICT", "LAX", "FORMAT", "OSON", "BSON", "JSON", "ALLOW", "DISALLOW", "SCALARS"):
        end += 1
    if word(tokens, end) == "(":
        return closing(tokens, end) + 1 - i
    if end > i and word(tokens, end) in ("WITH", "WITHOUT") and word(tokens, end + 1) == "UNIQUE":
        end += 3 if word(tokens, end + 2) == "KEYS" else 2
    return end - i


def _nested_path(tokens: Tokens) -> Tokens:
    """``NESTED '$.a[*]' COLUMNS (…)`` in JSON_TABLE: the word PATH goes without saying."""
    if not any(word(tokens, i) == "NESTED" and tokens[i + 1].token_type in STRINGS for i in range(len(tokens) - 1)):
        return tokens
    left: Tokens = []
    for i, token in enumerate(tokens):
        left.append(token)
        if word(tokens, i) == "NESTED" and i + 1 < len(tokens) and tokens[i + 1].token_type in STRINGS:
            left.append(like(token, TokenType.VAR, "PATH"))
    return left


def _truncated(tokens: Tokens, i: int) -> int:
    """Oracle: ``a VARCHAR2(5) PATH '$.a' TRUNCATE`` in JSON_TABLE."""
    if word(tokens, i) != "TRUNCATE":
        return 0
    return 1 if word(tokens, i - 2) == "PATH" or (word(tokens, i - 1) == ")" and word(tokens, i + 1) == "PATH") else 0


def _exists_path(tokens: Tokens, i: int) -> int:
    """``has_price INT EXISTS PATH '$.price'`` in JSON_TABLE: a column as any other."""
    return 1 if at_words(tokens, i, "EXISTS", "PATH") else 0


JSON: tuple[Rule, ...] = (
    _nested_path,
    drop_where(_strictness),
    drop_where(_truncated),
    drop_where(_exists_path),
    drop_where(_on_empty_or_error),
    drop_where(_json_wrapper),
    drop_where(_json_returning),
)
