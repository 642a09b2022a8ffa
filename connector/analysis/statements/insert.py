"""INSERT in all its forms: VALUES, SELECT, multi-table, conflicts, RETURNING."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import ROWS, Impacts
from connector.analysis.catalog import UNKNOWN_TARGET
from connector.analysis.context import Context, Target
from connector.analysis.nodes import BASE, borrowing, everything_from
from connector.analysis.query import has_modifiers
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.returning import Written, hand_back, read_returning
from connector.analysis.statements.updatable_views import write_through
from connector.analysis.writing import assigned_span, column_identifiers, value_spans, write_columns
from connector.model import Column, Flow, Span

_PROPOSED = ("excluded", "new")
"""Names of the row that a conflict kept out: PostgreSQL, SQLite and DuckDB; MySQL."""

Proposed = dict[tuple[str, str], list[Column]]
"""Key and name of the target's columns, and what the row that a conflict keeps out has for each."""


def read_insert(ctx: Context, node: Any) -> None:
    """A single INSERT or REPLACE statement."""
    ctx.begin("Insert")
    hand_back(ctx, node, insert_into(ctx, node, ctx.scope(node)))


def insert_into(ctx: Context, node: Any, scope: Scope) -> Rowset:
    """The flow of one INSERT; gives what it returns."""
    target, names = _target(ctx, node)
    query = node.args.get("expression") or _whole_table(node)
    outer = ctx.builder.flow
    ctx.builder.flow = Flow(None, outer.sources if outer.target is None else {})
    if query is None:
        ctx.writes(target.entity)
        return read_returning(ctx, node, target, scope)
    result = None
    by_name = bool(node.args.get("by_name"))
    conflict = node.args.get("conflict")
    returns = node.args.get("returning") is not None
    updates = conflict is not None and bool(conflict.args.get("expressions"))
    proposed: Proposed | None = {} if updates or returns else None
    may_conflict = bool(conflict is not None or node.args.get("alternative") or node.args.get("ignore"))
    alias = None
    returned = None
    beside = scope
    if may_conflict or returns:
        alias = _alias(ctx, node)
        returned = Scope(scope.parent, scope)
        returned.sources[alias or ctx.names.key_of(target.entity.table)] = target
    if query.__class__ is exp.Values or query.__class__ is exp.Tuple:
        ctx.writes(target.entity)
        _values(ctx, query, target, names, scope, proposed, returned)
    else:
        if updates and ctx.dialect.family.conflict_reads_query:
            result, beside = _query_beside(ctx, query, scope)
        else:
            result = ctx.queries.read(query, None, scope, "insert-select")
        ctx.writes(target.entity)
        write_columns(ctx, target, result, names, "insert", by_name)
    if may_conflict and returned is not None:
        _conflict_keys(ctx, conflict, target, names, result, by_name, returned)
    write_through(ctx, target, "insert")
    if proposed is None or returned is None:
        return target
    if result is not None:
        proposed = _proposed(target, names, result, by_name)
    written = Written()
    written.add({key: columns for (key, _), columns in proposed.items()}, keeps=False)
    if updates:
        changed = _conflict(ctx, conflict, target, alias, proposed, beside, returned)
        written.add(changed, keeps=True)
    rows = result.entity.columns.get(ROWS) if result is not None else None
    return read_returning(ctx, node, target, returned, written, rows)


def _whole_table(node: Any) -> Any:
    """``INSERT INTO t TABLE u``: all rows of another table; None where the statement names none."""
    source = node.args.get("source")
    if source.__class__ is not exp.Table:
        return None
    return everything_from(source)


def _alias(ctx: Context, node: Any) -> str | None:
    """The name under which the other clauses mean the target: ``INSERT INTO t AS x``."""
    this = node.args["this"]
    alias = (this.args["this"] if this.__class__ is exp.Schema else this).args.get("alias")
    return ctx.names.key(alias.args["this"]) if alias is not None and alias.args.get("this") is not None else None


def _target(ctx: Context, node: Any) -> tuple[Rowset, list[Target] | None]:
    """The table that is written, and the columns that are named for it."""
    this = node.args["this"]
    names: list[Target] | None = None
    listed: list[Any] = []
    if this.__class__ is exp.Schema:
        through = _through_query(ctx, this)
        if through is not None:
            return through
        listed = this.args.get("expressions") or []
        this = this.args["this"]
        names = column_identifiers(ctx, listed)
    partition = node.args.get("partition") or (this.args.get("partition") if isinstance(this, BASE) else None)
    target = ctx.target(this)
    if names is not None:
        names = _names_of(ctx, listed, names, target.known)
    stored = node.args.get("stored")
    if isinstance(stored, exp.Schema) and names is None:
        names = column_identifiers(ctx, stored.args.get("expressions"))
    return target, _with_partition(ctx, target, names, partition)


def _names_of(
    ctx: Context, listed: list[Any], names: list[Target], known: dict[str, str] | None
) -> list[Target] | None:
    """The columns that a list means: a star stands for all that it does not leave out (ClickHouse)."""
    if len(listed) == 1 and listed[0].__class__ is exp.Star:
        if known is None:
            return None
        without = column_identifiers(ctx, listed[0].args.get("except_") or listed[0].args.get("except")) or []
        left_out = {key for key, _, _ in without}
        return [(key, name, None) for key, name in known.items() if key not in left_out]
    return names


def _through_query(ctx: Context, this: Any) -> tuple[Rowset, list[Target]] | None:
    """``INSERT OPENQUERY(server, 'select …')``: the grammar takes the call for a table with a list of columns."""
    items = this.args.get("expressions") or []
    if (
        items
        and items[0].__class__ in (exp.Placeholder, exp.Parameter)
        and this.args["this"].name.upper() == "IDENTIFIER"
    ):
        raise ParseError(UNKNOWN_TARGET)
    if not items or items[-1].__class__ is not exp.Literal:
        return None
    return ctx.foreign_target(
        exp.Table(this=exp.Anonymous(this=this.args["this"].name, expressions=[item.copy() for item in items]))
    )


def _with_partition(ctx: Context, target: Rowset, names: list[Target] | None, partition: Any) -> list[Target] | None:
    """Dynamic partition columns take the last columns of the query; static ones take none."""
    if not isinstance(partition, BASE):
        return names
    dynamic: list[Any] = []
    static: set[str] = set()
    for item in partition.args.get("expressions") or ():
        if item.__class__ is exp.EQ:
            identifier = item.args["this"]
            found = column_identifiers(ctx, [identifier])
            static |= {key for key, _, _ in found or ()}
        elif item.__class__ in (exp.Column, exp.Identifier):
            dynamic.append(item)
    moved = column_identifiers(ctx, dynamic) or []
    moved_keys = {key for key, _, _ in moved}
    if names is not None:
        return names + [entry for entry in moved if entry[0] not in {key for key, _, _ in names}]
    if target.known is None or not (static or moved):
        return None
    left = [(key, name, None) for key, name in target.known.items() if key not in static and key not in moved_keys]
    return [*left, *moved]


def _values(
    ctx: Context,
    values: Any,
    target: Rowset,
    names: list[Target] | None,
    scope: Scope,
    proposed: Proposed | None = None,
    returned: Scope | None = None,
) -> None:
    """VALUES: each expression goes straight to its column."""
    if names is None and target.known is not None:
        names = [(key, name, None) for key, name in target.known.items()]
    rows = values.args.get("expressions") or ()
    if values.__class__ is exp.Tuple:
        rows = (values,)
    for row in rows:
        items = row.args.get("expressions") or [] if row.__class__ is exp.Tuple else [row]
        record = ctx.names.record_of(items[0]) if len(items) == 1 else None
        if record is not None:
            _record(ctx, record, target, names)
            continue
        _write_row(ctx, items, target, names, scope, proposed, returned)
    for clause, columns in scope.impacts.items():
        ctx.builder.relate("fdr", ctx.builder.rows(target.entity), columns, "insert", clause)
    scope.impacts.clear()


def _record(ctx: Context, record: Rowset, target: Rowset, names: list[Target] | None) -> None:
    """``VALUES rec``: a whole record of a routine, by the names of its columns where the table's are not known."""
    builder = ctx.builder
    columns = [(key, column) for key, column in record.entity.columns.items() if key != ROWS]
    by_name = names is None or any(key in record.entity.columns for key, _, _ in names)
    for place, (key, column) in enumerate(columns):
        if by_name:
            name = (key, column.name, column.span)
        elif names is not None and place < len(names):
            name = names[place]
        else:
            break
        builder.direct(target.column(builder, *name), column, "insert")
    rows = record.entity.columns.get(ROWS)
    if rows is not None:
        builder.relate("fdr", builder.rows(target.entity), [rows], "insert")


def _write_row(
    ctx: Context,
    items: list[Any],
    target: Rowset,
    names: list[Target] | None,
    scope: Scope,
    proposed: Proposed | None,
    returned: Scope | None,
) -> None:
    """One row of VALUES. Where its values stand is looked up for the first one that is no constant."""
    builder = ctx.builder
    spans: list[Span | None] | None = None
    for place, item in enumerate(items):
        out: list[Column] = []
        impacts: Impacts = {}
        ctx.expressions.value(item, scope, out, impacts)
        if names is not None and place < len(names):
            column = target.column(builder, *names[place])
            if proposed is not None:
                proposed.setdefault(names[place][:2], []).extend(out)
            if out:
                spans = spans or value_spans(ctx, items)
                builder.compute(column, out, "insert", spans[place])
        elif out or impacts:
            column = builder.rows(target.entity)
            builder.relate("fdr", column, out, "insert")
        for clause, columns in impacts.items():
            builder.relate("fdr", column, columns, "insert", clause)
            if returned is not None:
                returned.impact(clause, columns)


def _conflict_keys(
    ctx: Context,
    conflict: Any,
    target: Rowset,
    names: list[Target] | None,
    source: Rowset | None,
    by_name: bool,
    returned: Scope,
) -> None:
    """Whether a row is inserted, changed or left alone depends on the keys that are there and on those that come in."""
    named = column_identifiers(ctx, conflict.args.get("conflict_keys")) if conflict is not None else None
    keys: list[Target] = named or [
        (key, (target.known or {}).get(key, key), None) for key in _keys_of(ctx, conflict, target)
    ]
    if not keys:
        return
    builder = ctx.builder
    deciding = [target.column(builder, *key) for key in keys]
    wanted = {key for key, _, _ in keys}
    incoming = _proposed(target, names, source, by_name) if source is not None else {}
    deciding += [column for (key, _), columns in incoming.items() if key in wanted for column in columns]
    builder.relate("fdr", builder.rows(target.entity), deciding, "insert", "mergeCondition")
    returned.impact("mergeCondition", dict.fromkeys(deciding))


def _keys_of(ctx: Context, conflict: Any, target: Rowset) -> list[str]:
    """The columns of the constraint that a conflict names, else of all keys that the script gave to the table."""
    unique = ctx.catalog.unique_keys.get(target.key, [])
    constraint = conflict.args.get("constraint") if conflict is not None else None
    wanted = ctx.names.key(constraint) if constraint is not None else None
    for name, columns in unique:
        if name and name == wanted:
            return columns
    every = [*ctx.catalog.primary_keys.get(target.key, ()), *(column for _, columns in unique for column in columns)]
    return list(dict.fromkeys(every))


def _conflict(
    ctx: Context,
    conflict: Any,
    target: Rowset,
    alias: str | None,
    proposed: Proposed,
    scope: Scope,
    returned: Scope,
) -> dict[str, list[Column]]:
    """ON CONFLICT DO UPDATE / ON DUPLICATE KEY UPDATE: an update of the target from the row that was to be inserted.

    Gives what each column is set to.
    """
    qualified = Scope(scope, scope)
    qualified.add(alias or ctx.names.key_of(target.entity.table), target)
    row = _proposed_row(ctx, proposed)
    for name in _PROPOSED:
        qualified.sources.setdefault(ctx.names.key_of(name), row)
    inner = Scope(qualified, scope)
    inner.sources["\0target"] = target
    # In the columns that conflict both rows have the same.
    same = column_identifiers(ctx, conflict.args.get("conflict_keys")) or ()
    changed: dict[str, list[Column]] = {key: [] for key, _, _ in same}
    for item in conflict.args["expressions"]:
        if item.__class__ is exp.EQ:
            _assign_on_conflict(ctx, item, target, inner, changed, returned)
    where = conflict.args.get("where")
    if where is not None:
        columns = ctx.expressions.columns(where, inner)
        ctx.builder.relate("fdr", ctx.builder.rows(target.entity), columns, "update", "where")
        returned.impact("where", columns)
    return changed


def _query_beside(ctx: Context, query: Any, scope: Scope) -> tuple[Rowset, Scope]:
    """MySQL lets ON DUPLICATE KEY UPDATE read what stands in the FROM clause of the query, too: gives both."""
    while query.__class__ is exp.Subquery and not has_modifiers(query):
        query = query.args["this"]
    if query.__class__ is not exp.Select:
        return ctx.queries.read(query, None, scope, "insert-select"), scope
    inner = Scope(None, scope)
    result = ctx.queries.select(query, inner, "insert-select")
    beside = Scope(scope, scope)
    beside.sources = inner.sources
    return result, beside


def _assign_on_conflict(
    ctx: Context, item: Any, target: Rowset, scope: Scope, changed: dict[str, list[Column]], returned: Scope
) -> None:
    """One `column = value`, or `(a, b) = (…)` with a value or a column of a subquery for each."""
    builder = ctx.builder
    left, right = item.args["this"], item.args["expression"]
    if right.find(exp.Anonymous) is not None:
        right = right.transform(_of_proposed_row)
    lefts = left.args.get("expressions") or [left.args["this"]] if left.__class__ in (exp.Tuple, exp.Paren) else [left]
    found = column_identifiers(ctx, lefts) or []
    if len(found) > 1 and isinstance(right, (exp.Subquery, exp.Query)):
        result = ctx.queries.read(right, scope, scope, "update-select")
        rows = result.entity.columns.get(ROWS)
        for name, (_, source) in zip(found, result.outputs, strict=False):
            column = target.column(builder, *name)
            builder.direct(column, source, "update")
            changed[name[0]] = [source]
            if rows is not None:
                builder.relate("fdr", column, [rows], "update", "set")
                returned.impact("set", {rows: None})
        return
    is_row = len(found) > 1 and right.__class__ in (exp.Tuple, exp.Anonymous)
    values = right.args.get("expressions") or [right] if is_row else [right]
    for name, value in zip(found, values, strict=False):
        out: list[Column] = []
        impacts: Impacts = {}
        ctx.expressions.value(value, scope, out, impacts)
        column = target.column(builder, *name)
        builder.compute(column, out, "update", None if is_row else assigned_span(ctx, name))
        changed[name[0]] = out
        for clause, columns in impacts.items():
            builder.relate("fdr", column, columns, "update", clause)
            returned.impact(clause, columns)


def _proposed(target: Rowset, names: list[Target] | None, source: Rowset, by_name: bool) -> Proposed:
    """What the query gives to the columns of the target."""
    places: list[tuple[str, str]] = []
    if not by_name:
        places = [(key, name) for key, name, _ in names or ()] or list((target.known or {}).items())
    found: Proposed = {}
    for place, (key, column) in enumerate(source.outputs):
        found.setdefault(places[place] if place < len(places) else (key, column.name), []).append(column)
    return found


def _proposed_row(ctx: Context, proposed: Proposed) -> Rowset:
    """The row that could not be inserted, under the names of the target's columns."""
    builder = ctx.builder
    entity = builder.resultset("alias")
    found = Rowset(entity)
    found.feeds = []
    for (key, name), columns in proposed.items():
        builder.relate(
            "fdd", builder.column(entity, key, name, columns[0].span if columns else None), columns, "insert"
        )
    builder.finish(entity, builder.reach)
    return found


def read_multi_insert(ctx: Context, node: Any) -> None:
    """Hive `FROM … INSERT … INSERT …` and Oracle / Snowflake `INSERT ALL | FIRST`."""
    ctx.begin("Insert")
    scope = ctx.scope(node)
    source = node.args["source"]
    builder = ctx.builder
    if isinstance(source, exp.Query) and node.args.get("kind"):
        rowset = ctx.queries.read(source, None, scope)
    else:
        rowset = None
    base = builder.flow
    first = str(node.args.get("kind") or "").upper() == "FIRST"
    conditions: list[Any] = []
    for item in node.args.get("expressions") or ():
        builder.flow = Flow(None, dict(base.sources))
        condition = None
        insert = item
        if item.__class__ is exp.ConditionalInsert:
            insert = item.args["this"]
            condition = item.args.get("expression")
        if condition is not None and condition not in conditions:
            conditions.append(condition)
        if rowset is not None:
            # ELSE, and with FIRST every later branch, depends on what the branches before it took.
            deciding = conditions if first or item.args.get("else_") else [condition]
            _branch_of_rows(ctx, insert, rowset, deciding, scope)
        else:
            _branch_of_source(ctx, insert, source, scope)


def _of_proposed_row(node: Any) -> Any:
    """MySQL: ``VALUES(a)``, MariaDB: ``VALUE(a)`` after ON DUPLICATE KEY UPDATE, column a of the row that was to be inserted."""
    if node.__class__ is exp.Anonymous and str(node.this).upper() in ("VALUES", "VALUE") and node.expressions:
        argument = node.expressions[0]
        identifier = argument.args["this"] if argument.__class__ is exp.Column else argument
        return exp.Column(this=identifier.copy(), table=exp.to_identifier(_PROPOSED[0]))
    return node


def _branch_of_source(ctx: Context, insert: Any, source: Any, scope: Scope) -> None:
    """A branch that has a SELECT without FROM of its own: it reads the shared source."""
    query = insert.args.get("expression")
    if query is None:
        raise ParseError("incomplete statement: the rows to insert are missing")
    if query.__class__ is exp.Select and query.args.get("from_") is None:
        query = borrowing(exp.Select, **{**query.args, "from_": borrowing(exp.From, this=source)})
    target, names = _target(ctx, insert)
    result = ctx.queries.read(query, None, scope, "insert-select")
    ctx.writes(target.entity)
    write_columns(ctx, target, result, names, "insert")


def _branch_of_rows(ctx: Context, insert: Any, rowset: Rowset, conditions: list[Any], scope: Scope) -> None:
    """A branch that takes columns of the common subquery."""
    builder = ctx.builder
    target, names = _target(ctx, insert)
    inner = Scope(None, scope)
    inner.add("\0rows", rowset)
    limiting: dict[Column, None] = {}
    for condition in conditions:
        limiting.update(ctx.expressions.columns(condition, inner))
    values = insert.args.get("expression")
    ctx.writes(target.entity)
    if values is None:
        write_columns(ctx, target, rowset, names, "insert")
    else:
        _values(ctx, values, target, names, inner)
        rows = rowset.entity.columns.get(ROWS)
        if rows is not None:
            builder.relate("fdr", builder.rows(target.entity), [rows], "insert")
    builder.relate("fdr", builder.rows(target.entity), limiting, "insert", "where")


TREES = {exp.Insert: read_insert, exp.MultitableInserts: read_multi_insert}
INNER = {exp.Insert: insert_into}
