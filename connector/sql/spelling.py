"""What a dialect spells in another way than its grammar reads it: names, amounts of money, words around statements, operators of
the pipe syntax.

The tokens are put in order before anybody reads them, so that every reader sees the same. Each rule looks at the text
first: most scripts hold nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.data_phrases import SIGNS as PHRASE_SIGNS
from connector.sql.data_phrases import without_phrases
from connector.sql.dialects import SqlDialect
from connector.sql.pipes import with_known_operators
from connector.sql.spelled_names import (
    changes_of_named_table,
    dictionaries,
    names_in_strings,
    numbered_tables,
    parts_of_names,
    qualifying_colons,
    queried_table,
    rows_from,
    table_arguments,
    tables_of_containers,
    tables_of_segments,
)
from connector.sql.words import drop_where, like, word

_Tokens = list[Token]
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
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


def _procedure_number(tokens: _Tokens, i: int) -> int:
    """T-SQL: ``EXEC p;2 @a = 1`` runs one of several procedures of the same name; the semicolon ends nothing."""
    numbered = tokens[i].token_type is TokenType.SEMICOLON and i + 1 < len(tokens)
    if not numbered or tokens[i + 1].token_type is not TokenType.NUMBER or tokens[i + 1].start != tokens[i].end + 1:
        return 0
    at = i - 1
    while at > 1 and tokens[at - 1].token_type is TokenType.DOT:
        at -= 2
    return 2 if word(tokens, at - 1) in ("EXEC", "EXECUTE") else 0


def _raised(tokens: _Tokens) -> _Tokens:
    """SQLite: ``RAISE(ROLLBACK, 'message')``: what is to happen is a word, and no column."""
    return [
        like(token, TokenType.STRING, token.text)
        if word(tokens, i - 1) == "(" and i > 1 and word(tokens, i - 2) == "RAISE"
        else token
        for i, token in enumerate(tokens)
    ]


def _begins(tokens: _Tokens, i: int, first: str) -> bool:
    """Whether a statement begins here with this word."""
    return word(tokens, i) == first and word(tokens, i - 1) in ("", ";")


def _statement_settings(tokens: _Tokens, i: int) -> int:
    """MariaDB: ``SET STATEMENT max_statement_time = 10 FOR INSERT …``: settings of one statement, and the statement."""
    if not _begins(tokens, i, "SET") or word(tokens, i + 1) != "STATEMENT":
        return 0
    behind = i
    while behind < len(tokens) and word(tokens, behind) not in ("FOR", ";"):
        behind += 1
    return behind + 1 - i if word(tokens, behind) == "FOR" else 0


_CHANGES = frozenset(
    {TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE, TokenType.CREATE, TokenType.WITH}
)


def _changes(tokens: _Tokens, i: int) -> bool:
    return i < len(tokens) and tokens[i].token_type in _CHANGES


def _analyzes(tokens: _Tokens, i: int) -> int:
    """MariaDB: ``ANALYZE FORMAT=JSON INSERT …`` runs the statement."""
    if not _begins(tokens, i, "ANALYZE"):
        return 0
    behind = i + 4 if word(tokens, i + 1) == "FORMAT" and word(tokens, i + 2) == "=" else i + 1
    return behind - i if _changes(tokens, behind) else 0


def _explains(tokens: _Tokens, i: int) -> int:
    """PostgreSQL: ``EXPLAIN (ANALYZE, BUFFERS) INSERT …`` runs the statement and writes what it writes."""
    if not _begins(tokens, i, "EXPLAIN"):
        return 0
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
    return behind - i if runs and _changes(tokens, behind) else 0


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
_ANALYZED: _Rule = (("explain",), drop_where(_explains))

_RULES: dict[str, tuple[_Rule, ...]] = {
    "bigquery": (_PIPES, (("table",), table_arguments), (("$", "information_schema"), parts_of_names)),
    "clickhouse": ((("dictget", "dicthas", "joinget", "dictionary"), dictionaries),),
    "databricks": (
        _PIPES,
        (("recursion",), _without_recursion_limit),
        _NAMED,
        (("table(", "table ("), table_arguments),
        (("table_changes",), changes_of_named_table),
    ),
    "duckdb": ((("query_table",), queried_table),),
    "informix": (((":",), qualifying_colons),),
    "oracle": ((("$if",), _all_branches), (("containers", "shards"), tables_of_containers)),
    "plpgsql": ((("rows",), rows_from), _ANALYZED),
    "redshift": ((("duplicates",), _with_merged_rows), (("merge",), _with_inserted_values)),
    "snowflake": (_NAMED, (("->>",), _chained), (("procedure",), _anonymous_procedures)),
    "spark2": (),
    "sparksql": (
        _PIPES,
        (("recursion",), _without_recursion_limit),
        _NAMED,
        (("table(", "table ("), table_arguments),
    ),
    "greenplum": ((("rows",), rows_from), _ANALYZED, (("gp_dist_random",), tables_of_segments)),
    "mariadb": (_DELETED, (("statement",), drop_where(_statement_settings)), (("analyze",), drop_where(_analyzes))),
    "mysql": (_DELETED,),
    "trino": ((("table(", "table ("), table_arguments),),
    "teradata": (
        (("locking", "lock "), _without_locks),
        (("merge",), _with_merged_values),
        (PHRASE_SIGNS, without_phrases),
    ),
    "sqlite": ((("raise",), _raised),),
    "tsql": (
        (tuple(_CURRENCIES), _with_money),
        (tuple(f"#{digit}" for digit in range(10)), numbered_tables),
        (tuple(f";{digit}" for digit in range(1, 10)), drop_where(_procedure_number)),
    ),
}
"""By dialect or family: words and signs without which a text needs no rule, and the rule. A search for each of them is
ten times as fast as a regular expression."""
