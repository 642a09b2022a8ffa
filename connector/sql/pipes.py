"""Pipe syntax, ``FROM t |> DROP a |> SET b = c``: operators that the grammar lacks, in terms of those that it has.

Only tokens are put in: every name stays where it is written.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.words import like, word

_STAR_OPERATORS = {"DROP": "EXCEPT", "SET": "REPLACE", "RENAME": "RENAME"}
"""Operators that change some of the columns, and the modifier of a star that does the same."""
_ORDERING = frozenset("OFFSET DISTRIBUTE CLUSTER SORT".split()) | {"DISTRIBUTE BY", "CLUSTER BY", "SORT BY"}
"""Operators that keep all columns; the grammar reads some of them as one token."""
_BEFORE_QUERY = frozenset({TokenType.ALIAS, TokenType.L_PAREN, TokenType.SEMICOLON})
_CLOSED_BY = {TokenType.L_PAREN: 1, TokenType.L_BRACKET: 1, TokenType.R_PAREN: -1, TokenType.R_BRACKET: -1}


@dataclass(slots=True)
class _Level:
    """A query inside parentheses, or outside all: where it begins among the tokens that were found, -1 for not yet."""

    start: int = -1
    first: int = -1
    """Where VALUES stands, or the parenthesis with which the query begins."""
    has_ctes: bool = False
    opening: int = -1
    """The last parenthesis on this level: a query may begin with one."""
    around: int = -1
    """Where the parenthesis around the query begins that keeps common table expressions out of it, -1 without one."""


def with_known_operators(tokens: list[Token]) -> list[Token]:
    """The tokens of statements in pipe syntax as the grammar reads them."""
    found: list[Token] = []
    levels = [_Level()]
    i = 0
    while i < len(tokens):
        token = tokens[i]
        found.append(token)
        i += 1
        if token.token_type is TokenType.TABLE and _is_piped(tokens, i):
            # TABLE t |> …: Spark's way to begin with a table.
            found[-1] = like(token, TokenType.FROM, "FROM")
        if token.token_type is TokenType.TABLE and i > 1 and _is_set_operation(tokens, i - 2):
            end = _behind_name(tokens, i)
            kinds = (
                (TokenType.L_PAREN, "("),
                (TokenType.SELECT, "SELECT"),
                (TokenType.STAR, "*"),
                (TokenType.FROM, "FROM"),
            )
            found[-1:] = [like(token, kind, text) for kind, text in kinds]
            found += [*tokens[i:end], like(tokens[end - 1], TokenType.R_PAREN, ")")]
            i = end
            continue
        _note_level(found, levels)
        if token.token_type is not TokenType.PIPE_GT:
            continue
        _begin_with_from(found, levels[-1])
        if levels[-1].has_ctes:
            _enclose(found, levels[-1])
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
        elif operator == "WINDOW":
            found.append(like(tokens[i], TokenType.VAR, "EXTEND"))
            i += 1
        elif operator in ("DISTINCT", "CALL", "WITH", "MATCH_RECOGNIZE") or (
            operator == "SELECT" and word(tokens, i + 1) == "DISTINCT"
        ):
            level = levels[-1]
            start = level.start if level.start >= 0 else level.opening
            end = _end(tokens, i)
            # After a parenthesis that nothing closes, other statements follow.
            whole = all(token.token_type is not TokenType.SEMICOLON for token in tokens[i:end])
            if start >= 0 and whole:
                level.start = start
                found.pop()
                _AROUND[operator](found, level, with_known_operators(tokens[i:end]))
                i = end
    found += [like(found[-1], TokenType.R_PAREN, ")") for level in levels if level.around >= 0]
    return found


def _begin_with_from(found: list[Token], level: _Level) -> None:
    """``VALUES (1) AS t (a) |> …`` and ``(SELECT …) AS t |> …`` begin with a source as FROM has it."""
    if level.start >= 0 or level.first < 0 or len(found) < level.first + 3:
        return
    begin = found[level.first]
    named = begin.token_type is TokenType.L_PAREN and found[-2].token_type is not TokenType.R_PAREN
    if named or begin.token_type is TokenType.VALUES:
        found.insert(level.first, like(begin, TokenType.FROM, "FROM"))
        level.start = level.first


def _enclose(found: list[Token], level: _Level) -> None:
    """``WITH x AS (…) FROM t |> …`` as ``WITH x AS (…) FROM (FROM t |> …)``: older grammars lose one or the other."""
    if level.around < 0 <= level.start:
        level.around = level.start
        begin = found[level.start]
        found[level.start : level.start] = [like(begin, TokenType.FROM, "FROM"), like(begin, TokenType.L_PAREN, "(")]
        level.start += 2


def _note_level(found: list[Token], levels: list[_Level]) -> None:
    """Follows parentheses, statements and the first words of queries."""
    kind = found[-1].token_type
    at = len(found) - 1
    level = levels[-1]
    if kind is TokenType.VALUES or (
        kind is TokenType.L_PAREN and (not at or found[at - 1].token_type in _BEFORE_QUERY)
    ):
        level.first = at
    if kind is TokenType.L_PAREN:
        level.opening = at
        levels.append(_Level())
    elif kind is TokenType.R_PAREN and len(levels) > 1:
        _close(found, levels.pop())
    elif kind is TokenType.SEMICOLON:
        _close(found, level)
        levels[-1] = _Level()
    elif kind is TokenType.WITH and level.start < 0:
        level.has_ctes = True
    elif kind in (TokenType.FROM, TokenType.SELECT) and level.start < 0:
        level.start = at


def _close(found: list[Token], level: _Level) -> None:
    """Ends the parenthesis around a query before the token that ends the query."""
    if level.around >= 0:
        found.insert(len(found) - 1, like(found[-1], TokenType.R_PAREN, ")"))


def _distinct(found: list[Token], level: _Level, operator: list[Token]) -> None:
    """``… |> DISTINCT`` is ``FROM (FROM (…) SELECT DISTINCT *)``; so is SELECT DISTINCT, of which the grammar forgets the
    second word."""
    first = operator[0]
    if first.token_type is not TokenType.SELECT:
        kinds = ((TokenType.SELECT, "SELECT"), (TokenType.DISTINCT, "DISTINCT"), (TokenType.STAR, "*"))
        operator = [like(first, kind, text) for kind, text in kinds]
    begin = found[level.start]
    inside = [like(begin, TokenType.FROM, "FROM"), like(begin, TokenType.L_PAREN, "(")]
    found[level.start : level.start] = [*inside, *inside]
    found += [
        like(first, TokenType.R_PAREN, ")"),
        *operator,
        like(operator[-1], TokenType.R_PAREN, ")"),
    ]


def _call(found: list[Token], level: _Level, operator: list[Token]) -> None:
    """``… |> CALL f(a)`` is ``FROM f((…), a)``: the rows before it are its first argument."""
    opening = next((i for i, token in enumerate(operator) if token.token_type is TokenType.L_PAREN), 0)
    if not opening:
        return
    depth = 0
    closing = len(operator) - 1
    for i in range(opening, len(operator)):
        depth += _CLOSED_BY.get(operator[i].token_type, 0)
        if not depth:
            closing = i
            break
    begin = found[level.start]
    found[level.start : level.start] = [
        like(begin, TokenType.FROM, "FROM"),
        *operator[1 : opening + 1],
        like(begin, TokenType.L_PAREN, "("),
    ]
    found.append(like(operator[0], TokenType.R_PAREN, ")"))
    if closing > opening + 1:
        found.append(like(operator[opening], TokenType.COMMA, ","))
    found += operator[opening + 1 :]


def _with(found: list[Token], level: _Level, operator: list[Token]) -> None:
    """``… |> WITH x AS (…)`` names queries for the operators after it: they may stand before all of it."""
    first = operator[0]
    if operator[-1].token_type is TokenType.COMMA:
        operator = operator[:-1]
    if level.has_ctes:
        operator = [like(first, TokenType.COMMA, ","), *operator[1:]]
    level.has_ctes = True
    _enclose(found, level)
    found[level.around : level.around] = operator
    level.around += len(operator)
    level.start += len(operator)


def _match(found: list[Token], level: _Level, operator: list[Token]) -> None:
    """``… |> MATCH_RECOGNIZE (…)`` is ``FROM (SELECT * FROM (…) MATCH_RECOGNIZE (…))``."""
    begin = found[level.start]
    opening = [like(begin, TokenType.FROM, "FROM"), like(begin, TokenType.L_PAREN, "(")]
    everything = [like(begin, TokenType.SELECT, "SELECT"), like(begin, TokenType.STAR, "*")]
    found[level.start : level.start] = [*opening, *everything, *opening]
    closing = like(operator[-1], TokenType.R_PAREN, ")")
    found += [closing, *operator, closing]


_AROUND = {"DISTINCT": _distinct, "SELECT": _distinct, "CALL": _call, "WITH": _with, "MATCH_RECOGNIZE": _match}
"""Operators that the grammar lacks and that all before them has to be put into."""


def _is_piped(tokens: list[Token], i: int) -> bool:
    """Whether the name at `i` is followed by a pipe."""
    behind = _behind_name(tokens, i)
    return behind < len(tokens) and tokens[behind].token_type is TokenType.PIPE_GT


def _behind_name(tokens: list[Token], i: int) -> int:
    while i + 2 < len(tokens) and tokens[i + 1].token_type is TokenType.DOT:
        i += 2
    return min(i + 1, len(tokens))


def _is_set_operation(tokens: list[Token], i: int) -> bool:
    """Whether the words that end at `i` are ``|> UNION ALL`` or a similar operator."""
    if word(tokens, i) in ("ALL", "DISTINCT"):
        i -= 1
    return word(tokens, i) in ("UNION", "EXCEPT", "INTERSECT", "MINUS") and word(tokens, i - 1) == "|>"


def _end(tokens: list[Token], i: int) -> int:
    """After the arguments of the operator."""
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
        like(at, TokenType.SELECT, "SELECT"),
        like(at, TokenType.STAR, "*"),
        like(at, kind, modifier),
        like(at, TokenType.L_PAREN, "("),
        *(_aliased(arguments) if modifier == "REPLACE" else arguments),
        like(behind, TokenType.R_PAREN, ")"),
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
            part = [*part[2:], like(part[1], TokenType.ALIAS, "AS"), part[0]]
        found += part
        if token is not None:
            found.append(token)
    return found
