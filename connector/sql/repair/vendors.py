"""Rules for syntax of one vendor."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, Tokens, at_words, closing, drop_where, find_word, like, whole_table
from connector.sql.words import OPENING, STRINGS, word

__all__ = ["BY_DIALECT", "BY_FAMILY"]

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})

# --- MySQL and its relatives ------------------------------------------------------------------------------------

_MODIFIERS = frozenset({"LOW_PRIORITY", "QUICK", "IGNORE", "DELAYED", "HIGH_PRIORITY", "SQL_CACHE", "SQL_NO_CACHE"})
_HEADS = frozenset({TokenType.SELECT, TokenType.DELETE, TokenType.UPDATE, TokenType.INSERT})


def _modifiers(tokens: Tokens, i: int) -> int:
    """``DELETE LOW_PRIORITY QUICK IGNORE``, ``SELECT SQL_CACHE``: how, not what."""
    if i == 0 or tokens[i - 1].token_type not in _HEADS:
        return 0
    end = i
    while word(tokens, end) in _MODIFIERS and end + 1 < len(tokens):
        end += 1
    return end - i


def _deleted_star(tokens: Tokens) -> Tokens:
    """``DELETE t1.*, t2.* FROM …``: the rows of these tables."""
    if tokens[0].token_type is not TokenType.DELETE:
        return tokens
    end = find_word(tokens, 0, "USING", "WHERE")
    stop = end if end >= 0 else len(tokens)

    def star(found: Tokens, i: int) -> int:
        is_star = i + 1 < min(stop, len(found)) and found[i].token_type is TokenType.DOT
        return 2 if is_star and found[i + 1].token_type is TokenType.STAR else 0

    return drop_where(star)(tokens)


def _delete_history(tokens: Tokens) -> Tokens:
    """``DELETE HISTORY FROM t BEFORE SYSTEM_TIME x``."""
    if not at_words(tokens, 0, "DELETE", "HISTORY"):
        return tokens
    before = find_word(tokens, 2, "BEFORE")
    return [tokens[0], *tokens[2 : before if before >= 0 else len(tokens)]]


def _into_variables(tokens: Tokens) -> Tokens:
    """``SELECT … INTO @a, @b``: variables of the session."""
    if tokens[0].token_type not in (TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN):
        return tokens
    into = find_word(tokens, 0, "INTO")
    if word(tokens, into + 1) in ("OUTFILE", "DUMPFILE"):
        return tokens
    if into < 0 or into + 1 >= len(tokens) or tokens[into + 1].token_type not in (TokenType.PARAMETER, TokenType.VAR):
        return tokens
    end = into + 1
    while end < len(tokens) and tokens[end].token_type in (TokenType.PARAMETER, TokenType.VAR, TokenType.COMMA):
        end += 1
    return tokens[:into] + tokens[end:]


def _assignment(tokens: Tokens) -> Tokens:
    """``@a := 1`` inside of a condition reads as a comparison."""
    if not any(token.token_type is TokenType.COLON_EQ for token in tokens):
        return tokens
    return [like(token, TokenType.EQ, "=") if token.token_type is TokenType.COLON_EQ else token for token in tokens]


def _table_alias(tokens: Tokens) -> Tokens:
    """``INSERT INTO t1 TABLE t2 AS t3 (m, n)``: the whole table, the alias is for ON DUPLICATE KEY."""
    table = find_word(tokens, 0, "TABLE")
    if table < 1 or tokens[0].token_type is not TokenType.INSERT:
        return tokens
    alias = find_word(tokens, table, "AS")
    if alias < 0:
        return tokens
    end = alias + 2
    if end < len(tokens) and tokens[end].token_type is TokenType.L_PAREN:
        end = closing(tokens, end) + 1
    return tokens[:table] + whole_table(tokens[table:alias]) + tokens[end:]


def _label(tokens: Tokens, i: int) -> int:
    """Doris and StarRocks: ``INSERT … WITH LABEL l``."""
    return 3 if at_words(tokens, i, "WITH", "LABEL") else 0


# --- SQL Server -------------------------------------------------------------------------------------------------

_ARITHMETIC = frozenset(
    {TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.MOD, TokenType.PERCENT, TokenType.AMP}
)


def _query_option(tokens: Tokens, i: int) -> int:
    """``OPTION (OPTIMIZE FOR (@x = 1), USE HINT ('…'))``."""
    if word(tokens, i) == "OPTION" and i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.L_PAREN:
        return closing(tokens, i + 1) + 1 - i
    return 0


def _index_hint(tokens: Tokens, i: int) -> int:
    """``FROM t WITH (INDEX = ix, FORCESEEK)``."""
    if word(tokens, i) != "WITH" or word(tokens, i + 1) != "(":
        return 0
    end = closing(tokens, i + 1)
    words = {word(tokens, j) for j in range(i + 2, end)}
    return end + 1 - i if words & {"INDEX", "FORCESEEK", "FORCESCAN", "NOLOCK", "SPATIAL_WINDOW_MAX_CELLS"} else 0


def _compound_assignment(tokens: Tokens, i: int) -> int:
    """``SELECT @i += 2`` assigns as ``@i = 2`` does."""
    if tokens[i].token_type not in _ARITHMETIC or i + 1 >= len(tokens) or i < 2:
        return 0
    return 1 if tokens[i + 1].token_type is TokenType.EQ and tokens[i - 2].token_type is TokenType.PARAMETER else 0


def _language(tokens: Tokens, i: int) -> int:
    """``CONTAINSTABLE(t, *, 'x', LANGUAGE N'English')``."""
    following = i + 1 < len(tokens) and (tokens[i + 1].token_type in STRINGS or tokens[i + 1].token_type is TokenType.NUMBER)
    return 1 if word(tokens, i) == "LANGUAGE" and following else 0


def _predict(tokens: Tokens) -> Tokens:
    """``PREDICT(MODEL = m, DATA = t AS d) WITH (score FLOAT) AS p``: the rows of t, and what is made from them."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "PREDICT", "(")), -1)
    if start < 0:
        return tokens
    end = closing(tokens, start + 1)
    data = next((i for i in range(start, end) if at_words(tokens, i, "DATA", "=")), -1)
    if data < 0:
        return tokens
    stop = find_word(tokens, data, ",")
    source = tokens[data + 2 : stop if 0 <= stop < end else end]
    behind = end + 1
    if at_words(tokens, behind, "WITH", "("):
        behind = closing(tokens, behind + 1) + 1
    name = next((i for i, token in enumerate(source) if token.token_type is TokenType.ALIAS), len(source))
    joined = [like(tokens[start], TokenType.CROSS, "CROSS"), like(tokens[start], TokenType.JOIN, "JOIN"), *source[:name]]
    return [*tokens[:start], *source, *joined, *tokens[behind:]]


def _json_path(tokens: Tokens) -> Tokens:
    """``OPENJSON(j, expression)``: the grammar knows a path in quotes only."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "OPENJSON", "(")), -1)
    if start < 0:
        return tokens
    end = closing(tokens, start + 1)
    comma = find_word(tokens, start + 2, ",")
    if comma < 0 or (comma + 2 == end and tokens[comma + 1].token_type in STRINGS):
        return tokens
    return tokens[:comma] + tokens[end:]


def _bulk_rowset(tokens: Tokens) -> Tokens:
    """``OPENROWSET(BULK 'file', FORMAT = 'CSV', …) WITH (a INT)``: of the arguments only the file counts."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        if at_words(tokens, i, "OPENROWSET", "(", "BULK"):
            end = closing(tokens, i + 1)
            place = i + 3
            stop = find_word(tokens, place, ",")
            if place < end and tokens[place].token_type in OPENING:
                place += 1
                stop = place + 1
            left += [*tokens[i : i + 2], *tokens[place : stop if 0 <= stop < end else end], tokens[end]]
            i = end + 1
            if at_words(tokens, i, "WITH", "("):
                i = closing(tokens, i + 1) + 1
        else:
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


# --- Oracle -----------------------------------------------------------------------------------------------------

_ENDS_OPERAND = _NAMES | {TokenType.NUMBER, TokenType.R_PAREN}
_SET_OPERATORS = frozenset({TokenType.EXCEPT, TokenType.INTERSECT, TokenType.UNION})


def _multiset(tokens: Tokens) -> Tokens:
    """``a MULTISET UNION ALL b``: an operator on nested tables, both sides go in."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        is_operator = word(tokens, i) == "MULTISET" and i + 1 < len(tokens) and tokens[i + 1].token_type in _SET_OPERATORS
        if is_operator:
            left.append(like(tokens[i], TokenType.DPIPE, "||"))
            i += 3 if word(tokens, i + 2) in ("ALL", "DISTINCT") else 2
        else:
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


def _arithmetic_words(tokens: Tokens) -> Tokens:
    """``a ** 2`` and ``a MOD 2``."""
    left: Tokens = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.STAR and left and left[-1].token_type is TokenType.STAR:
            continue
        infix = word(tokens, i) == "MOD" and i > 0 and word(tokens, i + 1) != "(" and tokens[i - 1].token_type in _ENDS_OPERAND
        left.append(like(token, TokenType.MOD, "%") if infix else token)
    changed = len(left) != len(tokens) or any(new is not old for new, old in zip(left, tokens, strict=True))
    return left if changed else tokens


def _is_empty(tokens: Tokens, i: int) -> int:
    """``nested IS [NOT] EMPTY`` and the like: a condition on the column alone."""
    if word(tokens, i) != "IS":
        return 0
    size = 2 if word(tokens, i + 1) == "NOT" else 1
    return size + 1 if word(tokens, i + size) == "EMPTY" else 0


def _case_end(tokens: Tokens, i: int) -> int:
    """``END CASE AS x`` and ``END label AS x``."""
    if i == 0 or tokens[i - 1].token_type is not TokenType.END:
        return 0
    if tokens[i].token_type is TokenType.CASE:
        return 1
    is_label = tokens[i].token_type in _NAMES and i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.ALIAS
    return 1 if is_label else 0


def _log_errors(tokens: Tokens) -> Tokens:
    """``LOG ERRORS INTO t … REJECT LIMIT 10``: where refused rows go."""
    found = find_word(tokens, 0, "LOG")
    return tokens[:found] if found > 0 and word(tokens, found + 1) == "ERRORS" else tokens


def _insert_into_query(tokens: Tokens) -> Tokens:
    """``INSERT INTO (SELECT a, b FROM t …) VALUES``: the table of the query is the target."""
    if tokens[0].token_type is not TokenType.INSERT or not at_words(tokens, 1, "INTO", "("):
        return tokens
    end = closing(tokens, 2)
    source = find_word(tokens, 3, "FROM")
    if word(tokens, 3) != "SELECT" or source < 0 or source >= end:
        return tokens
    name_end = source + 2
    while name_end + 1 < end and tokens[name_end].token_type is TokenType.DOT:
        name_end += 2
    columns = tokens[4:source]
    plain = all(token.token_type in _NAMES or token.token_type is TokenType.COMMA for token in columns)
    listed = [tokens[2], *columns, tokens[end]] if plain else []
    return [*tokens[:2], *tokens[source + 1 : name_end], *listed, *tokens[end + 1 :]]


def _json_members(tokens: Tokens) -> Tokens:
    """``JSON_OBJECT(a)``: the column gives the name and the value."""
    left: Tokens = []
    for i, token in enumerate(tokens):
        alone = (
            token.token_type in _NAMES
            and i > 1
            and tokens[i - 1].token_type in (TokenType.L_PAREN, TokenType.COMMA)
            and i + 1 < len(tokens)
            and tokens[i + 1].token_type in (TokenType.R_PAREN, TokenType.COMMA)
            and _opens_json_object(tokens, i)
        )
        if alone:
            left += [like(token, TokenType.STRING, token.text), like(token, TokenType.COLON, ":")]
        left.append(token)
    return left if len(left) != len(tokens) else tokens


def _opens_json_object(tokens: Tokens, i: int) -> bool:
    depth = 0
    for j in range(i - 1, 0, -1):
        if tokens[j].token_type is TokenType.R_PAREN:
            depth += 1
        elif tokens[j].token_type is TokenType.L_PAREN:
            if not depth:
                return word(tokens, j - 1) == "JSON_OBJECT"
            depth -= 1
    return False


# --- PostgreSQL and its relatives -------------------------------------------------------------------------------


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


# --- Vertica ----------------------------------------------------------------------------------------------------


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


# --- Exasol -----------------------------------------------------------------------------------------------------


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


# --- Teradata ---------------------------------------------------------------------------------------------------

_ATTRIBUTES = frozenset({"CASESPECIFIC", "CS", "UPPERCASE", "UC", "NOT", "DATE", "CHAR", "VARCHAR", "INTEGER", "FORMAT", "TIME"})


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


def _normalize(tokens: Tokens, i: int) -> int:
    """``SELECT NORMALIZE ON MEETS OR OVERLAPS``."""
    if word(tokens, i) != "NORMALIZE" or i == 0 or tokens[i - 1].token_type is not TokenType.SELECT:
        return 0
    end = i + 1
    while word(tokens, end) in ("ON", "MEETS", "OR", "OVERLAPS"):
        end += 1
    return end - i


# --- others -----------------------------------------------------------------------------------------------------

_DURATIONS = frozenset(
    word
    for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND")
    for word in (unit, unit + "S")
)


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
            named = end + 2 < len(tokens) and tokens[end + 1].token_type in _NAMES and tokens[end + 2].token_type in _NAMES
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


_MYSQL: tuple[Rule, ...] = (
    drop_where(_modifiers),
    _deleted_star,
    _delete_history,
    _into_variables,
    _assignment,
    _table_alias,
    drop_where(_label),
)
_POSTGRES: tuple[Rule, ...] = (
    drop_where(_order_operator),
    drop_where(_overriding),
    drop_where(_unicode_name),
    _similar_substring,
)
_HIVE: tuple[Rule, ...] = (_lateral_view, drop_where(_interval_qualifier), _iregexp)
_VERTICA: tuple[Rule, ...] = (drop_where(_lenient_cast), drop_where(_limit_over), _join_kinds)
_EXASOL: tuple[Rule, ...] = (
    drop_where(_preferring),
    _invalid_rows,
    _values_between,
    drop_where(_explain_virtual),
    _delete_star,
    drop_where(_second_precision),
)

BY_FAMILY: dict[str, tuple[Rule, ...]] = {
    "mysql": _MYSQL,
    "tsql": (
        drop_where(_query_option),
        drop_where(_index_hint),
        drop_where(_compound_assignment),
        drop_where(_language),
        _predict,
        _json_path,
        _bulk_rowset,
    ),
    "plsql": (
        _multiset,
        _arithmetic_words,
        drop_where(_is_empty),
        drop_where(_case_end),
        _log_errors,
        _insert_into_query,
        _json_members,
    ),
    "teradata": (drop_where(_attribute), drop_where(_normalize)),
    "db2": (drop_where(_labelled_duration),),
}

BY_DIALECT: dict[str, tuple[Rule, ...]] = {
    "athena": (_external_functions,),
    "bigquery": (drop_where(_model_argument),),
    "clickhouse": (_parametric,),
    "databricks": _HIVE,
    "duckdb": (_pivot_tail,),
    "exasol": _EXASOL,
    "gaussdb": _POSTGRES,
    "greenplum": _POSTGRES,
    "hive": _HIVE,
    "impala": _HIVE,
    "netezza": _POSTGRES,
    "postgresql": _POSTGRES,
    "redshift": _POSTGRES,
    "spark2": _HIVE,
    "sparksql": _HIVE,
    "sqlite": (_sqlite_or, drop_where(_numbered_placeholder)),
    "vertica": (*_POSTGRES, *_VERTICA),
}
