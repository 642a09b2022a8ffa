"""RETURNING and OUTPUT: rows that a data-changing statement gives back, or writes somewhere else."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.projection import ProjectionReader
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.writing import Target, column_identifiers, write_columns
from connector.metadata.provider import split_name

__all__ = ["read_returning"]

_ROW_NAMES = ("inserted", "deleted", "new", "old", "excluded")


def read_returning(ctx: Context, node: Any, target: Rowset, scope: Scope) -> Rowset:
    """The rowset of the RETURNING clause, over the target's columns; an OUTPUT … INTO writes it to a table."""
    returning = node.args.get("returning")
    if returning is None:
        return target
    qualified = Scope(scope.parent, scope)
    qualified.sources.update(scope.sources)
    for name in (target.entity.table, *_ROW_NAMES):
        qualified.sources.setdefault(ctx.names.key_of(name), target)
    inner = Scope(qualified, scope)
    inner.sources["\0target"] = target
    entity = ctx.builder.resultset("select_list")
    result = Rowset(entity)
    result.inputs.append(target)
    items = returning.args.get("expressions") or []
    ProjectionReader(ctx.builder, ctx.names, ctx.expressions).read(items, inner, result)
    for clause, columns in scope.impacts.items():
        ctx.builder.relate("fdr", ctx.builder.rows(entity), columns, "select", clause)
    ctx.builder.finish(entity, ctx.builder.reach)
    _write_into(ctx, returning.args.get("into"), target, result)
    return result


def _write_into(ctx: Context, into: Any, target: Rowset, result: Rowset) -> None:
    """OUTPUT … INTO table (columns): the grammar may take the table and its columns for a function call."""
    names: list[Target] | None = None
    if isinstance(into, exp.Func):
        names = column_identifiers(ctx, into.args.get("expressions") or list(into.find_all(exp.Column)))
        span = ctx.names.span(into)
        name = ctx.builder.script.text[span[1] : span[2]] if span is not None else into.name
        into = exp.Table(this=exp.to_identifier(name).update_positions(into))
    elif into.__class__ is exp.Schema:
        names = column_identifiers(ctx, into.args.get("expressions"))
        into = into.args["this"]
    elif into.__class__ is exp.Identifier:
        # A qualified name may come as one word (see connector.sql.repair.tsql).
        parts = [exp.to_identifier(part).update_positions(into) for part in split_name(into.name)]
        into = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
    elif into.__class__ is exp.Parameter:
        into = exp.Table(this=into.copy())
    if into.__class__ is exp.Table and into.args["this"].__class__ in (exp.Identifier, exp.Parameter):
        copy = ctx.target(into)
        ctx.builder.flow.sources[target.entity] = None
        ctx.writes(copy.entity)
        write_columns(ctx, copy, result, names, "insert")
