"""Updatable views: what is written to a column of the view is written to the table column behind it."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS
from connector.analysis.context import Context
from connector.analysis.rowset import Rowset, Shown
from connector.model import Column, EffectType, Relation

_OWN_ROWS = ("distinct", "group", "having", "limit", "offset", "connect", "qualify")
"""Clauses of a view whose rows are no rows of a table."""


def note_shown(ctx: Context, view: Rowset, result: Rowset, query: Any) -> None:
    """Remembers which columns of its tables a new view shows as they are."""
    view.shown = None
    if query.__class__ is not exp.Select or any(query.args.get(clause) for clause in _OWN_ROWS):
        return
    shown: dict[Column, Column] = {}
    limits: list[Column] = []
    sources: dict[Column, Column] = {}
    for relation in _relations_of(ctx):
        if relation.target.entity is result.entity:
            if relation.type == "fdd" and len(relation.sources) == 1 and relation.expression is None:
                sources[relation.target] = relation.sources[0]
            elif relation.target is result.entity.columns.get(ROWS):
                limits += relation.sources
    for relation in _relations_of(ctx):
        if relation.target.entity is view.entity and relation.type == "fdd" and len(relation.sources) == 1:
            base = sources.get(relation.sources[0])
            if base is not None and base.entity.kind in ("table", "view"):
                shown[relation.target] = base
    if shown:
        view.shown = Shown(shown, [column for column in limits if column.entity.kind in ("table", "view")])


def note_face(face: Rowset, table: Rowset) -> None:
    """Remembers that another table keeps the rows of this one."""
    face.shown = Shown({}, [], table)


def write_through(ctx: Context, target: Rowset, effect: EffectType) -> None:
    """Passes what a statement wrote to a view on to the tables behind it.

    Only rows that the view shows can be changed; new rows may be others.
    """
    shown = target.shown
    if shown is None or not (ctx.options.write_through_views or shown.kept_by is not None):
        return
    builder = ctx.builder
    written = [found for found in _relations_of(ctx) if found.target.entity is target.entity and found.type != "join"]
    written.reverse()
    if shown.kept_by is not None:
        keeper = shown.kept_by
        for key, column in target.entity.columns.items():
            shown.columns[column] = (
                builder.rows(keeper.entity) if key == ROWS else keeper.column(builder, key, column.name, None)
            )
    columns = [shown.columns[found.target] for found in written if found.target in shown.columns]
    # Where no column is written, as in a DELETE, it is the first table whose rows the view shows.
    tables = dict.fromkeys(column.entity for column in columns or [*shown.columns.values()][:1])
    for table in tables:
        if table is target.entity:
            continue
        ctx.writes(table)
        for found in written:
            sources = [shown.columns.get(source, source) for source in found.sources]
            end = shown.columns.get(found.target)
            if end is not None and end.entity is table:
                builder.relate(found.type, end, sources, found.effect, found.clause)
            elif found.target is target.entity.columns.get(ROWS):
                builder.relate(found.type, builder.rows(table), sources, found.effect, found.clause)
        if effect != "insert" and shown.limits:
            builder.relate("fdr", builder.rows(table), shown.limits, effect, "where")
        behind = ctx.catalog.rowset_of(table)
        if behind is not None:
            write_through(ctx, behind, effect)


def _relations_of(ctx: Context) -> list[Relation]:
    """The relations of the statement at hand, the last one first."""
    found: list[Relation] = []
    for relation in reversed(ctx.builder.model.relations):
        if relation.process is not ctx.builder.process:
            break
        found.append(relation)
    return found
