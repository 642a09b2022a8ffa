"""Rules for ClickHouse."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word
from connector.sql.words import LITERALS, STRINGS, Tokens, closing, drop_where, like, select_all, word

_QUERIES = frozenset({TokenType.SELECT, TokenType.WITH})


def _parametric(tokens: Tokens) -> Tokens:
    """ClickHouse: ``quantiles(0.5, 0.9)(x, y)``: the first parenthesis holds parameters."""
    left: Tokens = []
    i = 0
    while i < len(tokens):
        left.append(tokens[i])
        if tokens[i].token_type is TokenType.VAR and word(tokens, i + 1) == "(":
            end = closing(tokens, i + 1)
            if word(tokens, end + 1) == "(":
                i = end
        i += 1
    return left if len(left) != len(tokens) else tokens


def _columns_of_function(tokens: Tokens) -> Tokens:
    """``INSERT INTO FUNCTION f(…) (x, y) SELECT …``: the columns as those of the query."""
    if at_words(tokens, 0, "INSERT", "INTO", "TABLE", "FUNCTION"):
        tokens = [*tokens[:2], *tokens[3:]]
    if not at_words(tokens, 0, "INSERT", "INTO", "FUNCTION") or word(tokens, 4) != "(":
        return tokens
    end = closing(tokens, 4) + 1
    query = closing(tokens, end) + 1 if word(tokens, end) == "(" else len(tokens)
    if query >= len(tokens) or tokens[query].token_type not in _QUERIES:
        return tokens
    here = tokens[end]
    tail = ((TokenType.R_PAREN, ")"), (TokenType.ALIAS, "AS"), (TokenType.IDENTIFIER, "rows"))
    return [
        *tokens[:end],
        *select_all(here),
        like(here, TokenType.L_PAREN, "("),
        *tokens[query:],
        *(like(here, kind, text) for kind, text in tail),
        *tokens[end:query],
    ]


def _applied(tokens: Tokens, i: int) -> int:
    """``* APPLY (x -> toString(x))``, ``COLUMNS('a') APPLY sum``: the same columns, whatever is done to each of them."""
    if word(tokens, i) != "APPLY" or word(tokens, i - 1) not in ("*", ")"):
        return 0
    end = i + 1 if word(tokens, i + 1) == "(" else i + 2
    return (closing(tokens, end) + 1 if word(tokens, end) == "(" else end) - i


def _excepted(tokens: Tokens, i: int) -> int:
    """``COLUMNS('a') EXCEPT b``, ``COLUMNS('a') EXCEPT (b, c)``: fewer of the columns."""
    if (
        word(tokens, i) != "EXCEPT"
        or word(tokens, i - 1) != ")"
        or word(tokens, i + 1) in ("SELECT", "ALL", "DISTINCT")
    ):
        return 0
    if word(tokens, i + 1) == "(":
        return closing(tokens, i + 1) + 1 - i if word(tokens, i + 2) not in ("SELECT", "WITH", "(") else 0
    return 2 if word(tokens, i + 2) in (",", "FROM", "APPLY") else 0


def _second_limit(tokens: Tokens, i: int) -> int:
    """``LIMIT 1 BY a LIMIT 10``: how many rows of all, behind how many of each."""
    if word(tokens, i) != "LIMIT" or word(tokens, i + 2) in ("BY", ",", "OFFSET") or i + 1 >= len(tokens):
        return 0
    first = next((j for j in range(i - 1, 0, -1) if word(tokens, j) in ("LIMIT", "(", ")", "SELECT")), 0)
    limited = word(tokens, first) == "LIMIT" and any(word(tokens, j) == "BY" for j in range(first, i))
    return 2 if limited and tokens[i + 1].token_type is TokenType.NUMBER else 0


def _order_words(tokens: Tokens, i: int) -> int:
    """``ORDER BY a COLLATE 'en' WITH FILL FROM 1 STALENESS 3``: how rows are ordered and filled up."""
    if word(tokens, i) not in ("COLLATE", "STALENESS") or i + 1 >= len(tokens):
        return 0
    if word(tokens, i) == "COLLATE":
        return 2 if tokens[i + 1].token_type in STRINGS else 0
    if tokens[i + 1].token_type in LITERALS:
        return 2
    return 4 if word(tokens, i + 1) == "INTERVAL" else 0


def _grouped_alias(tokens: Tokens) -> Tokens:
    """``SELECT w … GROUP BY tumble(ts, 5) AS w`` as ``WITH tumble(ts, 5) AS w SELECT w … GROUP BY w``."""
    group = next((i for i, token in enumerate(tokens) if token.token_type is TokenType.GROUP_BY), -1)
    start = next((i for i in range(group - 1, -1, -1) if tokens[i].token_type is TokenType.SELECT), -1)
    alias = find_word(tokens, group + 1, "AS", ",", "HAVING", "ORDER BY", "LIMIT") if group > 0 else -1
    if start < 0 or alias < 0 or word(tokens, alias) != "AS" or alias + 1 >= len(tokens):
        return tokens
    named = tokens[group + 1 : alias + 2]
    if start and tokens[start - 1].token_type is TokenType.R_PAREN:
        # Other expressions have names before the query already.
        return tokens
    head = [like(tokens[start], TokenType.WITH, "WITH"), *named]
    return [*tokens[:start], *head, *tokens[start : group + 1], tokens[alias + 1], *tokens[alias + 2 :]]


def _named_arguments(tokens: Tokens) -> Tokens:
    """``sum(a * b AS c)``, an alias inside a call, for which the grammar wants a parenthesis."""
    before: dict[int, int] = {}
    behind: dict[int, int] = {}
    opened: list[tuple[int, bool]] = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.L_PAREN:
            is_call = (
                i > 0 and tokens[i - 1].token_type is TokenType.VAR and word(tokens, i - 1) not in ("CAST", "TRY_CAST")
            )
            opened.append((i + 1, is_call and word(tokens, i + 1) not in ("SELECT", "WITH")))
        elif token.token_type is TokenType.R_PAREN and opened:
            opened.pop()
        elif token.token_type is TokenType.COMMA and opened:
            opened[-1] = (i + 1, opened[-1][1])
        elif token.token_type is TokenType.ALIAS and opened and opened[-1][1] and word(tokens, i + 2) in (",", ")"):
            before[opened[-1][0]] = before.get(opened[-1][0], 0) + 1
            behind[i + 1] = 1
    if not before:
        return tokens
    left: Tokens = []
    for i, token in enumerate(tokens):
        left += [like(token, TokenType.L_PAREN, "(")] * before.get(i, 0)
        left.append(token)
        left += [like(token, TokenType.R_PAREN, ")")] * behind.get(i, 0)
    return left


CLICKHOUSE: tuple[Rule, ...] = (
    _columns_of_function,
    _named_arguments,
    _parametric,
    drop_where(_applied),
    drop_where(_excepted),
    drop_where(_second_limit),
    drop_where(_order_words),
    _grouped_alias,
)
