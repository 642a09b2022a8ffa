"""The last resort: rewrites a query whose clauses are not understood with syntax that every grammar knows.

Where no small region explains why a query is refused, its tables, its output columns and the names in its clauses still
stand there to be read. The conditions become one opaque condition first, then the sources a plain list of tables, then
each item of the select list an opaque expression under its alias. Queries are reduced from the inside out.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.recovery.layout import Layout
from connector.sql.recovery.names import Change, names_in, opaque
from connector.sql.recovery.regions import alias_of
from connector.sql.recovery.sources import argument_tables, source_alias, table_in
from connector.sql.recovery.vocabulary import CLAUSES, JOINING, SOURCES, VERBS
from connector.sql.words import like, select_all, word

_SET_OPERATIONS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})
_CONDITIONS_OF_JOINS = frozenset({TokenType.ON, TokenType.USING})
_ENDS_SOURCES = CLAUSES - SOURCES - _CONDITIONS_OF_JOINS
_NAMES_AND_DOT = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.DOT, TokenType.STAR})


def coarse_regions(tokens: list[Token], failed: int) -> Iterator[Change]:
    """The tokens with the queries around the token `failed` reduced, the innermost and the least reduced first."""
    layout = Layout(tokens)
    if not layout.complete or failed < 0:
        return
    at = failed
    while True:
        owner = layout.owner[at]
        if layout.is_query(owner):
            yield from _reduced(layout, at)
        if owner < 0:
            return
        at = owner


def _reduced(layout: Layout, at: int) -> Iterator[Change]:
    tokens = layout.tokens
    bounds = _query(layout, at)
    if bounds is None:
        return
    select, end = bounds
    source = layout.clause_behind(select + 1, frozenset({TokenType.FROM}) | _SET_OPERATIONS)
    if source >= end or tokens[source].token_type is not TokenType.FROM:
        return
    rest = layout.clause_behind(source + 1, _ENDS_SOURCES)
    items, sources = tokens[select + 1 : source], tokens[source + 1 : rest]
    plain, conditions = _sources(layout, source, rest)
    behind = names_in(layout, rest, end, clause=True) if rest < end else []
    here = tokens[select]

    def written(items: list[Token], sources: list[Token], names: list[list[Token]]) -> Change:
        condition = [like(here, TokenType.QUALIFY, "QUALIFY"), *opaque(here, names)] if names else []
        query = [tokens[select], *items, tokens[source], *sources, *condition]
        start = tokens[end].start if end < len(tokens) else tokens[-1].end
        return Change([*tokens[:select], *query, *tokens[end:]], region, start)

    if at >= rest > source:
        region = tokens[rest:end]
        yield written(items, sources, behind)
    if plain:
        region = tokens[source:end]
        if at >= source:
            yield written(items, plain, [*conditions, *behind])
        region = tokens[select:end]
        yield written(_items(layout, select + 1, source), plain, [*conditions, *behind])


def _query(layout: Layout, at: int) -> tuple[int, int] | None:
    """The SELECT of the query that `at` stands in, and the token after that query."""
    start, end = layout.inside(layout.owner[at])
    select = -1
    i = start
    while i < end:
        kind = layout.tokens[i].token_type
        if kind is TokenType.SELECT and (i <= at or select < 0):
            select = i
        elif select >= 0 and i > at and (kind in _SET_OPERATIONS or kind in VERBS):
            end = i
            break
        i = layout.behind(i)
    return (select, end) if select >= 0 else None


def _sources(layout: Layout, source: int, rest: int) -> tuple[list[Token], list[list[Token]]]:
    """The sources between FROM and the next clause as a list with commas, and the names in their conditions.

    Empty where something stands in the place of a source that is none.
    """
    tokens = layout.tokens
    plain: list[Token] = []
    names: list[list[Token]] = []
    i = source
    while i < rest:
        start, end = layout.source(i)
        end = min(end, rest)
        table = table_in(layout, start, end)
        if table is None:
            return [], []
        if plain:
            plain.append(like(tokens[i], TokenType.COMMA, ","))
        plain += _table(layout, *table, end)
        condition = end
        while condition < rest and not _begins_source(layout, condition):
            condition = layout.behind(condition)
        names += names_in(layout, end, condition, clause=True)
        i = condition
        while i < rest and tokens[i].token_type in JOINING:
            i += 1
    return plain, names


def _begins_source(layout: Layout, i: int) -> bool:
    kind = layout.tokens[i].token_type
    return kind in (TokenType.COMMA, TokenType.JOIN, TokenType.STRAIGHT_JOIN, TokenType.APPLY) or (
        kind in JOINING and word(layout.tokens, i + 1) != "("
    )


def _table(layout: Layout, first: int, behind: int, end: int) -> list[Token]:
    """A table, a subquery, or the tables and names among the arguments of a function, with the alias of the source."""
    tokens = layout.tokens
    written = tokens[first:behind]
    here = tokens[first]
    last = behind
    if word(tokens, behind) == "(" and behind < end and layout.is_word(first):
        last = layout.behind(behind)
        tables = argument_tables(layout, behind)
        if tables:
            listed = [token for table in tables for token in (like(here, TokenType.COMMA, ","), *table)][1:]
            written = [
                like(here, TokenType.L_PAREN, "("),
                *select_all(here),
                *listed,
                like(here, TokenType.R_PAREN, ")"),
            ]
        else:
            written = opaque(here, names_in(layout, behind + 1, last - 1))
    alias = source_alias(layout, last, end)
    return [*written, like(here, TokenType.ALIAS, "AS"), alias] if alias is not None else written


def _items(layout: Layout, start: int, end: int) -> list[Token]:
    """The items of a select list: a column or a star as it is, anything else as an opaque expression with its alias."""
    tokens = layout.tokens
    written: list[Token] = []
    i = start
    while i < end:
        first, last = layout.item(i)
        last = min(last, end)
        alias, behind = alias_of(layout, first, last)
        plain = all(token.token_type in _NAMES_AND_DOT for token in tokens[first:alias])
        written += tokens[first:alias] if plain else opaque(tokens[first], names_in(layout, first, alias))
        written += tokens[alias:behind]
        written += tokens[last : last + 1] if last < end else []
        i = last + 1
    return written
