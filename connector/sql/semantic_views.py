"""Snowflake's semantic views as the queries that they stand for.

``TABLES (o AS sales.orders) FACTS (o.net AS price - rebate) METRICS (o.total AS SUM(o.net))`` is a view with the columns
``net`` and ``total``. Facts, dimensions and metrics may use each other, so each logical table becomes a subquery in which
every level adds the columns that only need those of the levels below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.words import Replacement, Tokens, closing, in_parentheses, like, replace_where, word

_SECTIONS = ("FACTS", "DIMENSIONS", "METRICS")
_LEVELS = 8
"""How many columns may be built upon each other."""


@dataclass(slots=True)
class _Item:
    """A fact, a dimension or a metric: its own name, its expression, and how many levels it is built on."""

    name: Token
    expression: Tokens
    level: int = 0


@dataclass(slots=True)
class _Table:
    """A logical table: its alias, the table behind it, its primary key, and what is defined on it."""

    alias: Token
    name: Tokens
    key: list[Token] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)


_CLAUSES = frozenset({"DIMENSIONS", "METRICS", "FACTS", "WHERE"})


@replace_where
def queries_of_semantic_views(tokens: Tokens, i: int) -> Replacement | None:
    """``SEMANTIC_VIEW(v DIMENSIONS o.year METRICS o.total AS t WHERE o.year > 2020)`` as a query of the view's columns; before
    their names stand those of logical tables, which are not visible outside of the view."""
    if word(tokens, i) != "SEMANTIC_VIEW" or word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    inside = tokens[i + 2 : end]
    if word(tokens, end) != ")" or any(token.token_type is TokenType.SEMICOLON for token in inside):
        return None
    query = _query_of(inside, tokens[i])
    return ([tokens[i + 1], *query, tokens[end]], end + 1 - i) if query else None


def _query_of(tokens: Tokens, here: Token) -> Tokens:
    walker = TokenCursor(tokens)
    starts = [i for i in range(len(tokens)) if walker.word_at(i) in _CLAUSES and _is_outside(tokens, i)]
    view = tokens[: starts[0]] if starts else []
    if not view or not any(walker.word_at(start) != "WHERE" for start in starts):
        return []
    items: Tokens = []
    condition: Tokens = []
    for start, end in pairwise([*starts, len(tokens)]):
        inside = _without_qualifiers(tokens[start + 1 : end])
        if walker.word_at(start) == "WHERE":
            condition = [tokens[start], *inside]
        else:
            items += [like(tokens[start], TokenType.COMMA, ","), *inside] if items else inside
    return [like(here, TokenType.SELECT, "SELECT"), *items, like(here, TokenType.FROM, "FROM"), *view, *condition]


def _is_outside(tokens: Tokens, i: int) -> bool:
    return not sum((token.text == "(") - (token.text == ")") for token in tokens[:i])


def _without_qualifiers(tokens: Tokens) -> Tokens:
    dots = {i for i, token in enumerate(tokens) if token.token_type is TokenType.DOT}
    return [token for i, token in enumerate(tokens) if i not in dots and i + 1 not in dots]


def semantic_view(tokens: Tokens) -> Tokens | None:
    """The tokens of ``CREATE SEMANTIC VIEW`` as those of ``CREATE VIEW … AS SELECT``; None for anything else."""
    walker = TokenCursor(tokens)
    view = walker.seek(0, "SEMANTIC VIEW", "VIEW", "(")
    # The grammar of some releases has both words in one token.
    semantic = walker.word_at(view) == "SEMANTIC VIEW" or walker.words(view - 1, "SEMANTIC", "VIEW")
    if walker.word_at(0) not in ("CREATE", "DEFINE") or not semantic:
        return None
    start = view + 4 if walker.words(view + 1, "IF", "NOT", "EXISTS") else view + 1
    behind = name_end(walker, start)
    sections = _sections(walker, behind)
    tables = {table.alias.text.upper(): table for table in map(_table, sections.get("TABLES", []))}
    if not tables:
        return None
    outer: list[_Item] = []
    for section in _SECTIONS:
        for written in sections.get(section, []):
            _sort(written, tables, outer)
    query = _query(tables, outer, sections.get("RELATIONSHIPS", []))
    return [
        tokens[0],
        like(tokens[view], TokenType.VIEW, "VIEW"),
        *tokens[start:behind],
        like(tokens[start], TokenType.ALIAS, "AS"),
        *query,
    ]


def _sections(walker: TokenCursor, i: int) -> dict[str, list[Tokens]]:
    """The items in the parentheses after TABLES, RELATIONSHIPS, FACTS, DIMENSIONS and METRICS."""
    found: dict[str, list[Tokens]] = {}
    while i < walker.stop:
        if walker.word_at(i) == "(":
            end = closing(walker.tokens, i)
            found.setdefault(walker.word_at(i - 1), split_list(walker.tokens[i + 1 : end]))
            i = end
        i += 1
    return found


def _table(written: Tokens) -> _Table:
    """``o AS sales.orders PRIMARY KEY (id)``; without an alias, the table is called by its own name."""
    walker = TokenCursor(written)
    start = 2 if walker.word_at(1) == "AS" else 0
    end = name_end(walker, start)
    found = _Table(written[0] if start else written[end - 1], written[start:end])
    key = walker.seek(end, "KEY", "PRIMARY KEY")
    if walker.word_at(key + 1) == "(":
        found.key = _names(written[key + 2 : closing(written, key + 1)])
    return found


def _names(tokens: Tokens) -> Tokens:
    return [token for token in tokens if token.token_type is not TokenType.COMMA]


def _sort(written: Tokens, tables: dict[str, _Table], outer: list[_Item]) -> None:
    """Gives an item to its table, or to the whole view where its expression needs several tables."""
    walker = TokenCursor(written)
    start = 1 if walker.word_at(0) in ("PRIVATE", "PUBLIC") and walker.word_at(1) not in (".", "AS") else 0
    end, at = name_end(walker, start), walker.seek(start, "AS")
    if at >= walker.stop or end <= start:
        return
    expression = written[at + 1 : min(_options(walker, at + 1), walker.stop)]
    item = _Item(written[end - 1], expression)
    table = tables.get(written[start].text.upper()) if end - start > 1 else None
    used = {token.text.upper() for token, following in pairwise(expression) if following.token_type is TokenType.DOT}
    if table is None or used - {table.alias.text.upper()}:
        outer.append(item)
        return
    needed = {token.text.upper() for token in expression}
    item.level = max((each.level + 1 for each in table.items if each.name.text.upper() in needed), default=0)
    if item.level < _LEVELS:
        table.items.append(item)
    else:
        outer.append(item)


def _options(walker: TokenCursor, i: int) -> int:
    """Where the options of an item begin: ``WITH SYNONYMS (…)``, ``COMMENT = '…'``."""
    while i < walker.stop:
        word, following = walker.word_at(i), walker.word_at(i + 1)
        if word == "WITH" or (word == "COMMENT" and following == "="):
            return i
        i = closing(walker.tokens, i) + 1 if word == "(" else i + 1
    return i


def _query(tables: dict[str, _Table], outer: list[_Item], relationships: list[Tokens]) -> Tokens:
    here = next(iter(tables.values())).alias
    columns: list[Tokens] = []
    for table in tables.values():
        columns += [_column(_qualified(table, item.name), item.name) for item in table.items]
    columns += [_column(item.expression, item.name) for item in outer]
    sources = [_source(table) for table in tables.values()]
    conditions = [each for written in relationships for each in _relationship(written, tables)]
    query = [_select(here), *_listed(columns or [[_star(here)]], TokenType.COMMA, ",")]
    query += [like(here, TokenType.FROM, "FROM"), *_listed(sources, TokenType.COMMA, ",")]
    if conditions:
        query += [like(here, TokenType.WHERE, "WHERE"), *_listed(conditions, TokenType.AND, "AND")]
    return query


def _source(table: _Table) -> Tokens:
    """The table with a subquery around it for each level of items."""
    alias = table.alias
    named = [like(alias, TokenType.ALIAS, "AS"), alias]
    found = [*table.name, *named]
    for level in sorted({item.level for item in table.items}):
        added = [_column(item.expression, item.name) for item in table.items if item.level == level]
        listed = _listed([[_star(alias)], *added], TokenType.COMMA, ",")
        found = [_select(alias), *listed, like(alias, TokenType.FROM, "FROM"), *found]
        found = [*in_parentheses(found, alias), *named]
    return found


def _relationship(written: Tokens, tables: dict[str, _Table]) -> list[Tokens]:
    """``l_to_o AS l (order_id) REFERENCES o (id)``: the columns that are equal."""
    walker = TokenCursor(written)
    start = 2 if walker.word_at(1) == "AS" else 0
    to = walker.seek(start, "REFERENCES")
    left, right = (tables.get(written[i].text.upper()) if i < walker.stop else None for i in (start, to + 1))
    if left is None or right is None or walker.word_at(start + 1) != "(":
        return []
    columns = _names(written[start + 2 : closing(written, start + 1)])
    others = _names(written[to + 3 : closing(written, to + 2)]) if walker.word_at(to + 2) == "(" else right.key
    return [
        [*_qualified(left, a), like(a, TokenType.EQ, "="), *_qualified(right, b)]
        for a, b in zip(columns, others, strict=False)
    ]


def _column(expression: Tokens, name: Token) -> Tokens:
    return [*expression, like(name, TokenType.ALIAS, "AS"), name]


def _select(here: Token) -> Token:
    return like(here, TokenType.SELECT, "SELECT")


def _star(here: Token) -> Token:
    return like(here, TokenType.STAR, "*")


def _qualified(table: _Table, column: Token) -> Tokens:
    """The column with its table before it, at its own place in the text."""
    return [like(column, table.alias.token_type, table.alias.text), like(column, TokenType.DOT, "."), column]


def _listed(parts: list[Tokens], kind: TokenType, text: str) -> Tokens:
    found: Tokens = []
    for part in parts:
        found += [like(part[0], kind, text), *part] if found else part
    return found
