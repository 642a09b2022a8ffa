"""Statements that change what names mean: USE, SET SCHEMA, DROP, RENAME, SWAP, ALTER, synonyms, comments."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import Impacts
from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.inner import column_target, expression, place_rowset, table_rowset
from connector.analysis.statements.movements import fill_from
from connector.model import Column, Description, EffectType, Flow, Relation, RelationType
from connector.sql.readers.readings import (
    ColumnDefinition,
    ColumnsChange,
    Comment,
    DefaultChange,
    ForeignKey,
    Removal,
    RowType,
    Synonym,
    TableDefinition,
    Transfer,
    UniqueKey,
)
from connector.sql.table_names import NameRef


def note_primary_key(ctx: Context, table: Rowset, columns: list[NameRef]) -> None:
    """A foreign key that leaves the referenced columns out means these."""
    if columns:
        ctx.catalog.primary_keys[table.key] = [column_target(ctx, ref)[0] for ref in columns]


def note_unique_keys(ctx: Context, table: Rowset, keys: list[UniqueKey]) -> None:
    """A conflict may be one of any key."""
    if keys:
        ctx.catalog.unique_keys[table.key] = [
            (ctx.names.key_of(key.name), [column_target(ctx, ref)[0] for ref in key.columns]) for key in keys
        ]


def add_foreign_keys(ctx: Context, table: Rowset, keys: list[ForeignKey]) -> None:
    """From the referenced column to the column that refers to it."""
    builder = ctx.builder
    kind: RelationType = "er" if ctx.options.foreign_key_as_er else "fdd"
    for key in keys:
        referenced = table_rowset(ctx, key.table)
        sources = _referenced(ctx, key, referenced)
        for ref, source in zip(key.columns, sources, strict=False):
            target = table.column(builder, *column_target(ctx, ref))
            builder.model.relations.append(
                Relation(builder.next_id(), kind, target, [source], "foreign_key", None, builder.process)
            )


def _referenced(ctx: Context, key: ForeignKey, table: Rowset) -> list[Column]:
    """The columns a foreign key refers to: named, the primary key, or the rows if unknown."""
    builder = ctx.builder
    if key.referenced:
        return [table.column(builder, *column_target(ctx, ref)) for ref in key.referenced]
    primary = ctx.catalog.primary_keys.get(table.key)
    if primary is not None:
        return [table.column(builder, name, (table.known or {}).get(name, name), None) for name in primary]
    return [builder.rows(table.entity)] * len(key.columns)


def add_generated(ctx: Context, table: Rowset, columns: list[ColumnDefinition], effect: EffectType) -> None:
    """From the columns in a generated column's expression to that column."""
    builder = ctx.builder
    base = builder.base
    for definition in columns:
        if definition.expression is None:
            continue
        tokens = ctx.statement.tokens[definition.expression[0] : definition.expression[1]]
        try:
            node = expression(ctx, tokens)
            if node is None:
                raise ParseError("the expression is missing")
        except ParseError:
            start, end = tokens[0].start + base, tokens[-1].end + 1 + base
            builder.problem("SyntaxError", "The expression of a generated column cannot be parsed", start, end)
            continue
        scope = Scope(None, None)
        scope.add(ctx.names.key_of(table.entity.table), table)
        out: list[Column] = []
        impacts: Impacts = {}
        ctx.expressions.value(node, scope, out, impacts)
        target = table.column(builder, *column_target(ctx, definition.name))
        span = (builder.script, tokens[0].start + base, tokens[-1].end + 1 + base)
        builder.compute(target, [column for column in out if column is not target], effect, span)
        for clause, limiting in impacts.items():
            builder.relate("fdr", target, limiting, effect, clause)


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
        schema = ctx.dialect.schema_of_database
        catalog.use(name, (schema, False) if schema else None if ctx.dialect.layers > 2 else catalog.schema)
    else:
        catalog.use(catalog.database, name)


def read_default_change(ctx: Context, reading: DefaultChange) -> None:
    """SET search_path, SET SCHEMA and similar statements: the defaults from here on."""
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


def read_row_type(ctx: Context, reading: RowType) -> None:
    """The fields of a type, which has its name among the tables."""
    columns = [column_target(ctx, definition.name) for definition in reading.columns]
    ctx.catalog.alter(tuple(reading.name.parts), {key: name for key, name, _ in columns})


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
        moved: dict[str, str] | None = None
        if reading.renames:
            target.entity.kind = source.entity.kind
            target.entity.type = source.entity.type
            target.entity.temporary = source.entity.temporary
            target.entity.description = source.entity.description
            target.known, source.known = source.known, None
            moved = target.known if target.entity.temporary else None
        builder.flow = Flow(None, {source.entity: None})
        ctx.writes(target.entity)
        builder.direct(builder.rows(target.entity), builder.rows(source.entity), reading.effect)
        for key, name in (moved or {}).items():
            # A temporary table is left out of what is derived: its columns carry on what came into them.
            builder.direct(
                target.column(builder, key, name, None), source.column(builder, key, name, None), reading.effect
            )
    if reading.effect == "swap_table":
        for (_, target), known in zip(tables, before, strict=True):
            target.known = known
    builder.process = process


def read_columns_change(ctx: Context, reading: ColumnsChange) -> None:
    """ALTER TABLE: what is known of the columns changes; foreign keys, generated columns and places are linked."""
    made = ctx.catalog.known_table(tuple(reading.table.parts)) if reading.renamed else None
    renamed = made is not None and made.entity.temporary
    if not (reading.foreign_keys or reading.locations or renamed or any(column.expression for column in reading.added)):
        _change_columns(ctx, reading)
        return
    ctx.begin("Alter Table")
    builder = ctx.builder
    table = table_rowset(ctx, reading.table)
    if renamed:
        # What is derived leaves a temporary table out: under its new name the column carries on what came into it.
        ctx.writes(table.entity)
        for change in reading.renamed:
            old, new = column_target(ctx, change.old), column_target(ctx, change.new)
            builder.direct(table.column(builder, *new), table.column(builder, *old), "alter_table")
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
    RowType: read_row_type,
    Synonym: read_synonym,
    Transfer: read_transfer,
}
