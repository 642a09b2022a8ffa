"""Statements around a query: bare SELECT, SELECT … INTO, CACHE TABLE and PIVOT."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR
from connector.analysis.context import Context
from connector.analysis.scope import Scope
from connector.analysis.writing import write_columns


def read_query_statement(ctx: Context, node: Any) -> None:
    """A query as a statement of its own: it reads, and writes only where it says INTO."""
    into = _into(node)
    if into is None:
        process = ctx.begin("Select")
        result = ctx.queries.read(node, None, None)
        flow = ctx.builder.flow
        if flow.sources:
            process.flows.append(flow)
        if result.entity.kind == "resultset":
            result.entity.processes.append(process)
        if ctx.returned is not None:
            ctx.returned(result, process, flow)
        return
    process = ctx.begin("Select Into")
    result = ctx.queries.read(node, None, None)
    target = ctx.target(into.args["this"])
    if into.args.get("temporary"):
        target.entity.temporary = True
    ctx.writes(target.entity)
    ctx.catalog.define(target, None)
    write_columns(ctx, target, result, None, "create_table")
    if not any(key == STAR for key, _ in result.outputs):
        ctx.catalog.define(target, {key: column.name for key, column in result.outputs})


def _into(node: Any) -> Any:
    """The INTO of a query; in a set operation it stands in the first branch."""
    while isinstance(node, (exp.SetOperation, exp.Subquery)):
        node = node.args["this"]
    into = node.args.get("into") if node.__class__ is exp.Select else None
    if into is not None and into.args.get("this").__class__ is exp.Table:
        # INTO :x is a variable of the client.
        return into if into.args["this"].args.get("this").__class__ is not exp.Placeholder else None
    return None


def read_cache(ctx: Context, node: Any) -> None:
    """Spark: ``CACHE TABLE t AS SELECT …`` makes a temporary view.

    It is looked through. Keeping the rows in memory moves no data, so that no level counts it as a statement.
    """
    source = node.args.get("expression")
    if source is None:
        return
    ctx.begin("Cache Table")
    result = ctx.queries.read(source, None, None)
    target = ctx.target(node.args["this"])
    target.entity.kind = "view"
    target.entity.type = "view"
    target.entity.temporary = True
    ctx.writes(target.entity)
    write_columns(ctx, target, result, None, "create_view")


def read_pivot_statement(ctx: Context, node: Any) -> None:
    """DuckDB: ``PIVOT t ON a USING sum(b)`` is a query of its own."""
    table = node.args.get("this")
    if table.__class__ not in (exp.Table, exp.Subquery):
        return
    process = ctx.begin("Select")
    ctx.sources.add(table, Scope(None, None))
    if ctx.builder.flow.sources:
        process.flows.append(ctx.builder.flow)


TREES = {
    exp.Select: read_query_statement,
    exp.Union: read_query_statement,
    exp.Except: read_query_statement,
    exp.Intersect: read_query_statement,
    exp.Subquery: read_query_statement,
    exp.Cache: read_cache,
    exp.Pivot: read_pivot_statement,
}
