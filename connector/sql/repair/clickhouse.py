"""Rules for ClickHouse."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, at_words, find_word
from connector.sql.words import (
    LITERALS,
    STRINGS,
    Replacement,
    Tokens,
    closing,
    drop_where,
    like,
    opening,
    replace_where,
    select_all,
    word,
)

_QUERIES = frozenset({TokenType.SELECT, TokenType.WITH})


def _parameters(tokens: Tokens, i: int) -> int:
    """``quantiles(0.5, 0.9)(x, y)``: the first parenthesis holds parameters."""
    if word(tokens, i) != "(" or not i or tokens[i - 1].token_type is not TokenType.VAR:
        return 0
    end = closing(tokens, i)
    return end + 1 - i if word(tokens, end + 1) == "(" else 0


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
    """``LIMIT 1 BY a LIMIT 10``: how many rows of all, after how many of each."""
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


def _partition(tokens: Tokens, i: int) -> int:
    """``DELETE FROM t IN PARTITION '2024' WHERE …``: a part of the same table."""
    if tokens[0].token_type is not TokenType.DELETE or not at_words(tokens, i, "IN", "PARTITION"):
        return 0
    end = find_word(tokens, i, "WHERE")
    return (end if end > 0 else len(tokens)) - i


def _ties(tokens: Tokens, i: int) -> int:
    """``LIMIT 10 WITH TIES``: the rows that are equal to the last one, too."""
    return 2 if at_words(tokens, i, "WITH", "TIES") else 0


def _inline_data(tokens: Tokens) -> Tokens:
    """``INSERT INTO t (a, b) FORMAT JSONEachRow {…}``: what is inserted follows in a format of its own."""
    at = find_word(tokens, 1, "FORMAT", "VALUES") if word(tokens, 0) == "INSERT" else -1
    if at < 0 or word(tokens, at) != "FORMAT":
        return tokens
    here = tokens[at]
    if find_word(tokens[:at], 1, "SELECT", "WITH", "FROM") > 0:
        return tokens[:at]
    rows = ((TokenType.VALUES, "VALUES"), (TokenType.L_PAREN, "("), (TokenType.NULL, "NULL"), (TokenType.R_PAREN, ")"))
    return [*tokens[:at], *(like(here, kind, text) for kind, text in rows)]


@replace_where
def _parallel(tokens: Tokens, i: int) -> Replacement | None:
    """``INSERT … PARALLEL WITH INSERT …``: statements that run side by side."""
    return ([like(tokens[i], TokenType.SEMICOLON, ";")], 2) if at_words(tokens, i, "PARALLEL", "WITH") else None


@replace_where
def _listed_columns(tokens: Tokens, i: int) -> Replacement | None:
    """``COLUMNS(a, b) APPLY sum``: the columns of a list, one by one."""
    if not at_words(tokens, i, "COLUMNS", "(") or find_word(tokens, i + 2, ",") < 0:
        return None
    end = closing(tokens, i + 1)
    return tokens[i + 2 : end], end + 1 - i


@replace_where
def _database_function(tokens: Tokens, i: int) -> Replacement | None:
    """``file(database() || '.csv')``: the name of the database, from a function that the grammar takes for a keyword."""
    if tokens[i].token_type is not TokenType.DATABASE or not at_words(tokens, i + 1, "(", ")"):
        return None
    return [like(tokens[i], TokenType.VAR, "currentDatabase")], 1


@replace_where
def _union(tokens: Tokens, i: int) -> Replacement | None:
    """``SELECT a UNION SELECT b``: a setting says whether rows are compared."""
    if tokens[i].token_type is not TokenType.UNION or word(tokens, i + 1) in ("ALL", "DISTINCT"):
        return None
    return [tokens[i], like(tokens[i], TokenType.DISTINCT, "DISTINCT")], 1


@replace_where
def _rows_without_commas(tokens: Tokens, i: int) -> Replacement | None:
    """``INSERT INTO t VALUES (1, 2) (3, 4)``: the commas between rows may be missing."""
    if tokens[0].token_type is not TokenType.INSERT or word(tokens, i) != ")" or word(tokens, i + 1) != "(":
        return None
    inside = opening(tokens, i + 1)
    listed = word(tokens, opening(tokens, i) - 1) in ("VALUES", ")", ",") and inside < 0
    return ([tokens[i], like(tokens[i], TokenType.COMMA, ",")], 1) if listed else None


def _totals(tokens: Tokens, i: int) -> int:
    """``WITH TOTALS``: one more row, with or without GROUP BY."""
    return 2 if at_words(tokens, i, "WITH", "TOTALS") else 0


@replace_where
def _explained(tokens: Tokens, i: int) -> Replacement | None:
    """``SELECT explain FROM (EXPLAIN indexes = 1 SELECT …)``: the words of a plan, which reads no rows."""
    if word(tokens, i) != "EXPLAIN" or word(tokens, i - 1) != "(" or find_word(tokens, i, "SELECT", "WITH") < 0:
        return None
    here = tokens[i]
    words = ((TokenType.SELECT, "SELECT"), (TokenType.STRING, ""), (TokenType.ALIAS, "AS"), (TokenType.VAR, "explain"))
    return [like(here, kind, text) for kind, text in words], closing(tokens, i - 1) - i


@replace_where
def _settings_of_call(tokens: Tokens, i: int) -> Replacement | None:
    """``s3('…' SETTINGS a = 1)``: how a function reads."""
    if word(tokens, i) != "SETTINGS" or word(tokens, i - 1) in ("(", ",", "."):
        return None
    start = opening(tokens, i)
    if start < 1 or tokens[start - 1].token_type is not TokenType.VAR or word(tokens, start + 1) in ("SELECT", "WITH"):
        return None
    return [], closing(tokens, start) - i


@replace_where
def _new_type(tokens: Tokens, i: int) -> Replacement | None:
    """``CAST(a AS QBit(Float64, 28))``: a type that the grammar does not know counts as text."""
    if tokens[i].token_type is not TokenType.ALIAS or i + 2 >= len(tokens) or word(tokens, i + 2) != "(":
        return None
    end = closing(tokens, i + 2) + 1
    if tokens[i + 1].token_type is not TokenType.VAR or word(tokens, end) != ")":
        return None
    is_cast = word(tokens, opening(tokens, i) - 1) in ("CAST", "TRY_CAST")
    return ([tokens[i], like(tokens[i + 1], TokenType.TEXT, "String")], end - i) if is_cast else None


_CLAUSES_WITH_ALIASES = frozenset({TokenType.WHERE, TokenType.PREWHERE, TokenType.HAVING, TokenType.ORDER_BY})
_ENDS_OF_ALIASES = frozenset(
    {"", ")", ",", "DESC", "ASC", "GROUP BY", "ORDER BY", "WHERE", "LIMIT", "SETTINGS", "HAVING"}
)


@replace_where
def _named_condition(tokens: Tokens, i: int) -> Replacement | None:
    """``WHERE (x = 2) AS y``, ``ORDER BY f(x) AS y DESC``: for an alias the grammar wants a parenthesis here."""
    if tokens[i].token_type not in _CLAUSES_WITH_ALIASES:
        return None
    end = find_word(tokens, i + 1, "AS", ",", *_ENDS_OF_ALIASES)
    if end < i + 2 or word(tokens, end) != "AS" or not word(tokens, end + 1):
        return None
    if word(tokens, end + 2) not in _ENDS_OF_ALIASES:
        return None
    opened, closed = like(tokens[i + 1], TokenType.L_PAREN, "("), like(tokens[end + 1], TokenType.R_PAREN, ")")
    return [tokens[i], opened, *tokens[i + 1 : end + 2], closed], end + 2 - i


CLICKHOUSE: tuple[Rule, ...] = (
    _database_function,
    _union,
    _rows_without_commas,
    drop_where(_totals),
    _explained,
    _settings_of_call,
    _new_type,
    _named_condition,
    _parallel,
    _inline_data,
    drop_where(_partition),
    drop_where(_ties),
    _columns_of_function,
    _named_arguments,
    drop_where(_parameters),
    drop_where(_applied),
    drop_where(_excepted),
    _listed_columns,
    drop_where(_second_limit),
    drop_where(_order_words),
    _grouped_alias,
)
