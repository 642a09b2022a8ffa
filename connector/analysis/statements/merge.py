"""MERGE: every branch with its condition."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR, Impacts
from connector.analysis.context import Context, Target
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.inner import table_behind, window_query
from connector.analysis.statements.returning import Written, hand_back, read_returning
from connector.analysis.statements.updatable_views import write_through
from connector.analysis.statements.update import assign, target_columns
from connector.analysis.writing import column_identifiers, value_spans
from connector.model import Column, EffectType, Entity


def read_merge(ctx: Context, node: Any) -> None:
    """A MERGE statement."""
    ctx.begin("Merge")
    hand_back(ctx, node, merge_into(ctx, node, ctx.scope(node)))


def merge_into(ctx: Context, node: Any, outer: Scope) -> Rowset:
    """The flow of one MERGE; gives what it returns."""
    builder = ctx.builder
    args = node.args
    scope = Scope(None, outer)
    source = ctx.sources.add(args["using"], scope)
    this = args["this"]
    name = this.args["this"]
    window = window_query(ctx, node, name) if name.__class__ is exp.Identifier and this.args.get("db") is None else None
    view = outer.cte(ctx.names.key(name)) if window is not None else None
    target = (table_behind(ctx, node, window) if view is not None else None) or ctx.target(this)
    alias = this.args.get("alias")
    identifier = alias.args.get("this") if alias is not None else name
    if identifier.__class__ is exp.Identifier:
        scope.add(ctx.names.key(identifier), view or target)
    ctx.writes(target.entity)
    if isinstance(args.get("on"), BASE):
        ctx.sources.joins.condition(args["on"], scope, "mergeCondition", "inner")
    using = args.get("using_cond")
    if isinstance(using, list):
        for entry in column_identifiers(ctx, using) or []:
            columns = {target.column(builder, *entry): None, source.column(builder, *entry): None}
            scope.impact("mergeCondition", columns)
    whens = args.get("whens")
    branches = whens.args.get("expressions") or [] if whens is not None else node.args.get("expressions") or []
    written = Written()
    for branch in branches:
        entity = _branch(ctx, branch, scope, source, target, view or target)
        written.add(entity.columns if entity is not None else {}, branch.args.get("then").__class__ is not exp.Insert)
    write_through(ctx, target, "merge_update")
    return read_returning(ctx, node, target, scope, written)


def _branch(ctx: Context, branch: Any, scope: Scope, source: Rowset, target: Rowset, view: Rowset) -> Entity | None:
    """One WHEN; gives what it writes, if it writes anything."""
    builder = ctx.builder
    then = branch.args.get("then")
    condition = branch.args.get("condition")
    limiting = ctx.expressions.columns(condition, _seen(branch, scope, source)) if condition is not None else {}
    if then.__class__ is exp.Update:
        entity = _update_branch(ctx, then, scope, source, target, view)
        effect: EffectType = "merge_update"
        where = then.args.get("where")
    elif then.__class__ is exp.Insert:
        entity = _insert_branch(ctx, then, scope, source, target, view)
        effect = "merge_insert"
        where = then.args.get("where")
    else:
        rows = builder.rows(target.entity)
        for clause, columns in scope.impacts.items():
            builder.relate("fdr", rows, columns, "delete", clause)
        builder.relate("fdr", rows, limiting, "delete", "where")
        _carry_source_rows(ctx, rows, scope, view, "delete")
        return None
    rows = builder.rows(entity)
    for clause, columns in scope.impacts.items():
        builder.relate("fdr", rows, columns, effect, clause)
    builder.relate("fdr", rows, limiting, effect, "where")
    if where is not None:
        builder.relate("fdr", rows, ctx.expressions.columns(where, scope), effect, "where")
    _carry_source_rows(ctx, rows, scope, view, effect)
    builder.relate("fdr", builder.rows(target.entity), [rows], effect)
    builder.finish(entity, builder.reach)
    return entity


def _seen(branch: Any, scope: Scope, source: Rowset) -> Scope:
    """What the condition of a branch sees first: a row that has no match is a row of the source alone."""
    if branch.args.get("matched") or branch.args.get("source"):
        return scope
    return _source_only(scope, source)


def _source_only(scope: Scope, source: Rowset) -> Scope:
    """A name without a qualifier can only be a column of the source."""
    found = Scope(scope, scope)
    found.sources["\0source"] = source
    return found


def _carry_source_rows(ctx: Context, rows: Column, scope: Scope, view: Rowset, effect: EffectType) -> None:
    """What limited the rows of the source, or of anything joined in it, limits the branch."""
    sources = [each for each in scope.sources.values() if each is not view]
    limited = [found for each in sources if (found := each.limiting_rows) is not None]
    if limited:
        ctx.builder.relate("fdr", rows, limited, effect)


def _update_branch(ctx: Context, then: Any, scope: Scope, source: Rowset, target: Rowset, view: Rowset) -> Entity:
    entity = ctx.builder.resultset("merge-update", _branch_span(ctx))
    items = then.args.get("expressions")
    if not isinstance(items, list):
        # ``UPDATE *`` of Spark, and DuckDB's bare ``UPDATE``.
        _all_columns(ctx, source, target, entity, "merge_update")
        return entity
    for item in items:
        if item.__class__ is exp.Star or (item.__class__ is exp.Column and item.args["this"].__class__ is exp.Star):
            _all_columns(ctx, source, target, entity, "merge_update", item.args.get("table") is not None)
        else:
            assign(ctx, item, scope, target, entity, "merge_update", view)
    return entity


def _called_values(this: Any) -> Any:
    """BigQuery: ``INSERT VALUES (a, b)`` without columns, which the grammar takes for a function; None for anything else."""
    items = this.args.get("expressions") or [] if this.__class__ is exp.Tuple else []
    called = len(items) == 1 and items[0].__class__ is exp.Anonymous and items[0].name.upper() == "VALUES"
    return exp.Tuple(expressions=[item.copy() for item in items[0].args["expressions"]]) if called else None


def _insert_branch(ctx: Context, then: Any, scope: Scope, source: Rowset, target: Rowset, view: Rowset) -> Entity:
    builder = ctx.builder
    entity = builder.resultset("merge-insert", _branch_span(ctx))
    this = then.args.get("this")
    values = then.args.get("expression") or _called_values(this)
    if values is not None and not then.args.get("expression"):
        this = None
    if exp.Star in (this.__class__, values.__class__) or not (this or values) or _is_row(this) or _is_row(values):
        _all_columns(ctx, source, target, entity, "merge_insert")
        return entity
    way = _way(this) if not values else None
    if way is not None:
        _all_columns(ctx, source, target, entity, "merge_insert", way == "NAME")
        return entity
    names: list[Target] | None = None
    if this:
        names = target_columns(ctx, this.args.get("expressions") or [this], scope, view)
    elif target.known is not None:
        names = [(key, name, None) for key, name in target.known.items()]
    items = values.args.get("expressions") or [] if values is not None else []
    if len(items) == 1 and items[0].__class__ is exp.Tuple:
        items = items[0].args.get("expressions") or []
    source_only = _source_only(scope, source)
    for place, (item, value) in enumerate(zip(items, value_spans(ctx, items), strict=True)):
        out: list[Column] = []
        impacts: Impacts = {}
        ctx.expressions.value(item, source_only, out, impacts)
        if names is not None and place < len(names):
            key, written, span = names[place]
        elif names is None and item.__class__ is exp.Column and item.args["this"].__class__ is exp.Identifier:
            key, written, span = ctx.names.key(item.args["this"]), item.name, None
        else:
            continue
        column = builder.column(entity, key, written, span)
        builder.compute(column, out, "merge_insert", value)
        for clause, columns in impacts.items():
            builder.relate("fdr", column, columns, "merge_insert", clause)
        builder.direct(target.column(builder, key, written, span), column, "merge_insert")
    return entity


def _way(this: Any) -> str | None:
    """DuckDB's ``INSERT BY NAME | POSITION``: the grammar takes it for a column with an alias."""
    items = this.args.get("expressions") or [] if this.__class__ is exp.Tuple else []
    if len(items) == 1 and items[0].__class__ is exp.Alias and items[0].this.name.upper() == "BY":
        return str(items[0].alias).upper()
    return None


def _all_columns(
    ctx: Context, source: Rowset, target: Rowset, entity: Entity, effect: EffectType, by_name: bool = False
) -> None:
    """UPDATE SET * and INSERT *: each column from the source's column of the same name, or in the same place."""
    builder = ctx.builder
    if ctx.dialect.merges_by_position and not by_name and target.known is not None and source.closed:
        for (key, name), (given, written) in zip(target.known.items(), source.names(), strict=False):
            column = builder.column(entity, key, name, None)
            builder.direct(column, source.column(builder, given, written, None), effect)
            builder.direct(target.column(builder, key, name, None), column, effect)
        return
    if source.outputs:
        entries = [(key, column.name) for key, column in source.outputs]
    elif source.known is not None:
        entries = list(source.known.items())
    elif target.known is not None:
        entries = list(target.known.items())
    else:
        entries = [(STAR, STAR)]
    for key, name in entries:
        if key in entity.columns:
            continue
        column = builder.column(entity, key, name, None)
        builder.direct(column, source.column(builder, key, name, None), effect)
        builder.direct(target.column(builder, key, name, None), column, effect)


def _is_row(node: Any) -> bool:
    """BigQuery's INSERT ROW: all columns of the source row."""
    return node.__class__ in (exp.Column, exp.Var, exp.Identifier) and str(node.name).upper() == "ROW"


def _branch_span(ctx: Context) -> tuple[Any, int, int]:
    statement = ctx.statement
    return statement.script, statement.start, statement.span_end


TREES = {exp.Merge: read_merge}
INNER = {exp.Merge: merge_into}
