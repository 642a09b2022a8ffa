"""Pipe syntax, ``FROM t |> DROP a |> SET b = c``: operators that the grammar lacks, in terms of those that it has.

Only tokens are put in: every name stays where it is written.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import word

__all__ = ["with_known_operators"]

_STAR_OPERATORS = {"DROP": "EXCEPT", "SET": "REPLACE", "RENAME": "RENAME"}
"""Operators that change some of the columns, and the modifier of a star that does the same."""
_ORDERING = frozenset("OFFSET DISTRIBUTE CLUSTER SORT".split()) | {"DISTRIBUTE BY", "CLUSTER BY", "SORT BY"}
"""Operators that keep all columns; the grammar reads some of them as one token."""
_CLOSED_BY = {TokenType.L_PAREN: 1, TokenType.L_BRACKET: 1, TokenType.R_PAREN: -1, TokenType.R_BRACKET: -1}


def with_known_operators(tokens: list[Token]) -> list[Token]:
    """The tokens of statements in pipe syntax as the grammar reads them."""
    found: list[Token] = []
    i = 0
    while i < len(tokens):
        token = tokens[i]
        found.append(token)
        i += 1
        if token.token_type is TokenType.TABLE and _is_piped(tokens, i):
            # TABLE t |> …: Spark's way to begin with a table.
            found[-1] = _like(token, TokenType.FROM, "FROM")
        if token.token_type is TokenType.TABLE and i > 1 and _is_set_operation(tokens, i - 2):
            end = _behind_name(tokens, i)
            kinds = (
                (TokenType.L_PAREN, "("),
                (TokenType.SELECT, "SELECT"),
                (TokenType.STAR, "*"),
                (TokenType.FROM, "FROM"),
            )
            found[-1:] = [_like(token, kind, text) for kind, text in kinds]
            found += [*tokens[i:end], _like(tokens[end - 1], TokenType.R_PAREN, ")")]
            i = end
            continue
        if token.token_type is not TokenType.PIPE_GT:
            continue
        operator = word(tokens, i)
        if operator in _ORDERING:
            # Where rows go and which are left out at the front says nothing of columns.
            found.pop()
            i = _end(tokens, i)
            continue
        if operator in _STAR_OPERATORS:
            end = _end(tokens, i + 1)
            found += _star(tokens[i], _STAR_OPERATORS[operator], tokens[i + 1 : end])
            i = end
        elif operator == "DISTINCT":
            distinct = ((TokenType.SELECT, "SELECT"), (TokenType.DISTINCT, "DISTINCT"), (TokenType.STAR, "*"))
            found += [_like(tokens[i], kind, text) for kind, text in distinct]
            i += 1
        elif operator == "WINDOW":
            found.append(_like(tokens[i], TokenType.VAR, "EXTEND"))
            i += 1
    return found


def _is_piped(tokens: list[Token], i: int) -> bool:
    """Whether the name at `i` is followed by a pipe."""
    behind = _behind_name(tokens, i)
    return behind < len(tokens) and tokens[behind].token_type is TokenType.PIPE_GT


def _behind_name(tokens: list[Token], i: int) -> int:
    while i + 2 < len(tokens) and tokens[i + 1].token_type is TokenType.DOT:
        i += 2
    return min(i + 1, len(tokens))


def _is_set_operation(tokens: list[Token], i: int) -> bool:
    """Whether the words that end at `i` are ``|> UNION ALL`` or their like."""
    if word(tokens, i) in ("ALL", "DISTINCT"):
        i -= 1
    return word(tokens, i) in ("UNION", "EXCEPT", "INTERSECT", "MINUS") and word(tokens, i - 1) == "|>"


def _end(tokens: list[Token], i: int) -> int:
    """Behind the arguments of the operator."""
    depth = 0
    while i < len(tokens):
        kind = tokens[i].token_type
        if not depth and kind in (TokenType.PIPE_GT, TokenType.SEMICOLON, TokenType.R_PAREN):
            break
        depth += _CLOSED_BY.get(kind, 0)
        i += 1
    return i


def _star(at: Token, modifier: str, arguments: list[Token]) -> list[Token]:
    """``SELECT * <modifier> (<arguments>)``; an assignment is written as an expression with its alias."""
    kind = TokenType.EXCEPT if modifier == "EXCEPT" else TokenType.REPLACE if modifier == "REPLACE" else TokenType.VAR
    behind = arguments[-1] if arguments else at
    return [
        _like(at, TokenType.SELECT, "SELECT"),
        _like(at, TokenType.STAR, "*"),
        _like(at, kind, modifier),
        _like(at, TokenType.L_PAREN, "("),
        *(_aliased(arguments) if modifier == "REPLACE" else arguments),
        _like(behind, TokenType.R_PAREN, ")"),
    ]


def _aliased(arguments: list[Token]) -> list[Token]:
    found: list[Token] = []
    start = 0
    depth = 0
    for i, token in enumerate([*arguments, None]):
        if token is not None:
            depth += _CLOSED_BY.get(token.token_type, 0)
            if depth or token.token_type is not TokenType.COMMA:
                continue
        part = arguments[start:i]
        start = i + 1
        if len(part) > 2 and part[1].token_type is TokenType.EQ:
            part = [*part[2:], _like(part[1], TokenType.ALIAS, "AS"), part[0]]
        found += part
        if token is not None:
            found.append(token)
    return found


def _like(token: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, token.line, token.col, token.start, token.end, [])
