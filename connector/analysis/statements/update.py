"""UPDATE: joins, FROM, aliases, tuples, subqueries."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS, Impacts
from connector.analysis.context import Context, Target
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.returning import Written, hand_back, read_returning
from connector.analysis.statements.updatable_views import write_through
from connector.analysis.writing import assigned_span, column_identifiers, limited_rows, value_spans
from connector.model import Column, EffectType, Entity, Span


def read_update(ctx: Context, node: Any) -> None:
    """An UPDATE statement."""
    ctx.begin("Update")
    hand_back(ctx, node, update_table(ctx, node, ctx.scope(node)))


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
    joins = this.args.get("joins")
    ctx.sources.joins.read(joins, scope)
    # T-SQL: the target in FROM is the target itself, not a second look at it.
    named_again = args.get("from_") is not None and ctx.dialect.family.update_repeats_target
    if (joins or named_again) and sum(1 for source in scope.sources.values() if source is target) < 2:
        flow.sources.pop(target.entity, None)
    statement = ctx.statement
    span = (statement.script, statement.start, statement.span_end)
    sets: dict[Rowset, Entity] = {}
    if len(scope.sources) > 1 and target.known is None:
        _claim_columns(ctx, args.get("expressions") or (), scope, target)
    for item in args.get("expressions") or ():
        owner = _owner(ctx, item, scope, target)
        if owner not in sets:
            sets[owner] = builder.resultset("update-set", span)
        assign(ctx, item, scope, owner, sets[owner], "update", target)
    if args.get("where") is not None:
        ctx.sources.joins.condition(args["where"].args["this"], scope, "where", None)
    if args.get("limit") is not None and args.get("order") is not None:
        scope.impact("orderBy", ctx.expressions.columns(args["order"], scope))
    for owner, entity in sets.items():
        ctx.writes(owner.entity)
        _finish_rows(ctx, scope, entity, owner)
        builder.finish(entity, builder.reach)
        write_through(ctx, owner, "update")
    written = Written()
    written.add(sets[target].columns if target in sets else {}, keeps=True)
    return read_returning(ctx, node, target, scope, written)


def _target(ctx: Context, this: Any, scope: Scope) -> Rowset:
    """The table that is updated: a table of the FROM clause under its alias, a view of the query, or a table of its own.

    Where it is a derived table or a common table expression, its columns stand for those of a base table.
    """
    if this.__class__ is exp.Subquery:
        return ctx.sources.add(this, scope)
    inner = this.args.get("this")
    alias = this.args.get("alias")
    if inner.__class__ is not exp.Identifier:
        return ctx.target(this)
    if this.args.get("db") is None and alias is None:
        found = ctx.names.source_of(inner, scope)
        if found is not None:
            return found
        cte = scope.cte(ctx.names.key(inner))
        if cte is not None:
            scope.add(ctx.names.key(inner), cte)
            return cte
    target = ctx.target(this)
    identifier = (alias.args.get("this") if alias is not None else None) or inner
    key = ctx.names.key(identifier)
    before = list(scope.sources.items())
    scope.clear()
    scope.sources[key] = target
    for name, source in before:
        # T-SQL: `UPDATE t h … FROM h JOIN …` means the target where it names its alias again.
        if source is target and name == key:
            continue
        if name == key and _is_alias_again(source, identifier.name):
            ctx.builder.flow.sources.pop(source.entity, None)
            _withdraw(ctx, source, target, scope)
        else:
            scope.add(name, source)
    return target


def _is_alias_again(source: Rowset, alias: str) -> bool:
    entity = source.entity
    return entity.kind == "table" and entity.table.lower() == alias.lower() and entity.schema is None


def _withdraw(ctx: Context, source: Rowset, target: Rowset, scope: Scope) -> None:
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
                for columns in scope.impacts.values():
                    if column in columns:
                        del columns[column]
                        columns[existing] = None
        model.entities.remove(source.entity)
        ctx.catalog.remove(source)


def _claim_columns(ctx: Context, items: Any, scope: Scope, target: Rowset) -> None:
    """A column that is set is one of the target: in ``UPDATE t SET n = n + 1 FROM s`` the other n is no column of s, or the
    name would be ambiguous."""
    claimed: dict[str, list[Rowset]] = {}
    for item in items:
        left = item.args.get("this") if isinstance(item, BASE) else None
        for column in left.args["expressions"] if left.__class__ is exp.Tuple else (left,):
            if column.__class__ is exp.Column and column.args.get("table") is None:
                key = ctx.names.key(column.args["this"])
                if not any(source.has(key) for source in scope.sources.values()):
                    claimed[key] = [target]
    if claimed:
        scope.merged = {**claimed, **(scope.merged or {})}


def _owner(ctx: Context, item: Any, scope: Scope, target: Rowset) -> Rowset:
    """The rowset whose column is set; MySQL may update several tables at once."""
    left = item.args.get("this") if isinstance(item, BASE) else None
    if left.__class__ is exp.Column and left.args.get("table") is not None:
        found = ctx.names.source_of(left.args["table"], scope)
        if found is not None and left.args.get("db") is None:
            target = found
    if target.entity.kind != "resultset":
        return target
    return _base_of(ctx, target, left) or target


def _base_of(ctx: Context, rowset: Rowset, left: Any) -> Rowset | None:
    """The base table behind a column of a derived table."""
    column = base_column(ctx, rowset, left)
    return ctx.catalog.rowset_of(column.entity) if column is not None else None


def base_column(ctx: Context, rowset: Rowset, left: Any) -> Column | None:
    """The column of a base table that a column of a query's result is, without any change."""
    while left.__class__ in (exp.Tuple, exp.Paren):
        left = (left.args.get("expressions") or [left.args.get("this")])[0]
    if left.__class__ not in (exp.Column, exp.Identifier):
        return None
    identifier = left.args["this"] if left.__class__ is exp.Column else left
    column = rowset.column(ctx.builder, ctx.names.key(identifier), left.name, None)
    while column.entity.kind == "resultset":
        feeding = [relation for relation in ctx.builder.model.relations if relation.target is column]
        if len(feeding) != 1 or feeding[0].type != "fdd" or len(feeding[0].sources) != 1:
            return None
        column = feeding[0].sources[0]
    return column


def assign(
    ctx: Context,
    item: Any,
    scope: Scope,
    target: Rowset,
    entity: Entity,
    effect: EffectType,
    view: Rowset | None = None,
) -> None:
    """One `column = value` or `(a, b) = (…)` of a SET list; `view` is the query through which the target is written."""
    if not isinstance(item, exp.Binary):
        return
    left, right = item.args["this"], item.args["expression"]
    if left.__class__ is exp.Parameter and right.__class__ is exp.EQ:
        # T-SQL: SET @variable = column = value
        left, right = right.args["this"], right.args["expression"]
    elif left.__class__ is exp.EQ and left.args["this"].__class__ is exp.Parameter:
        # The same, as older grammars nest it.
        left = left.args["expression"]
    if left.__class__ in (exp.Tuple, exp.Paren):
        lefts = left.args.get("expressions") or [left.args["this"]]
        _assign_tuple(ctx, lefts, right, scope, target, entity, effect, view)
        return
    names = target_columns(ctx, [left], scope, view)
    if not names:
        return
    record = ctx.names.record_of(right)
    if record is not None and left.name.upper() == "ROW":
        # PL/SQL: SET ROW = rec
        for key, column in list(record.entity.columns.items()):
            if key != ROWS:
                _set(ctx, (key, column.name, None), [column], {}, target, entity, effect, None)
        return
    out: list[Column] = []
    impacts: Impacts = {}
    if right.__class__ is exp.Subquery and isinstance(right.args["this"], exp.Query):
        result = ctx.queries.read(right, scope, scope, "update-select" if effect == "update" else "select_list")
        out.extend(column for _, column in result.outputs)
        rows = result.entity.columns.get(ROWS)
        if rows is not None:
            impacts["set"] = {rows: None}
    else:
        ctx.expressions.value(right, scope, out, impacts)
    while left.__class__ is exp.Bracket:
        # Which element it is that takes the value.
        for index in left.args["expressions"]:
            ctx.expressions.value(index, scope, out, impacts)
        left = left.args["this"]
    value = None if right.__class__ is exp.Subquery else assigned_span(ctx, names[0])
    _set(ctx, names[0], out, impacts, target, entity, effect, value)


def target_columns(ctx: Context, lefts: list[Any], scope: Scope, view: Rowset | None) -> list[Target]:
    """The columns that are set, under the names they have in the base table.

    A name without a qualifier is a column of `view`, the query that is written through, or of the table itself.
    """
    found: list[Target] = []
    for left in lefts:
        for key, name, span in column_identifiers(ctx, [left]) or ():
            rowset = view
            if left.__class__ is exp.Column and left.args.get("table") is not None:
                rowset = ctx.names.source_of(left.args["table"], scope)
            if rowset is not None and rowset.entity.kind == "resultset":
                column = base_column(ctx, rowset, left)
                if column is not None:
                    key, name = ctx.names.key_of(column.name), column.name
            found.append((key, name, span))
    return found


def _assign_tuple(
    ctx: Context,
    lefts: list[Any],
    right: Any,
    scope: Scope,
    target: Rowset,
    entity: Entity,
    effect: EffectType,
    view: Rowset | None,
) -> None:
    names = target_columns(ctx, lefts, scope, view)
    if isinstance(right, (exp.Subquery, exp.Query)):
        result = ctx.queries.read(right, scope, scope, "update-select" if effect == "update" else "select_list")
        rows = result.entity.columns.get(ROWS)
        for name, (_, column) in zip(names, result.outputs, strict=False):
            _set(ctx, name, [column], {"set": {rows: None}} if rows is not None else {}, target, entity, effect, None)
        return
    items = right.args.get("expressions") or [right]
    for name, item, span in zip(names, items, value_spans(ctx, items), strict=False):
        out: list[Column] = []
        impacts: Impacts = {}
        ctx.expressions.value(item, scope, out, impacts)
        _set(ctx, name, out, impacts, target, entity, effect, span)


def _set(
    ctx: Context,
    name: tuple[str, str, Any],
    out: list[Column],
    impacts: Impacts,
    target: Rowset,
    entity: Entity,
    effect: EffectType,
    value: Span | None,
) -> None:
    builder = ctx.builder
    key, written, place = name
    column = entity.columns.get(key)
    if column is None:
        column = builder.column(entity, key, written, place)
    builder.compute(column, out, effect, value)
    for clause, columns in impacts.items():
        builder.relate("fdr", column, columns, effect, clause)
    builder.direct(target.column(builder, key, written, place), column, effect)


def _finish_rows(ctx: Context, scope: Scope, entity: Entity, target: Rowset) -> None:
    """What limits the update: conditions, and the rows of limited subqueries in FROM."""
    builder = ctx.builder
    for clause, columns in scope.impacts.items():
        builder.relate("fdr", builder.rows(entity), columns, "update", clause)
    limited = limited_rows(scope)
    if limited:
        builder.relate("fdr", builder.rows(entity), limited, "update")
    rows = entity.columns.get(ROWS)
    if rows is not None:
        builder.relate("fdr", builder.rows(target.entity), [rows], "update")


TREES = {exp.Update: read_update}
INNER = {exp.Update: update_table}
