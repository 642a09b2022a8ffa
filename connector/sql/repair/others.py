"""Rules for dialects that need few."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import OPERANDS, Rule, Tokens, at_words, closing, drop_where, find_word, like
from connector.sql.words import STRINGS, word

__all__ = ["ATHENA", "BIGQUERY", "CLICKHOUSE", "DB2", "DUCKDB", "HIVE", "SQLITE"]

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})

_DURATIONS = frozenset(
    name for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND") for name in (unit, unit + "S")
)


def _concat_operator(tokens: Tokens) -> Tokens:
    """DB2's infix CONCAT is ||."""
    found = [
        like(token, TokenType.DPIPE, "||")
        if token.text.upper() == "CONCAT" and at and _stands_between(tokens, at)
        else token
        for at, token in enumerate(tokens)
    ]
    return found if any(new is not old for new, old in zip(found, tokens, strict=True)) else tokens


def _stands_between(tokens: Tokens, at: int) -> bool:
    """Whether a word stands between two operands, not before an argument list."""
    called = at + 1 < len(tokens) and tokens[at + 1].token_type is TokenType.L_PAREN
    return not called or tokens[at - 1].token_type in OPERANDS


def _labelled_duration(tokens: Tokens, i: int) -> int:
    """Db2: ``d - 1 DAY``; the unit behind a number."""
    return 1 if word(tokens, i) in _DURATIONS and i > 0 and tokens[i - 1].token_type is TokenType.NUMBER else 0


def _lateral_view(tokens: Tokens) -> Tokens:
    """``LATERAL VIEW EXPLODE(x) t a, b``: the AS before the columns may be missing."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        if at_words(tokens, i, "LATERAL", "VIEW"):
            opening = i + 2
            while opening < len(tokens) and tokens[opening].token_type is not TokenType.L_PAREN:
                opening += 1
            end = closing(tokens, opening)
            named = (
                end + 2 < len(tokens) and tokens[end + 1].token_type in _NAMES and tokens[end + 2].token_type in _NAMES
            )
            if named and word(tokens, end + 2) not in ("LATERAL", "JOIN", "LEFT", "WHERE"):
                left += [*tokens[i + 1 : end + 2], like(tokens[end + 2], TokenType.ALIAS, "AS")]
                i = end + 1
        i += 1
    return left if len(left) != len(tokens) else tokens


def _sqlite_or(tokens: Tokens) -> Tokens:
    """``UPDATE OR IGNORE t``."""
    is_or = tokens[0].token_type is TokenType.UPDATE and word(tokens, 1) == "OR"
    return [tokens[0], *tokens[3:]] if is_or else tokens


def _numbered_placeholder(tokens: Tokens, i: int) -> int:
    """``?2``."""
    glued = i > 0 and tokens[i - 1].token_type is TokenType.PLACEHOLDER and tokens[i].start == tokens[i - 1].end + 1
    return 1 if glued and tokens[i].token_type is TokenType.NUMBER else 0


def _parametric(tokens: Tokens) -> Tokens:
    """ClickHouse: ``quantiles(0.5, 0.9)(x, y)``: the first parenthesis holds parameters."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        if tokens[i].token_type is TokenType.VAR and word(tokens, i + 1) == "(":
            end = closing(tokens, i + 1)
            if word(tokens, end + 1) == "(":
                i = end
        i += 1
    return left if len(left) != len(tokens) else tokens


def _pivot_tail(tokens: Tokens) -> Tokens:
    """DuckDB: ``PIVOT t ON a USING sum(b) ORDER BY c LIMIT 1``."""
    if tokens[0].token_type not in (TokenType.PIVOT, TokenType.UNPIVOT):
        return tokens
    end = find_word(tokens, 0, "ORDER BY", "LIMIT")
    return tokens[:end] if end > 0 else tokens


def _model_argument(tokens: Tokens, i: int) -> int:
    """BigQuery: ``ML.WEIGHTS(MODEL m)``: a model is no table."""
    return 2 if word(tokens, i) == "MODEL" and i > 0 and tokens[i - 1].token_type is TokenType.L_PAREN else 0


def _external_functions(tokens: Tokens) -> Tokens:
    """Athena: ``USING EXTERNAL FUNCTION f(…) RETURNS … LAMBDA 'x' SELECT …``."""
    if not at_words(tokens, 0, "USING", "EXTERNAL"):
        return tokens
    query = find_word(tokens, 0, "SELECT", "WITH")
    return tokens[query:] if query > 0 else tokens


def _interval_qualifier(tokens: Tokens, i: int) -> int:
    """Hive: ``'1-2' YEAR TO MONTH``."""
    qualified = word(tokens, i) in _DURATIONS and word(tokens, i + 1) == "TO" and word(tokens, i + 2) in _DURATIONS
    return 3 if qualified and i > 0 and tokens[i - 1].token_type in STRINGS else 0


def _iregexp(tokens: Tokens) -> Tokens:
    """Impala: ``a IREGEXP 'x'``."""
    if not any(token.text.upper() == "IREGEXP" for token in tokens):
        return tokens
    return [like(token, TokenType.RLIKE, "RLIKE") if token.text.upper() == "IREGEXP" else token for token in tokens]


ATHENA: tuple[Rule, ...] = (_external_functions,)
BIGQUERY: tuple[Rule, ...] = (drop_where(_model_argument),)
CLICKHOUSE: tuple[Rule, ...] = (_parametric,)
DUCKDB: tuple[Rule, ...] = (_pivot_tail,)
SQLITE: tuple[Rule, ...] = (_sqlite_or, drop_where(_numbered_placeholder))
HIVE: tuple[Rule, ...] = (_lateral_view, drop_where(_interval_qualifier), _iregexp)
DB2: tuple[Rule, ...] = (
    _concat_operator,
    drop_where(_labelled_duration),
)
