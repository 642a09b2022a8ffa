"""Rules for Oracle."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, Tokens, at_words, drop_where, find_word, name_end
from connector.sql.words import closing, like, word

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})

_MINING = frozenset(
    """
    PREDICTION PREDICTION_BOUNDS PREDICTION_COST PREDICTION_DETAILS PREDICTION_PROBABILITY PREDICTION_SET CLUSTER_ID CLUSTER_DETAILS
    CLUSTER_DISTANCE CLUSTER_PROBABILITY CLUSTER_SET FEATURE_ID FEATURE_DETAILS FEATURE_SET FEATURE_VALUE
    """.split()
)
_ENDS_OPERAND = _NAMES | {TokenType.NUMBER, TokenType.R_PAREN}
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
            end = at + 2
            depth = 0
            while end < len(tokens) and (depth or tokens[end].token_type is not TokenType.WHEN):
                depth += (tokens[end].token_type is TokenType.L_PAREN) - (tokens[end].token_type is TokenType.R_PAREN)
                end += 1
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


def _multiset(tokens: Tokens) -> Tokens:
    """``a MULTISET UNION ALL b``: an operator on nested tables, both sides go in."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        is_operator = (
            word(tokens, i) == "MULTISET" and i + 1 < len(tokens) and tokens[i + 1].token_type in _SET_OPERATORS
        )
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
        infix = (
            word(tokens, i) == "MOD"
            and i > 0
            and word(tokens, i + 1) != "("
            and tokens[i - 1].token_type in _ENDS_OPERAND
        )
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


def _mining(tokens: Tokens) -> Tokens:
    """``PREDICTION(model COST MODEL USING a, b)``: what is scored are the columns; a model is none."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        if word(tokens, i) in _MINING and word(tokens, i + 1) == "(":
            using = find_word(tokens, i + 2, "USING")
            if using > 0:
                left.append(tokens[i + 1])
                i = using
        i += 1
    return left if len(left) != len(tokens) else tokens


ORACLE: tuple[Rule, ...] = (
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
