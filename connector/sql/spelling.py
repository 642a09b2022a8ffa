"""What a dialect spells in another way than its grammar reads it: names in strings, with a sign of their own or with all
parts in one pair of quotes, amounts of money, operators of the pipe syntax.

The tokens are put in order before anybody reads them, so that every reader sees the same. Each rule looks at the text
first: most scripts hold nothing of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot.tokenizer_core import Token, TokenType

from connector.naming import split_parts
from connector.sql.data_phrases import SIGNS as PHRASE_SIGNS
from connector.sql.data_phrases import without_phrases
from connector.sql.dialects import SqlDialect
from connector.sql.pipes import with_known_operators
from connector.sql.words import STRINGS, like, word

_Tokens = list[Token]
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_DECORATOR = re.compile(r"\$(?:\d+|__\w+__)\Z")
_CURRENCIES = frozenset("$£€¥")


def spelled_out(tokens: _Tokens, text: str, dialect: SqlDialect) -> _Tokens:
    """The tokens as the grammar should see them; the same list where nothing is to be done."""
    rules = dialect.of(_RULES, ())
    if rules:
        lower = text.lower()
        for signs, rule in rules:
            for sign in signs:
                if sign in lower:
                    tokens = rule(tokens)
                    break
    return tokens


def _name(token: Token, spelled: str) -> _Tokens:
    """The tokens of a dotted name that stands in a string."""
    found: _Tokens = []
    at = 0
    for part in split_parts(spelled):
        if found:
            found.append(like(token, TokenType.DOT, "."))
        quoted = f'"{part}"' in spelled
        at = max(spelled.find(part, at), at)
        found.append(_within(token, TokenType.IDENTIFIER if quoted else TokenType.VAR, part, at))
        at += len(part)
    return found


def _within(token: Token, kind: TokenType, text: str, at: int = 0) -> Token:
    """A token at its place in a string; at the place of the string where escapes make that unsure."""
    if token.end - token.start != len(token.text) + 1 or token.text[at : at + len(text)] != text:
        return like(token, kind, text)
    start = token.start + 1 + at
    return Token(kind, text, token.line, token.col, start, start + len(text) - 1, [])


_BEFORE_TABLE = frozenset({"FROM", "JOIN", "INTO", "UPDATE", "USING", ",", "TABLE", "OVERWRITE"})


def names_in_strings(tokens: _Tokens) -> _Tokens:
    """Snowflake, Databricks: ``IDENTIFIER('db.s.t')``, and ``TABLE('t')`` where a table stands."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        says = word(tokens, i)
        if says == "IDENTIFIER" or (says == "TABLE" and word(tokens, i - 1) in _BEFORE_TABLE):
            strings, behind = _constant(tokens, i + 1)
            if strings:
                left += _name(strings[0], "".join(token.text for token in strings))
                i = behind
                continue
        left.append(tokens[i])
        i += 1
    return left


def _constant(tokens: _Tokens, i: int) -> tuple[_Tokens, int]:
    """The strings in the parenthesis at `i` if it holds nothing else, and the token behind it."""
    if word(tokens, i) != "(":
        return [], i
    found: _Tokens = []
    i += 1
    while i < len(tokens) and tokens[i].token_type in STRINGS:
        found.append(tokens[i])
        i += 1
        if i >= len(tokens) or tokens[i].token_type is not TokenType.DPIPE:
            break
        i += 1
    closed = word(tokens, i) == ")" and any(token.text for token in found)
    return (found, i + 1) if closed else ([], i)


def _parts(tokens: _Tokens) -> _Tokens:
    """BigQuery: ``t$20240101`` is a partition of t; ```p.d.INFORMATION_SCHEMA.TABLES``` has four parts."""
    left: _Tokens = []
    for token in tokens:
        if token.token_type in (TokenType.IDENTIFIER, TokenType.VAR) and "$" in token.text:
            left.append(like(token, token.token_type, _DECORATOR.sub("", token.text)))
        elif token.token_type is TokenType.IDENTIFIER and ".INFORMATION_SCHEMA." in token.text.upper():
            for number, part in enumerate(token.text.split(".")):
                if number:
                    left.append(like(token, TokenType.DOT, "."))
                plain = part.upper() == "INFORMATION_SCHEMA"
                left.append(like(token, TokenType.VAR if plain else TokenType.IDENTIFIER, part))
        else:
            left.append(token)
    return left


_BEFORE_ARGUMENT = frozenset({"(", ",", "=>"})


def _table_arguments(tokens: _Tokens) -> _Tokens:
    """A whole table as an argument is a query of all of it: BigQuery ``ML.PREDICT(MODEL m, TABLE d.t)``, Trino and
    Databricks ``f(input => TABLE(t))``."""
    table = TokenType.TABLE
    places = {
        i for i, token in enumerate(tokens) if token.token_type is table and word(tokens, i - 1) in _BEFORE_ARGUMENT
    }
    if not places:
        return tokens
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        name = end = i + 1
        is_argument = i in places
        if is_argument:
            if word(tokens, name) == "(":
                name += 1
            end = name + 1
            while end + 1 < len(tokens) and tokens[end].token_type is TokenType.DOT:
                end += 2
            closes = (")",) if name > i + 1 else (",", ")")
            is_argument = word(tokens, end) in closes and tokens[name].token_type in _NAMES
        if not is_argument:
            left.append(token)
            i += 1
            continue
        left += _all_of(token, tokens[name:end])
        i = end + (name > i + 1)
    return left


def _all_of(here: Token, name: _Tokens) -> _Tokens:
    """A query of all of a table, in parentheses."""
    words = ((TokenType.L_PAREN, "("), (TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    return [*(like(here, kind, text) for kind, text in words), *name, like(name[-1], TokenType.R_PAREN, ")")]


def _changes_of_named_table(tokens: _Tokens) -> _Tokens:
    """Databricks: ``table_changes('s.t', 2, 5)`` reads a table that is named in a string."""
    left: _Tokens = []
    for i, token in enumerate(tokens):
        called = word(tokens, i - 1) == "(" and word(tokens, i - 2) in ("TABLE_CHANGES", "TABLE_CHANGES_BY_PATH")
        named = called and token.token_type in STRINGS and token.text
        left += _all_of(token, _name(token, token.text)) if named else [token]
    return left


def _chained(tokens: _Tokens) -> _Tokens:
    """Snowflake: ``query ->> INSERT INTO t SELECT a FROM $1``: statements in a chain, of which ``$n`` is the n-th before."""
    left: _Tokens = []
    chain: list[_Tokens] = []
    start = 0
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.SEMICOLON:
            left.append(token)
            chain, start = [], len(left)
        elif token.token_type is TokenType.DARROW or token.text == "->>":
            chain.append(left[start:])
            left.append(like(token, TokenType.SEMICOLON, ";"))
            start = len(left)
        else:
            left.append(token)
            back = (
                word(tokens, i) if word(tokens, i - 1) == "$" and word(tokens, i - 2) in ("FROM", "JOIN", ",") else ""
            )
            query = chain[-int(back)] if back.isdigit() and 0 < int(back) <= len(chain) else []
            if query and query[0].token_type in (TokenType.SELECT, TokenType.WITH):
                left[-2:] = [like(token, TokenType.L_PAREN, "("), *query, like(token, TokenType.R_PAREN, ")")]
    return left


def _queried_table(tokens: _Tokens) -> _Tokens:
    """DuckDB: ``FROM query_table('t')`` is ``FROM t``."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        strings, behind = _constant(tokens, i + 1) if word(tokens, i) == "QUERY_TABLE" else ([], i)
        left += _name(strings[0], strings[0].text) if len(strings) == 1 else [tokens[i]]
        i = behind if len(strings) == 1 else i + 1
    return left


def _dictionaries(tokens: _Tokens) -> _Tokens:
    """ClickHouse: ``dictGet('d', 'a', key)`` and ``joinGet`` read a column of a table that is named in a string."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        function = tokens[i].text.lower()
        called = i + 2 < len(tokens) and word(tokens, i + 1) == "(" and tokens[i + 2].token_type in STRINGS
        if not called or not function.startswith(("dictget", "joinget", "dicthas", "dictionary")):
            left.append(tokens[i])
            i += 1
            continue
        table = _name(tokens[i + 2], tokens[i + 2].text)
        if function == "dictionary":
            left += table
            i += 4
            continue
        attributes, i_behind = _attributes(tokens, i + 4)
        here = tokens[i + 2]
        star = [like(here, TokenType.STAR, "*")]
        left += [
            *tokens[i : i + 2],
            like(here, TokenType.L_PAREN, "("),
            like(here, TokenType.SELECT, "SELECT"),
            *(attributes if not function.startswith("dicthas") else star),
            like(here, TokenType.FROM, "FROM"),
            *table,
            like(here, TokenType.R_PAREN, ")"),
        ]
        i = i_behind if not function.startswith("dicthas") else i + 3
    return left


def _attributes(tokens: _Tokens, i: int) -> tuple[_Tokens, int]:
    """The attributes of a dictionary, one string or a tuple of them, as a select list; and the token behind them."""
    end = i
    if word(tokens, i) == "(":
        while end < len(tokens) and word(tokens, end) != ")":
            end += 1
    names = [token for token in tokens[i : end + 1] if token.token_type in STRINGS]
    found: _Tokens = []
    for token in names:
        if found:
            found.append(like(token, TokenType.COMMA, ","))
        found.append(_within(token, TokenType.VAR, token.text))
    return found or [like(tokens[min(i, len(tokens) - 1)], TokenType.STAR, "*")], end + 1


def _all_branches(tokens: _Tokens) -> _Tokens:
    """PL/SQL: of ``$if … $then … $elsif … $then … $else … $end`` every branch counts."""
    left: _Tokens = []
    hidden = False
    for token in tokens:
        text = token.text.lower()
        if text in ("$if", "$elsif", "$error"):
            hidden = True
        elif text in ("$then", "$else", "$end"):
            hidden = False
        elif not hidden:
            left.append(token)
    return left


def _rows_from(tokens: _Tokens) -> _Tokens:
    """PostgreSQL: ``ROWS FROM (f(a), g(b)) AS r (x, y)``: the functions side by side, as one."""
    left: _Tokens = []
    for i, token in enumerate(tokens):
        if word(tokens, i) == "ROWS" and word(tokens, i + 1) == "FROM" and word(tokens, i + 2) == "(":
            left.append(like(token, TokenType.VAR, token.text))
        elif not (word(tokens, i - 1) == "ROWS" and word(tokens, i) == "FROM" and word(tokens, i + 1) == "("):
            left.append(token)
    return left


def _qualifies(tokens: list[Token], i: int) -> bool:
    """Informix writes ``database:owner.table``; with a dot in its place the grammar reads it as it is meant."""
    if tokens[i].token_type is not TokenType.COLON or not 0 < i < len(tokens) - 1:
        return False
    before, following = tokens[i - 1], tokens[i + 1]
    adjacent = before.end + 1 == tokens[i].start and tokens[i].end + 1 == following.start
    return adjacent and before.token_type in _NAMES and following.token_type in _NAMES


def _dot(token: Token) -> Token:
    return Token(TokenType.DOT, ".", token.line, token.col, token.start, token.end, token.comments)


def _with_money(tokens: list[Token]) -> list[Token]:
    """``$1.50``: an amount of money is a number, not the column 50 of a table called $1."""
    found: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        i += 1
        if token.token_type is TokenType.VAR and token.text[0] in _CURRENCIES and token.text[1:].isdigit():
            end = token.end
            amount = token.text[1:]
            if i + 1 < len(tokens) and tokens[i].text == "." and tokens[i + 1].start == tokens[i].end + 1:
                if tokens[i + 1].token_type is TokenType.NUMBER and tokens[i].start == end + 1:
                    amount, end = f"{amount}.{tokens[i + 1].text}", tokens[i + 1].end
                    i += 2
            token = Token(TokenType.NUMBER, amount, token.line, token.col, token.start, end, token.comments)
        found.append(token)
    return found


_LOCKS = frozenset({"ACCESS", "CHECKSUM", "EXCLUSIVE", "LOAD", "READ", "SHARE", "WRITE"})


def _without_locks(tokens: _Tokens) -> _Tokens:
    """Teradata: ``LOCKING [TABLE] d.t FOR ACCESS``, before a statement or a query, moves nothing."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        end = _lock_end(tokens, i) if word(tokens, i) in ("LOCKING", "LOCK") else i
        if end == i:
            left.append(tokens[i])
            end += 1
        i = end
    return left


def _lock_end(tokens: _Tokens, i: int) -> int:
    """Behind the lock that begins at `i`; `i` where it is none."""
    at = i + 1
    while word(tokens, at) not in ("FOR", "IN"):
        if at - i > 8 or at >= len(tokens) or tokens[at].token_type is TokenType.SEMICOLON:
            return i
        at += 1
    if word(tokens, at + 1) not in _LOCKS:
        return i
    at += 2
    while word(tokens, at) in ("MODE", "OVERRIDE", "NOWAIT"):
        at += 1
    # A statement that only locks is left for those who know it.
    return at if at < len(tokens) and tokens[at].token_type is not TokenType.SEMICOLON else i


def _with_merged_values(tokens: _Tokens) -> _Tokens:
    """Teradata: ``WHEN NOT MATCHED THEN INSERT (s.k, s.v)`` gives values, no columns."""
    left: _Tokens = []
    for i, token in enumerate(tokens):
        left.append(token)
        if word(tokens, i) in ("INSERT", "INS") and word(tokens, i - 1) == "THEN" and word(tokens, i + 1) == "(":
            closing = _closing(tokens, i + 1)
            if word(tokens, closing + 1) != "VALUES":
                left.append(like(token, TokenType.VALUES, "VALUES"))
    return left


def _closing(tokens: _Tokens, i: int) -> int:
    depth = 0
    while i < len(tokens):
        kind = tokens[i].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if not depth:
            return i
        i += 1
    return i


_MERGED_ROWS = (
    (TokenType.WHEN, "WHEN"),
    (TokenType.VAR, "MATCHED"),
    (TokenType.THEN, "THEN"),
    (TokenType.UPDATE, "UPDATE"),
    (TokenType.SET, "SET"),
    (TokenType.STAR, "*"),
    (TokenType.WHEN, "WHEN"),
    (TokenType.NOT, "NOT"),
    (TokenType.VAR, "MATCHED"),
    (TokenType.THEN, "THEN"),
    (TokenType.INSERT, "INSERT"),
    (TokenType.STAR, "*"),
)


def _with_merged_rows(tokens: _Tokens) -> _Tokens:
    """Redshift: ``MERGE … REMOVE DUPLICATES`` replaces the rows that match and inserts the others, all columns of them."""
    left: _Tokens = []
    for i, token in enumerate(tokens):
        if word(tokens, i) == "REMOVE" and word(tokens, i + 1) == "DUPLICATES":
            left += [like(token, kind, text) for kind, text in _MERGED_ROWS]
        elif not (word(tokens, i) == "DUPLICATES" and word(tokens, i - 1) == "REMOVE"):
            left.append(token)
    return left


def _without_recursion_limit(tokens: _Tokens) -> _Tokens:
    """Spark: ``WITH RECURSIVE r (n) MAX RECURSION LEVEL 10 AS (``."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if word(tokens, i) == "MAX" and word(tokens, i + 1) == "RECURSION" and word(tokens, i + 2) == "LEVEL":
            i += 4
            continue
        left.append(tokens[i])
        i += 1
    return left


def _anonymous_procedures(tokens: _Tokens) -> _Tokens:
    """Snowflake: ``WITH p AS PROCEDURE (…) … AS $$ … $$ CALL p(…)`` as the definition and the call that it is."""
    left: _Tokens = []
    defining = False
    i = 0
    while i < len(tokens):
        token = tokens[i]
        if token.token_type is TokenType.WITH and word(tokens, i + 2) == "AS" and word(tokens, i + 3) == "PROCEDURE":
            left += [like(token, TokenType.CREATE, "CREATE"), tokens[i + 3], tokens[i + 1]]
            defining = True
            i += 4
            continue
        if defining and word(tokens, i) == "CALL":
            left.append(like(token, TokenType.SEMICOLON, ";"))
            defining = False
        left.append(token)
        i += 1
    return left


def _with_inserted_values(tokens: _Tokens) -> _Tokens:
    """Redshift: ``WHEN NOT MATCHED THEN INSERT VALUES (…)``, where the grammar takes VALUES for a function."""
    return [
        like(token, TokenType.VALUES, token.text)
        if word(tokens, i) == "VALUES" and word(tokens, i - 1) == "INSERT" and word(tokens, i - 2) == "THEN"
        else token
        for i, token in enumerate(tokens)
    ]


def _numbered_tables(tokens: _Tokens) -> _Tokens:
    """T-SQL: ``#3``, a temporary table that is called by a number."""
    left: _Tokens = []
    for token in tokens:
        before = left[-1] if left else None
        if (
            token.token_type is TokenType.NUMBER
            and before is not None
            and before.token_type is TokenType.HASH
            and before.end + 1 == token.start
        ):
            token = like(token, TokenType.VAR, token.text)
        left.append(token)
    return left


def _without_procedure_numbers(tokens: _Tokens) -> _Tokens:
    """T-SQL: ``EXEC p;2 @a = 1`` runs one of several procedures of the same name; the semicolon ends nothing."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if _is_procedure_number(tokens, i):
            i += 2
            continue
        left.append(tokens[i])
        i += 1
    return left


def _is_procedure_number(tokens: _Tokens, i: int) -> bool:
    numbered = tokens[i].token_type is TokenType.SEMICOLON and i + 1 < len(tokens)
    if not numbered or tokens[i + 1].token_type is not TokenType.NUMBER or tokens[i + 1].start != tokens[i].end + 1:
        return False
    at = i - 1
    while at > 1 and tokens[at - 1].token_type is TokenType.DOT:
        at -= 2
    return word(tokens, at - 1) in ("EXEC", "EXECUTE")


def _raised(tokens: _Tokens) -> _Tokens:
    """SQLite: ``RAISE(ROLLBACK, 'message')``: what is to happen is a word, and no column."""
    return [
        like(token, TokenType.STRING, token.text)
        if word(tokens, i - 1) == "(" and i > 1 and word(tokens, i - 2) == "RAISE"
        else token
        for i, token in enumerate(tokens)
    ]


def _with_qualifying_colons(tokens: _Tokens) -> _Tokens:
    """Informix: ``database:owner.table``."""
    return [_dot(token) if _qualifies(tokens, i) else token for i, token in enumerate(tokens)]


def _statement_settings(tokens: _Tokens) -> _Tokens:
    """MariaDB: ``SET STATEMENT max_statement_time = 10 FOR INSERT …``: settings of one statement, and the statement."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if word(tokens, i) == "SET" and word(tokens, i + 1) == "STATEMENT" and word(tokens, i - 1) in ("", ";"):
            behind = i
            while behind < len(tokens) and word(tokens, behind) not in ("FOR", ";"):
                behind += 1
            if word(tokens, behind) == "FOR":
                i = behind + 1
                continue
        left.append(tokens[i])
        i += 1
    return left


_CHANGES = frozenset(
    {TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE, TokenType.CREATE, TokenType.WITH}
)


def _run_and_analyzed(tokens: _Tokens) -> _Tokens:
    """MariaDB: ``ANALYZE FORMAT=JSON INSERT …`` runs the statement."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if word(tokens, i) == "ANALYZE" and word(tokens, i - 1) in ("", ";"):
            behind = i + 4 if word(tokens, i + 1) == "FORMAT" and word(tokens, i + 2) == "=" else i + 1
            if behind < len(tokens) and tokens[behind].token_type in _CHANGES:
                i = behind
                continue
        left.append(tokens[i])
        i += 1
    return left


def _of_containers(tokens: _Tokens) -> _Tokens:
    """Oracle: ``FROM CONTAINERS(t)``, ``FROM SHARDS(t)``: the table in each container or shard."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if (
            word(tokens, i) in ("CONTAINERS", "SHARDS")
            and word(tokens, i + 1) == "("
            and word(tokens, i - 1) in _BEFORE_TABLE
        ):
            end = i + 2
            while end < len(tokens) and (tokens[end].token_type in _NAMES or word(tokens, end) == "."):
                end += 1
            if word(tokens, end) == ")":
                left += tokens[i + 2 : end]
                i = end + 1
                continue
        left.append(tokens[i])
        i += 1
    return left


def _analyzed(tokens: _Tokens) -> _Tokens:
    """PostgreSQL: ``EXPLAIN (ANALYZE, BUFFERS) INSERT …`` runs the statement and writes what it writes."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        if word(tokens, i) == "EXPLAIN" and word(tokens, i - 1) in ("", ";"):
            behind = i + 1
            runs = False
            if word(tokens, behind) == "(":
                while behind < len(tokens) and word(tokens, behind) != ")":
                    if word(tokens, behind) in ("ANALYZE", "ANALYSE"):
                        runs = word(tokens, behind + 1) not in ("FALSE", "OFF", "0")
                    behind += 1
                behind += 1
            while word(tokens, behind) in ("ANALYZE", "ANALYSE", "VERBOSE"):
                runs = runs or word(tokens, behind) != "VERBOSE"
                behind += 1
            if runs and behind < len(tokens) and tokens[behind].token_type in _CHANGES:
                i = behind
                continue
        left.append(tokens[i])
        i += 1
    return left


def _segments(tokens: _Tokens) -> _Tokens:
    """Greenplum: ``gp_dist_random('s.t')`` is the table as its segments hold it."""
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        strings, behind = _constant(tokens, i + 1) if word(tokens, i) == "GP_DIST_RANDOM" else ([], i)
        if strings:
            left += _name(strings[0], "".join(token.text for token in strings))
            i = behind
            continue
        left.append(tokens[i])
        i += 1
    return left


_MODIFIERS = frozenset({"LOW_PRIORITY", "QUICK", "IGNORE", "HISTORY"})


def _without_modifiers(tokens: _Tokens) -> _Tokens:
    """``DELETE QUICK FROM t``, MariaDB's ``DELETE HISTORY FROM t``: how, and no name of a table to delete from.

    ``DELETE FROM a, b USING …`` names the tables as ``DELETE a, b FROM …`` does.
    """
    left: _Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        i += 1
        if tokens[i - 1].token_type is TokenType.DELETE:
            end = i
            while word(tokens, end) in _MODIFIERS:
                end += 1
            if word(tokens, end) == "FROM":
                i = end
                names = _listed_names(tokens, end + 1)
                if (
                    word(tokens, names) == "USING"
                    and names > end + 2
                    and any(token.token_type is TokenType.COMMA for token in tokens[end:names])
                ):
                    # DELETE FROM a, b USING … as DELETE a, b FROM …
                    left += [*tokens[end + 1 : names], tokens[end]]
                    i = names + 1
    return left


def _listed_names(tokens: _Tokens, i: int) -> int:
    """Behind a list of dotted names."""
    while i < len(tokens) and (tokens[i].token_type in _NAMES or word(tokens, i) in (".", ",", "*")):
        i += 1
    return i


_Rule = tuple[tuple[str, ...], Callable[[_Tokens], _Tokens]]

_PIPES: _Rule = (("|>",), with_known_operators)
_NAMED: _Rule = (("identifier", "table(", "table ("), names_in_strings)

_DELETED: _Rule = (("using", "quick", "low_priority", "ignore", "history"), _without_modifiers)
_ANALYZED: _Rule = (("explain",), _analyzed)

_RULES: dict[str, tuple[_Rule, ...]] = {
    "bigquery": (_PIPES, (("table",), _table_arguments), (("$", "information_schema"), _parts)),
    "clickhouse": ((("dictget", "dicthas", "joinget", "dictionary"), _dictionaries),),
    "databricks": (
        _PIPES,
        (("recursion",), _without_recursion_limit),
        _NAMED,
        (("table(", "table ("), _table_arguments),
        (("table_changes",), _changes_of_named_table),
    ),
    "duckdb": ((("query_table",), _queried_table),),
    "informix": (((":",), _with_qualifying_colons),),
    "oracle": ((("$if",), _all_branches), (("containers", "shards"), _of_containers)),
    "plpgsql": ((("rows",), _rows_from), _ANALYZED),
    "redshift": ((("duplicates",), _with_merged_rows), (("merge",), _with_inserted_values)),
    "snowflake": (_NAMED, (("->>",), _chained), (("procedure",), _anonymous_procedures)),
    "spark2": (),
    "sparksql": (
        _PIPES,
        (("recursion",), _without_recursion_limit),
        _NAMED,
        (("table(", "table ("), _table_arguments),
    ),
    "greenplum": ((("rows",), _rows_from), _ANALYZED, (("gp_dist_random",), _segments)),
    "mariadb": (_DELETED, (("statement",), _statement_settings), (("analyze",), _run_and_analyzed)),
    "mysql": (_DELETED,),
    "trino": ((("table(", "table ("), _table_arguments),),
    "teradata": (
        (("locking", "lock "), _without_locks),
        (("merge",), _with_merged_values),
        (PHRASE_SIGNS, without_phrases),
    ),
    "sqlite": ((("raise",), _raised),),
    "tsql": (
        (tuple(_CURRENCIES), _with_money),
        (tuple(f"#{digit}" for digit in range(10)), _numbered_tables),
        (tuple(f";{digit}" for digit in range(1, 10)), _without_procedure_numbers),
    ),
}
"""By dialect or family: words and signs without which a text needs no rule, and the rule. A search for each of them is
ten times as fast as a regular expression."""
