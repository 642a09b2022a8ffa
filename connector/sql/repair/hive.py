"""Rules for Hive."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, find_word, name_end
from connector.sql.words import LITERALS, STRINGS, Tokens, closing, drop_where, like, word

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
    """What the function reads: a table or a parenthesis with its alias, without the clauses and arguments behind it."""
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


def _clustered_window(tokens: Tokens) -> Tokens:
    """``OVER (CLUSTER BY a)``: partitions that are ordered by the same."""
    found = [
        like(token, TokenType.PARTITION_BY, "PARTITION BY")
        if token.token_type is TokenType.CLUSTER_BY and at > 1 and word(tokens, at - 2) == "OVER"
        else token
        for at, token in enumerate(tokens)
    ]
    return found if any(new is not old for new, old in zip(found, tokens, strict=True)) else tokens


def _skips_nulls(tokens: Tokens, i: int) -> int:
    """``LAST_VALUE(a, true)``: whether nulls count."""
    if tokens[i].token_type is not TokenType.COMMA or word(tokens, i + 1) not in ("TRUE", "FALSE"):
        return 0
    if word(tokens, i + 2) != ")":
        return 0
    depth = 0
    for j in range(i - 1, -1, -1):
        if tokens[j].token_type is TokenType.R_PAREN:
            depth += 1
        elif tokens[j].token_type is TokenType.L_PAREN:
            if not depth:
                return 2 if word(tokens, j - 1) in ("FIRST_VALUE", "LAST_VALUE") else 0
            depth -= 1
    return 0


def _row_format(tokens: Tokens, i: int) -> int:
    """``COLLECTION ITEMS TERMINATED BY '#'`` and the like: how a file is written."""
    if word(tokens, i) not in _FORMATS:
        return 0
    for end in range(i + 2, min(i + 6, len(tokens))):
        if tokens[end].token_type in STRINGS:
            words = {word(tokens, at) for at in range(i + 1, end)}
            return end + 1 - i if words & {"TERMINATED", "DEFINED"} or word(tokens, i) == "ESCAPED" else 0
    return 0


def map_reduce(tokens: Tokens) -> Tokens:
    """``MAP a, b USING 'x' AS c`` and ``REDUCE …`` are ``SELECT TRANSFORM (a, b) USING 'x' AS c``."""
    found: Tokens = []
    i = 0
    while i < len(tokens):
        using = find_word(tokens, i + 1, "USING") if word(tokens, i) in ("MAP", "REDUCE") else -1
        if using > i + 1 and using + 1 < len(tokens) and tokens[using + 1].token_type in STRINGS:
            found += [
                like(tokens[i], TokenType.SELECT, "SELECT"),
                like(tokens[i], TokenType.VAR, "TRANSFORM"),
                like(tokens[i], TokenType.L_PAREN, "("),
                *tokens[i + 1 : using],
                like(tokens[using], TokenType.R_PAREN, ")"),
            ]
            i = using
        else:
            found.append(tokens[i])
            i += 1
    return found if len(found) != len(tokens) else tokens


def _sample_size(tokens: Tokens, i: int) -> int:
    """``TABLESAMPLE (100M)``: how much of a table is read."""
    if word(tokens, i) != "TABLESAMPLE" or word(tokens, i + 1) != "(":
        return 0
    end = closing(tokens, i + 1)
    return end + 1 - i if find_word(tokens, i + 2, "ON") < 0 else 0


def _in_character_set(tokens: Tokens) -> Tokens:
    """``_UTF-8 0xE982B5`` and ``_utf8'x'``: a string, whatever it is written in."""
    found: Tokens = []
    i = 0
    while i < len(tokens):
        end = i
        if tokens[i].token_type is TokenType.VAR and tokens[i].text.startswith("_"):
            end = i + 1
            while end + 1 < len(tokens) and tokens[end].token_type is TokenType.DASH:
                end += 2
            if end < len(tokens) and tokens[end].token_type in STRINGS:
                end += 1
            elif end + 1 < len(tokens) and tokens[end].text == "0" and tokens[end + 1].text[:1] in ("x", "X"):
                end += 2
            else:
                end = i
        found.append(like(tokens[i], TokenType.STRING, "") if end > i else tokens[i])
        i = max(end, i + 1)
    return found if len(found) != len(tokens) else tokens


def _duration(tokens: Tokens, i: int) -> int:
    """``d + '2' DAYS`` without INTERVAL: the unit behind a literal."""
    literal = i > 0 and tokens[i - 1].token_type in LITERALS
    return 1 if literal and word(tokens, i) in _UNITS and word(tokens, i - 2) != "INTERVAL" else 0


def _truncated_number(tokens: Tokens) -> Tokens:
    """``TRUNC(x)``: the grammar knows the one for dates alone, which has a second argument."""
    found = [
        like(token, TokenType.VAR, "TRUNC_NUMBER")
        if word(tokens, at) == "TRUNC" and word(tokens, at + 1) == "(" and find_word(tokens, at + 2, ",") < 0
        else token
        for at, token in enumerate(tokens)
    ]
    return found if any(new is not old for new, old in zip(found, tokens, strict=True)) else tokens


HIVE_ALONE: tuple[Rule, ...] = (
    _partitioned_functions,
    map_reduce,
    drop_where(_sample_size),
    _truncated_number,
    _in_character_set,
    drop_where(_duration),
    _unique_join,
    _clustered_window,
    drop_where(_skips_nulls),
    drop_where(_row_format),
)
