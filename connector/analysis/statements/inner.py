"""Turns the names, places and token ranges of a reading into rowsets and syntax trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from connector.analysis.context import Context, Target
from connector.analysis.rowset import Rowset
from connector.model import Span
from connector.naming import split_parts
from connector.sql.locations import FILE_SCHEMAS, Location, location_of
from connector.sql.readers.readings import End, Range
from connector.sql.repair.tools import whole_table
from connector.sql.split import read_fragment
from connector.sql.statement import Statement
from connector.sql.table_names import NameRef


def span_of(ctx: Context, ref: NameRef) -> Span | None:
    if ref.start < 0:
        return None
    base = ctx.builder.base
    return ctx.builder.script, ref.start + base, ref.end + base


def table_rowset(ctx: Context, ref: NameRef) -> Rowset:
    """The table of that name, called as it is written where the reference is nothing but the name.

    A file format in the place of the schema makes it a path, as in a FROM clause.
    """
    span = span_of(ctx, ref)
    if len(ref.parts) == 2 and ref.parts[0][0].lower() in FILE_SCHEMAS and ref.parts[1][1] and "/" in ref.parts[1][0]:
        location = location_of(ref.parts[1][0], "'", ref.start, ref.end)
        location.file_format = ref.parts[0][0].lower()
        return ctx.catalog.places.path(location)
    parts = [part for part, _ in ref.parts]
    written = ".".join(parts)
    if span is not None:
        shown = ctx.builder.script.text[span[1] : span[2]]
        if shown != written and split_parts(shown) == parts:
            written = shown
    return ctx.catalog.table(tuple(ref.parts), written, span)


def place_rowset(ctx: Context, location: Location) -> Rowset:
    """The path or stage that a statement names."""
    if not location.is_stage:
        return ctx.catalog.places.path(location)
    return ctx.catalog.stage(location)


def end_rowset(ctx: Context, end: End) -> Rowset:
    """A table, a path or a stage."""
    if isinstance(end, Location):
        return place_rowset(ctx, end)
    return table_rowset(ctx, end)


def column_target(ctx: Context, ref: NameRef) -> Target:
    """A column name as the writing of columns wants it."""
    name, quoted = ref.parts[-1]
    span = span_of(ctx, ref)
    written = name
    if quoted and span is not None and len(ref.parts) == 1:
        written = ctx.builder.script.text[span[1] : span[2]]
    return ctx.dialect.fold_column(name, quoted), written, span


def query(ctx: Context, tokens: Sequence[Token]) -> Any:
    """The tree of a query."""
    outer = ctx.statement
    if tokens and tokens[0].token_type is TokenType.TABLE:
        tokens = whole_table(tokens)
    part = outer.with_tokens(list(tokens))
    nodes = ctx.parse(part)
    return nodes[0] if nodes else None


def expression(ctx: Context, tokens: Sequence[Token]) -> Any:
    """The tree of an expression."""
    first = tokens[0]
    select = Token(TokenType.SELECT, "SELECT", first.line, first.col, first.start, first.start)
    node = query(ctx, [select, *tokens])
    found = node.args.get("expressions") if node.__class__ is exp.Select else None
    return found[0] if found else None


def statement_in(ctx: Context, tokens: Range) -> Statement:
    """A part of the statement at hand as a statement of its own."""
    outer = ctx.statement
    inner = outer.tokens[tokens[0] : tokens[1]]
    if not inner:
        raise ParseError("incomplete statement: expected a statement inside the parentheses")
    start, end = inner[0].start + outer.base, inner[-1].end + 1 + outer.base
    return Statement(outer.script, outer.base, inner, start, end, end)


def refresh_of(ctx: Context, name: NameRef, tokens: Range) -> Statement:
    """The statement that fills a dynamic table, with the table's name in the place of SELF."""
    found = statement_in(ctx, tokens)
    written = [token for token in ctx.statement.tokens if name.start <= token.start < name.end]
    changed: list[Token] = []
    for token in found.tokens:
        itself = token.text.upper() == "SELF" and changed and changed[-1].token_type is TokenType.INTO
        changed += written if itself else [token]
    return found.with_tokens(changed)


def query_in_string(ctx: Context, token: Token) -> Statement | None:
    """The statement that a string holds, with places in the script.

    A quote inside of the string is doubled or escaped there: it is read as one quote and a space, so that nothing moves.
    """
    base = ctx.statement.base
    script = ctx.statement.script
    raw = script.text[token.start + base : token.end + 1 + base]
    if raw[:2] == "$$":
        inset, text = 2, raw[2:-2]
    else:
        inset, text = 1, raw[1:-1].replace("''", "' ").replace("\\'", " '")
    found = read_fragment(script, text, token.start + base + inset, ctx.dialect).statements
    return found[0] if found else None


@contextmanager
def inside(ctx: Context, statement: Statement) -> Iterator[None]:
    """Reads another text for the same process: places are counted from there."""
    outer, base = ctx.statement, ctx.builder.base
    ctx.statement = ctx.expressions.statement = statement
    ctx.builder.base = statement.base
    try:
        yield
    finally:
        ctx.statement = ctx.expressions.statement = outer
        ctx.builder.base = base


_DEPTH_LIMIT = 50


def window_query(ctx: Context, node: Any, name: Any) -> Any:
    """The query of the statement's common table expression of that name; None when it has none."""
    with_clause = node.args.get("with_")
    key = ctx.names.key(name)
    for cte in with_clause.args.get("expressions") or () if with_clause is not None else ():
        alias = cte.args.get("alias")
        if alias is not None and ctx.names.key(alias.args["this"]) == key:
            return cte.args["this"]
    return None


def table_behind(ctx: Context, node: Any, query: Any) -> Rowset | None:
    """The table whose rows a query shows: the first of its FROM clause, through further queries of the statement."""
    for _ in range(_DEPTH_LIMIT):
        while query.__class__ in (exp.Subquery, exp.Paren):
            query = query.args["this"]
        if query.__class__ is exp.Table:
            this = query.args["this"]
            inner = (
                window_query(ctx, node, this)
                if this.__class__ is exp.Identifier and query.args.get("db") is None
                else None
            )
            if inner is None:
                return ctx.target(query)
            query = inner
            continue
        from_clause = query.args.get("from_") if query.__class__ is exp.Select else None
        if from_clause is None:
            return None
        query = from_clause.args["this"]
    return None
