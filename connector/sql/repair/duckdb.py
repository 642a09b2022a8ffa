"""Rules for DuckDB."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from connector.sql.repair.tools import Rule, find_word
from connector.sql.words import OPENING, Replacement, Tokens, closing, like, replace_where, word

_SET_OPERATIONS = ("UNION", "EXCEPT", "INTERSECT")
_BEHIND_SELECT = frozenset("WHERE HAVING QUALIFY WINDOW LIMIT OFFSET".split()) | {"GROUP BY", "ORDER BY"}
_PIVOTS = ("PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER")


def _select_first(tokens: Tokens) -> Tokens:
    """DuckDB: ``FROM (VALUES (1)) v (a) JOIN t ON true SELECT a`` as ``SELECT a FROM …``; the grammar knows most forms."""
    for start, token in enumerate(tokens):
        if token.token_type is not TokenType.FROM:
            continue
        before = tokens[start - 1].token_type if start else TokenType.SEMICOLON
        if before not in (TokenType.SEMICOLON, TokenType.L_PAREN, TokenType.ALIAS):
            continue
        select = find_word(tokens, start + 1, "SELECT", *_SET_OPERATIONS)
        if select < 0 or tokens[select].token_type is not TokenType.SELECT:
            continue
        end = select
        while end < len(tokens) and tokens[end].token_type is not TokenType.R_PAREN:
            if word(tokens, end) in _BEHIND_SELECT or word(tokens, end) in _SET_OPERATIONS:
                break
            end = closing(tokens, end) + 1 if tokens[end].token_type in OPENING else end + 1
        return _select_first([*tokens[:start], *tokens[select:end], *tokens[start:select], *tokens[end:]])
    return tokens


def _pivot_statement(tokens: Tokens) -> Tokens:
    """DuckDB: ``CREATE TABLE o AS PIVOT t ON a USING sum(b) ORDER BY c`` as ``… AS FROM (PIVOT t …) ORDER BY c``."""
    inside = next((i for i in range(len(tokens)) if _pivots(tokens, i)), -1)
    if inside >= 0:
        return [*tokens[:inside], like(tokens[inside], TokenType.FROM, "FROM"), *tokens[inside:]]
    start = find_word(tokens, 0, *_PIVOTS, "SELECT", "FROM")
    if start < 0 or tokens[start].token_type not in (TokenType.PIVOT, TokenType.UNPIVOT):
        return tokens
    end = find_word(tokens, start, "ORDER BY", "LIMIT")
    end = end if end > 0 else len(tokens)
    first, last = tokens[start], tokens[end - 1]
    opening = [like(first, TokenType.FROM, "FROM"), like(first, TokenType.L_PAREN, "(")]
    return [*tokens[:start], *opening, *tokens[start:end], like(last, TokenType.R_PAREN, ")"), *tokens[end:]]


def _pivots(tokens: Tokens, opened: int) -> bool:
    """Whether a parenthesis holds a statement that pivots, in the place of a query."""
    begins = opened == 0 or word(tokens, opened - 1) == "AS"
    return begins and tokens[opened].text == "(" and word(tokens, opened + 1) in _PIVOTS


@replace_where
def _merge_by_name(tokens: Tokens, i: int) -> Replacement | None:
    """``THEN UPDATE BY NAME`` as ``THEN UPDATE SET "by name".*``; BY POSITION is the default."""
    how = word(tokens, i + 2)
    if word(tokens, i) not in ("UPDATE", "INSERT") or word(tokens, i - 1) != "THEN" or word(tokens, i + 1) != "BY":
        return None
    if how not in ("NAME", "POSITION"):
        return None
    found = tokens[i : i + 1]
    if how == "NAME" and tokens[i].token_type is TokenType.UPDATE:
        signs = ((TokenType.SET, "SET"), (TokenType.IDENTIFIER, "by name"), (TokenType.DOT, "."), (TokenType.STAR, "*"))
        found += [like(tokens[i + 2], kind, text) for kind, text in signs]
    elif how == "NAME":
        found += tokens[i + 1 : i + 3]
    return found, 4 if word(tokens, i + 3) == "*" else 3


@replace_where
def _list_reduce(tokens: Tokens, i: int) -> Replacement | None:
    """``reduce(l, lambda x, y: x + y)``, without the first value that the grammar asks for."""
    if tokens[i].text.upper() != "REDUCE" or word(tokens, i + 1) != "(":
        return None
    return [like(tokens[i], TokenType.VAR, "list_reduce")], 1


DUCKDB: tuple[Rule, ...] = (_pivot_statement, _select_first, _list_reduce, _merge_by_name)
