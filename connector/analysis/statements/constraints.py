"""What definitions say between columns: foreign keys and generated columns."""

from __future__ import annotations

from sqlglot.errors import ParseError

from connector.analysis.builder import Impacts
from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.inner import column_target, expression, table_rowset
from connector.model import Column, EffectType, Relation, RelationType
from connector.sql.readers.readings import ColumnDefinition, ForeignKey
from connector.sql.tolerant import NameRef

__all__ = ["add_foreign_keys", "add_generated", "note_primary_key"]


def note_primary_key(ctx: Context, table: Rowset, columns: list[NameRef]) -> None:
    """A foreign key that leaves the referenced columns out means these."""
    if columns:
        ctx.catalog.primary_keys[table.key] = [column_target(ctx, ref)[0] for ref in columns]


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
    """The columns a foreign key refers to: named, the primary key, or the rows where nobody knows."""
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
