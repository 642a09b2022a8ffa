"""RETURNING and OUTPUT: rows that a data-changing statement returns, or writes to another table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR
from connector.analysis.context import Context, Target
from connector.analysis.projection import ProjectionReader
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.analysis.writing import column_identifiers, limited_rows, write_columns
from connector.model import Column, Flow
from connector.naming import split_parts

_NEW = ("inserted", "new", "excluded")
_OLD = ("deleted", "old")
"""Names of the row as the statement leaves it, and as it was before."""


@dataclass(slots=True)
class Written:
    """What a statement, or each branch of it, puts into a row of the target."""

    values: dict[str, list[Column]] = field(default_factory=dict)
    """New values by the key of the target's column."""
    kept: set[str] | None = None
    """Columns that every branch which changes rows sets anew; None: no row is there before."""

    def add(self, values: Mapping[str, Column | list[Column]], keeps: bool) -> None:
        """The values of one branch. `keeps` says that it changes rows which are there, and keeps what it does not set."""
        for key, found in values.items():
            if key != ROWS:
                self.values.setdefault(key, []).extend(found if isinstance(found, list) else [found])
        if keeps:
            self.kept = set(values) if self.kept is None else self.kept & set(values)

    def keeps(self, key: str) -> bool:
        """Whether the value of the column may be the one that was there before."""
        return self.kept is not None and key not in self.kept


def read_returning(
    ctx: Context,
    node: Any,
    target: Rowset,
    scope: Scope,
    written: Written | None = None,
    source_rows: Column | None = None,
) -> Rowset:
    """The rowset of the RETURNING clause; an OUTPUT … INTO writes it to a table.

    What is returned is the row as the statement leaves it. `source_rows` is the row column of the query whose rows were
    inserted.
    """
    returning = node.args.get("returning")
    if returning is None:
        return target
    row = _new_row(ctx, target, written) if written is not None and written.values else target
    qualified = Scope(scope.parent, scope)
    for key, source in scope.sources.items():
        qualified.sources[key] = row if source is target else source
    for name in (target.entity.table, *_NEW):
        qualified.sources.setdefault(ctx.names.key_of(name), row)
    for name in _OLD:
        qualified.sources.setdefault(ctx.names.key_of(name), target)
    inner = Scope(qualified, scope)
    inner.sources["\0target"] = row
    entity = ctx.builder.resultset("select_list")
    result = Rowset(entity)
    result.inputs.append(target)
    items = returning.args.get("expressions") or []
    ProjectionReader(ctx.builder, ctx.names, ctx.expressions).read(items, inner, result)
    for clause, columns in scope.impacts.items():
        ctx.builder.relate("fdr", ctx.builder.rows(entity), columns, "select", clause)
    limited = limited_rows(scope)
    if source_rows is not None:
        limited.append(source_rows)
    if limited:
        ctx.builder.relate("fdr", ctx.builder.rows(entity), limited, "select")
    ctx.builder.finish(entity, ctx.builder.reach)
    _write_into(ctx, returning.args.get("into"), target, result)
    return result


def hand_back(ctx: Context, node: Any, result: Rowset) -> None:
    """A statement of a routine that returns rows, and does not write them elsewhere: the routine gives them."""
    returning = node.args.get("returning")
    process = ctx.builder.process
    if ctx.returned is None or returning is None or returning.args.get("into") or process is None:
        return
    sources = {**ctx.builder.flow.sources, **{source.entity: None for source in result.inputs}}
    ctx.returned(result, process, Flow(None, sources))


def _new_row(ctx: Context, target: Rowset, written: Written) -> Rowset:
    """The row as the statement leaves it: what it wrote, and beside that the columns of the target as they were."""
    builder = ctx.builder
    found = Rowset(builder.resultset("alias"))
    names = target.known
    if names is None:
        names = {key: target.column(builder, key, key, None).name for key in written.values}
    for key, name in names.items():
        sources = list(dict.fromkeys(written.values.get(key, ())))
        if written.keeps(key):
            sources.append(target.column(builder, key, name, None))
        column = builder.column(found.entity, key, name, sources[0].span if sources else None)
        builder.relate("fdd", column, sources, "select")
        found.outputs.append((key, column))
    if target.known is None:
        star = builder.column(found.entity, STAR, STAR, None)
        builder.direct(star, target.column(builder, STAR, STAR, None), "select")
        found.stars.append(OpenStar(target))
        found.outputs.append((STAR, star))
    builder.finish(found.entity, builder.reach)
    return found


def _write_into(ctx: Context, into: Any, target: Rowset, result: Rowset) -> None:
    """OUTPUT … INTO table (columns): the grammar may take the table and its columns for a function call."""
    names: list[Target] | None = None
    if isinstance(into, exp.Func):
        names = column_identifiers(ctx, into.args.get("expressions") or list(into.find_all(exp.Column)))
        span = ctx.names.span(into)
        name = ctx.builder.script.text[span[1] : span[2]] if span is not None else into.name
        into = exp.Table(this=exp.to_identifier(name).update_positions(into))
    elif into.__class__ is exp.Schema:
        names = column_identifiers(ctx, into.args.get("expressions"))
        into = into.args["this"]
    elif into.__class__ is exp.Identifier:
        # A qualified name may come as one word (see connector.sql.repair.tsql).
        parts = [exp.to_identifier(part).update_positions(into) for part in split_parts(into.name)]
        into = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
    elif into.__class__ is exp.Parameter:
        into = exp.Table(this=into.copy())
    if into.__class__ is exp.Table and into.args["this"].__class__ in (exp.Identifier, exp.Parameter):
        copy = ctx.target(into)
        # The rows go on from the target to the other table; the target has not been read for itself.
        ctx.writes(copy.entity).sources[target.entity] = None
        write_columns(ctx, copy, result, names, "insert")
