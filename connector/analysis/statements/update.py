"""UPDATE: joins, FROM, aliases, tuples, subqueries."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS
from connector.analysis.context import Context
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.returning import read_returning
from connector.analysis.writing import column_identifiers
from connector.model import Column, Entity

__all__ = ["assign", "read_update", "update_table"]


def read_update(ctx: Context, node: Any) -> None:
    """An UPDATE statement."""
    ctx.begin("Update")
    update_table(ctx, node, ctx.scope(node))


def update_table(ctx: Context, node: Any, outer: Scope) -> Rowset:
    """The flow of one UPDATE; gives what it returns."""
    builder = ctx.builder
    args = node.args
    scope = Scope(None, outer)
    flow = builder.flow
    this = args["this"]
    if args.get("from_") is not None:
        ctx.sources.read_from(node, scope)
    target = _target(ctx, this, scope)
    ctx.sources.read_joins(this.args.get("joins"), scope)
    if this.args.get("joins"):
        flow.sources.pop(target.entity, None) if not _stands_twice(scope, target) else None
    statement = ctx.statement
    entity = builder.resultset("update-set", (statement.script, statement.start, statement.span_end))
    sets: dict[Rowset, Entity] = {target: entity}
    changed: dict[Rowset, None] = {}
    for item in args.get("expressions") or ():
        owner = _owner(ctx, item, scope, target)
        changed[owner] = None
        if owner not in sets:
            sets[owner] = builder.resultset("update-set", entity.span)
            builder.finish(sets[owner], builder.reach)
        assign(ctx, item, scope, owner, sets[owner], "update")
    if args.get("where") is not None:
        ctx.sources.condition(args["where"].args["this"], scope, "where", None)
    if args.get("limit") is not None and args.get("order") is not None:
        scope.impact("orderBy", ctx.expressions.columns(args["order"], scope))
    for owner in changed or {target: None}:
        ctx.writes(owner.entity)
        _finish_rows(ctx, scope, sets[owner], owner)
    builder.finish(entity, builder.reach)
    return read_returning(ctx, node, target, scope)


def _target(ctx: Context, this: Any, scope: Scope) -> Rowset:
    """The table that is updated: a table of the FROM clause under its alias, or a table of its own."""
    if this.__class__ is exp.Table:
        if this.args.get("db") is None and this.args.get("alias") is None:
            found = ctx.names.source_of(this.args["this"], scope) if this.args["this"].__class__ is exp.Identifier else None
            if found is not None and found.entity.kind != "resultset":
                return found
            cte = scope.cte(ctx.names.key(this.args["this"])) if this.args["this"].__class__ is exp.Identifier else None
            if cte is not None:
                base = _base_of(cte)
                scope.add(ctx.names.key(this.args["this"]), base)
                return base
        target = ctx.target(this)
        alias = this.args.get("alias")
        identifier = alias.args.get("this") if alias is not None else this.args["this"]
        if identifier.__class__ is exp.Identifier:
            key = ctx.names.key(identifier)
            previous = dict(scope.sources)
            stands_as_alias = previous.get(key)
            scope.sources.clear()
            scope.sources[key] = target
            for name, source in previous.items():
                # T-SQL: `UPDATE t h … FROM h JOIN …` means the target where it names its alias again.
                if name == key and stands_as_alias is not None and _is_alias_again(source, identifier.name):
                    ctx.builder.flow.sources.pop(source.entity, None)
                    _withdraw(ctx, source, target)
                    continue
                scope.add(name, source)
        return target
    if this.__class__ is exp.Subquery:
        inner = ctx.sources.add(this, scope)
        return _base_of(inner)
    return ctx.target(this)


def _is_alias_again(source: Rowset, alias: str) -> bool:
    entity = source.entity
    return entity.kind == "table" and entity.table.lower() == alias.lower() and entity.schema is None


def _withdraw(ctx: Context, source: Rowset, target: Rowset) -> None:
    """Takes back a table that turned out to be the target's alias, and gives its columns to the target."""
    model = ctx.builder.model
    if source.entity in model.entities and not source.entity.processes:
        moved = dict(source.entity.columns)
        for key, column in moved.items():
            existing = target.entity.columns.get(key)
            if existing is None:
                column.entity = target.entity
                target.entity.columns[key] = column
            else:
                for relation in model.relations:
                    if column in relation.sources:
                        relation.sources = [existing if each is column else each for each in relation.sources]
                    if relation.target is column:
                        relation.target = existing
        model.entities.remove(source.entity)
        ctx.catalog.remove(source)


def _base_of(rowset: Rowset) -> Rowset:
    """The base table under an updatable view or derived table with one source."""
    while rowset.entity.kind == "resultset" and len(rowset.inputs) == 1:
        rowset = rowset.inputs[0]
    return rowset


def _stands_twice(scope: Scope, target: Rowset) -> bool:
    return sum(1 for source in scope.sources.values() if source is target) > 1


def _owner(ctx: Context, item: Any, scope: Scope, target: Rowset) -> Rowset:
    """The table whose column is set; MySQL may update several tables at once."""
    left = item.args.get("this") if isinstance(item, BASE) else None
    if left.__class__ is exp.Column and left.args.get("table") is not None:
        found = ctx.names.source_of(left.args["table"], scope)
        if found is not None and found.entity.kind in ("table", "view") and left.args.get("db") is None:
            return found
    return target


def assign(ctx: Context, item: Any, scope: Scope, target: Rowset, entity: Entity, effect: str) -> None:
    """One `column = value` or `(a, b) = (…)` of a SET list."""
    if not isinstance(item, exp.Binary):
        return
    left, right = item.args["this"], item.args["expression"]
    if left.__class__ in (exp.Tuple, exp.Paren):
        lefts = left.args.get("expressions") or [left.args["this"]]
        _assign_tuple(ctx, lefts, right, scope, target, entity, effect)
        return
    names = column_identifiers(ctx, [left])
    if not names:
        return
    out: list[Column] = []
    impacts: dict[str, dict[Column, None]] = {}
    if right.__class__ is exp.Subquery and isinstance(right.args["this"], exp.Query):
        result = ctx.queries.read(right, scope, scope, f"{effect.split('_')[0]}-select" if effect == "update" else "select_list")
        out.extend(column for _, column in result.outputs)
        rows = result.entity.columns.get(ROWS)
        if rows is not None:
            impacts["set"] = {rows: None}
    else:
        ctx.expressions.value(right, scope, out, impacts)
    _set(ctx, names[0], out, impacts, target, entity, effect, ctx.names.span(left.args["this"]) if isinstance(left, exp.Column) else None)


def _assign_tuple(
    ctx: Context, lefts: list[Any], right: Any, scope: Scope, target: Rowset, entity: Entity, effect: str
) -> None:
    names = column_identifiers(ctx, lefts) or []
    if isinstance(right, (exp.Subquery, exp.Query)):
        result = ctx.queries.read(right, scope, scope, "update-select" if effect == "update" else "select_list")
        rows = result.entity.columns.get(ROWS)
        for name, (_, column) in zip(names, result.outputs, strict=False):
            _set(ctx, name, [column], {"set": {rows: None}} if rows is not None else {}, target, entity, effect, name[2])
        return
    items = right.args.get("expressions") or [right]
    for name, item in zip(names, items, strict=False):
        out: list[Column] = []
        impacts: dict[str, dict[Column, None]] = {}
        ctx.expressions.value(item, scope, out, impacts)
        _set(ctx, name, out, impacts, target, entity, effect, name[2])


def _set(
    ctx: Context,
    name: tuple[str, str, Any],
    out: list[Column],
    impacts: dict[str, dict[Column, None]],
    target: Rowset,
    entity: Entity,
    effect: str,
    span: Any,
) -> None:
    builder = ctx.builder
    key, written, place = name
    column = entity.columns.get(key)
    if column is None:
        column = builder.column(entity, key, written, place)
    builder.relate("fdd", column, out, effect)
    for clause, columns in impacts.items():
        builder.relate("fdr", column, columns, effect, clause)
    builder.direct(target.column(builder, key, written, place), column, effect)


def _finish_rows(ctx: Context, scope: Scope, entity: Entity, target: Rowset) -> None:
    """What limits the update: conditions, and the rows of limited subqueries in FROM."""
    builder = ctx.builder
    for clause, columns in scope.impacts.items():
        builder.relate("fdr", builder.rows(entity), columns, "update", clause)
    limited = [
        rows
        for source in scope.sources.values()
        if (rows := source.entity.columns.get(ROWS)) is not None
        and (source.entity.kind in ("resultset", "variable") or source.entity.temporary)
    ]
    if limited:
        builder.relate("fdr", builder.rows(entity), limited, "update")
    rows = entity.columns.get(ROWS)
    if rows is not None:
        builder.relate("fdr", builder.rows(target.entity), [rows], "update")
