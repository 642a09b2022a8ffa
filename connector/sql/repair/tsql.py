"""Rules for SQL Server."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import split_list
from connector.sql.repair.tools import Rule, at_words, delete_from_from, find_word, name_end
from connector.sql.words import (
    NAMES,
    OPENING,
    STRINGS,
    Replacement,
    Tokens,
    closing,
    drop_where,
    like,
    replace_where,
    word,
)

_TABLE_HINTS = frozenset(
    """
    FORCESCAN FORCESEEK HOLDLOCK IGNORE_CONSTRAINTS IGNORE_TRIGGERS INDEX KEEPDEFAULTS KEEPIDENTITY NOEXPAND NOLOCK NOWAIT PAGLOCK
    READCOMMITTED READCOMMITTEDLOCK READPAST READUNCOMMITTED REPEATABLEREAD ROWLOCK SERIALIZABLE SNAPSHOT
    SPATIAL_WINDOW_MAX_CELLS TABLOCK TABLOCKX UPDLOCK XLOCK
    """.split()
)
_CHANGES = frozenset({TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE})
_ARITHMETIC = frozenset(
    {TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.MOD, TokenType.PERCENT, TokenType.AMP}
)


def _output_into(tokens: Tokens) -> Tokens:
    """T-SQL `OUTPUT a, b INTO t (x, y)`: the columns of t become aliases of what is put out."""
    start = next((at for at, token in enumerate(tokens) if token.text.upper() == "OUTPUT"), -1)
    into = next((at for at in range(start + 1, len(tokens)) if tokens[at].token_type is TokenType.INTO), -1)
    if start <= 0 or into < 0:
        return tokens
    variable = into + 1 < len(tokens) and tokens[into + 1].token_type is TokenType.PARAMETER
    behind = into + 3 if variable else name_end(tokens, into + 1)
    if behind >= len(tokens) or tokens[behind].token_type is not TokenType.L_PAREN:
        if behind - into > 2 and not variable:
            return [*tokens[: into + 1], _whole_name(tokens[into + 1 : behind]), *tokens[behind:]]
        return tokens
    close = closing(tokens, behind)
    columns = [token for token in tokens[behind + 1 : close] if token.token_type is not TokenType.COMMA]
    items = split_list(tokens[start + 1 : into])
    if len(items) != len(columns):
        return tokens
    aliased: Tokens = []
    for item, column in zip(items, columns, strict=True):
        if aliased:
            aliased.append(like(column, TokenType.COMMA, ","))
        bare = item[:-2] if len(item) > 2 and item[-2].token_type is TokenType.ALIAS else item
        aliased += [*bare, like(column, TokenType.ALIAS, "AS"), column]
    name = tokens[into + 1 : behind]
    return [
        *tokens[: start + 1],
        *aliased,
        tokens[into],
        *(name if variable else [_whole_name(name)]),
        *tokens[close + 1 :],
    ]


def _output_last(tokens: Tokens) -> Tokens:
    """T-SQL `DELETE … OUTPUT … WHERE …`: the grammar wants the OUTPUT clause at the end."""
    if tokens[0].token_type is not TokenType.DELETE:
        return tokens
    start = next((at for at, token in enumerate(tokens) if token.text.upper() == "OUTPUT"), -1)
    if start < 0:
        return tokens
    end = find_word(tokens, start + 1, "WHERE", "FROM")
    return tokens if end < 0 else tokens[:start] + tokens[end:] + tokens[start:end]


def _whole_name(tokens: Tokens) -> Token:
    """One token for a qualified name, where the grammar wants a single word."""
    first, last = tokens[0], tokens[-1]
    text = "".join(f'"{token.text}"' if token.token_type is TokenType.IDENTIFIER else token.text for token in tokens)
    return Token(TokenType.IDENTIFIER, text, last.line, last.col, first.start, last.end, [])


def _query_option(tokens: Tokens, i: int) -> int:
    """``OPTION (OPTIMIZE FOR (@x = 1), USE HINT ('…'))``."""
    if word(tokens, i) == "OPTION" and i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.L_PAREN:
        return closing(tokens, i + 1) + 1 - i
    return 0


def _table_hint(tokens: Tokens, i: int) -> int:
    """``FROM t WITH (INDEX = ix, FORCESEEK)``, ``INSERT INTO t WITH (TABLOCK)``."""
    if word(tokens, i) != "WITH" or word(tokens, i + 1) != "(":
        return 0
    end = closing(tokens, i + 1)
    return end + 1 - i if any(word(tokens, j) in _TABLE_HINTS for j in range(i + 2, end)) else 0


def _compound_assignment(tokens: Tokens) -> Tokens:
    """``SET a += b`` assigns as ``a = a + b`` does."""
    left: Tokens = []
    for i, token in enumerate(tokens):
        if (
            token.token_type is TokenType.EQ
            and len(left) > 1
            and left[-1].token_type in _ARITHMETIC
            and tokens[i - 1].end + 1 == token.start
        ):
            operator = left.pop()
            start = len(left) - 1
            while start > 1 and left[start - 1].token_type is TokenType.DOT:
                start -= 2
            if start > 0 and left[start - 1].token_type is TokenType.PARAMETER:
                start -= 1
            name = left[start:]
            if len(name) == 1 and tokens[0].token_type is TokenType.UPDATE:
                # The old value is that of the table that is updated, whatever else has such a column.
                target = tokens[name_end(tokens, 1) - 1]
                name = [target, like(target, TokenType.DOT, "."), *name]
            left += [token, *name, operator]
        else:
            left.append(token)
    return left if len(left) != len(tokens) else tokens


def _xml_namespaces(tokens: Tokens) -> Tokens:
    """``WITH XMLNAMESPACES ('uri' AS ns), c AS (…)``: prefixes for the XML that the statement reads."""
    i = next((i for i, token in enumerate(tokens) if token.text.upper() == "XMLNAMESPACES"), -1)
    if i <= 0 or word(tokens, i - 1) != "WITH" or word(tokens, i + 1) != "(":
        return tokens
    behind = closing(tokens, i + 1) + 1
    if word(tokens, behind) == ",":
        return tokens[:i] + tokens[behind + 1 :]
    return tokens[: i - 1] + tokens[behind:]


def _system_function(tokens: Tokens, i: int) -> int:
    """``FROM ::fn_helpcollations()``: the old mark of a function of the system."""
    return (
        1 if tokens[i].token_type is TokenType.DCOLON and word(tokens, i - 1) in ("FROM", "JOIN", "APPLY", ",") else 0
    )


def _insert_through(tokens: Tokens) -> Tokens:
    """``INSERT INTO OPENQUERY(s, 'select a from t') (a)``: the query itself says which columns it shows."""
    at = next((i for i in range(1, min(4, len(tokens))) if at_words(tokens, i, "OPENQUERY", "(")), -1)
    if at < 0 or tokens[0].token_type is not TokenType.INSERT:
        return tokens
    end = closing(tokens, at + 1) + 1
    return tokens[:end] + tokens[closing(tokens, end) + 1 :] if word(tokens, end) == "(" else tokens


def _login(tokens: Tokens) -> Tokens:
    """``OPENROWSET('provider', 'server';'user';'password', 'query')``: user and password are left out."""
    if not any(token.token_type is TokenType.SEMICOLON for token in tokens):
        return tokens
    return drop_where(
        lambda found, i: (
            2
            if found[i].token_type is TokenType.SEMICOLON and i + 1 < len(found) and found[i + 1].token_type in STRINGS
            else 0
        )
    )(tokens)


def _change_table(tokens: Tokens) -> Tokens:
    """``CHANGETABLE(CHANGES t, 0)``: the rows of t that changed."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "CHANGETABLE", "(")), -1)
    if start < 0 or word(tokens, start + 2) not in ("CHANGES", "VERSION"):
        return tokens
    end = closing(tokens, start + 1)
    return [*tokens[:start], *tokens[start + 3 : name_end(tokens, start + 3)], *tokens[end + 1 :]]


def _xml_columns(tokens: Tokens) -> Tokens:
    """``OPENXML(@doc, '/r/a', 2) WITH (id INT '@id')``: what the columns are called is said where they are used."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "OPENXML", "(")), -1)
    behind = closing(tokens, start + 1) + 1 if start >= 0 else -1
    if start < 0 or not at_words(tokens, behind, "WITH", "("):
        return tokens
    return tokens[:behind] + tokens[closing(tokens, behind + 1) + 1 :]


def _graph_match(tokens: Tokens) -> Tokens:
    """``MATCH(a-(e)->b<-(f)-c)``: each arrow joins the ids of a node with the ends of an edge."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "MATCH", "(")), -1)
    if start < 0 or "AGAINST" in (word(tokens, closing(tokens, start + 1) + 1), word(tokens, start + 2)):
        return tokens
    end = closing(tokens, start + 1)
    conditions: list[Tokens] = []
    node: Token | None = None
    edge: Token | None = None
    backwards = False
    for i in range(start + 2, end):
        token = tokens[i]
        kind = token.token_type
        if word(tokens, i) in ("SHORTEST_PATH", "LAST_NODE"):
            return tokens
        if kind is TokenType.AND:
            node = edge = None
        elif kind is TokenType.LT:
            backwards = True
        elif kind in (TokenType.VAR, TokenType.IDENTIFIER):
            if i > start + 2 and word(tokens, i - 1) == "(":
                edge = token
                continue
            if node is not None and edge is not None:
                first, second = ("$to_id", "$from_id") if backwards else ("$from_id", "$to_id")
                conditions += [_ids(node, "$node_id", edge, first), _ids(edge, second, token, "$node_id")]
            node, edge, backwards = token, None, False
    if not conditions:
        return tokens
    joined: Tokens = [tokens[start + 1]]
    for condition in conditions:
        if len(joined) > 1:
            joined.append(like(tokens[start], TokenType.AND, "AND"))
        joined += condition
    return [*tokens[:start], *joined, *tokens[end:]]


def _ids(left: Token, left_id: str, right: Token, right_id: str) -> Tokens:
    return [
        left,
        like(left, TokenType.DOT, "."),
        like(left, TokenType.VAR, left_id),
        like(left, TokenType.EQ, "="),
        right,
        like(right, TokenType.DOT, "."),
        like(right, TokenType.VAR, right_id),
    ]


def _nested_change(tokens: Tokens) -> Tokens:
    """``INSERT … SELECT … FROM (DELETE … OUTPUT …) AS d (a, b)``: what a change puts out is a source like a CTE."""
    for i in range(1, len(tokens) - 1):
        if tokens[i].token_type is TokenType.L_PAREN and tokens[i + 1].token_type in _CHANGES:
            before = word(tokens, i - 1)
            if before not in ("FROM", "JOIN", ","):
                continue
            end = closing(tokens, i)
            name = end + 2 if word(tokens, end + 1) == "AS" else end + 1
            if name >= len(tokens):
                return tokens
            behind = closing(tokens, name + 1) + 1 if word(tokens, name + 1) == "(" else name + 1
            cte = [
                like(tokens[0], TokenType.WITH, "WITH"),
                *tokens[name:behind],
                like(tokens[i], TokenType.ALIAS, "AS"),
                tokens[i],
                *_output_last(tokens[i + 1 : end]),
                tokens[end],
            ]
            if tokens[0].token_type is TokenType.WITH:
                cte.append(like(tokens[0], TokenType.COMMA, ","))
                return [*cte, *tokens[1:i], tokens[name], *tokens[behind:]]
            return [*cte, *tokens[:i], tokens[name], *tokens[behind:]]
    return tokens


def _language(tokens: Tokens, i: int) -> int:
    """``CONTAINSTABLE(t, *, 'x', LANGUAGE N'English')``."""
    following = i + 1 < len(tokens) and (
        tokens[i + 1].token_type in STRINGS or tokens[i + 1].token_type is TokenType.NUMBER
    )
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
    joined = [
        like(tokens[start], TokenType.CROSS, "CROSS"),
        like(tokens[start], TokenType.JOIN, "JOIN"),
        *source[:name],
    ]
    return [*tokens[:start], *source, *joined, *tokens[behind:]]


@replace_where
def _bulk_rowset(tokens: Tokens, i: int) -> Replacement | None:
    """``OPENROWSET(BULK 'file', FORMAT = 'CSV', …) WITH (a INT)``: of the arguments only the file counts."""
    if not at_words(tokens, i, "OPENROWSET", "(", "BULK"):
        return None
    end = closing(tokens, i + 1)
    place = i + 3
    stop = find_word(tokens, place, ",")
    if place < end and tokens[place].token_type in OPENING:
        place += 1
        stop = place + 1
    behind = closing(tokens, end + 2) + 1 if at_words(tokens, end + 1, "WITH", "(") else end + 1
    return [*tokens[i : i + 2], *tokens[place : stop if 0 <= stop < end else end], tokens[end]], behind - i


def _filegroup(tokens: Tokens, i: int) -> int:
    """``SELECT … INTO t ON filegroup FROM …``: where the rows are kept."""
    if word(tokens, i) != "ON" or word(tokens, i + 2) != "FROM":
        return 0
    start = i - 1
    while start > 1 and word(tokens, start - 1) in (".", "#"):
        start -= 2 if word(tokens, start - 1) == "." else 1
    return 2 if word(tokens, start - 1) == "INTO" else 0


def _tracking_context(tokens: Tokens, i: int) -> int:
    """``WITH CHANGE_TRACKING_CONTEXT (@c) UPDATE …``: a remark for those who ask for the changes."""
    if i or not at_words(tokens, 0, "WITH", "CHANGE_TRACKING_CONTEXT", "("):
        return 0
    return closing(tokens, 2) + 1


_ISOLATION = frozenset("0 1 2 3 READ COMMITTED UNCOMMITTED REPEATABLE SERIALIZABLE".split())
_SYBASE_LOCKS = frozenset({"HOLDLOCK", "NOHOLDLOCK", "SHARED"})


def _sybase_reading(tokens: Tokens, i: int) -> int:
    """Sybase: ``FROM t (INDEX i) HOLDLOCK … AT ISOLATION READ UNCOMMITTED``: how rows are found and locked."""
    if at_words(tokens, i, "AT", "ISOLATION"):
        end = i + 2
        while word(tokens, end) in _ISOLATION:
            end += 1
        return end - i
    if at_words(tokens, i, "(", "INDEX") and i and tokens[i - 1].token_type in NAMES:
        end = closing(tokens, i)
        return end + 1 - i if end - i <= 8 and tokens[0].token_type is not TokenType.CREATE else 0
    before = tokens[i - 1].token_type
    return int(word(tokens, i) in _SYBASE_LOCKS and (before in NAMES or before is TokenType.R_PAREN))


TSQL: tuple[Rule, ...] = (
    drop_where(_sybase_reading),
    drop_where(_filegroup),
    drop_where(_tracking_context),
    _output_into,
    _output_last,
    delete_from_from,
    drop_where(_query_option),
    drop_where(_table_hint),
    _compound_assignment,
    _xml_namespaces,
    _insert_through,
    _login,
    _change_table,
    _xml_columns,
    drop_where(_system_function),
    _graph_match,
    _nested_change,
    drop_where(_language),
    _predict,
    _bulk_rowset,
)
