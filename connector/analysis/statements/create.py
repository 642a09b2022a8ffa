"""CREATE TABLE and CREATE VIEW."""

from __future__ import annotations

import re
from typing import Any, cast

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import STAR
from connector.analysis.catalog import UNKNOWN_SOURCE, UNKNOWN_TARGET
from connector.analysis.context import Context, Target
from connector.analysis.made_structs import store_structs
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.statements.definitions import (
    add_foreign_keys,
    add_generated,
    describe,
    note_primary_key,
    note_unique_keys,
)
from connector.analysis.statements.inner import column_target, place_rowset, query, table_rowset
from connector.analysis.statements.movements import fill_from
from connector.analysis.statements.updatable_views import note_face, note_shown
from connector.analysis.writing import column_identifiers, write_columns
from connector.model import Description, EffectType, Flow, ProcessType
from connector.sql.readers.readings import TableDefinition
from connector.sql.table_names import NameRef


def read_create(ctx: Context, node: Any) -> None:
    """CREATE as the grammar gives it: views, and tables made from a query. Definitions of tables come as readings."""
    kind = str(node.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW"):
        _read_for_object(ctx, node, kind)
        return
    this = node.args["this"]
    items: list[Any] = []
    if this.__class__ is exp.Schema:
        items = this.args.get("expressions") or []
        this = this.args["this"]
    source = node.args.get("expression")
    if node.args.get("clone") is not None:
        # A copy of a table that could be named was read by its tokens.
        raise ParseError(UNKNOWN_TARGET)
    if this.__class__ is not exp.Table or not (
        isinstance(source, exp.Query) or source.__class__ in (exp.Table, exp.Subquery, exp.Values)
    ):
        return
    properties = node.args["properties"].args.get("expressions") or [] if node.args.get("properties") else []
    view = kind == "VIEW"
    label: ProcessType = "Create Table"
    materialized = any(item.__class__ is exp.MaterializedProperty for item in properties)
    if view:
        label = "Create Materialized View" if materialized else "Create View"
    ctx.begin(label)
    result = ctx.queries.read(source, None, ctx.scope(node), ordered=view)
    target = ctx.target(this)
    target.entity.temporary = target.entity.temporary or any(
        item.__class__ is exp.TemporaryProperty for item in properties
    )
    comment = next((item.args["this"].name for item in properties if item.__class__ is exp.SchemaCommentProperty), None)
    if comment is not None:
        target.entity.description = Description(comment)
    named = [item for item in items if item.__class__ in (exp.ColumnDef, exp.Identifier, exp.Column)]
    _fill(ctx, target, result, column_identifiers(ctx, named), view)
    note_shown(ctx, target, result, source if view and not materialized else None)


def _read_for_object(ctx: Context, node: Any, kind: str) -> None:
    """An object made of the rows of a query that is no table: a model, a sink. What it reads is known."""
    source = node.args.get("expression")
    if kind in ("FUNCTION", "PROCEDURE", "MACRO", "TRIGGER") or not isinstance(source, exp.Query):
        return
    process = ctx.begin(cast(ProcessType, f"Create {kind.title()}"))
    ctx.queries.read(source, None, ctx.scope(node))
    if kind == "MODEL" and node.args["this"].__class__ is exp.Table:
        model = ctx.target(node.args["this"]).entity
        model.sub_type = "model"
        ctx.writes(model)
    else:
        process.flows.append(ctx.builder.flow)


def read_definition(ctx: Context, reading: TableDefinition) -> None:
    """CREATE TABLE in all its forms, and views that the grammar does not know."""
    if reading.with_rows and reading.origin is None:
        raise ParseError(UNKNOWN_SOURCE)
    if reading.query is not None:
        _create_as(ctx, reading)
    elif reading.shows or reading.shows_matching is not None:
        _create_face(ctx, reading)
    elif reading.origin is not None:
        _create_like(ctx, reading)
    elif not reading.view or reading.locations:
        _create_empty(ctx, reading)


def _create_as(ctx: Context, reading: TableDefinition) -> None:
    assert reading.query is not None
    node = query(ctx, ctx.statement.tokens[reading.query[0] : reading.query[1]])
    if not isinstance(node, BASE):
        return
    ctx.begin(reading.type)
    result = ctx.queries.read(node, None, None, ordered=reading.view and reading.type != "Create Projection")
    target = _target(ctx, reading)
    names: list[Target] | None = [column_target(ctx, column.name) for column in reading.columns] or None
    if ctx.dialect.family.list_before_query and not reading.view and names is not None:
        # MySQL: the columns of the query come after those of the list, unless they have the same name.
        _fill(ctx, target, result, None, False)
        if target.known is not None:
            ctx.catalog.define(target, {**{key: name for key, name, _ in names}, **target.known})
    else:
        _fill(ctx, target, result, names, reading.view)
    note_shown(ctx, target, result, node if reading.type == "Create View" else None)
    describe(ctx, target, reading)
    _note_partitions(ctx, reading, target)
    _add_constraints(ctx, reading, target)
    if reading.feeds is not None:
        fed = table_rowset(ctx, reading.feeds)
        ctx.writes(fed.entity)
        if fed.known is not None:
            # A column that the table does not have goes nowhere.
            result.outputs = [output for output in result.outputs if output[0] in fed.known or output[0] == STAR]
        write_columns(ctx, fed, result, None, "create_view", by_name=True)
    if reading.external:
        # What the query gives is written to the place of the external table.
        for location in reading.locations:
            place = place_rowset(ctx, location)
            ctx.writes(place.entity)
            write_columns(ctx, place, result, None, "create_external_table")


def _fill(ctx: Context, target: Rowset, result: Rowset, names: list[Target] | None, view: bool) -> None:
    if view and target.entity.kind != "resultset":
        target.entity.kind = "view"
        target.entity.type = "view"
    ctx.writes(target.entity)
    ctx.catalog.define(target, None)
    if names is not None and len(names) < len(result.outputs) and not any(key == STAR for key, _ in result.outputs):
        # The list may be shorter than the query: the columns after it keep their names.
        names = [*names, *((key, column.name, column.span) for key, column in result.outputs[len(names) :])]
    write_columns(ctx, target, result, names, "create_view" if view else "create_table")
    ctx.catalog.define(target, _created_columns(result, names))
    target.also = result.also
    target.structs = None
    if result.structs and target.entity.temporary and target.known is not None:
        store_structs(target, result, list(target.known), "create_table", ctx.expressions)


def _created_columns(result: Rowset, names: list[Target] | None) -> dict[str, str] | None:
    """The columns of the new object, where all of them can be told."""
    if names is not None:
        return {key: name for key, name, _ in names}
    if result.entity.kind != "resultset":
        return dict(result.known) if result.known is not None else None
    if any(key == STAR for key, _ in result.outputs):
        return None
    return {key: column.name for key, column in result.outputs}


def _create_empty(ctx: Context, reading: TableDefinition) -> None:
    """A table with a column list, fed by the files it lies on where the statement names them."""
    ctx.begin(reading.type)
    builder = ctx.builder
    places = [place_rowset(ctx, location) for location in reading.locations if not reading.writable]
    for place in places:
        builder.flow.sources[place.entity] = None
    target = _target(ctx, reading)
    ctx.writes(target.entity)
    names = [column_target(ctx, column.name) for column in reading.columns]
    for key, name, span in names:
        target.column(builder, key, name, span)
    if reading.parents:
        ctx.catalog.define(target, _inherited_columns(ctx, reading.parents, names))
    elif names and reading.complete:
        ctx.catalog.define(target, {key: name for key, name, _ in names})
    describe(ctx, target, reading)
    _note_partitions(ctx, reading, target)
    effect: EffectType = (
        "create_external_table" if reading.external else "create_view" if reading.view else "create_table"
    )
    for place in places:
        fill_from(ctx, target, place, names or None, None, effect)
    _add_constraints(ctx, reading, target, generated=not reading.external)
    for location in reading.locations if reading.writable else ():
        place = place_rowset(ctx, location)
        builder.flow = Flow(None, {target.entity: None})
        ctx.writes(place.entity)
        fill_from(ctx, place, target, None, names or None, effect)


def _create_face(ctx: Context, reading: TableDefinition) -> None:
    """A table that shows the rows of others, column by column; what is written to it is written to the one behind it."""
    ctx.begin(reading.type)
    builder = ctx.builder
    sources = [table_rowset(ctx, name) for name in reading.shows]
    target = _target(ctx, reading)
    if reading.shows_matching is not None:
        sources = _matching_tables(ctx, target, *reading.shows_matching)
    for source in sources:
        builder.flow.sources[source.entity] = None
    ctx.writes(target.entity)
    names = [column_target(ctx, column.name) for column in reading.columns]
    known: dict[str, str] | None = {key: name for key, name, _ in names}
    if not names:
        known = ctx.catalog.known_columns(tuple(reading.origin.parts)) if reading.origin is not None else None
        if known is None and len(sources) == 1:
            known = sources[0].known
        names = [(key, name, None) for key, name in (known or {}).items()]
    for key, name, span in names:
        target.column(builder, key, name, span)
    ctx.catalog.define(target, dict(known) if known is not None else None)
    describe(ctx, target, reading)
    for source in sources:
        fill_from(ctx, target, source, names or None, names or None, "create_table")
    if len(sources) == 1:
        note_face(target, sources[0])


def _matching_tables(ctx: Context, face: Rowset, database: str, pattern: str) -> list[Rowset]:
    """The tables that the script or metadata knows and a regular expression finds. There may be others on the server."""
    try:
        found = ctx.catalog.tables_like(database, re.compile(pattern), face)
    except re.error:
        found = []
    if not found:
        statement = ctx.statement
        message = f"None of the tables that this table shows is known: those of the database that match {pattern!r}"
        ctx.builder.problem("SyntaxHint", message, statement.start, statement.end)
    return found


def _inherited_columns(ctx: Context, parents: list[NameRef], names: list[Target]) -> dict[str, str] | None:
    """The columns of the parents, then the table's own; None where those of a parent are not known."""
    found: dict[str, str] = {}
    for parent in parents:
        known = ctx.catalog.known_columns(tuple(parent.parts))
        if known is None:
            return None
        found.update(known)
    return found | {key: name for key, name, _ in names}


def _create_like(ctx: Context, reading: TableDefinition) -> None:
    """A table made in the image of another: rows to rows, and the same columns from here on."""
    assert reading.origin is not None
    label: ProcessType = "Create Table Clone" if reading.with_rows else "Create Table Like"
    ctx.begin(reading.type if reading.view else label)
    builder = ctx.builder
    source = table_rowset(ctx, reading.origin)
    builder.flow.sources[source.entity] = None
    target = _target(ctx, reading)
    ctx.writes(target.entity)
    if reading.with_rows:
        for key, name in (source.known or {}).items():
            builder.direct(
                target.column(builder, key, name, None), source.column(builder, key, name, None), "like_table"
            )
        if source.known is None and target.entity.temporary:
            # Whoever reads the temporary table reads columns of the other, though it is unknown which those are.
            star = builder.column(target.entity, STAR, STAR, None)
            builder.direct(star, builder.column(source.entity, STAR, STAR, None), "like_table")
    builder.direct(builder.rows(target.entity), builder.rows(source.entity), "like_table")
    known = dict(source.known) if source.known is not None else None
    if known is not None or not reading.columns:
        for column in reading.columns:
            key, name, span = column_target(ctx, column.name)
            target.column(builder, key, name, span)
            if known is not None:
                known[key] = name
    ctx.catalog.define(target, known)
    target.also = source.also
    for location in reading.locations if reading.external else ():
        place = place_rowset(ctx, location)
        if reading.writable:
            builder.flow = Flow(None, {target.entity: None})
            ctx.writes(place.entity)
            fill_from(ctx, place, target, None, None, "create_external_table")
        else:
            builder.flow.sources[place.entity] = None
            fill_from(ctx, target, place, None, None, "create_external_table")


def _note_partitions(ctx: Context, reading: TableDefinition, target: Rowset) -> None:
    """Hive and its kin: the columns of the partitions come after all others, wherever the query has them."""
    if not reading.partitions or not ctx.dialect.partitions_last:
        return
    keys = [column_target(ctx, ref)[0] for ref in reading.partitions]
    ctx.catalog.partitions[target.key] = keys
    known = target.known
    if known is not None and all(key in known for key in keys):
        ctx.catalog.define(target, {key: known[key] for key in [*(k for k in known if k not in keys), *keys]})


def _target(ctx: Context, reading: TableDefinition) -> Rowset:
    target = table_rowset(ctx, reading.name)
    if reading.temporary:
        target.entity.temporary = True
    if reading.view and target.entity.kind != "resultset":
        target.entity.kind = "view"
        target.entity.type = "view"
    return target


def _add_constraints(ctx: Context, reading: TableDefinition, target: Rowset, generated: bool = True) -> None:
    note_primary_key(ctx, target, reading.primary_key)
    note_unique_keys(ctx, target, reading.unique_keys)
    if generated:
        add_generated(ctx, target, reading.columns, "create_table")
    add_foreign_keys(ctx, target, reading.foreign_keys)


TREES = {exp.Create: read_create}
MEANINGS = {TableDefinition: read_definition}
