"""PIVOT and UNPIVOT: the columns they make, and the columns they let through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR
from connector.analysis.nodes import BASE
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.model import Column

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader

__all__ = ["read_pivot"]


def read_pivot(reader: SourceReader, pivot: Any, source: Rowset, key: str, scope: Scope) -> Rowset:
    """The rowset that a PIVOT or UNPIVOT makes of another one."""
    inner = Scope(scope.parent, scope)
    inner.add(key, source)
    unpivot = bool(pivot.args.get("unpivot"))
    entity = reader.builder.resultset("unpivot_table" if unpivot else "pivot_table")
    found = Rowset(entity)
    if unpivot:
        _unpivot(reader, pivot, source, found, inner)
    else:
        _pivot(reader, pivot, source, found, inner)
    rows = source.entity.columns.get(ROWS)
    if rows is not None and source.entity.kind == "resultset":
        reader.builder.relate("fdr", reader.builder.rows(entity), [rows], "select")
    else:
        found.inputs.append(source)
    reader.builder.finish(entity, reader.builder.reach)
    return found


def _pivot(reader: SourceReader, pivot: Any, source: Rowset, found: Rowset, scope: Scope) -> None:
    """Each aggregate gives one new column for each value of the FOR columns."""
    builder = reader.builder
    args = pivot.args
    aggregates: list[list[Column]] = []
    for item in args.get("expressions") or ():
        out: list[Column] = []
        reader.expressions.value(item.args["this"] if item.__class__ is exp.Alias else item, scope, out, {})
        aggregates.append(out)
    used: set[str] = set()
    for item in args.get("expressions") or ():
        used |= {reader.names.key(column.args["this"]) for column in item.find_all(exp.Column)}
    spread: dict[Column, None] = {}
    for field in args.get("fields") or ():
        head = field.args.get("this")
        if isinstance(head, BASE):
            spread.update(reader.expressions.columns(head, scope))
            used |= {reader.names.key(column.args["this"]) for column in head.find_all(exp.Column)}
    _let_through(reader, source, found, used)
    names = args.get("columns") or []
    if not names:
        # The values are not listed (PIVOT … ANY, or a subquery): what the columns are called cannot be told.
        star = found.entity.columns.get(STAR)
        if star is None:
            star = builder.column(found.entity, STAR, STAR, None)
            found.outputs.append((STAR, star))
        builder.relate("fdd", star, [each for out in aggregates for each in out], "select")
        builder.relate("fdr", star, spread, "select", "select")
        return
    for place, identifier in enumerate(names):
        column_key = reader.names.key(identifier)
        column = builder.column(
            found.entity, column_key, _pivot_name(reader, identifier), reader.names.span(identifier)
        )
        feeding = aggregates[place % len(aggregates)] if aggregates else []
        builder.relate("fdd", column, feeding, "select")
        builder.relate("fdr", column, spread, "select")
        found.outputs.append((column_key, column))


def _pivot_name(reader: SourceReader, identifier: Any) -> str:
    return reader.names.written(identifier) if identifier._meta else str(identifier.name)


def _unpivot(reader: SourceReader, pivot: Any, source: Rowset, found: Rowset, scope: Scope) -> None:
    """The listed columns become values of one column; their names become values of another."""
    builder = reader.builder
    args = pivot.args
    used: set[str] = set()
    fields = args.get("fields") or []
    values: list[Any] = []
    for item in args.get("expressions") or ():
        values.extend(item.args.get("expressions") or [] if item.__class__ is exp.Tuple else [item])
    feeding: list[list[Column]] = [[] for _ in values] or [[]]
    name_columns: list[Any] = []
    for field in fields:
        if field.__class__ is exp.In:
            name_columns.append(field.args["this"])
        for item in field.args.get("expressions") or ():
            inner = item.args["this"] if item.__class__ is exp.PivotAlias else item
            listed = inner.args.get("expressions") or [] if inner.__class__ is exp.Tuple else [inner]
            for place, column in enumerate(listed):
                if column.__class__ is exp.Column:
                    used.add(reader.names.key(column.args["this"]))
                    reader.names.column(column, scope, feeding[place % len(feeding)])
    _let_through(reader, source, found, used)
    for identifier in name_columns:
        name = identifier.args["this"] if identifier.__class__ is exp.Column else identifier
        if name.__class__ is exp.Identifier:
            column = builder.column(
                found.entity, reader.names.key(name), reader.names.written(name), reader.names.span(name)
            )
            found.outputs.append((reader.names.key(name), column))
    for place, identifier in enumerate(values):
        name = identifier.args["this"] if identifier.__class__ is exp.Column else identifier
        if name.__class__ is exp.Identifier:
            column = builder.column(
                found.entity, reader.names.key(name), reader.names.written(name), reader.names.span(name)
            )
            builder.relate("fdd", column, feeding[place], "select")
            found.outputs.append((reader.names.key(name), column))


def _let_through(reader: SourceReader, source: Rowset, found: Rowset, used: set[str]) -> None:
    """The columns that a pivot does not use stay as they are."""
    builder = reader.builder
    if source.outputs:
        entries = [(key, column) for key, column in source.outputs if key not in used and key != STAR]
    else:
        entries = [
            (key, source.column(builder, key, name, None))
            for key, name in (source.known or {}).items()
            if key not in used
        ]
    for key, column in entries:
        target = builder.column(found.entity, key, column.name, column.span)
        builder.direct(target, column, "select")
        found.outputs.append((key, target))
    if not source.closed:
        star = builder.column(found.entity, STAR, STAR, None)
        builder.direct(star, source.column(builder, STAR, STAR, None), "select")
        found.stars.append(OpenStar(source, frozenset(used)))
        found.outputs.append((STAR, star))
