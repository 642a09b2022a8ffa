"""What a dialect spells in another way than its grammar reads it: names, amounts of money, words around statements, operators of
the pipe syntax.

The tokens are rewritten before they are read, so that every reader sees the same. Each rule looks at the text
first: most scripts hold nothing of the kind.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.data_phrases import SIGNS as PHRASE_SIGNS
from connector.sql.data_phrases import without_phrases
from connector.sql.dialects import SqlDialect
from connector.sql.pipes import with_known_operators
from connector.sql.semantic_views import queries_of_semantic_views
from connector.sql.spelled_names import (
    changes_of_named_table,
    dictionaries,
    elements_of_tuples,
    names_in_strings,
    names_of_parameters,
    numbered_tables,
    parts_of_names,
    qualifying_colons,
    queried_tables,
    quoted_strings,
    rows_from,
    table_arguments,
    tables_of_clusters,
    tables_of_containers,
    whole_paths,
)
from connector.sql.words import (
    NAMES,
    Replacement,
    Tokens,
    closing,
    drop_where,
    in_parentheses,
    like,
    merge_all,
    replace_where,
    word,
)

_CURRENCIES = frozenset("$£€¥")


def spelled_out(tokens: Tokens, text: str, dialect: SqlDialect) -> Tokens:
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


def _chained(tokens: Tokens) -> Tokens:
    """Snowflake: ``query ->> INSERT INTO t SELECT a FROM $1``: statements in a chain, of which ``$n`` is the n-th before."""
    left: Tokens = []
    chain: list[Tokens] = []
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
                left[-2:] = in_parentheses(query, token)
    return left


def _all_branches(tokens: Tokens) -> Tokens:
    """PL/SQL: of ``$if … $then … $elsif … $then … $else … $end`` every branch counts."""
    left: Tokens = []
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


@replace_where
def _with_money(tokens: Tokens, i: int) -> Replacement | None:
    """``$1.50``: an amount of money is a number, not the column 50 of a table called $1."""
    token = tokens[i]
    if token.token_type is not TokenType.VAR or token.text[0] not in _CURRENCIES or not token.text[1:].isdigit():
        return None
    amount, last = token.text[1:], i
    if word(tokens, i + 1) == "." and tokens[i + 1].start == token.end + 1 and i + 2 < len(tokens):
        if tokens[i + 2].token_type is TokenType.NUMBER and tokens[i + 2].start == tokens[i + 1].end + 1:
            amount, last = f"{amount}.{tokens[i + 2].text}", i + 2
    number = Token(TokenType.NUMBER, amount, token.line, token.col, token.start, tokens[last].end, token.comments)
    return [number], last + 1 - i


@replace_where
def _quoted_links(tokens: Tokens, i: int) -> Replacement | None:
    """Oracle: ``t@"Link"``: the name of a database link in quotes belongs to the name before it."""
    before = tokens[i]
    link = tokens[i + 1] if before.text[-1:] == "@" and i + 1 < len(tokens) else None
    if link is None or link.token_type is not TokenType.IDENTIFIER or before.end + 1 != link.start:
        return None
    name = before.text + link.text
    return [Token(before.token_type, name, before.line, before.col, before.start, link.end, [])], 2


@replace_where
def _distinct(tokens: Tokens, i: int) -> Replacement | None:
    """Informix: ``SELECT UNIQUE`` is another word for SELECT DISTINCT."""
    if word(tokens, i) != "UNIQUE" or word(tokens, i - 1) != "SELECT":
        return None
    return [like(tokens[i], TokenType.DISTINCT, "DISTINCT")], 1


def _approximate(tokens: Tokens, i: int) -> int:
    """Redshift: ``APPROXIMATE PERCENTILE_DISC(0.5) WITHIN GROUP (…)`` reads the same column as the exact one."""
    return int(word(tokens, i) == "APPROXIMATE" and word(tokens, i + 1) == "PERCENTILE_DISC")


def _view_parameters(tokens: Tokens, i: int) -> int:
    """SAP HANA: ``FROM v ('PLACEHOLDER' = ('$$p$$', '1'))``, ``FROM v (PLACEHOLDER."$$p$$" => 1)``, ``FROM v WITH PARAMETERS
    (…)``: constants for a view, which is no function for that."""
    start = i + 2 if word(tokens, i) == "WITH" and word(tokens, i + 1) == "PARAMETERS" else i
    if word(tokens, start) != "(" or [token.text.upper() for token in tokens[start + 1 : start + 2]] != ["PLACEHOLDER"]:
        return 0
    return closing(tokens, start) + 1 - i if word(tokens, start + 2) in ("=", ".") else 0


_LOCKS = frozenset({"ACCESS", "CHECKSUM", "EXCLUSIVE", "LOAD", "READ", "SHARE", "WRITE"})


def _lock(tokens: Tokens, i: int) -> int:
    """Teradata: ``LOCKING [TABLE] d.t FOR ACCESS``, before a statement or a query, moves nothing."""
    if word(tokens, i) not in ("LOCKING", "LOCK"):
        return 0
    at = i + 1
    while word(tokens, at) not in ("FOR", "IN"):
        if at - i > 8 or at >= len(tokens) or tokens[at].token_type is TokenType.SEMICOLON:
            return 0
        at += 1
    if word(tokens, at + 1) not in _LOCKS:
        return 0
    at += 2
    while word(tokens, at) in ("MODE", "OVERRIDE", "NOWAIT"):
        at += 1
    # A statement that only locks is left for those who know it.
    return at - i if at < len(tokens) and tokens[at].token_type is not TokenType.SEMICOLON else 0


@replace_where
def _with_merged_values(tokens: Tokens, i: int) -> Replacement | None:
    """Teradata: ``WHEN NOT MATCHED THEN INSERT (s.k, s.v)`` gives values, no columns."""
    if word(tokens, i) not in ("INSERT", "INS") or word(tokens, i - 1) != "THEN" or word(tokens, i + 1) != "(":
        return None
    if word(tokens, closing(tokens, i + 1) + 1) == "VALUES":
        return None
    return [tokens[i], like(tokens[i], TokenType.VALUES, "VALUES")], 1


@replace_where
def _with_merged_rows(tokens: Tokens, i: int) -> Replacement | None:
    """Redshift: ``MERGE … REMOVE DUPLICATES`` replaces the rows that match and inserts the others, all columns of them."""
    if word(tokens, i) != "REMOVE" or word(tokens, i + 1) != "DUPLICATES":
        return None
    return merge_all(tokens[i]), 2


def _recursion_limit(tokens: Tokens, i: int) -> int:
    """Spark: ``WITH RECURSIVE r (n) MAX RECURSION LEVEL 10 AS (``."""
    return 4 if (word(tokens, i), word(tokens, i + 1), word(tokens, i + 2)) == ("MAX", "RECURSION", "LEVEL") else 0


def _anonymous_procedures(tokens: Tokens) -> Tokens:
    """Snowflake: ``WITH p AS PROCEDURE (…) … AS $$ … $$ CALL p(…)`` as the definition and the call that it is."""
    left: Tokens = []
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


def _with_inserted_values(tokens: Tokens) -> Tokens:
    """Redshift: ``WHEN NOT MATCHED THEN INSERT VALUES (…)``, where the grammar takes VALUES for a function."""
    return [
        like(token, TokenType.VALUES, token.text)
        if word(tokens, i) == "VALUES" and word(tokens, i - 1) == "INSERT" and word(tokens, i - 2) == "THEN"
        else token
        for i, token in enumerate(tokens)
    ]


def _procedure_number(tokens: Tokens, i: int) -> int:
    """T-SQL: ``EXEC p;2 @a = 1`` runs one of several procedures of the same name; the semicolon ends nothing."""
    numbered = tokens[i].token_type is TokenType.SEMICOLON and i + 1 < len(tokens)
    if not numbered or tokens[i + 1].token_type is not TokenType.NUMBER or tokens[i + 1].start != tokens[i].end + 1:
        return 0
    at = i - 1
    while at > 1 and tokens[at - 1].token_type is TokenType.DOT:
        at -= 2
    return 2 if word(tokens, at - 1) in ("EXEC", "EXECUTE") else 0


def _raised(tokens: Tokens) -> Tokens:
    """SQLite: ``RAISE(ROLLBACK, 'message')``: what is to happen is a word, and no column."""
    return [
        like(token, TokenType.STRING, token.text)
        if word(tokens, i - 1) == "(" and i > 1 and word(tokens, i - 2) == "RAISE"
        else token
        for i, token in enumerate(tokens)
    ]


def _begins(tokens: Tokens, i: int, first: str) -> bool:
    """Whether a statement begins here with this word."""
    return word(tokens, i) == first and word(tokens, i - 1) in ("", ";")


def _statement_settings(tokens: Tokens, i: int) -> int:
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


def _changes(tokens: Tokens, i: int) -> bool:
    return i < len(tokens) and tokens[i].token_type in _CHANGES


def _analyzes(tokens: Tokens, i: int) -> int:
    """MariaDB: ``ANALYZE FORMAT=JSON INSERT …`` runs the statement."""
    if not _begins(tokens, i, "ANALYZE"):
        return 0
    behind = i + 4 if word(tokens, i + 1) == "FORMAT" and word(tokens, i + 2) == "=" else i + 1
    return behind - i if _changes(tokens, behind) else 0


def _explains(tokens: Tokens, i: int) -> int:
    """``EXPLAIN ANALYZE INSERT …``, in PostgreSQL also ``EXPLAIN (ANALYZE, BUFFERS) INSERT …``, runs the statement and
    writes what it writes."""
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


def _without_modifiers(tokens: Tokens) -> Tokens:
    """``DELETE QUICK FROM t``, MariaDB's ``DELETE HISTORY FROM t``: how, and no name of a table to delete from.

    ``DELETE FROM a, b USING …`` names the tables as ``DELETE a, b FROM …`` does.
    """
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        i += 1
        if tokens[i - 1].token_type is TokenType.DELETE:
            end = i
            while word(tokens, end) in _MODIFIERS:
                end += 1
            if end < len(tokens) and tokens[end].token_type in NAMES:
                # DELETE QUICK a, b FROM …
                i = end
            elif word(tokens, end) == "FROM":
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


def _listed_names(tokens: Tokens, i: int) -> int:
    """After a list of dotted names."""
    while i < len(tokens) and (tokens[i].token_type in NAMES or word(tokens, i) in (".", ",", "*")):
        i += 1
    return i


_Rule = tuple[tuple[str, ...], Callable[[Tokens], Tokens]]

_PIPES: _Rule = (("|>",), with_known_operators)
_NAMED: _Rule = (("identifier", "table(", "table ("), names_in_strings)

_DELETED: _Rule = (("using", "quick", "low_priority", "ignore", "history"), _without_modifiers)
_ANALYZED: _Rule = (("explain",), drop_where(_explains))

_ONLY: _Rule = (("only (", "only("), tables_of_containers)
_SPANS = (*_ONLY[0], "outer (", "outer(")

_RULES: dict[str, tuple[_Rule, ...]] = {
    "bigquery": (_PIPES, (("table",), table_arguments), (("$", "information_schema"), parts_of_names)),
    "clickhouse": (
        (("dictget", "dicthas", "joinget", "dictionary"), dictionaries),
        (("cluster(", "clusterallreplicas(", "loop("), tables_of_clusters),
        ((":identifier}",), names_of_parameters),
        ((".^",), whole_paths),
        (("untuple",), elements_of_tuples),
    ),
    "databricks": (
        _PIPES,
        (("recursion",), drop_where(_recursion_limit)),
        _NAMED,
        (("table(", "table (", "=> table"), table_arguments),
        (("table_changes",), changes_of_named_table),
    ),
    "duckdb": (_ANALYZED, (("query_table",), queried_tables)),
    "informix": (((":",), qualifying_colons), (('"',), quoted_strings), (("unique",), _distinct)),
    "oracle": (
        (("$if",), _all_branches),
        (('@"',), _quoted_links),
        (("containers", "shards", *_SPANS), tables_of_containers),
    ),
    "ansi": ((_SPANS, tables_of_containers),),
    "db2": ((_SPANS, tables_of_containers),),
    "plpgsql": ((("rows",), rows_from), _ANALYZED, _ONLY),
    "redshift": (
        (("duplicates",), _with_merged_rows),
        (("merge",), _with_inserted_values),
        (("approximate",), drop_where(_approximate)),
    ),
    "snowflake": (
        _NAMED,
        (("semantic_view(", "semantic_view ("), queries_of_semantic_views),
        (("->>",), _chained),
        (("procedure",), _anonymous_procedures),
    ),
    "spark2": (),
    "sparksql": (
        _PIPES,
        (("recursion",), drop_where(_recursion_limit)),
        _NAMED,
        (("table(", "table (", "=> table"), table_arguments),
    ),
    "greenplum": ((("rows",), rows_from), _ANALYZED, _ONLY, (("gp_dist_random",), queried_tables)),
    "mariadb": (_DELETED, (("statement",), drop_where(_statement_settings)), (("analyze",), drop_where(_analyzes))),
    "hana": ((("history",), _without_modifiers), (("placeholder",), drop_where(_view_parameters))),
    "mysql": (_DELETED,),
    "trino": (_ANALYZED, (("table(", "table (", "=> table"), table_arguments)),
    "teradata": (
        (("locking", "lock "), drop_where(_lock)),
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
