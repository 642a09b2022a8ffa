"""Rules for queries and expressions in syntax that several dialects share, and all shared rules in their order."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.json import JSON
from connector.sql.repair.tools import OPERANDS, at_words, find_word, name_end, unqualified_columns, whole_table
from connector.sql.repair.writing import WRITING
from connector.sql.words import (
    LITERALS,
    NAMES,
    Replacement,
    Tokens,
    closing,
    drop_where,
    in_parentheses,
    like,
    replace_where,
    select_all,
    word,
)


def _character_set(tokens: Tokens, i: int) -> int:
    """``CAST(x AS VARCHAR(50) CHARACTER SET LATIN NOT CASESPECIFIC)``: how the text is kept."""
    if at_words(tokens, i, "CHARACTER", "SET"):
        return 3
    if word(tokens, i) == "CHARACTER SET":
        return 2
    if at_words(tokens, i, "NOT", "CASESPECIFIC"):
        return 2
    return 0


@replace_where
def _next_value(tokens: Tokens, i: int) -> Replacement | None:
    """``NEXT VALUE FOR sequence``: a sequence is not part of lineage, so a number replaces it."""
    if word(tokens, i) not in ("NEXT", "PREVIOUS") or not at_words(tokens, i + 1, "VALUE", "FOR"):
        return None
    end = i + 4
    while end + 1 < len(tokens) and tokens[end].token_type is TokenType.DOT:
        end += 2
    return [like(tokens[i], TokenType.NUMBER, "1")], end - i


@replace_where
def _numbered_binding(tokens: Tokens, i: int) -> Replacement | None:
    """``:1``, ``?1`` and psql's ``:'name'`` are values that a client binds, as ``?`` is; ``?::INT`` is such a value with its
    type."""
    token = tokens[i]
    kind = token.token_type
    if i and (tokens[i - 1].token_type in OPERANDS or tokens[i - 1].token_type is TokenType.R_BRACKET):
        return None
    if kind is TokenType.QDCOLON:
        return [like(token, TokenType.PLACEHOLDER, "?"), like(token, TokenType.DCOLON, "::")], 1
    if kind is not TokenType.COLON and kind is not TokenType.PLACEHOLDER:
        return None
    if i + 1 == len(tokens) or tokens[i + 1].start != token.end + 1:
        return None
    following = tokens[i + 1].token_type
    if following is not TokenType.NUMBER and (following is not TokenType.STRING or kind is not TokenType.COLON):
        return None
    return [like(token, TokenType.PLACEHOLDER, "?")], 2


_PERIODS = frozenset({"SYSTEM_TIME", "BUSINESS_TIME", "APPLICATION_TIME"})


def _period(tokens: Tokens, i: int) -> int:
    """``t FOR BUSINESS_TIME FROM a TO b``: rows of some time, of the same table."""
    if word(tokens, i) != "FOR" or word(tokens, i + 1) not in _PERIODS or word(tokens, i + 2) != "FROM":
        return 0
    to = find_word(tokens, i, "TO")
    if to < 0:
        return 0
    return (closing(tokens, to + 2) + 1 if word(tokens, to + 2) == "(" else to + 2) - i


@replace_where
def _own_type(tokens: Tokens, i: int) -> Replacement | None:
    """``CAST(x AS schema.type)``: a type of the user's counts as text."""
    if tokens[i].token_type is not TokenType.ALIAS or i + 4 >= len(tokens):
        return None
    if tokens[i + 2].token_type is not TokenType.DOT or tokens[i + 4].token_type is not TokenType.R_PAREN:
        return None
    return [tokens[i], like(tokens[i + 1], TokenType.TEXT, "TEXT")], 4


_OPERATORS_WITH_SPACE = {
    ("<", "="): (TokenType.LTE, "<="),
    (">", "="): (TokenType.GTE, ">="),
    ("!", "="): (TokenType.NEQ, "!="),
    ("!", "~"): (TokenType.NEQ, "!="),
}


@replace_where
def _split_operators(tokens: Tokens, i: int) -> Replacement | None:
    """``< =``, ``> =`` and ``! =`` with a space between, and ``!~``."""
    joined = _OPERATORS_WITH_SPACE.get((word(tokens, i), word(tokens, i + 1)))
    return ([like(tokens[i], *joined)], 2) if joined is not None else None


def _outer_join_in_braces(tokens: Tokens) -> Tokens:
    """``FROM {OJ a LEFT OUTER JOIN b ON …}``, as ODBC writes an outer join."""
    opened = next((i for i in range(len(tokens)) if tokens[i].text == "{" and word(tokens, i + 1) == "OJ"), -1)
    if opened < 0:
        return tokens
    end = closing(tokens, opened)
    return _outer_join_in_braces([*tokens[:opened], *tokens[opened + 2 : end], *tokens[end + 1 :]])


def _restricted_cycle(tokens: Tokens, i: int) -> int:
    """MariaDB: ``CYCLE a, b RESTRICT`` after a recursive common table expression."""
    if word(tokens, i) != "CYCLE" or word(tokens, i - 1) != ")":
        return 0
    end = i + 2
    while word(tokens, end) == ",":
        end += 2
    return end + 1 - i if word(tokens, end) == "RESTRICT" else 0


@replace_where
def _searched_by_several(tokens: Tokens, i: int) -> Replacement | None:
    """``CYCLE a, b SET c USING p`` as ``CYCLE a SET c TO (a, b) USING p``; ``SEARCH DEPTH FIRST BY a, b SET o`` likewise.

    The grammar takes one column. What a mark is set to is a constant, and in its place the columns are found again.
    """
    if word(tokens, i) != "CYCLE" and not (at_words(tokens, i, "FIRST", "BY") and word(tokens, i - 2) == "SEARCH"):
        return None
    start = i + (1 if word(tokens, i) == "CYCLE" else 2)
    end = start + 1
    while word(tokens, end) == ",":
        end += 2
    if end == start + 1 or word(tokens, end) != "SET" or end + 1 >= len(tokens):
        return None
    here = tokens[start]
    after = end + (4 if word(tokens, end + 2) == "TO" else 2)
    mark = [like(here, TokenType.VAR, "TO"), *in_parentheses(tokens[start:end], here)]
    return [*tokens[i : start + 1], *tokens[end : end + 2], *mark], after - i


_FUNCTION_VERBS = frozenset({TokenType.DELETE, TokenType.INSERT, TokenType.UPDATE, TokenType.SET, TokenType.MERGE})
_BEFORE_FUNCTION = frozenset(
    {
        TokenType.SELECT,
        TokenType.DISTINCT,
        TokenType.COMMA,
        TokenType.L_PAREN,
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.GT,
        TokenType.PLUS,
        TokenType.DASH,
        TokenType.DPIPE,
        TokenType.WHERE,
        TokenType.AND,
        TokenType.OR,
        TokenType.NOT,
    }
)


@replace_where
def _verbs_as_functions(tokens: Tokens, i: int) -> Replacement | None:
    """``SELECT delete(h, 'a')``: a function may be called like a verb."""
    if tokens[i].token_type not in _FUNCTION_VERBS or not i or word(tokens, i + 1) != "(":
        return None
    if tokens[i - 1].token_type not in _BEFORE_FUNCTION:
        return None
    return [like(tokens[i], TokenType.VAR, tokens[i].text)], 1


def _values_behind_with(tokens: Tokens) -> Tokens:
    """``WITH c AS (…) VALUES (…)`` is a query over the rows of VALUES."""
    for i in range(1, len(tokens)):
        if tokens[i].token_type is not TokenType.VALUES or tokens[i - 1].token_type is not TokenType.R_PAREN:
            continue
        start = _start_of_level(tokens, i)
        if word(tokens, start) != "WITH" or 0 <= find_word(tokens, start, "SELECT", "INSERT", "UPDATE", "DELETE") < i:
            continue
        end = i + 1
        while word(tokens, end) == "(":
            end = closing(tokens, end) + 1
            if word(tokens, end) == ",":
                end += 1
        here = tokens[i]
        tail = ((TokenType.R_PAREN, ")"), (TokenType.ALIAS, "AS"), (TokenType.IDENTIFIER, "values"))
        return [
            *tokens[:i],
            *select_all(here),
            like(here, TokenType.L_PAREN, "("),
            *tokens[i:end],
            *(like(here, kind, text) for kind, text in tail),
            *_values_behind_with(tokens[end:]),
        ]
    return tokens


_BEFORE_QUERY = frozenset({"UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", "MINUS", "AS", "|>"})
_BEHIND_QUERY = _BEFORE_QUERY | {"", ")", ";", "ORDER BY", "LIMIT"}


@replace_where
def _table_queries(tokens: Tokens, i: int) -> Replacement | None:
    """``SELECT a FROM t UNION ALL TABLE u``: a whole table is a query."""
    if tokens[i].token_type is not TokenType.TABLE or tokens[min(i + 1, len(tokens) - 1)].token_type not in NAMES:
        return None
    if i and word(tokens, i - 1) not in _BEFORE_QUERY and not _opens_query(tokens, i - 1):
        return None
    end = name_end(tokens, i + 1)
    return (whole_table(tokens[i:end]), end - i) if word(tokens, end) in _BEHIND_QUERY else None


def _opens_query(tokens: Tokens, i: int) -> bool:
    """Whether the parenthesis at `i` holds a query, and no arguments."""
    return word(tokens, i) == "(" and (i == 0 or tokens[i - 1].token_type not in NAMES)


_BEHIND_VALUES = frozenset("AS INTO LIMIT OFFSET FETCH UNION EXCEPT INTERSECT MINUS RETURNING ON".split()) | {
    "ORDER BY",
    ";",
}


def _bare_values(tokens: Tokens) -> Tokens:
    """``VALUES 1, a + 2``: a row of one column needs no parentheses in Db2, Spark and Derby."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        i += 1
        if tokens[i - 1].token_type is not TokenType.VALUES or word(tokens, i) in ("(", ""):
            continue
        while True:
            end = i
            while end < len(tokens) and tokens[end].token_type not in (TokenType.COMMA, TokenType.R_PAREN):
                if word(tokens, end) in _BEHIND_VALUES:
                    break
                end = closing(tokens, end) + 1 if tokens[end].token_type is TokenType.L_PAREN else end + 1
            if end == i:
                return tokens
            row = tokens[i:end]
            if row[0].token_type is not TokenType.L_PAREN or closing(row, 0) != len(row) - 1:
                row = in_parentheses(row)
            left += row
            i = end
            if word(tokens, i) != ",":
                break
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


def _fragment_of_with(tokens: Tokens) -> Tokens:
    """``name AS (SELECT …),``: common table expressions that a template puts into a statement elsewhere."""
    if not tokens or tokens[0].token_type not in (TokenType.VAR, TokenType.IDENTIFIER):
        return tokens
    if word(tokens, 1) != "AS" or word(tokens, 2) != "(" or word(tokens, 3) not in ("SELECT", "WITH"):
        return tokens
    last, end = 0, closing(tokens, 2) + 1
    while word(tokens, end) == "," and word(tokens, end + 2) == "AS" and word(tokens, end + 3) == "(":
        last, end = end + 1, closing(tokens, end + 3) + 1
    behind = tokens[end:]
    if any(token.token_type is not TokenType.COMMA for token in behind):
        return tokens
    first = tokens[0]
    return [like(first, TokenType.WITH, "WITH"), *tokens[:end], *select_all(tokens[end - 1]), tokens[last]]


def _repeated_except(tokens: Tokens) -> Tokens:
    """``* EXCEPT (a) EXCEPT (b)``, which a template with several conditions makes, is one list."""
    left: Tokens = []
    listed = False
    i = 0
    while i < len(tokens):
        if word(tokens, i) != "EXCEPT" or word(tokens, i + 1) != "(":
            left.append(tokens[i])
            listed = False
            i += 1
            continue
        end = closing(tokens, i + 1) + 1
        if listed:
            left[-1] = like(tokens[i], TokenType.COMMA, ",")
            left += tokens[i + 2 : end]
        else:
            listed = i > 0 and tokens[i - 1].token_type is TokenType.STAR
            left += tokens[i:end]
        i = end
    return left if len(left) != len(tokens) else tokens


def _start_of_level(tokens: Tokens, i: int) -> int:
    """The first token of the brackets that `i` stands in, or the word WITH that begins the query of a statement."""
    depth = 0
    found = i
    while i:
        i -= 1
        kind = tokens[i].token_type
        if kind is TokenType.R_PAREN:
            depth += 1
        elif kind is TokenType.L_PAREN:
            if not depth:
                return i + 1
            depth -= 1
        elif not depth and kind is TokenType.WITH:
            found = i
    return found


_VERSIONS = frozenset({"SYSTEM_VERSION", "SYSTEM_TIME", "VERSION", "TIMESTAMP", "TIME"})


def _version(tokens: Tokens, i: int) -> int:
    """``t FOR SYSTEM_VERSION AS OF 3``, ``FOR TIME AS OF '2024-01-01'``, ``FOR SYSTEM_TIME BEFORE …``: the same table."""
    at = i + 1
    if word(tokens, i) != "FOR" or word(tokens, at) not in _VERSIONS or i == 0:
        return 0
    behind = at + 3 if at_words(tokens, at + 1, "AS", "OF") else at + 2 if word(tokens, at + 1) == "BEFORE" else 0
    if not behind:
        return 0
    behind += word(tokens, behind) in ("TIMESTAMP", "DATE")
    return behind + 1 - i if behind < len(tokens) and tokens[behind].token_type in LITERALS else 0


def _counted_from(tokens: Tokens, i: int) -> int:
    """``NTH_VALUE(a, 2) FROM FIRST IGNORE NULLS OVER (…)``: from which end of the window the rows are counted."""
    if word(tokens, i) != "FROM" or word(tokens, i - 1) != ")" or word(tokens, i + 1) not in ("FIRST", "LAST"):
        return 0
    return 2 if word(tokens, i + 2) in ("OVER", "RESPECT", "IGNORE") else 0


def _pattern_words(tokens: Tokens, i: int) -> int:
    """In MATCH_RECOGNIZE: ``SUBSET u = (a, b)``, ``INITIAL PATTERN``, ``OPTIONS (…)``: which rows match, not of what."""
    if word(tokens, i) == "SUBSET" and word(tokens, i + 2) == "=":
        return max(find_word(tokens, i, "DEFINE") - i, 0)
    if word(tokens, i) in ("INITIAL", "SEEK"):
        return 1 if at_words(tokens, i + 1, "PATTERN", "(") else 0
    if at_words(tokens, i, "OPTIONS", "("):
        end = closing(tokens, i + 1) + 1
        matches = any(token.token_type is TokenType.MATCH_RECOGNIZE for token in tokens[:i])
        return end - i if matches and word(tokens, end) == ")" else 0
    return 0


def _sample_seed(tokens: Tokens, i: int) -> int:
    """``TABLESAMPLE (10) SEED (42) AS t``: which rows a sample takes."""
    seeded = word(tokens, i) in ("SEED", "REPEATABLE") and word(tokens, i - 1) == ")" and word(tokens, i + 1) == "("
    return 4 if seeded and word(tokens, i + 3) == ")" else 0


def _bracketed_hint(tokens: Tokens, i: int) -> int:
    """``JOIN [BROADCAST] t``, ``INSERT INTO t [SHUFFLE] SELECT``: how rows are sent around."""
    if tokens[i].token_type is not TokenType.L_BRACKET or word(tokens, i + 2) != "]" or i == 0:
        return 0
    hints = word(tokens, i - 1) == "JOIN" or (
        tokens[0].token_type is TokenType.INSERT and word(tokens, i + 3) == "SELECT"
    )
    return 3 if hints else 0


COMMON = (
    *JSON,
    drop_where(_version),
    drop_where(_counted_from),
    drop_where(_pattern_words),
    drop_where(_bracketed_hint),
    drop_where(_sample_seed),
    *WRITING,
    _verbs_as_functions,
    _values_behind_with,
    _bare_values,
    _table_queries,
    _fragment_of_with,
    _repeated_except,
    _outer_join_in_braces,
    drop_where(_restricted_cycle),
    _searched_by_several,
    drop_where(_character_set),
    _next_value,
    drop_where(_period),
    unqualified_columns(-1),
    _own_type,
    _split_operators,
    _numbered_binding,
)
