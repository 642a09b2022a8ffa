"""DELETE: conditions have an influence on the rows of the target, nothing else moves."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.returning import read_returning
from connector.analysis.writing import limited_rows

__all__ = ["delete_from", "read_delete"]


def read_delete(ctx: Context, node: Any) -> None:
    """A DELETE statement."""
    ctx.begin("Delete")
    delete_from(ctx, node, ctx.scope(node))


def delete_from(ctx: Context, node: Any, outer: Scope) -> Rowset:
    """The flow of one DELETE; gives what it returns."""
    builder = ctx.builder
    args = node.args
    scope = Scope(None, outer)
    this = args["this"]
    tables = args.get("tables") or []
    using = args.get("using")
    for item in using if isinstance(using, list) else []:
        ctx.sources.add(item, scope)
    targets: list[Rowset] = []
    if tables or this.args.get("joins"):
        # `DELETE a, b FROM a JOIN b …`: the targets are tables of the FROM clause.
        if this:
            ctx.sources.add(this, scope)
        for table in tables:
            found = (
                ctx.names.source_of(table.args["this"], scope)
                if table.args["this"].__class__ is exp.Identifier
                else None
            )
            targets.append(found if found is not None and found.entity.kind != "resultset" else ctx.target(table))
        if not tables:
            targets.append(next(iter(scope.sources.values())))
        for target in targets:
            if sum(1 for source in scope.sources.values() if source is target) < 2:
                builder.flow.sources.pop(target.entity, None)
    else:
        alias = this.args.get("alias")
        identifier = alias.args.get("this") if alias is not None else this.args["this"]
        found = None
        if identifier.__class__ is exp.Identifier and alias is None and this.args.get("db") is None:
            found = ctx.names.source_of(identifier, scope)
        if found is not None and found.entity.kind != "resultset":
            targets.append(found)
        else:
            target = ctx.target(this)
            targets.append(target)
            if identifier.__class__ is exp.Identifier:
                scope.add(ctx.names.key(identifier), target)
    if args.get("where") is not None:
        ctx.sources.joins.condition(args["where"].args["this"], scope, "where", None)
    limited = limited_rows(scope)
    for target in targets:
        ctx.writes(target.entity)
        rows = builder.rows(target.entity)
        for clause, columns in scope.impacts.items():
            builder.relate("fdr", rows, columns, "delete", clause)
        builder.relate("fdr", rows, [each for each in limited if each is not rows], "delete")
    return read_returning(ctx, node, targets[0], scope)
