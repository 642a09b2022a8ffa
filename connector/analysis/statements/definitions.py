"""Statements that change what names mean: USE, SET SCHEMA, DROP, RENAME, SWAP, ALTER, synonyms, comments."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.statements.constraints import add_foreign_keys, add_generated
from connector.analysis.statements.inner import column_target, place_rowset, table_rowset
from connector.analysis.statements.movements import fill_from
from connector.model import Description, Flow
from connector.sql.readers.readings import (
    ColumnsChange,
    Comment,
    DefaultChange,
    Removal,
    Synonym,
    TableDefinition,
    Transfer,
)
from connector.sql.tolerant import NameRef

__all__ = [
    "describe",
    "read_columns_change",
    "read_comment_on",
    "read_default_change",
    "read_removal",
    "read_synonym",
    "read_transfer",
    "read_use",
]


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
    elif ctx.dialect.layers == 2 or kind in ("DATABASE", "CATALOG") or ctx.dialect.family.use_names_database:
        catalog.use(name, None if ctx.dialect.layers > 2 else catalog.schema)
    else:
        catalog.use(catalog.database, name)


def read_default_change(ctx: Context, reading: DefaultChange) -> None:
    """SET search_path, SET SCHEMA and their like: the defaults from here on."""
    catalog = ctx.catalog
    if ctx.dialect.layers == 2:
        catalog.use(reading.schema or reading.database or catalog.database, catalog.schema)
    else:
        catalog.use(reading.database or catalog.database, reading.schema or catalog.schema)


def read_removal(ctx: Context, reading: Removal) -> None:
    """DROP ends what the script knew of the tables."""
    for name in reading.names:
        ctx.catalog.forget(tuple(name.parts))


def read_synonym(ctx: Context, reading: Synonym) -> None:
    """From here on one name means another object."""
    parts = tuple(reading.name.parts)
    ctx.catalog.synonym(parts, table_rowset(ctx, reading.base))


def read_transfer(ctx: Context, reading: Transfer) -> None:
    """Rows to rows: a whole table, or a part of it, goes over to another name."""
    process = ctx.begin(reading.type)
    builder = ctx.builder
    before: list[dict[str, str] | None] = []
    tables: list[tuple[Rowset, Rowset]] = []
    for old, new in reading.pairs:
        source = table_rowset(ctx, old)
        if reading.keeps_schema and len(new.parts) == 1 and len(old.parts) > 1:
            # A bare new name stays in the schema of the old one.
            new = NameRef([*old.parts[:-1], *new.parts], new.start, new.end)
        target = table_rowset(ctx, new)
        tables.append((source, target))
        before.append(source.known)
        if reading.renames:
            target.entity.kind = source.entity.kind
            target.entity.type = source.entity.type
            target.entity.temporary = source.entity.temporary
            target.entity.description = source.entity.description
            target.known, source.known = source.known, None
        builder.flow = Flow(None, {source.entity: None})
        ctx.writes(target.entity)
        builder.direct(builder.rows(target.entity), builder.rows(source.entity), reading.effect)
    if reading.effect == "swap_table":
        for (_, target), known in zip(tables, before, strict=True):
            target.known = known
    builder.process = process


def read_columns_change(ctx: Context, reading: ColumnsChange) -> None:
    """ALTER TABLE: what is known of the columns changes; foreign keys, generated columns and places are linked."""
    if not (reading.foreign_keys or reading.locations or any(column.expression for column in reading.added)):
        _change_columns(ctx, reading)
        return
    ctx.begin("Alter Table")
    builder = ctx.builder
    table = table_rowset(ctx, reading.table)
    _change_columns(ctx, reading)
    places = [place_rowset(ctx, location) for location in reading.locations]
    if places:
        for place in places:
            builder.flow.sources[place.entity] = None
        ctx.writes(table.entity)
        for place in places:
            fill_from(ctx, table, place, None, None, "alter_table")
    add_generated(ctx, table, reading.added, "alter_table")
    add_foreign_keys(ctx, table, reading.foreign_keys)


def _change_columns(ctx: Context, reading: ColumnsChange) -> None:
    parts = tuple(reading.table.parts)
    before = ctx.catalog.known_columns(parts)
    if before is None:
        return
    partitions = {key: before[key] for key in ctx.catalog.partitions.get(ctx.catalog.key(parts), ()) if key in before}
    known = {} if reading.replaced else {key: name for key, name in before.items() if key not in partitions}
    for definition in reading.added:
        key, name, _ = column_target(ctx, definition.name)
        known[key] = name
    known |= partitions
    for ref in reading.removed:
        known.pop(column_target(ctx, ref)[0], None)
    for change in reading.renamed:
        old, (new, name, _) = column_target(ctx, change.old)[0], column_target(ctx, change.new)
        known = {(new if key == old else key): (name if key == old else written) for key, written in known.items()}
    for place in reading.placed:
        known = _placed(
            known,
            column_target(ctx, place.column)[0],
            column_target(ctx, place.after)[0] if place.after is not None else None,
        )
    ctx.catalog.alter(parts, known)


def _placed(known: dict[str, str], column: str, after: str | None) -> dict[str, str]:
    """The columns with one of them in another place."""
    if column not in known or (after is not None and after not in known) or column == after:
        return known
    order = [key for key in known if key != column]
    order.insert(0 if after is None else order.index(after) + 1, column)
    return {key: known[key] for key in order}


def describe(ctx: Context, target: Rowset, reading: TableDefinition) -> None:
    """The words of a definition. A later one replaces them, as it replaces the table."""
    found = Description(reading.comment)
    for column in reading.columns:
        if column.data_type is None and column.comment is None:
            continue
        key = column_target(ctx, column.name)[0]
        if column.data_type is not None:
            found.types[key] = column.data_type
        if column.comment is not None:
            found.comments[key] = column.comment
    if found.comment is not None or found.types or found.comments:
        target.entity.description = found


def read_comment_on(ctx: Context, reading: Comment) -> None:
    """A table that no statement uses is not made known by a comment on it."""
    table = ctx.catalog.known_table(tuple(reading.table.parts))
    if table is None:
        return
    if table.entity.description is None:
        table.entity.description = Description()
    if reading.column is None:
        table.entity.description.comment = reading.text
    else:
        table.entity.description.comments[column_target(ctx, reading.column)[0]] = reading.text


TREES = {exp.Use: read_use}
MEANINGS = {
    Comment: read_comment_on,
    ColumnsChange: read_columns_change,
    DefaultChange: read_default_change,
    Removal: read_removal,
    Synonym: read_synonym,
    Transfer: read_transfer,
}
