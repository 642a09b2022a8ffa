"""Analytic views of Oracle, with their dimensions and hierarchies, as the queries that they stand for."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from connector.sql.cursor import TokenCursor, name_end, split_list
from connector.sql.words import Tokens, like, select_all


def analytic_view(tokens: Tokens) -> Tokens | None:
    """``CREATE ANALYTIC VIEW | ATTRIBUTE DIMENSION | HIERARCHY v USING t …`` as CREATE VIEW; None for anything else."""
    walker = TokenCursor(tokens)
    kind = walker.seek(1, "ANALYTIC", "ATTRIBUTE", "HIERARCHY", "(")
    using = walker.seek(kind, "USING")
    if using >= walker.stop or walker.word_at(kind) == "(":
        return None
    at = kind + 1 if walker.word_at(kind) == "HIERARCHY" else kind + 2
    if walker.words(at, "IF", "NOT", "EXISTS"):
        at += 3
    source = using + 2 if walker.word_at(using + 1) == "REMOTE" else using + 1
    if name_end(walker, source) <= source:
        return None
    if walker.word_at(kind) == "HIERARCHY":
        query = [*select_all(tokens[using]), *tokens[source : name_end(walker, source)]]
    elif walker.word_at(kind) == "ATTRIBUTE":
        query = _dimension(walker, source)
    else:
        query = _view(walker, source)
    view = [like(tokens[kind], TokenType.VIEW, "VIEW"), *tokens[at : name_end(walker, at)]]
    return [tokens[0], *view, like(tokens[using], TokenType.ALIAS, "AS"), *query]


def _dimension(walker: TokenCursor, source: int) -> Tokens:
    """``USING t [AS x], u JOIN PATH … ATTRIBUTES (a, x.b AS c)``: the attributes of the tables."""
    behind = name_end(walker, source)
    end, attributes = walker.seek(behind, "JOIN", "ATTRIBUTES"), walker.seek(behind, "ATTRIBUTES")
    items = split_list(walker.tokens[attributes + 2 : walker.close(attributes + 1)])
    return _select([_named(item) for item in items], _rows(walker.tokens[source:end]))


def _named(item: Tokens) -> Tokens:
    """An attribute without what classifies it."""
    walker = TokenCursor(item)
    end = name_end(walker, 0)
    return item[: end + 2] if walker.word_at(end) == "AS" else item[:end]


def _view(walker: TokenCursor, source: int) -> Tokens:
    """``USING fact DIMENSION BY (d KEY k REFERENCES a …) MEASURES (m FACT c, n AS (…))``: the facts joined to the dimensions."""
    tokens = walker.tokens
    behind = name_end(walker, source)
    dimensions, measures = walker.seek(behind, "DIMENSION"), walker.seek(behind, "MEASURES")
    rows = _rows(tokens[source:dimensions])
    fact = rows[-1]
    facts: dict[str, Tokens] = {}
    items: list[Tokens] = []
    for item in split_list(tokens[measures + 2 : walker.close(measures + 1)]):
        inner = TokenCursor(item)
        if inner.word_at(1) == "AS":
            # What is computed from other measures, with clauses that only such views have.
            used = [facts[token.text.upper()] for token in item[2:] if token.text.upper() in facts]
            here = item[0]
            value = [like(here, TokenType.VAR, "MEASURE"), like(here, TokenType.L_PAREN, "("), *_listed(used)]
            value.append(like(here, TokenType.R_PAREN, ")"))
        else:
            start = 2 if inner.word_at(1) == "FACT" else 0
            value = facts[item[0].text.upper()] = _of(fact, item[start : name_end(inner, start)])
        items.append([*value, like(item[0], TokenType.ALIAS, "AS"), item[0]])
    for item in split_list(tokens[dimensions + 3 : walker.close(dimensions + 2)]):
        inner = TokenCursor(item)
        key, references = inner.seek(0, "KEY"), inner.seek(0, "REFERENCES")
        joined = _rows(item[:key])
        if references >= inner.stop or not joined:
            continue
        keys = _names(item[key + 1 : references])
        names = _names(item[references + 1 : inner.seek(references, "HIERARCHIES")])
        here = item[0]
        rows += [like(here, TokenType.LEFT, "LEFT"), like(here, TokenType.JOIN, "JOIN"), *joined]
        for place, (left, right) in enumerate(zip(keys, names, strict=False)):
            rows.append(like(here, *((TokenType.AND, "AND") if place else (TokenType.ON, "ON"))))
            rows += [*_of(fact, left), like(here, TokenType.EQ, "="), *_of(joined[-1], right)]
    return _select(items, rows)


def _rows(written: Tokens) -> Tokens:
    """Tables with their aliases; the last token names the last of them."""
    return [token for token in written if token.text.upper() != "AS"]


def _names(written: Tokens) -> list[Tokens]:
    """One name, or several in parentheses, without DISTINCT."""
    kept = [token for token in written if token.text.upper() not in ("(", ")", "DISTINCT")]
    return split_list(kept)


def _of(table: Token, column: Tokens) -> Tokens:
    """A column by the name of its table, unless it is written with one."""
    return [table, like(column[0], TokenType.DOT, "."), *column] if len(column) == 1 else column


def _listed(items: list[Tokens]) -> Tokens:
    return [token for item in items if item for token in (like(item[0], TokenType.COMMA, ","), *item)][1:]


def _select(items: list[Tokens], rows: Tokens) -> Tokens:
    here = rows[0]
    return [like(here, TokenType.SELECT, "SELECT"), *_listed(items), like(here, TokenType.FROM, "FROM"), *rows]
