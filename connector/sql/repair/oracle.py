"""Rules for Oracle."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import split_list
from connector.sql.recovery.layout import Layout
from connector.sql.recovery.names import names_in, opaque
from connector.sql.repair.tools import Rule, at_words, delete_from_from, find_word, name_end
from connector.sql.words import (
    NAMES,
    STRINGS,
    Replacement,
    Tokens,
    closing,
    drop_where,
    in_parentheses,
    like,
    opening,
    replace_where,
    select_all,
    word,
)

_MINING = frozenset(
    """
    PREDICTION PREDICTION_BOUNDS PREDICTION_COST PREDICTION_DETAILS PREDICTION_PROBABILITY PREDICTION_SET CLUSTER_ID CLUSTER_DETAILS
    CLUSTER_DISTANCE CLUSTER_PROBABILITY CLUSTER_SET FEATURE_ID FEATURE_DETAILS FEATURE_SET FEATURE_VALUE
    """.split()
)
_ENDS_OPERAND = NAMES | {TokenType.NUMBER, TokenType.R_PAREN}
_SET_OPERATORS = frozenset({TokenType.EXCEPT, TokenType.INTERSECT, TokenType.UNION})


_QUERY_STARTS = frozenset({"SELECT", "WITH"})


def _nested_table(tokens: Tokens) -> Tokens:
    """``INSERT INTO TABLE (SELECT c FROM t WHERE …) (a, b) …`` writes rows of a nested table: all of it into the column c."""
    if not at_words(tokens, 0, "INSERT", "INTO", "TABLE", "(") or word(tokens, 4) != "SELECT":
        return tokens
    source = find_word(tokens, 5, "FROM")
    if source < 0 or source + 1 >= len(tokens):
        return tokens
    end = closing(tokens, 3) + 1
    column = tokens[source - 1]
    into = [*tokens[:2], *tokens[source + 1 : name_end(tokens, source + 1)]]
    if word(tokens, end) != "(":
        return [*into, *tokens[end:]]
    behind = closing(tokens, end) + 1
    listed = [token if token.token_type is TokenType.COMMA else column for token in tokens[end + 1 : behind - 1]]
    return [*into, tokens[end], *listed, *tokens[behind - 1 :]]


def inline_view(tokens: Tokens) -> Tokens:
    """`UPDATE (query) SET …` of Oracle and Db2 is an update of a common table expression."""
    if tokens[0].token_type is not TokenType.UPDATE or len(tokens) < 4 or tokens[1].token_type is not TokenType.L_PAREN:
        return tokens
    close = closing(tokens, 1)
    if tokens[2].text.upper() not in _QUERY_STARTS:
        return tokens
    here = tokens[0]
    rest = tokens[close + 1 :]
    if rest and rest[0].token_type in (TokenType.VAR, TokenType.IDENTIFIER):
        name, rest = rest[0], rest[1:]
    else:
        name = like(here, TokenType.VAR, "inline_view")
    return [
        like(here, TokenType.WITH, "WITH"),
        name,
        like(here, TokenType.ALIAS, "AS"),
        *tokens[1 : close + 1],
        here,
        name,
        *rest,
    ]


def _merge_delete(tokens: Tokens) -> Tokens:
    """Oracle's `UPDATE SET … DELETE WHERE c` inside MERGE is one more branch: WHEN MATCHED AND (c) THEN DELETE."""
    if tokens[0].token_type is not TokenType.MERGE:
        return tokens
    for at in range(1, len(tokens) - 1):
        before = tokens[at - 1].text.upper()
        if (
            tokens[at].token_type is TokenType.DELETE
            and tokens[at + 1].token_type is TokenType.WHERE
            and before != "THEN"
        ):
            following = find_word(tokens, at + 2, "WHEN")
            end = following if following >= 0 else len(tokens)
            here = tokens[at]
            branch = [
                like(here, TokenType.WHEN, "WHEN"),
                like(here, TokenType.VAR, "MATCHED"),
                like(here, TokenType.AND, "AND"),
                like(here, TokenType.L_PAREN, "("),
                *tokens[at + 2 : end],
                like(here, TokenType.R_PAREN, ")"),
                like(here, TokenType.THEN, "THEN"),
                here,
            ]
            return _merge_delete(tokens[:at] + branch + tokens[end:])
    return tokens


@replace_where
def _multiset(tokens: Tokens, i: int) -> Replacement | None:
    """``a MULTISET UNION ALL b``: an operator on nested tables, both sides go in."""
    if word(tokens, i) != "MULTISET" or i + 1 >= len(tokens) or tokens[i + 1].token_type not in _SET_OPERATORS:
        return None
    return [like(tokens[i], TokenType.DPIPE, "||")], 3 if word(tokens, i + 2) in ("ALL", "DISTINCT") else 2


@replace_where
def _arithmetic_words(tokens: Tokens, i: int) -> Replacement | None:
    """``a ** 2`` and ``a MOD 2``."""
    if at_words(tokens, i, "*", "*"):
        return [tokens[i]], 2
    infix = word(tokens, i) == "MOD" and i and word(tokens, i + 1) != "(" and tokens[i - 1].token_type in _ENDS_OPERAND
    return ([like(tokens[i], TokenType.MOD, "%")], 1) if infix else None


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
    is_label = tokens[i].token_type in NAMES and i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.ALIAS
    return 1 if is_label else 0


def _log_errors(tokens: Tokens) -> Tokens:
    """``LOG ERRORS INTO e``: the rows that the target refuses go there instead, under the same columns.

    As a second statement, which inserts them.
    """
    found = find_word(tokens, 0, "LOG")
    if found <= 0 or word(tokens, found + 1) != "ERRORS":
        return tokens
    if word(tokens, 0) == "INSERT" and word(tokens, 1) in ("ALL", "FIRST"):
        return _log_errors(_refused_by_branch(tokens, found))
    statement = tokens[:found]
    kind = tokens[0].token_type
    start = 1 if kind is TokenType.UPDATE else find_word(statement, 0, "INTO", "FROM") + 1
    if start < 1 or start >= found or tokens[start].token_type not in NAMES:
        return statement
    end = name_end(statement, start)
    if word(tokens, found + 2) == "INTO":
        into = tokens[found + 3 : name_end(tokens, found + 3)]
    else:
        into = [*tokens[start : end - 1], like(tokens[end - 1], TokenType.VAR, f"ERR$_{tokens[end - 1].text[:25]}")]
    here = tokens[found]
    insert = [like(here, TokenType.SEMICOLON, ";"), like(here, TokenType.INSERT, "INSERT")]
    insert += [like(here, TokenType.INTO, "INTO"), *into]
    if kind is TokenType.INSERT:
        return [*statement, *insert, *statement[end:]]
    refused = _refused_rows(statement, start)
    return [*statement, *insert, *refused] if refused else statement


def _refused_by_branch(tokens: Tokens, found: int) -> Tokens:
    """``INSERT ALL INTO t VALUES (…) LOG ERRORS INTO e … SELECT``: another branch, which writes the same values."""
    start = max((i for i in range(found) if word(tokens, i) == "INTO"), default=0)
    end = found + 2
    branch: Tokens = []
    if word(tokens, end) == "INTO":
        behind = name_end(tokens, end + 1)
        branch = [*tokens[end:behind], *tokens[name_end(tokens, start + 1) : found]]
        end = behind
    if word(tokens, end) == "(":
        end = closing(tokens, end) + 1
    if at_words(tokens, end, "REJECT", "LIMIT"):
        end += 3
    return [*tokens[:found], *branch, *tokens[end:]]


def _refused_rows(tokens: Tokens, start: int) -> Tokens:
    """The query of the rows that an UPDATE, a DELETE or a MERGE of the table at `start` tries to write."""
    here = tokens[0]
    everything = select_all(here)
    if here.token_type is TokenType.DELETE:
        return [*everything, *tokens[start:]]
    if here.token_type is TokenType.MERGE:
        using, on = find_word(tokens, start, "USING"), find_word(tokens, start, "ON")
        when = find_word(tokens, start, "WHEN")
        if not 0 < using < on < when:
            return []
        comma, where = like(here, TokenType.COMMA, ","), like(here, TokenType.WHERE, "WHERE")
        name = tokens[on - 1]
        rows = [everything[0], name, like(here, TokenType.DOT, "."), *everything[1:]]
        return [*rows, *tokens[using + 1 : on], comma, *tokens[start:using], where, *tokens[on + 1 : when]]
    assigned = find_word(tokens, start, "SET")
    end = find_word(tokens, assigned, "WHERE") if assigned > 0 else -1
    end = end if end >= 0 else len(tokens)
    columns: Tokens = []
    values: Tokens = []
    i = assigned
    while 0 < i < end:
        comma_at = find_word(tokens, i + 1, ",")
        behind = comma_at if 0 <= comma_at < end else end
        equals = find_word(tokens, i + 1, "=")
        if not i < equals < behind:
            return []
        plain = word(tokens, i + 1) != "("
        names = (
            [tokens[equals - 1]] if plain else [each for each in tokens[i + 2 : equals - 1] if each.token_type in NAMES]
        )
        for name in names:
            separator = [like(here, TokenType.COMMA, ",")] if columns else []
            columns += [*separator, name]
            value = tokens[equals + 1 : behind]
            values += [*separator, *(value if plain else opaque(here, [value]))]
        i = behind
    if not columns:
        return []
    listed = in_parentheses(columns, here)
    return [*listed, everything[0], *values, everything[2], *tokens[start:assigned], *tokens[end:]]


def _with_functions(tokens: Tokens) -> Tokens:
    """``WITH FUNCTION f (x NUMBER) RETURN NUMBER IS … END; c AS (…) SELECT …``: functions of one statement."""
    start = next((i for i in range(len(tokens)) if at_words(tokens, i, "WITH") and _is_routine(tokens, i + 1)), -1)
    if start < 0:
        return tokens
    i = start + 1
    while _is_routine(tokens, i):
        i = _behind_routine(tokens, i)
    behind = start if word(tokens, i) in ("SELECT", "WITH", "(") else start + 1
    return [*tokens[:behind], *tokens[i:]]


def _is_routine(tokens: Tokens, i: int) -> bool:
    return word(tokens, i) in ("FUNCTION", "PROCEDURE")


def _behind_routine(tokens: Tokens, i: int) -> int:
    depth = 0
    while i < len(tokens):
        says = word(tokens, i)
        if says == "END":
            depth -= 1
            i += word(tokens, i + 1) in ("IF", "LOOP", "CASE")
            if depth <= 0:
                break
        elif says in ("BEGIN", "IF", "LOOP", "CASE"):
            depth += 1
        i += 1
    while i < len(tokens) and word(tokens, i) != ";":
        i += 1
    return i + 1


_BEHIND_MODEL = frozenset("IGNORE KEEP UNIQUE RETURN MAIN DIMENSION PARTITION".split()) | {"PARTITION BY"}


def _model(tokens: Tokens) -> Tokens:
    """``SELECT … FROM t MODEL PARTITION BY (p) DIMENSION BY (d) MEASURES (m x) RULES (…)``.

    What the query sees are the columns of the model, made of those of the table; the rules read and add cells among them.
    """
    at = next(
        (i for i in range(len(tokens)) if word(tokens, i) == "MODEL" and word(tokens, i + 1) in _BEHIND_MODEL), -1
    )
    select = _select_before(tokens, at)
    source = find_word(tokens, select, "FROM") if select >= 0 else -1
    measures = find_word(tokens, at, "MEASURES") if at >= 0 else -1
    if not 0 <= source < at or measures < 0 or word(tokens, measures + 1) != "(":
        return tokens
    columns: Tokens = []
    cells: list[Tokens] = []
    for i in range(at, measures + 1):
        if word(tokens, i) in ("BY", "PARTITION BY", "MEASURES") and word(tokens, i + 1) == "(":
            end = closing(tokens, i + 1)
            columns += [like(tokens[i], TokenType.COMMA, ",")] if columns else []
            columns += tokens[i + 2 : end]
            ends = [j - 1 for j in range(i + 3, end + 1) if j == end or word(tokens, j) == ","] if i < measures else []
            cells += [[tokens[j]] for j in ends if tokens[j].token_type in NAMES]
    behind = closing(tokens, measures + 1) + 1
    end = find_word(tokens, behind, "ORDER BY", "LOG")
    if end < 0:
        depth = 0
        end = behind
        while end < len(tokens) and depth >= 0:
            depth += (tokens[end].text == "(") - (tokens[end].text == ")")
            end += depth >= 0
    here = tokens[at]
    inner = [like(here, TokenType.L_PAREN, "("), like(here, TokenType.SELECT, "SELECT"), *columns, *tokens[source:at]]
    named = {cell[0].text.upper() for cell in cells}
    rules = [
        name for name in names_in(Layout(tokens), behind, end) if len(name) > 1 or name[0].text.upper() not in named
    ]
    read = [like(here, TokenType.QUALIFY, "QUALIFY"), *opaque(here, [*cells, *rules])]
    return [*tokens[: source + 1], *inner, like(here, TokenType.R_PAREN, ")"), *read, *tokens[end:]]


def _select_before(tokens: Tokens, i: int) -> int:
    """The SELECT of the query that `i` stands in, -1 without one."""
    depth = 0
    while i > 0:
        i -= 1
        depth += (tokens[i].text == ")") - (tokens[i].text == "(")
        if depth < 0:
            return -1
        if not depth and tokens[i].token_type is TokenType.SELECT:
            return i
    return -1


def _nested_clause(tokens: Tokens) -> Tokens:
    """``FROM t NESTED js COLUMNS (…) n`` as ``FROM t, JSON_TABLE(js, '$' COLUMNS (…)) n``."""
    at = next(
        (i for i in range(1, len(tokens)) if word(tokens, i) == "NESTED" and tokens[i - 1].token_type in NAMES), -1
    )
    source = at + 2 if word(tokens, at + 1) == "PATH" else at + 1
    columns = find_word(tokens, source, "COLUMNS") if at > 0 else -1
    if columns < 0 or word(tokens, columns + 1) != "(" or tokens[source].token_type not in NAMES:
        return tokens
    end = closing(tokens, columns + 1) + 1
    here = tokens[at]
    head = ((TokenType.COMMA, ","), (TokenType.VAR, "JSON_TABLE"), (TokenType.L_PAREN, "("))
    path = [like(here, TokenType.COMMA, ","), like(here, TokenType.STRING, "$")]
    call = [*(like(here, *each) for each in head), tokens[source], *path, *tokens[columns:end]]
    return [*tokens[:at], *call, like(here, TokenType.R_PAREN, ")"), *tokens[end:]]


def _files(here: Token, files: Tokens) -> Tokens:
    """The rows of these files as a source of a query."""
    read = [[like(here, TokenType.VAR, "read_files"), *in_parentheses([file], here)] for file in files]
    if len(read) == 1:
        return read[0]
    union = [like(here, TokenType.UNION, "UNION"), like(here, TokenType.ALL, "ALL")]
    return in_parentheses([token for rows in read for token in (*union, *select_all(here), *rows)][2:], here)


@replace_where
def external_rows(tokens: Tokens, i: int) -> Replacement | None:
    """Oracle: ``FROM EXTERNAL ((a NUMBER) TYPE … LOCATION ('f') …)``; Db2 and Netezza: ``FROM EXTERNAL 'f' (a INT) USING (…)``.

    As a call of a function that reads these files.
    """
    if word(tokens, i) != "EXTERNAL" or word(tokens, i - 1) not in ("FROM", "JOIN", ","):
        return None
    files: Tokens = []
    end = i + 1
    if word(tokens, end) == "(":
        end = closing(tokens, end) + 1
        place = next((j for j in range(i + 2, end) if at_words(tokens, j, "LOCATION", "(")), end)
        files = [each for each in tokens[place : closing(tokens, min(place + 1, end))] if each.token_type in STRINGS]
    elif end < len(tokens) and tokens[end].token_type in STRINGS:
        files = [tokens[end]]
        end += 1
        if word(tokens, end) in ("LIKE", "SAMEAS"):
            end = name_end(tokens, end + 1)
        end = closing(tokens, end) + 1 if word(tokens, end) == "(" else end
        end = closing(tokens, end + 1) + 1 if at_words(tokens, end, "USING", "(") else end
    if not files:
        return None
    folder = find_word(tokens, i + 2, "DIRECTORY")
    owner = f"{tokens[folder + 1].text}:" if i < folder < end else ""
    placed = [file if "://" in file.text else like(file, file.token_type, owner + file.text) for file in files]
    return _files(tokens[i], placed), end - i


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
    plain = all(token.token_type in NAMES or token.token_type is TokenType.COMMA for token in columns)
    listed = [tokens[2], *columns, tokens[end]] if plain else []
    return [*tokens[:2], *tokens[source + 1 : name_end], *listed, *tokens[end + 1 :]]


@replace_where
def _json_members(tokens: Tokens, i: int) -> Replacement | None:
    """``JSON_OBJECT(a)``: the column gives the name and the value."""
    token = tokens[i]
    if token.token_type not in NAMES or word(tokens, i - 1) not in ("(", ",") or word(tokens, i + 1) not in (")", ","):
        return None
    if word(tokens, opening(tokens, i) - 1) != "JSON_OBJECT":
        return None
    return [like(token, TokenType.STRING, token.text), like(token, TokenType.COLON, ":"), token], 1


@replace_where
def _mining(tokens: Tokens, i: int) -> Replacement | None:
    """``PREDICTION(model COST MODEL USING a, b)``: what is scored are the columns; a model is none."""
    if word(tokens, i) not in _MINING or word(tokens, i + 1) != "(":
        return None
    using = find_word(tokens, i + 2, "USING")
    return (tokens[i : i + 2], using + 1 - i) if using > 0 else None


@replace_where
def _analytic_view(tokens: Tokens, i: int) -> Replacement | None:
    """``FROM ANALYTIC VIEW (USING v HIERARCHIES (…) ADD MEASURES (…))``: the rows are those of the view."""
    if not at_words(tokens, i, "ANALYTIC", "VIEW", "(", "USING"):
        return None
    return tokens[i + 4 : name_end(tokens, i + 4)], closing(tokens, i + 2) + 1 - i


@replace_where
def _pivot_xml(tokens: Tokens, i: int) -> Replacement | None:
    """``PIVOT XML (SUM(a) FOR b IN (ANY | query))``: one column, ``b_XML``, has all that is aggregated for all values."""
    if not at_words(tokens, i, "PIVOT", "XML", "("):
        return None
    end = closing(tokens, i + 2)
    spread = find_word(tokens, i + 3, "FOR")
    listed = find_word(tokens, spread, "IN") if spread > 0 else -1
    if listed < 0 or word(tokens, listed + 1) != "(":
        return None
    here = tokens[i + 1]
    left, right = like(here, TokenType.L_PAREN, "("), like(here, TokenType.R_PAREN, ")")
    columns = [token for token in tokens[spread + 1 : listed] if token.token_type in NAMES]
    name = like(here, TokenType.VAR, "_".join([*(column.text for column in columns), "XML"]))
    calls = [
        item[: find_word(item, 0, "AS")] if find_word(item, 0, "AS") > 0 else item
        for item in split_list(tokens[i + 3 : spread])
    ]
    aggregates = [token for call in calls for token in (like(here, TokenType.COMMA, ","), *call)][1:]
    query = tokens[listed + 1 : closing(tokens, listed + 1) + 1]
    value = query if word(query, 1) in ("SELECT", "WITH") else [like(here, TokenType.STRING, "")]
    if len(columns) > 1 and len(value) == 1:
        value = [
            left,
            *value,
            *(token for _ in columns[1:] for token in (like(here, TokenType.COMMA, ","), *value)),
            right,
        ]
    listing = [tokens[listed], left, *value, like(here, TokenType.ALIAS, "AS"), name, right]
    call = [like(here, TokenType.VAR, "XMLAGGREGATES"), left, *aggregates, right]
    return [tokens[i], left, *call, *tokens[spread:listed], *listing, right], end + 1 - i


ORACLE: tuple[Rule, ...] = (
    _analytic_view,
    _pivot_xml,
    delete_from_from,
    _with_functions,
    _model,
    _nested_clause,
    external_rows,
    _mining,
    inline_view,
    _nested_table,
    _merge_delete,
    _multiset,
    _arithmetic_words,
    drop_where(_is_empty),
    drop_where(_case_end),
    _log_errors,
    _insert_into_query,
    _json_members,
)
