"""Connects the columns of a result with the columns of the table that a statement writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR
from connector.analysis.context import Context, Target
from connector.analysis.positions import first_offset
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column, EffectType, Span


def column_identifiers(ctx: Context, items: Sequence[Any] | None) -> list[Target] | None:
    """The names of a column list; None when there is none."""
    if not items:
        return None
    found: list[Target] = []
    for item in items:
        identifier = item
        while identifier.__class__ in (exp.Column, exp.ColumnDef, exp.Ordered, exp.Alias, exp.Bracket):
            identifier = identifier.args["this"]
        if identifier.__class__ is exp.Dot:
            identifier = identifier.args["this"]
        if identifier.__class__ is exp.Identifier:
            found.append((ctx.names.key(identifier), ctx.names.written(identifier), ctx.names.span(identifier)))
    return found


def value_spans(ctx: Context, items: Sequence[Any]) -> list[Span | None]:
    """Where the values of a row stand in the text."""
    offset = next((found for item in items if (found := first_offset(item)[0]) >= 0), -1)
    places = ctx.statement.index.row_items(offset, len(items)) if offset >= 0 else []
    base = ctx.builder.base
    script = ctx.builder.script
    return [(script, start + base, end + base) for start, end in places] or [None] * len(items)


def assigned_span(ctx: Context, target: Target) -> Span | None:
    """Where the value stands that SET gives to a column."""
    base = ctx.builder.base
    place = ctx.statement.index.assigned(target[2][2] - base) if target[2] is not None else None
    return (ctx.builder.script, place[0] + base, place[1] + base) if place is not None else None


def write_columns(
    ctx: Context, target: Rowset, result: Rowset, names: list[Target] | None, effect: EffectType, by_name: bool = False
) -> None:
    """Links a result to its target: by the column list, else by the target's known columns, else by name."""
    builder = ctx.builder
    outputs = result.outputs
    target.filled = True
    if names is None and not by_name and target.known is not None:
        names = [(key, name, None) for key, name in target.known.items()]
    if by_name:
        names = None
    if names is None:
        for key, source in outputs:
            column = _star_of(ctx, target, source) if key == STAR else None
            builder.direct(column or target.column(builder, key, source.name, source.span), source, effect)
    elif STAR in result.entity.columns:
        _write_around_star(ctx, target, result, names, effect)
    else:
        for (_, source), (key, name, span) in zip(outputs, names, strict=False):
            builder.direct(target.column(builder, key, name, span), source, effect)
        for _, source in outputs[len(names) :]:
            # The table has more columns than the script says: it was there before CREATE TABLE IF NOT EXISTS.
            builder.direct(_star_of(ctx, target, source), source, effect)
    carry_rows(ctx, target, result, effect)


def _write_around_star(ctx: Context, target: Rowset, result: Rowset, names: list[Target], effect: EffectType) -> None:
    """By position, as far as the places are known; what is written somewhere goes to the star of the target."""
    builder = ctx.builder
    for (_, source), places in zip(result.outputs, result.places(len(names)), strict=True):
        for key, name, span in names[places.start : places.stop]:
            builder.direct(target.column(builder, key, name, span), source, effect)
        if not places:
            builder.direct(_star_of(ctx, target, source), source, effect)


def _star_of(ctx: Context, target: Rowset, source: Column) -> Column:
    """What stands for all columns of a target, or for the content of a file."""
    star = target.element or target.entity.columns.get(STAR)
    return star or ctx.builder.column(target.entity, STAR, STAR, source.span)


def limited_rows(scope: Scope) -> list[Column]:
    """The row columns of what stands in FROM and was limited: subqueries, variables and temporary tables."""
    return [rows for source in scope.sources.values() if (rows := source.limiting_rows) is not None]


def carry_rows(ctx: Context, target: Rowset, result: Rowset, effect: EffectType) -> None:
    """What limited the rows of the result limits what is written."""
    rows = result.entity.columns.get(ROWS)
    if rows is not None:
        ctx.builder.relate("fdr", ctx.builder.rows(target.entity), [rows], effect)
