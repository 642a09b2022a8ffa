"""Statements around a query: CACHE TABLE and PIVOT."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.scope import Scope
from connector.analysis.writing import write_columns

__all__ = ["read_cache", "read_pivot_statement"]


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


TREES = {exp.Cache: read_cache, exp.Pivot: read_pivot_statement}
