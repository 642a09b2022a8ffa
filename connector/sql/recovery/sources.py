"""Regions in FROM, JOIN, INTO and UPDATE: the table and its alias are kept, whatever surrounds them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.layout import Layout
from connector.sql.recovery.names import Change, end_of_rows, holds_tables, names_in, opaque, replaced
from connector.sql.recovery.vocabulary import VERBS, VOCABULARY
from connector.sql.words import LITERALS, NAMES, STRINGS, like, word

_BEFORE_TABLE = frozenset({"ON", "TABLE", "SOURCE"})
"""Words before a table among the arguments of a function."""
_BEHIND_ON = frozenset({"EMPTY", "ERROR", "NULL", "OVERFLOW", "CONVERSION", "SCALAR"})
"""Words after ON that are no tables."""
_HINTS = frozenset({"INDEX", "NOLOCK", "READPAST", "HOLDLOCK", "PREFETCH", "PARALLEL", "FORCE"})
"""First words of a hint in parentheses after a table."""
_NAMES_AND_DOT = NAMES | {TokenType.DOT}


def source_regions(layout: Layout, at: int, clause: int) -> Iterator[Change]:
    """What to leave out of the source that comes after `clause`."""
    if clause < 0:
        return
    tokens = layout.tokens
    start, end = layout.source(clause)
    if tokens[clause].token_type in (TokenType.INTO, TokenType.UPDATE):
        end = layout.clause_behind(start, VERBS | {TokenType.SET, TokenType.VALUES, TokenType.WITH, TokenType.FROM})
    if start >= end:
        return
    name = table_in(layout, start, end)
    if tokens[start].token_type is TokenType.L_BRACKET:
        yield replaced(layout, start, layout.behind(start), [])
    if name is None:
        return
    first, behind = name
    call = behind < end and tokens[behind].token_type is TokenType.L_PAREN and layout.match[behind] > behind
    if call and word(tokens, behind + 1) in _HINTS:
        yield replaced(layout, behind, layout.match[behind] + 1, [])
        return
    if call and behind < at <= layout.match[behind] and not layout.is_query(behind):
        yield from _arguments(layout, first, behind)
    if (tokens[clause].token_type is TokenType.INTO and call) or call:
        behind = layout.match[behind] + 1
    while layout.owner[at] != layout.owner[start]:
        at = layout.owner[at]
    if at >= behind:
        yield from _beside(layout, at, behind, end, tokens[clause].token_type is TokenType.JOIN)
    elif tokens[clause].token_type is TokenType.UPDATE:
        yield from _before_last_name(layout, start, end)


def table_in(layout: Layout, start: int, end: int) -> tuple[int, int] | None:
    """The name, subquery or call that the source begins with: where it starts, and the token after it."""
    tokens = layout.tokens
    i = start
    while i < end and word(tokens, i) in ("LATERAL", "ONLY", "TABLE") and word(tokens, i + 1) not in (".", "("):
        i += 1
    if i >= end:
        return None
    if tokens[i].token_type is TokenType.L_PAREN:
        return i, layout.behind(i)
    if tokens[i].token_type in STRINGS:
        return i, i + 1
    if not layout.is_word(i):
        return None
    behind = i + 1
    while behind + 1 < end and tokens[behind].token_type is TokenType.DOT:
        behind += 2
    return i, behind


def _beside(layout: Layout, at: int, behind: int, end: int, joined_already: bool) -> Iterator[Change]:
    """Clauses after a table: they go, the alias stays, what they read has an influence on the rows.

    `joined_already` says that JOIN stands before the table: an ON after it belongs to that and to no other join.
    """
    tokens = layout.tokens
    first = behind
    if first + 1 < end and tokens[first].token_type is TokenType.ALIAS and word(tokens, first + 1) not in VOCABULARY:
        first += 2
    elif first < end and tokens[first].token_type in NAMES and _qualifies(layout, tokens[first].text):
        first += 1
    last = end
    kept: list[Token] = []
    if first == behind and last - first > 1 and tokens[last - 1].token_type in NAMES:
        if tokens[last - 2].token_type is TokenType.ALIAS:
            kept = tokens[last - 2 : last]
        elif _qualifies(layout, tokens[last - 1].text):
            kept = tokens[last - 1 : last]
    stop = last - len(kept)
    while (
        stop + 1 < len(tokens)
        and tokens[stop].token_type is TokenType.COMMA
        and tokens[stop + 1].token_type in LITERALS
    ):
        # A list of numbers rather than of tables.
        stop = layout.item(stop + 1)[1]
    if first >= stop or holds_tables(layout, first, stop):
        return
    joined = -1 if joined_already else _joined_table(layout, first, end)
    if joined > first:
        # A kind of join that the grammar does not know: ``t NEST u ON …``.
        yield replaced(layout, first, joined, [like(tokens[first], TokenType.JOIN, "JOIN")])
        return
    known = any(layout.match[i] > i for i in range(first, min(at, stop)))
    if first < at < stop and known:
        # A clause that the grammar knows, such as PIVOT, and after it one that it does not.
        yield from end_of_rows(layout, at, stop, names_in(layout, at, stop, clause=True))
    yield from end_of_rows(layout, first, stop, names_in(layout, first, stop, clause=True))
    if first < at < stop and not known:
        yield from end_of_rows(layout, at, stop, names_in(layout, at, stop, clause=True))


def source_alias(layout: Layout, i: int, end: int) -> Token | None:
    """The alias of a source whose table ends before `i`: after it, or after all that is said of the table."""
    tokens = layout.tokens
    if i + 1 < end and tokens[i].token_type is TokenType.ALIAS:
        return tokens[i + 1] if tokens[i + 1].token_type in NAMES else None
    for at in (i, end - 1):
        if i <= at < end and tokens[at].token_type in NAMES and _qualifies(layout, tokens[at].text):
            return tokens[at]
    return None


def _joined_table(layout: Layout, first: int, end: int) -> int:
    """Where the last name of a source begins that ON or USING follows; -1 where neither does."""
    tokens = layout.tokens
    if end >= len(tokens) or tokens[end].token_type not in (TokenType.ON, TokenType.USING):
        return -1
    name = end - 1
    if name <= first or tokens[name].token_type not in NAMES:
        return -1
    while name - 2 >= first and tokens[name - 1].token_type is TokenType.DOT:
        name -= 2
    return name


def _qualifies(layout: Layout, name: str) -> bool:
    """Whether the name stands before a dot somewhere: then it is an alias and no word of a clause."""
    tokens = layout.tokens
    key = name.upper()
    if key in VOCABULARY:
        return False
    return any(
        tokens[i + 1].token_type is TokenType.DOT and tokens[i].text.upper() == key for i in range(len(tokens) - 1)
    )


def _before_last_name(layout: Layout, start: int, end: int) -> Iterator[Change]:
    """``UPDATE OR ABORT t SET``: words before the name of the table."""
    tokens = layout.tokens
    i = end - 1
    if not layout.is_word(i) or end >= len(tokens) or tokens[end].token_type is not TokenType.SET:
        return
    while i - 2 > start and tokens[i - 1].token_type is TokenType.DOT:
        i -= 2
    if i > start:
        yield replaced(layout, start, i, [])


def _arguments(layout: Layout, start: int, opened: int) -> Iterator[Change]:
    """A function in FROM whose arguments are not understood: the tables among them are what it reads."""
    tokens = layout.tokens
    closed = layout.match[opened]
    tables = argument_tables(layout, opened)
    here = tokens[start]
    inside = tokens[opened + 1] if opened + 1 < closed else here
    if tables:
        query = [
            like(here, TokenType.L_PAREN, "("),
            like(here, TokenType.SELECT, "SELECT"),
            like(here, TokenType.STAR, "*"),
            like(here, TokenType.FROM, "FROM"),
        ]
        for number, table in enumerate(tables):
            if number:
                query.append(like(here, TokenType.COMMA, ","))
            query += table
        query.append(like(here, TokenType.R_PAREN, ")"))
        yield replaced(layout, start, closed + 1, query)
        return
    names = [name for name in names_in(layout, opened + 1, closed) if len(name) > 1 and _is_column(layout, name, start)]
    yield replaced(layout, opened + 1, closed, opaque(inside, names))
    if names:
        yield replaced(layout, start, closed + 1, opaque(here, names))


def _is_column(layout: Layout, name: list[Token], before: int) -> bool:
    """Whether a dotted name begins with a table or an alias that stands before the function."""
    key = name[0].text.upper()
    return any(token.text.upper() == key for token in layout.tokens[max(before - 200, 0) : before])


def argument_tables(layout: Layout, opened: int) -> list[list[Token]]:
    """The tables and subqueries among the arguments of a function: ``ON t``, ``TABLE(t)``, ``f(t MATCH …)``."""
    start, end = layout.inside(opened)
    inner = start + 1
    while inner + 1 < end and layout.tokens[inner].token_type is TokenType.DOT:
        inner += 2
    if inner < end and layout.is_word(start) and layout.match[inner] == end - 1 and word(layout.tokens, inner) == "(":
        # TABLE(f(…))
        found = argument_tables(layout, inner)
        if found:
            return found
    return list(_tables(layout, start, end))


def _tables(layout: Layout, start: int, end: int) -> Iterator[list[Token]]:
    tokens = layout.tokens
    i = start
    while i < end:
        if tokens[i].token_type is TokenType.L_PAREN and layout.is_query(i):
            yield tokens[i : layout.behind(i)]
        else:
            name = _table_name(layout, i, start, end)
            if name:
                yield name
        i = layout.behind(i)


def _table_name(layout: Layout, i: int, start: int, end: int) -> list[Token]:
    """The table that the argument at `i` is about."""
    tokens = layout.tokens
    name = i
    if word(tokens, i) in _BEFORE_TABLE:
        name = i + 2 if word(tokens, i + 1) == "=" else i + 1
        if word(tokens, name) == "(" and not layout.is_query(name):
            name += 1
    elif i > start:
        return []
    no_name = VOCABULARY if name == i else _BEHIND_ON
    if name >= end or not layout.is_word(name) or tokens[name].text.upper() in no_name or " " in tokens[name].text:
        return []
    behind = name + 1
    while behind + 1 < end and tokens[behind].token_type is TokenType.DOT:
        behind += 2
    follows = behind < end and layout.is_word(behind)
    if not (name > i or follows) or word(tokens, behind) in ("(", "=>"):
        return []
    return [
        token if token.token_type in _NAMES_AND_DOT else like(token, TokenType.VAR, token.text)
        for token in tokens[name:behind]
    ]
