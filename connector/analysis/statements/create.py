"""CREATE TABLE and CREATE VIEW."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR
from connector.analysis.context import Context
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.writing import Target, column_identifiers, write_columns

__all__ = ["read_create"]


def read_create(ctx: Context, node: Any) -> None:
    """CREATE of anything; only tables and views concern lineage here."""
    kind = str(node.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW"):
        return
    this = node.args["this"]
    items: list[Any] = []
    if this.__class__ is exp.Schema:
        items = this.args.get("expressions") or []
        this = this.args["this"]
    if this.__class__ is not exp.Table:
        return
    query = node.args.get("expression")
    properties = node.args["properties"].args.get("expressions") or [] if node.args.get("properties") else []
    if isinstance(query, BASE) and not isinstance(query, (exp.Literal, exp.Schema)):
        _create_as(ctx, node, kind, this, items, query, properties)
    else:
        _create_empty(ctx, node, kind, this, items, properties)


def _create_as(ctx: Context, node: Any, kind: str, this: Any, items: list[Any], query: Any, properties: list[Any]) -> None:
    view = kind == "VIEW"
    materialized = any(item.__class__ is exp.MaterializedProperty for item in properties)
    label = "Create Table"
    if view:
        label = "Create Materialized View" if materialized else "Create View"
    ctx.begin(label)
    scope = ctx.scope(node)
    if isinstance(query, exp.Query) or query.__class__ in (exp.Table, exp.Subquery, exp.Values):
        result = ctx.queries.read(query, None, scope)
    else:
        return
    target = _target(ctx, this, view, properties)
    ctx.writes(target.entity)
    ctx.catalog.define(target, None)
    names = column_identifiers(ctx, [item for item in items if item.__class__ in (exp.ColumnDef, exp.Identifier, exp.Column)])
    write_columns(ctx, target, result, names, "create_view" if view else "create_table")
    ctx.catalog.define(target, _created_columns(result, names))


def _created_columns(result: Rowset, names: list[Target] | None) -> dict[str, str] | None:
    """The columns of the new object, where all of them can be told."""
    if names is not None:
        return {key: name for key, name, _ in names}
    if result.entity.kind != "resultset":
        return dict(result.known) if result.known is not None else None
    if any(key == STAR for key, _ in result.outputs):
        return None
    return {key: column.name for key, column in result.outputs}


def _create_empty(ctx: Context, node: Any, kind: str, this: Any, items: list[Any], properties: list[Any]) -> None:
    """CREATE TABLE with a column list, LIKE another table, or as a clone of one."""
    like = next((item for item in properties if item.__class__ is exp.LikeProperty), None)
    clone = node.args.get("clone")
    origin = like.args["this"] if like is not None else clone.args["this"] if clone is not None else None
    if origin is None and items and items[0].__class__ is exp.LikeProperty:
        origin = items[0].args["this"]
    if origin is not None and origin.__class__ is exp.Table:
        _create_like(ctx, this, origin, properties, clone is not None)
        return
    target = _target(ctx, this, kind == "VIEW", properties)
    columns: dict[str, str] = {}
    for item in items:
        if item.__class__ is exp.ColumnDef:
            identifier = item.args["this"]
            key = ctx.names.key(identifier)
            name = ctx.names.written(identifier)
            columns[key] = name
            target.column(ctx.builder, key, name, ctx.names.span(identifier))
    ctx.catalog.define(target, columns or target.known)


def _create_like(ctx: Context, this: Any, origin: Any, properties: list[Any], clone: bool) -> None:
    """A table made in the image of another: rows to rows, and the same columns from here on."""
    ctx.begin("Create Table Clone" if clone else "Create Table Like")
    source = ctx.sources.base_table(origin)
    ctx.builder.flow.sources[source.entity] = None
    target = _target(ctx, this, False, properties)
    ctx.writes(target.entity)
    builder = ctx.builder
    if clone and source.known is not None:
        for key, name in source.known.items():
            builder.direct(target.column(builder, key, name, None), source.column(builder, key, name, None), "like_table")
    builder.direct(builder.rows(target.entity), builder.rows(source.entity), "like_table")
    ctx.catalog.define(target, dict(source.known) if source.known is not None else None)


def _target(ctx: Context, this: Any, view: bool, properties: list[Any]) -> Rowset:
    target = ctx.target(this)
    if view:
        target.entity.kind = "view"
        target.entity.type = "view"
    if any(item.__class__ in (exp.TemporaryProperty, exp.VolatileProperty) for item in properties):
        target.entity.temporary = True
    return target
