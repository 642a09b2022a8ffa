"""DELETE: conditions influence the rows of the target; no data moves."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.inner import table_behind, window_query
from connector.analysis.statements.returning import hand_back, read_returning
from connector.analysis.statements.updatable_views import write_through
from connector.analysis.writing import limited_rows


def read_delete(ctx: Context, node: Any) -> None:
    """A DELETE statement."""
    ctx.begin("Delete")
    hand_back(ctx, node, delete_from(ctx, node, ctx.scope(node)))


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
    if tables or this.args.get("joins") or this.__class__ is exp.Subquery:
        # `DELETE a, b FROM a JOIN b …`: the targets are tables of the FROM clause.
        if this:
            ctx.sources.add(this, scope)
        targets.extend(_named_target(ctx, node, table, scope) for table in tables)
        if not tables:
            targets.append(_base(ctx, node, next(iter(scope.sources.values())), this))
        for target in targets:
            if sum(1 for source in scope.sources.values() if source is target) == 1:
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
            targets.append(_lone_target(ctx, node, this, identifier, scope))
    if args.get("where") is not None:
        ctx.sources.joins.condition(args["where"].args["this"], scope, "where", None)
    limited = limited_rows(scope)
    for target in targets:
        ctx.writes(target.entity)
        rows = builder.rows(target.entity)
        for clause, columns in scope.impacts.items():
            builder.relate("fdr", rows, columns, "delete", clause)
        builder.relate("fdr", rows, [each for each in limited if each is not rows], "delete")
        write_through(ctx, target, "delete")
    return read_returning(ctx, node, targets[0], scope)


def _named_target(ctx: Context, node: Any, table: Any, scope: Scope) -> Rowset:
    """A target that is named before FROM: an alias of the FROM clause, or a table that has none."""
    identifier = table.args.get("this")
    if identifier.__class__ is not exp.Identifier:
        return ctx.target(table)
    alias = table.args.get("alias")
    if alias is not None and not node.args["this"]:
        # `DELETE t AS x WHERE …`, without the word FROM.
        return _lone_target(ctx, node, table, alias.args["this"], scope)
    found = ctx.names.source_of(identifier, scope)
    if found is None:
        return _lone_target(ctx, node, table, identifier, scope)
    return _base(ctx, node, found, node.args["this"])


def _lone_target(ctx: Context, node: Any, table: Any, identifier: Any, scope: Scope) -> Rowset:
    """The table that stands alone: its columns, or those of the query it is a window for, are in scope."""
    if identifier.__class__ is not exp.Identifier:
        return ctx.target(table)
    key = ctx.names.key(identifier)
    view = scope.cte(key) if table.args.get("db") is None else None
    target = None
    if view is not None:
        target = table_behind(ctx, node, window_query(ctx, node, table.args["this"]))
    if target is None:
        target = ctx.target(table)
    scope.add(key, view if view is not None else target)
    return target


def _base(ctx: Context, node: Any, found: Rowset, source: Any) -> Rowset:
    """The table behind a source of the FROM clause."""
    if found.entity.kind != "resultset" or not source:
        return found
    return table_behind(ctx, node, source) or found


TREES = {exp.Delete: read_delete}
INNER = {exp.Delete: delete_from}
