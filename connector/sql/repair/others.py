"""Rules for dialects that need few."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import OPERANDS, Rule, Tokens, at_words, closing, drop_where, find_word, like
from connector.sql.words import OPENING, STRINGS, word

__all__ = ["BIGQUERY", "CLICKHOUSE", "DB2", "DUCKDB", "HIVE", "TERADATA"]

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})

_SET_OPERATIONS = ("UNION", "EXCEPT", "INTERSECT")
_BEHIND_SELECT = frozenset("WHERE HAVING QUALIFY WINDOW LIMIT OFFSET".split()) | {"GROUP BY", "ORDER BY"}

_QUERIES = frozenset({TokenType.SELECT, TokenType.WITH})

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


def _select_first(tokens: Tokens) -> Tokens:
    """DuckDB: ``FROM (VALUES (1)) v (a) JOIN t ON true SELECT a`` as ``SELECT a FROM …``; the grammar knows most forms."""
    for start, token in enumerate(tokens):
        if token.token_type is not TokenType.FROM:
            continue
        before = tokens[start - 1].token_type if start else TokenType.SEMICOLON
        if before not in (TokenType.SEMICOLON, TokenType.L_PAREN, TokenType.ALIAS):
            continue
        select = find_word(tokens, start + 1, "SELECT", *_SET_OPERATIONS)
        if select < 0 or tokens[select].token_type is not TokenType.SELECT:
            continue
        end = select
        while end < len(tokens) and tokens[end].token_type is not TokenType.R_PAREN:
            if word(tokens, end) in _BEHIND_SELECT or word(tokens, end) in _SET_OPERATIONS:
                break
            end = closing(tokens, end) + 1 if tokens[end].token_type in OPENING else end + 1
        return _select_first([*tokens[:start], *tokens[select:end], *tokens[start:select], *tokens[end:]])
    return tokens


def _pivot_statement(tokens: Tokens) -> Tokens:
    """DuckDB: ``CREATE TABLE o AS PIVOT t ON a USING sum(b) ORDER BY c`` as ``… AS FROM (PIVOT t …) ORDER BY c``."""
    start = find_word(tokens, 0, "PIVOT", "UNPIVOT", "SELECT", "FROM")
    if start < 0 or tokens[start].token_type not in (TokenType.PIVOT, TokenType.UNPIVOT):
        return tokens
    end = find_word(tokens, start, "ORDER BY", "LIMIT")
    end = end if end > 0 else len(tokens)
    first, last = tokens[start], tokens[end - 1]
    opening = [like(first, TokenType.FROM, "FROM"), like(first, TokenType.L_PAREN, "(")]
    return [*tokens[:start], *opening, *tokens[start:end], like(last, TokenType.R_PAREN, ")"), *tokens[end:]]


def _model_argument(tokens: Tokens, i: int) -> int:
    """BigQuery: ``ML.WEIGHTS(MODEL m)``: a model is no table."""
    return 2 if word(tokens, i) == "MODEL" and i > 0 and tokens[i - 1].token_type is TokenType.L_PAREN else 0


BIGQUERY: tuple[Rule, ...] = (drop_where(_model_argument),)


def _columns_of_function(tokens: Tokens) -> Tokens:
    """``INSERT INTO FUNCTION f(…) (x, y) SELECT …``: the columns as those of the query."""
    if not at_words(tokens, 0, "INSERT", "INTO", "FUNCTION") or word(tokens, 4) != "(":
        return tokens
    end = closing(tokens, 4) + 1
    query = closing(tokens, end) + 1 if word(tokens, end) == "(" else len(tokens)
    if query >= len(tokens) or tokens[query].token_type not in _QUERIES:
        return tokens
    here = tokens[end]
    head = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"), (TokenType.L_PAREN, "("))
    tail = ((TokenType.R_PAREN, ")"), (TokenType.ALIAS, "AS"), (TokenType.IDENTIFIER, "rows"))
    return [
        *tokens[:end],
        *(like(here, kind, text) for kind, text in head),
        *tokens[query:],
        *(like(here, kind, text) for kind, text in tail),
        *tokens[end:query],
    ]


CLICKHOUSE: tuple[Rule, ...] = (
    _columns_of_function,
    _parametric,
)
DUCKDB: tuple[Rule, ...] = (_pivot_statement, _select_first)
HIVE: tuple[Rule, ...] = (_lateral_view,)
DB2: tuple[Rule, ...] = (
    _concat_operator,
    drop_where(_labelled_duration),
)


_ATTRIBUTES = frozenset(
    {"CASESPECIFIC", "CS", "UPPERCASE", "UC", "NOT", "DATE", "CHAR", "VARCHAR", "INTEGER", "FORMAT", "TIME"}
)


def _phrases(tokens: Tokens) -> Tokens:
    """Teradata's `column (TITLE 'x')`, `(FORMAT 'x')`, `(NAMED x)`: how a value is shown, not what it is."""
    found: Tokens = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.token_type is TokenType.L_PAREN and at + 1 < len(tokens) and found:
            word = tokens[at + 1].text.upper()
            close = closing(tokens, at)
            if word in ("TITLE", "FORMAT") and found[-1].token_type in OPERANDS:
                at = close + 1
                continue
            if word == "NAMED" and close == at + 3 and found[-1].token_type in OPERANDS:
                found += [like(token, TokenType.ALIAS, "AS"), tokens[at + 2]]
                at = close + 1
                continue
        found.append(token)
        at += 1
    return found if len(found) != len(tokens) else tokens


def _attribute(tokens: Tokens, i: int) -> int:
    """``'x' (NOT CASESPECIFIC)``, ``d (DATE, FORMAT 'YYYY')``: how a value is kept and shown."""
    if tokens[i].token_type is not TokenType.L_PAREN or i == 0 or word(tokens, i + 1) not in _ATTRIBUTES:
        return 0
    before = tokens[i - 1]
    end = closing(tokens, i)
    single = word(tokens, i + 1) in ("CASESPECIFIC", "CS", "UC", "UPPERCASE") or (
        word(tokens, i + 1) == "NOT" and end - i == 3
    )
    if before.token_type in STRINGS or before.token_type is TokenType.R_PAREN or single:
        return end + 1 - i
    return end + 1 - i if word(tokens, i - 1) == "DATE" else 0


def _update_from(tokens: Tokens) -> Tokens:
    """``UPDATE t FROM s SET …``: without an alias the grammar takes SET for one."""
    if word(tokens, 0) not in ("UPDATE", "UPD"):
        return tokens
    start = find_word(tokens, 1, "FROM", "SET")
    if start < 0 or word(tokens, start) != "FROM":
        return tokens
    end = find_word(tokens, start, "SET")
    if end < 0 or tokens[end - 1].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
        return tokens
    named = end - 1
    while named - 2 > start and tokens[named - 1].token_type is TokenType.DOT:
        named -= 2
    if tokens[named - 1].token_type not in (TokenType.FROM, TokenType.COMMA):
        return tokens
    return [*tokens[:end], like(tokens[end - 1], TokenType.ALIAS, "AS"), tokens[end - 1], *tokens[end:]]


def _else_insert(tokens: Tokens) -> Tokens:
    """``UPDATE … ELSE INSERT …``: the row is inserted where none is updated. Both are statements about the same table."""
    if word(tokens, 0) not in ("UPDATE", "UPD"):
        return tokens
    found = find_word(tokens, 1, "ELSE")
    if found < 0 or word(tokens, found + 1) not in ("INSERT", "INS"):
        return tokens
    return [*tokens[:found], like(tokens[found], TokenType.SEMICOLON, ";"), *tokens[found + 1 :]]


TERADATA: tuple[Rule, ...] = (_phrases, drop_where(_attribute), _update_from, _else_insert)
