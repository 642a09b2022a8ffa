"""Rules for BigQuery."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, name_end
from connector.sql.words import NAMES, Tokens, closing, drop_where, like, select_all, word


def _array_with_offset(tokens: Tokens) -> Tokens:
    """``FROM t, t.items AS x WITH OFFSET``: an array by its name alone is ``UNNEST(t.items)``."""
    for at in range(2, len(tokens) - 1):
        if not at_words(tokens, at, "WITH", "OFFSET") or tokens[at - 1].token_type not in NAMES:
            continue
        behind = at
        if word(tokens, at - 2) == "AS":
            behind = at - 2
        elif tokens[at - 2].token_type in NAMES:
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


def _safe_prefix(tokens: Tokens, i: int) -> int:
    """``SAFE.NET.HOST(x)``: NULL instead of an error, from a function whose name has two parts."""
    return 2 if at_words(tokens, i, "SAFE", ".") and word(tokens, i + 3) == "." else 0


BIGQUERY: tuple[Rule, ...] = (
    _array_with_offset,
    _model_arguments,
    drop_where(_depth),
    _graph_statement,
    drop_where(_safe_prefix),
)
