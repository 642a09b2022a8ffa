"""Writing through views: what a statement writes to an updatable view is written to the table behind it.

A view is one where its query shows plain columns of a single table, row by row. Engines accept more, such as joins in which
one table keeps its key; which table they then write depends on keys that a script seldom tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from connector.analysis.builder import STAR
from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.model import Column, Entity

_MAKING_ROWS = (
    "distinct",
    "group",
    "having",
    "qualify",
    "joins",
    "laterals",
    "limit",
    "match",
    "with_",
    "connect",
    "pivots",
)
"""Clauses of a query whose rows are not those of its table."""


@dataclass(frozen=True, slots=True)
class UpdatableView:
    """The table behind a view, and which of its columns those of the view are."""

    table: Rowset
    columns: dict[str, str]
    """By the keys of the view; STAR among them says that others have the same names."""


def note_view(ctx: Context, query: Any, view: Rowset) -> None:
    """Remembers a view that can be written through; forgets what a view of that name was before."""
    ctx.catalog.updatable_views.pop(view.entity, None)
    if query.__class__ is not exp.Select or any(query.args.get(clause) for clause in _MAKING_ROWS):
        return
    source = query.args["from_"].args["this"] if query.args.get("from_") is not None else None
    if source.__class__ is not exp.Table or any(source.args.get(part) for part in ("pivots", "joins", "laterals")):
        return
    if source.args["this"].__class__ is not exp.Identifier or view.entity.temporary:
        return
    items = query.args["expressions"]
    shown = list(view.known or {})
    columns: dict[str, str] = {}
    for place, item in enumerate(items):
        inner = item.args["this"] if item.__class__ is exp.Alias else item
        if inner.__class__ is exp.Star:
            columns[STAR] = STAR
        elif inner.__class__ is exp.Column and inner.args["this"].__class__ is exp.Identifier:
            key = ctx.names.key(inner.args["this"])
            named = shown[place] if len(shown) == len(items) else ctx.names.key_of(item.alias_or_name)
            columns[named] = key
    if columns:
        ctx.catalog.updatable_views[view.entity] = UpdatableView(ctx.sources.base_table(source), columns)


def write_through(ctx: Context, first: int) -> None:
    """Repeats the relations from `first` on that write an updatable view for the table behind it."""
    builder = ctx.builder
    process = builder.process
    known = ctx.catalog.updatable_views
    relations = builder.model.relations
    done: set[Entity] = set()
    while process is not None:
        targets = [flow.target for flow in process.flows if flow.target is not None and flow.target not in done]
        written = {view: known[view] for view in targets if view in known}
        done.update(written)
        last = len(relations)
        for view, behind in written.items():
            table = behind.table
            keys = {column: key for key, column in view.columns.items()}
            for relation in relations[first:last]:
                if relation.target.entity is not view or relation.process is not process or relation.type == "join":
                    continue
                column = _behind(ctx, behind, keys.get(relation.target, ""), relation.target)
                if column is not None:
                    builder.relate(relation.type, column, relation.sources, relation.effect, relation.clause)
            ctx.writes(table.entity)
        if not written:
            return
        # A view may show another.
        first = last


def _behind(ctx: Context, view: UpdatableView, key: str, shown: Column) -> Column | None:
    table = view.table
    if shown.system:
        return ctx.builder.rows(table.entity)
    name = view.columns.get(key)
    if name is None and STAR not in view.columns:
        return None
    if key == STAR:
        return table.entity.columns.get(STAR) or ctx.builder.column(table.entity, STAR, STAR, None)
    return table.column(ctx.builder, name or key, name or shown.name, None)
