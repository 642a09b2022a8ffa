"""Rules for dialects that need few."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.repair.tools import OPERANDS, Rule, at_words, find_word, name_end, whole_table
from connector.sql.words import OPENING, STRINGS, Tokens, closing, drop_where, like, select_all, word

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})

_SET_OPERATIONS = ("UNION", "EXCEPT", "INTERSECT")
_BEHIND_SELECT = frozenset("WHERE HAVING QUALIFY WINDOW LIMIT OFFSET".split()) | {"GROUP BY", "ORDER BY"}

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


def _order_of(tokens: Tokens) -> Tokens:
    """Db2: ``ORDER BY ORDER OF q``: in the order that the query q has; a constant stands for it."""
    at = next((i for i in range(1, len(tokens)) if at_words(tokens, i, "ORDER", "OF")), 0)
    if not at:
        return tokens
    return _order_of([*tokens[:at], like(tokens[at], TokenType.STRING, ""), *tokens[at + 3 :]])


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


_PIVOTS = ("PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER")


def _pivot_statement(tokens: Tokens) -> Tokens:
    """DuckDB: ``CREATE TABLE o AS PIVOT t ON a USING sum(b) ORDER BY c`` as ``… AS FROM (PIVOT t …) ORDER BY c``."""
    inside = next((i for i in range(len(tokens)) if _pivots(tokens, i)), -1)
    if inside >= 0:
        return [*tokens[:inside], like(tokens[inside], TokenType.FROM, "FROM"), *tokens[inside:]]
    start = find_word(tokens, 0, *_PIVOTS, "SELECT", "FROM")
    if start < 0 or tokens[start].token_type not in (TokenType.PIVOT, TokenType.UNPIVOT):
        return tokens
    end = find_word(tokens, start, "ORDER BY", "LIMIT")
    end = end if end > 0 else len(tokens)
    first, last = tokens[start], tokens[end - 1]
    opening = [like(first, TokenType.FROM, "FROM"), like(first, TokenType.L_PAREN, "(")]
    return [*tokens[:start], *opening, *tokens[start:end], like(last, TokenType.R_PAREN, ")"), *tokens[end:]]


def _pivots(tokens: Tokens, opened: int) -> bool:
    """Whether a parenthesis holds a statement that pivots, in the place of a query."""
    begins = opened == 0 or word(tokens, opened - 1) == "AS"
    return begins and tokens[opened].text == "(" and word(tokens, opened + 1) in _PIVOTS


def _model_arguments(tokens: Tokens) -> Tokens:
    """BigQuery: ``ML.EVALUATE(MODEL m, (query))``: a model is no table. The grammar knows some of these functions, and asks
    for their models: with other arguments they get a name that it does not know."""
    at = next((i for i in range(2, len(tokens)) if word(tokens, i) == "MODEL" and word(tokens, i - 1) == "("), 0)
    if not at:
        return tokens
    end = name_end(tokens, at + 1)
    function = tokens[at - 2]
    if word(tokens, end) != ",":
        return [*tokens[:at], *_model_arguments(tokens[end:])]
    if not any(token.token_type is TokenType.SELECT for token in tokens[end : closing(tokens, at - 1)]):
        return [*tokens[:end], *_model_arguments(tokens[end:])]
    unknown = like(function, TokenType.VAR, f"{function.text}_")
    return [*tokens[: at - 2], unknown, tokens[at - 1], *_model_arguments(tokens[end + 1 :])]


def _import_query(tokens: Tokens) -> Tokens:
    """Exasol: ``(IMPORT INTO (a INT) FROM EXA AT c TABLE s.t)``, or a file, in the place of a query."""
    bare = next((i for i in range(1, len(tokens)) if at_words(tokens, i, "IMPORT", "FROM")), 0)
    source = next((i + 1 for i in range(bare, len(tokens)) if bare and word(tokens, i) == "TABLE"), 0)
    if source and word(tokens, bare - 1) in ("(", "AS"):
        # Without INTO, the columns are those of the source.
        end = closing(tokens, bare - 1) if word(tokens, bare - 1) == "(" else len(tokens)
        query = [*select_all(tokens[bare]), *tokens[source : name_end(tokens, source)]]
        return [*tokens[:bare], *query, *tokens[end:]]
    start = next((i for i in range(1, len(tokens)) if at_words(tokens, i, "IMPORT", "INTO", "(")), 0)
    if not start or word(tokens, start - 1) not in ("(", "AS"):
        return tokens
    opened = start + 2
    behind = closing(tokens, opened) + 1
    end = closing(tokens, start - 1) if word(tokens, start - 1) == "(" else len(tokens)
    source = next((i + 1 for i in range(behind, end) if word(tokens, i) in ("TABLE", "FILE", "STATEMENT")), 0)
    if not source or not at_words(tokens, behind, "FROM") or source >= end:
        return tokens
    last = name_end(tokens, source) if word(tokens, source - 1) == "TABLE" else source + 1
    rows = tokens[source:last]
    if word(tokens, source - 1) == "STATEMENT":
        at = next((i + 1 for i in range(behind, source) if word(tokens, i) == "AT"), source)
        rows = _query_of_server(tokens[at], tokens[source])
    names = [
        tokens[i] for i in range(opened + 1, behind - 1) if word(tokens, i - 1) in ("(", ",") and _at(tokens, i, opened)
    ]
    listed = [token for name in names for token in (like(name, TokenType.COMMA, ","), name)][1:]
    here = tokens[start]
    # The columns are those of the source by their place, whatever they are called there.
    query = [like(here, TokenType.SELECT, "SELECT"), like(here, TokenType.STAR, "*"), tokens[behind]]
    query += [*rows, like(here, TokenType.ALIAS, "AS"), like(here, TokenType.IDENTIFIER, "imported")]
    query += [like(here, TokenType.L_PAREN, "("), *listed, like(here, TokenType.R_PAREN, ")")]
    return _import_query([*tokens[:start], *query, *tokens[end:]])


def _query_of_server(connection: Token, text: Token) -> Tokens:
    """A function that is known to ask another server."""
    call = [like(text, TokenType.VAR, "OPENQUERY"), like(text, TokenType.L_PAREN, "("), connection]
    return [*call, like(text, TokenType.COMMA, ","), text, like(text, TokenType.R_PAREN, ")")]


def _at(tokens: Tokens, i: int, opened: int) -> bool:
    """Whether `i` stands directly in the parenthesis that was opened, and in no further one."""
    depth = sum((token.text == "(") - (token.text == ")") for token in tokens[opened:i])
    return depth == 1


def _emits(tokens: Tokens) -> Tokens:
    """Exasol: ``f(a) EMITS (x INT, y DATE)`` as ``f(a) AS (x, y)``."""
    at = next((i for i in range(1, len(tokens) - 1) if at_words(tokens, i, "EMITS", "(")), 0)
    if not at:
        return tokens
    end = closing(tokens, at + 1)
    names = _first_of_each(tokens, at + 2, end)
    return [*tokens[:at], like(tokens[at], TokenType.ALIAS, "AS"), tokens[at + 1], *names, *_emits(tokens[end:])]


def _converted(tokens: Tokens) -> Tokens:
    """Exasol: ``CONVERT(DATE, a)`` as ``CAST(a AS DATE)``."""
    for i in range(len(tokens) - 3):
        comma = find_word(tokens, i + 2, ",") if at_words(tokens, i, "CONVERT", "(") else -1
        if comma > 0:
            end = closing(tokens, i + 1)
            cast = [like(tokens[i], TokenType.VAR, "CAST"), tokens[i + 1], *_converted(tokens[comma + 1 : end])]
            cast += [like(tokens[i], TokenType.ALIAS, "AS"), *tokens[i + 2 : comma]]
            return [*tokens[:i], *cast, *_converted(tokens[end:])]
    return tokens


EXASOL: tuple[Rule, ...] = (_import_query, _emits, _converted)


def _depth(tokens: Tokens, i: int) -> int:
    """BigQuery: ``WITH RECURSIVE c AS (…) WITH DEPTH [AS d] [MAX n | BETWEEN n AND m]``: how often a row went round."""
    if not at_words(tokens, i, "WITH", "DEPTH"):
        return 0
    end = i + 4 if word(tokens, i + 2) == "AS" else i + 2
    if word(tokens, end) == "MAX":
        return end + 2 - i
    return end + 4 - i if word(tokens, end) == "BETWEEN" else end - i


def _graph_statement(tokens: Tokens) -> Tokens:
    """BigQuery: ``GRAPH g MATCH … RETURN …`` as ``SELECT * FROM GRAPH_TABLE(g MATCH … RETURN …)``."""
    if word(tokens, 0) != "GRAPH" or not any(word(tokens, i) == "MATCH" for i in range(2, min(len(tokens), 8))):
        return tokens
    here = tokens[0]
    head = [*select_all(here), like(here, TokenType.VAR, "GRAPH_TABLE"), like(here, TokenType.L_PAREN, "(")]
    return [*head, *tokens[1:], like(tokens[-1], TokenType.R_PAREN, ")")]


def _array_with_offset(tokens: Tokens) -> Tokens:
    """``FROM t, t.items AS x WITH OFFSET``: an array by its name alone is ``UNNEST(t.items)``."""
    for at in range(2, len(tokens) - 1):
        if not at_words(tokens, at, "WITH", "OFFSET") or tokens[at - 1].token_type not in _NAMES:
            continue
        behind = at
        if word(tokens, at - 2) == "AS":
            behind = at - 2
        elif tokens[at - 2].token_type in _NAMES:
            behind = at - 1
        start = behind - 1
        while start > 2 and tokens[start - 1].token_type is TokenType.DOT:
            start -= 2
        if start == behind - 1 or tokens[start - 1].token_type not in (TokenType.COMMA, TokenType.JOIN):
            continue
        here = tokens[start]
        call = [like(here, TokenType.UNNEST, "UNNEST"), like(here, TokenType.L_PAREN, "("), *tokens[start:behind]]
        return [*tokens[:start], *call, like(here, TokenType.R_PAREN, ")"), *_array_with_offset(tokens[behind:])]
    return tokens


BIGQUERY: tuple[Rule, ...] = (_array_with_offset, _model_arguments, drop_where(_depth), _graph_statement)


def _merge_by_name(tokens: Tokens) -> Tokens:
    """DuckDB: ``THEN UPDATE BY NAME`` as ``THEN UPDATE SET "by name".*``; BY POSITION is what goes without saying."""
    found: Tokens = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        found.append(token)
        at += 1
        if token.token_type is not TokenType.THEN or word(tokens, at) not in ("UPDATE", "INSERT"):
            continue
        verb, by, how = tokens[at], word(tokens, at + 1), word(tokens, at + 2)
        if by != "BY" or how not in ("NAME", "POSITION"):
            continue
        found.append(verb)
        named = tokens[at + 2]
        if how == "NAME" and verb.token_type is TokenType.UPDATE:
            signs = (
                (TokenType.SET, "SET"),
                (TokenType.IDENTIFIER, "by name"),
                (TokenType.DOT, "."),
                (TokenType.STAR, "*"),
            )
            found += [like(named, kind, text) for kind, text in signs]
        elif how == "NAME":
            found += tokens[at + 1 : at + 3]
        at += 4 if word(tokens, at + 3) == "*" else 3
    return found if len(found) != len(tokens) else tokens


def _list_reduce(tokens: Tokens) -> Tokens:
    """DuckDB: ``reduce(l, lambda x, y: x + y)``, without the first value that the grammar asks for."""
    found = [
        like(token, TokenType.VAR, "list_reduce")
        if token.text.upper() == "REDUCE" and word(tokens, at + 1) == "("
        else token
        for at, token in enumerate(tokens)
    ]
    return found if any(new is not old for new, old in zip(found, tokens, strict=True)) else tokens


DUCKDB: tuple[Rule, ...] = (_pivot_statement, _select_first, _list_reduce, _merge_by_name)


def version_sign(tokens: Tokens, i: int) -> int:
    """Delta: ``t@v12``, ``t@20240101000000000``: a version of the same table."""
    if tokens[i].token_type is not TokenType.PARAMETER or i == 0 or i + 1 >= len(tokens):
        return 0
    version = tokens[i + 1].text.lower().removeprefix("v")
    return 2 if version.isdigit() and tokens[i - 1].token_type in _NAMES else 0


def replace_on(tokens: Tokens) -> Tokens:
    """Databricks: ``INSERT INTO t AS x REPLACE ON x.k = s.k (query) AS s`` as an INSERT of the query and a DELETE of what it
    replaces."""
    start = find_word(tokens, 2, "REPLACE") if tokens[0].token_type is TokenType.INSERT else -1
    if start < 0 or word(tokens, start + 1) != "ON":
        return tokens
    query = next((i for i in range(start, len(tokens) - 1) if tokens[i].text == "(" and _opens(tokens, i)), -1)
    if query < 0:
        return tokens
    here = tokens[start]
    target = tokens[3 if word(tokens, 2) == "TABLE" else 2 : start]
    named = name_end(target, 0)
    deleting = [like(here, TokenType.DELETE, "DELETE"), like(here, TokenType.FROM, "FROM"), *target]
    deleting += [like(here, TokenType.USING, "USING"), *tokens[query:], like(here, TokenType.WHERE, "WHERE")]
    deleting += tokens[start + 2 : query]
    inserting = [*tokens[:2], *target[:named], *tokens[query + 1 : closing(tokens, query)]]
    return [*deleting, like(here, TokenType.SEMICOLON, ";"), *inserting]


def _opens(tokens: Tokens, i: int) -> bool:
    """Whether the parenthesis holds a query."""
    return tokens[i + 1].token_type in (TokenType.SELECT, TokenType.WITH, TokenType.FROM, TokenType.VALUES)


def _straight_join(tokens: Tokens, i: int) -> int:
    """Impala: ``SELECT STRAIGHT_JOIN a FROM …``: in which order tables are joined."""
    return 1 if word(tokens, i) == "STRAIGHT_JOIN" and word(tokens, i - 1) in ("SELECT", "DISTINCT", "ALL") else 0


HIVE: tuple[Rule, ...] = (_lateral_view, drop_where(_straight_join))
_CHANGES = frozenset({TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE})


def _changed_rows(tokens: Tokens) -> Tokens:
    """``SELECT … FROM FINAL TABLE (INSERT …)``: the rows of a change are those of a common table expression that returns
    them."""
    kept: Tokens = []
    queries: Tokens = []
    i = 0
    while i < len(tokens):
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
            queries += [like(here, TokenType.COMMA, ","), name, like(here, TokenType.ALIAS, "AS")]
            queries += [*tokens[i + 2 : end], *returning, tokens[end]]
            kept.append(name)
            i = end
        else:
            kept.append(tokens[i])
        i += 1
    if not queries:
        return tokens
    first = kept[0]
    if first.token_type is TokenType.WITH:
        # The change may read the expressions before it.
        select = find_word(kept, 1, "SELECT")
        return [*kept[:select], *queries, *kept[select:]] if select > 0 else tokens
    return [like(first, TokenType.WITH, "WITH"), *queries[1:], *kept]


DB2: tuple[Rule, ...] = (
    _order_of,
    _changed_rows,
    _concat_operator,
    drop_where(_labelled_duration),
)


def _table_function(tokens: Tokens) -> Tokens:
    """``TABLE (f(x) RETURNS (a INTEGER, b DATE)) AS t`` as ``f(x) AS t (a, b)``."""
    found: Tokens = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        end = closing(tokens, at + 1) if word(tokens, at) == "TABLE" and word(tokens, at + 1) == "(" else -1
        call = closing(tokens, at + 3) if end > 0 and word(tokens, at + 3) == "(" else -1
        if call < 0 or call >= end or word(tokens, call + 1) not in ("RETURNS", ")"):
            found.append(token)
            at += 1
            continue
        # The grammar knows some of these functions from other dialects, with other arguments.
        found += [like(tokens[at + 2], TokenType.VAR, f"{tokens[at + 2].text}_"), *tokens[at + 3 : call + 1]]
        alias = end + 2 if word(tokens, end + 1) == "AS" else end + 1
        found += [like(token, TokenType.ALIAS, "AS"), *tokens[alias : alias + 1]]
        if word(tokens, call + 1) == "RETURNS" and word(tokens, call + 2) == "(":
            found += [tokens[call + 2], *_first_of_each(tokens, call + 3, closing(tokens, call + 2)), tokens[end - 1]]
        at = alias + 1
    return found if len(found) != len(tokens) else tokens


def _first_of_each(tokens: Tokens, start: int, end: int) -> Tokens:
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


def _object_store(tokens: Tokens) -> Tokens:
    """``FROM READ_NOS (USING LOCATION ('/s3/…') …)`` as a call of a function that reads these files."""
    at = next((i for i in range(len(tokens)) if at_words(tokens, i, "READ_NOS", "(")), -1)
    end = closing(tokens, at + 1) if at > 0 else -1
    place = next((i for i in range(at, end) if at_words(tokens, i, "LOCATION", "(")), -1) if at > 0 else -1
    if place < 0 or tokens[place + 2].token_type not in STRINGS:
        return tokens
    here = tokens[at]
    read = like(here, TokenType.VAR, "read_files")
    return [*tokens[:at], read, tokens[at + 1], tokens[place + 2], tokens[end], *tokens[end + 1 :]]


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
    target: Tokens = []
    if word(tokens, found + 2) == "VALUES" or word(tokens, found + 2) == "(":
        end = 2
        while end + 1 < found and tokens[end].token_type is TokenType.DOT:
            end += 2
        target = [like(tokens[found], TokenType.INTO, "INTO"), *tokens[1:end]]
    inserting = [tokens[found + 1], *target, *tokens[found + 2 :]]
    return [*tokens[:found], like(tokens[found], TokenType.SEMICOLON, ";"), *inserting]


TERADATA: tuple[Rule, ...] = (_table_function, _object_store, _update_from, _else_insert)


_MODIFIERS = frozenset({"LOW_PRIORITY", "QUICK", "IGNORE", "DELAYED", "HIGH_PRIORITY", "SQL_CACHE", "SQL_NO_CACHE"}) | {
    "SQL_SMALL_RESULT",
    "SQL_BIG_RESULT",
    "SQL_BUFFER_RESULT",
    "SQL_CALC_FOUND_ROWS",
}
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


def _deleted_partition(tokens: Tokens, i: int) -> int:
    """Doris: ``DELETE FROM t PARTITION p USING …``."""
    named = tokens[0].token_type is TokenType.DELETE and word(tokens, i) in ("PARTITION", "PARTITIONS") and i > 2
    return 2 if named and word(tokens, i + 2) in ("USING", "WHERE") else 0


def _label(tokens: Tokens, i: int) -> int:
    """Doris and StarRocks: ``INSERT … WITH LABEL l``."""
    return 3 if at_words(tokens, i, "WITH", "LABEL") else 0


def _distinct_rows(tokens: Tokens) -> Tokens:
    """``SELECT DISTINCTROW a``: another word for DISTINCT."""
    if not any(word(tokens, i) == "DISTINCTROW" for i in range(len(tokens))):
        return tokens
    return [
        like(token, TokenType.DISTINCT, "DISTINCT") if word(tokens, i) == "DISTINCTROW" else token
        for i, token in enumerate(tokens)
    ]


MYSQL: tuple[Rule, ...] = (
    _distinct_rows,
    drop_where(_modifiers),
    _deleted_star,
    _into_variables,
    _assignment,
    _table_alias,
    drop_where(_label),
    drop_where(_deleted_partition),
)


def _index_choice(tokens: Tokens, i: int) -> int:
    """``t INDEXED BY ix``, ``t NOT INDEXED``: by which index the table is read."""
    if at_words(tokens, i, "NOT", "INDEXED"):
        return 2
    if at_words(tokens, i, "INDEXED", "BY"):
        return 3
    return 0


def _update_or(tokens: Tokens) -> Tokens:
    """``UPDATE OR ROLLBACK t SET …``: what happens when a constraint fails."""
    return [tokens[0], *tokens[3:]] if at_words(tokens, 0, "UPDATE", "OR") else tokens


SQLITE: tuple[Rule, ...] = (_update_or, drop_where(_index_choice))
