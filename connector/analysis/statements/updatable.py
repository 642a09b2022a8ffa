"""Queries that a statement writes through: a common table expression or derived table is a window onto its table."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset

__all__ = ["table_behind", "window_query"]

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
