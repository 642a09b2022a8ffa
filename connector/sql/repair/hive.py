"""Rules for Hive, Impala and Spark."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word, name_end
from connector.sql.words import (
    LITERALS,
    NAMES,
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

_PASSING = "NOOP"
"""Functions that begin with this word give the rows that they take."""
_UNITS = frozenset(
    name for unit in ("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND") for name in (unit, unit + "S")
)
_FORMATS = frozenset({"COLLECTION", "MAP", "LINES", "FIELDS", "ESCAPED", "NULL"})


def _partitioned_functions(tokens: Tokens) -> Tokens:
    """``f(ON t PARTITION BY a ORDER BY b ARG1(…))``: a call whose argument is a query, or the query itself where f passes on."""
    for i in range(len(tokens) - 2):
        if tokens[i + 1].token_type is TokenType.L_PAREN and word(tokens, i + 2) == "ON" and word(tokens, i):
            end = closing(tokens, i + 1)
            source = _partitioned_functions(tokens[i + 3 : end])
            query = [
                tokens[i + 1],
                like(tokens[i], TokenType.SELECT, "SELECT"),
                like(tokens[i], TokenType.STAR, "*"),
                like(tokens[i], TokenType.FROM, "FROM"),
                *_source(source),
                tokens[end],
            ]
            if not word(tokens, i).startswith(_PASSING):
                query = [tokens[i], tokens[i + 1], *query, tokens[end]]
            return [*tokens[:i], *query, *_partitioned_functions(tokens[end + 1 :])]
    return tokens


def _source(tokens: Tokens) -> Tokens:
    """What the function reads: a table or a parenthesis with its alias, without the clauses and arguments after it."""
    if not tokens:
        return tokens
    end = closing(tokens, 0) + 1 if tokens[0].token_type is TokenType.L_PAREN else name_end(tokens, 0)
    if end < len(tokens) and tokens[end].token_type is TokenType.ALIAS:
        end += 2
    elif word(tokens, end).isidentifier() and word(tokens, end + 1) != "(":
        end += word(tokens, end) not in ("PARTITION", "DISTRIBUTE", "ORDER", "SORT", "CLUSTER")
    return tokens[:end]


def _unique_join(tokens: Tokens) -> Tokens:
    """``UNIQUEJOIN PRESERVE a x (x.k), b y (y.k)``: outer joins on the keys in the parentheses."""
    start = find_word(tokens, 0, "UNIQUEJOIN")
    if start < 0:
        return tokens
    found = tokens[:start]
    at = start + 1
    first: Tokens = []
    while at < len(tokens):
        at += word(tokens, at) == "PRESERVE"
        end = name_end(tokens, at)
        opening = end if word(tokens, end) == "(" else end + 1
        if word(tokens, opening) != "(":
            return tokens
        behind = closing(tokens, opening) + 1
        if first:
            found += [like(tokens[at], TokenType.FULL, "FULL"), like(tokens[at], TokenType.JOIN, "JOIN")]
        found += tokens[at:opening]
        keys = tokens[opening:behind]
        if first:
            found += [like(tokens[at], TokenType.ON, "ON"), *first, like(tokens[at], TokenType.EQ, "="), *keys]
        first = first or keys
        at = behind
        if word(tokens, at) != ",":
            break
        at += 1
    return found + tokens[at:]


@replace_where
def _clustered_window(tokens: Tokens, i: int) -> Replacement | None:
    """``OVER (CLUSTER BY a)``: partitions that are ordered by the same."""
    if tokens[i].token_type is not TokenType.CLUSTER_BY or word(tokens, i - 2) != "OVER":
        return None
    return [like(tokens[i], TokenType.PARTITION_BY, "PARTITION BY")], 1


def _skips_nulls(tokens: Tokens, i: int) -> int:
    """``LAST_VALUE(a, true)``: whether nulls count."""
    if word(tokens, i) != "," or word(tokens, i + 1) not in ("TRUE", "FALSE") or word(tokens, i + 2) != ")":
        return 0
    return 2 if word(tokens, opening(tokens, i) - 1) in ("FIRST_VALUE", "LAST_VALUE") else 0


def _row_format(tokens: Tokens, i: int) -> int:
    """``COLLECTION ITEMS TERMINATED BY '#'`` and the like: how a file is written."""
    if word(tokens, i) not in _FORMATS:
        return 0
    for end in range(i + 2, min(i + 6, len(tokens))):
        if tokens[end].token_type in STRINGS:
            words = {word(tokens, at) for at in range(i + 1, end)}
            return end + 1 - i if words & {"TERMINATED", "DEFINED"} or word(tokens, i) == "ESCAPED" else 0
    return 0


@replace_where
def _map_reduce(tokens: Tokens, i: int) -> Replacement | None:
    """``MAP a, b USING 'x' AS c`` and ``REDUCE …`` are ``SELECT TRANSFORM (a, b) USING 'x' AS c``."""
    using = find_word(tokens, i + 1, "USING") if word(tokens, i) in ("MAP", "REDUCE") else -1
    if using <= i + 1 or using + 1 >= len(tokens) or tokens[using + 1].token_type not in STRINGS:
        return None
    head = ((TokenType.SELECT, "SELECT"), (TokenType.VAR, "TRANSFORM"), (TokenType.L_PAREN, "("))
    called = [like(tokens[i], kind, text) for kind, text in head]
    return [*called, *tokens[i + 1 : using], like(tokens[using], TokenType.R_PAREN, ")")], using - i


def _sample_size(tokens: Tokens, i: int) -> int:
    """``TABLESAMPLE (100M)``: how much of a table is read."""
    if word(tokens, i) != "TABLESAMPLE" or word(tokens, i + 1) != "(":
        return 0
    end = closing(tokens, i + 1)
    return end + 1 - i if find_word(tokens, i + 2, "ON") < 0 else 0


@replace_where
def _in_character_set(tokens: Tokens, i: int) -> Replacement | None:
    """``_UTF-8 0xE982B5`` and ``_utf8'x'``: a string, whatever it is written in."""
    if tokens[i].token_type is not TokenType.VAR or not tokens[i].text.startswith("_"):
        return None
    end = i + 1
    while end + 1 < len(tokens) and tokens[end].token_type is TokenType.DASH:
        end += 2
    if end < len(tokens) and tokens[end].token_type in STRINGS:
        end += 1
    elif end + 1 < len(tokens) and tokens[end].text == "0" and tokens[end + 1].text[:1] in ("x", "X"):
        end += 2
    else:
        return None
    return [like(tokens[i], TokenType.STRING, "")], end - i


def _duration(tokens: Tokens, i: int) -> int:
    """``d + '2' DAYS`` without INTERVAL: the unit after a literal."""
    literal = i > 0 and tokens[i - 1].token_type in LITERALS
    return 1 if literal and word(tokens, i) in _UNITS and word(tokens, i - 2) != "INTERVAL" else 0


@replace_where
def _truncated_number(tokens: Tokens, i: int) -> Replacement | None:
    """``TRUNC(x)``: the grammar knows the one for dates alone, which has a second argument."""
    if not at_words(tokens, i, "TRUNC", "(") or find_word(tokens, i + 2, ",") >= 0:
        return None
    return [like(tokens[i], TokenType.VAR, "TRUNC_NUMBER")], 1


@replace_where
def _lateral_view(tokens: Tokens, i: int) -> Replacement | None:
    """``LATERAL VIEW EXPLODE(x) t a, b``: the AS before the columns may be missing."""
    if not at_words(tokens, i, "LATERAL", "VIEW"):
        return None
    opened = next((j for j in range(i + 2, len(tokens)) if tokens[j].token_type is TokenType.L_PAREN), len(tokens))
    column = closing(tokens, opened) + 2
    if column >= len(tokens) or tokens[column - 1].token_type not in NAMES or tokens[column].token_type not in NAMES:
        return None
    if word(tokens, column) in ("LATERAL", "JOIN", "LEFT", "WHERE"):
        return None
    return [*tokens[i:column], like(tokens[column], TokenType.ALIAS, "AS")], column - i


def _straight_join(tokens: Tokens, i: int) -> int:
    """Impala: ``SELECT STRAIGHT_JOIN a FROM …``: in which order tables are joined."""
    return 1 if word(tokens, i) == "STRAIGHT_JOIN" and word(tokens, i - 1) in ("SELECT", "DISTINCT", "ALL") else 0


def _version_sign(tokens: Tokens, i: int) -> int:
    """Delta: ``t@v12``, ``t@20240101000000000``: a version of the same table."""
    if tokens[i].token_type is not TokenType.PARAMETER or i == 0 or i + 1 >= len(tokens):
        return 0
    version = tokens[i + 1].text.lower().removeprefix("v")
    return 2 if version.isdigit() and tokens[i - 1].token_type in NAMES else 0


def _replace_on(tokens: Tokens) -> Tokens:
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


HIVE: tuple[Rule, ...] = (_lateral_view, drop_where(_straight_join))
"""What Impala and Spark have, too."""

HIVE_ALONE: tuple[Rule, ...] = (
    _partitioned_functions,
    _map_reduce,
    drop_where(_sample_size),
    _truncated_number,
    _in_character_set,
    drop_where(_duration),
    _unique_join,
    _clustered_window,
    drop_where(_skips_nulls),
    drop_where(_row_format),
)

SPARK: tuple[Rule, ...] = (_map_reduce, drop_where(_version_sign), _replace_on)
