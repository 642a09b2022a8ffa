"""Statements that change what names mean: USE, SET SCHEMA, DROP, RENAME, SWAP, ALTER."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context

__all__ = ["read_alter", "read_drop", "read_set", "read_use"]


def read_use(ctx: Context, node: Any) -> None:
    """USE [DATABASE | SCHEMA | CATALOG] name."""
    this = node.args.get("this")
    if this.__class__ is not exp.Table:
        return
    kind = str(getattr(node.args.get("kind"), "name", "") or "").upper()
    if kind in ("ROLE", "WAREHOUSE", "SECONDARY ROLES"):
        return
    inner = this.args["this"]
    name = (inner.name, bool(inner.args.get("quoted")))
    outer = this.args.get("db")
    catalog = ctx.catalog
    if outer is not None:
        catalog.use((outer.name, bool(outer.args.get("quoted"))), name)
    elif kind == "SCHEMA" and ctx.dialect.layers > 2:
        catalog.use(catalog.database, name)
    elif ctx.dialect.layers == 2 or kind in ("DATABASE", "CATALOG") or ctx.dialect.family in ("tsql", "snowflake"):
        catalog.use(name, None if ctx.dialect.layers > 2 else catalog.schema)
    else:
        catalog.use(catalog.database, name)


def read_set(ctx: Context, node: Any) -> None:
    """SET search_path / SCHEMA / CURRENT SCHEMA: the default schema from here on. Other settings do not matter."""
    for item in node.args.get("expressions") or ():
        inner = item.args.get("this") if item.__class__ is exp.SetItem else None
        if inner is None:
            continue
        if isinstance(inner, exp.EQ):
            variable = inner.args["this"].name.lower()
            value = inner.args["expression"]
            if variable in ("search_path", "schema", "current_schema", "current schema", "currentschema"):
                first = value.args.get("expressions", [value])[0] if value.__class__ is exp.Tuple else value
                name = first.name
                if name and not name.startswith("$"):
                    ctx.catalog.use(ctx.catalog.database, (name, False))


def read_drop(ctx: Context, node: Any) -> None:
    """DROP ends what the script knew of the table."""
    if str(node.args.get("kind") or "").upper() not in ("TABLE", "VIEW", "SYNONYM"):
        return
    tables = node.args.get("tables") or [node.args.get("this")]
    for table in tables:
        if table.__class__ is exp.Table and table.args["this"].__class__ is exp.Identifier:
            ctx.catalog.forget(ctx.sources.name_parts(table))


def read_alter(ctx: Context, node: Any) -> None:
    """ALTER TABLE: RENAME and SWAP move a whole table, column changes change what is known of it."""
    this = node.args.get("this")
    if this.__class__ is not exp.Table:
        return
    for action in node.args.get("actions") or ():
        kind = action.__class__
        if kind is exp.AlterRename and action.args["this"].__class__ is exp.Table:
            _rename(ctx, this, action.args["this"])
        elif kind is exp.SwapTable:
            _swap(ctx, this, action.args["this"])
        elif kind is exp.ColumnDef:
            found = ctx.target(this)
            if found.known is not None:
                identifier = action.args["this"]
                found.known = {**found.known, ctx.names.key(identifier): ctx.names.written(identifier)}
        elif kind is exp.RenameColumn:
            _rename_column(ctx, this, action)
        elif kind is exp.Drop and str(action.args.get("kind") or "").upper() == "COLUMN":
            found = ctx.target(this)
            if found.known is not None:
                gone = {ctx.names.key_of(item.name) for item in [action.args.get("this"), *(action.args.get("tables") or ())] if item is not None}
                found.known = {key: name for key, name in found.known.items() if key not in gone}


def _rename_column(ctx: Context, this: Any, action: Any) -> None:
    found = ctx.target(this)
    old = ctx.names.key_of(action.args["this"].name)
    if found.known is not None and old in found.known:
        new = action.args["to"]
        found.known = {
            (ctx.names.key_of(new.name) if key == old else key): (new.name if key == old else name)
            for key, name in found.known.items()
        }


def _rename(ctx: Context, this: Any, new: Any) -> None:
    """Rows to rows: the whole table goes over to the new name."""
    ctx.begin("Alter Table")
    source = ctx.sources.base_table(this)
    if new.args.get("db") is None and this.args.get("db") is not None:
        # A bare new name stays in the schema of the old one.
        new = new.copy()
        new.set("db", this.args["db"].copy())
        if this.args.get("catalog") is not None:
            new.set("catalog", this.args["catalog"].copy())
    target = ctx.target(new)
    builder = ctx.builder
    builder.flow.sources[source.entity] = None
    target.entity.kind = source.entity.kind
    target.entity.type = source.entity.type
    ctx.writes(target.entity)
    builder.direct(builder.rows(target.entity), builder.rows(source.entity), "rename_table")
    ctx.catalog.define(target, source.known)
    source.known = None


def _swap(ctx: Context, this: Any, other: Any) -> None:
    """Rows to rows, both ways."""
    ctx.begin("Swap")
    left = ctx.sources.base_table(this)
    right = ctx.sources.base_table(other)
    builder = ctx.builder
    for source, target in ((left, right), (right, left)):
        flow = builder.flow
        flow.sources.clear()
        flow.sources[source.entity] = None
        ctx.writes(target.entity)
        builder.flow = type(flow)(None)
        builder.direct(builder.rows(target.entity), builder.rows(source.entity), "swap_table")
    left.known, right.known = right.known, left.known
