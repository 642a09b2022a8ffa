"""Rules for SQL Server."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.repair.tools import (
    Rule,
    Tokens,
    at_words,
    closing,
    drop_where,
    find_word,
    like,
    name_end,
    split_items,
)
from connector.sql.words import OPENING, STRINGS, word

__all__ = ["TSQL"]

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
    items = split_items(tokens[start + 1 : into])
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
    end = start + 1
    depth = 0
    while end < len(tokens) and (depth or tokens[end].token_type not in (TokenType.WHERE, TokenType.FROM)):
        depth += (tokens[end].token_type is TokenType.L_PAREN) - (tokens[end].token_type is TokenType.R_PAREN)
        end += 1
    return tokens if end == len(tokens) else tokens[:start] + tokens[end:] + tokens[start:end]


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


def _index_hint(tokens: Tokens, i: int) -> int:
    """``FROM t WITH (INDEX = ix, FORCESEEK)``."""
    if word(tokens, i) != "WITH" or word(tokens, i + 1) != "(":
        return 0
    end = closing(tokens, i + 1)
    words = {word(tokens, j) for j in range(i + 2, end)}
    return end + 1 - i if words & {"INDEX", "FORCESEEK", "FORCESCAN", "NOLOCK", "SPATIAL_WINDOW_MAX_CELLS"} else 0


def _compound_assignment(tokens: Tokens, i: int) -> int:
    """``SELECT @i += 2`` assigns as ``@i = 2`` does."""
    if tokens[i].token_type not in _ARITHMETIC or i + 1 >= len(tokens) or i < 2:
        return 0
    return 1 if tokens[i + 1].token_type is TokenType.EQ and tokens[i - 2].token_type is TokenType.PARAMETER else 0


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


def _json_path(tokens: Tokens) -> Tokens:
    """``OPENJSON(j, expression)``: the grammar knows a path in quotes only."""
    start = next((i for i in range(len(tokens) - 1) if at_words(tokens, i, "OPENJSON", "(")), -1)
    if start < 0:
        return tokens
    end = closing(tokens, start + 1)
    comma = find_word(tokens, start + 2, ",")
    if comma < 0 or (comma + 2 == end and tokens[comma + 1].token_type in STRINGS):
        return tokens
    return tokens[:comma] + tokens[end:]


def _bulk_rowset(tokens: Tokens) -> Tokens:
    """``OPENROWSET(BULK 'file', FORMAT = 'CSV', …) WITH (a INT)``: of the arguments only the file counts."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        if at_words(tokens, i, "OPENROWSET", "(", "BULK"):
            end = closing(tokens, i + 1)
            place = i + 3
            stop = find_word(tokens, place, ",")
            if place < end and tokens[place].token_type in OPENING:
                place += 1
                stop = place + 1
            left += [*tokens[i : i + 2], *tokens[place : stop if 0 <= stop < end else end], tokens[end]]
            i = end + 1
            if at_words(tokens, i, "WITH", "("):
                i = closing(tokens, i + 1) + 1
        else:
            left.append(tokens[i])
            i += 1
    return left if len(left) != len(tokens) else tokens


TSQL: tuple[Rule, ...] = (
    _output_into,
    _output_last,
    drop_where(_query_option),
    drop_where(_index_hint),
    drop_where(_compound_assignment),
    drop_where(_language),
    _predict,
    _json_path,
    _bulk_rowset,
)
