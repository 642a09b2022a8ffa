"""PIVOT and UNPIVOT, as a clause or as a statement: the columns they create, and the columns they pass through."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import STAR
from connector.analysis.column_patterns import matching_columns
from connector.analysis.nodes import BASE
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.model import Column, Span
from connector.sql.masked_names import DerivedName, mask_values

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader

_Label = tuple[str, str, Span | None]


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
    rows = source.limiting_rows
    if rows is not None:
        reader.builder.relate("fdr", reader.builder.rows(entity), [rows], "select")
    else:
        found.inputs.append(source)
    reader.builder.finish(entity, reader.builder.reach)
    return found


def read_pivot_statement(reader: SourceReader, pivot: Any, scope: Scope) -> Rowset:
    """DuckDB's `PIVOT t ON x USING sum(y)` and `UNPIVOT t ON a, b INTO …`, which stand where a query stands."""
    inner = Scope(scope.parent, scope)
    source = reader.add(pivot.args["this"], inner)
    return read_pivot(reader, pivot, source, next(iter(inner.sources)), scope)


def _pivot(reader: SourceReader, pivot: Any, source: Rowset, found: Rowset, scope: Scope) -> None:
    """Each aggregate gives one new column for each value of the FOR columns."""
    builder = reader.builder
    args = pivot.args
    is_statement = not args.get("fields")
    calls = (args.get("using") or []) if is_statement else (args.get("expressions") or [])
    lists = (args.get("expressions") if is_statement else args.get("fields")) or []
    heads = [item.args["this"] if item.__class__ is exp.In else item for item in lists]
    aggregates: list[list[Column]] = []
    for item in calls:
        out: list[Column] = []
        reader.expressions.value(item.args["this"] if item.__class__ is exp.Alias else item, scope, out, {})
        aggregates.append(out)
    spread: dict[Column, None] = {}
    for head in heads:
        if isinstance(head, BASE):
            spread.update(reader.expressions.columns(head, scope))
    queries = [query for item in lists if (query := _listing_query(item)) is not None]
    for query in queries:
        spread.update(reader.expressions.columns(query, scope))
    keys = _keys(reader, args.get("group"), source, found, scope, [*calls, *heads])
    rows = builder.rows(found.entity)
    builder.relate("fdr", rows, keys, "select", "groupBy")
    builder.relate("fdr", rows, spread, "select", "groupBy")
    if any(query.parent.__class__ is not exp.PivotAlias for query in queries):
        labels = []
    elif is_statement or reader.names.dialect.joined_pivot_values:
        labels = _joined_labels(reader, lists, calls)
    else:
        labels = [_label(reader, identifier) for identifier in args.get("columns") or ()]
        if labels and len(lists) == 1:
            labels = _labels_by_value(reader, lists[0], calls, labels)
    labels = _masked(reader, labels, lists)
    if not labels:
        # The values are not listed (PIVOT … ANY, or a subquery): what the columns are called cannot be told.
        star = found.entity.columns.get(STAR)
        if star is None:
            star = builder.column(found.entity, STAR, STAR, None)
            found.outputs.append((STAR, star))
        builder.relate("fdd", star, [each for out in aggregates for each in out], "select")
        builder.relate("fdr", star, spread, "select", "select")
        builder.relate("fdr", star, keys, "select", "groupBy")
        return
    for place, (key, name, span) in enumerate(labels):
        column = builder.column(found.entity, key, name or _EMPTY, span)
        builder.relate("fdd", column, aggregates[place % len(aggregates)] if aggregates else [], "select")
        builder.relate("fdr", column, spread, "select")
        builder.relate("fdr", column, keys, "select", "groupBy")
        found.outputs.append((key, column))


def _labels_by_value(reader: SourceReader, field: Any, calls: list[Any], labels: list[_Label]) -> list[_Label]:
    """The labels with the names that the engine makes of values without an alias, where the grammar has others."""
    values = field.args.get("expressions") or []
    by_value = reader.names.dialect.spelled_pivot_values
    if len(labels) != len(values) * max(len(calls), 1):
        return labels
    found: list[_Label] = []
    for place, label in enumerate(labels):
        value, call = values[place // max(len(calls), 1)], calls[place % len(calls)] if calls else None
        name = ""
        if by_value and value.__class__ is not exp.PivotAlias:
            prefix = f"{call.alias}_" if call.__class__ is exp.Alias else ""
            name = prefix + _named_after(value)
        elif value.__class__ is exp.Tuple and not label[1].strip('"'):
            name = f"{{{', '.join(item.name for item in value.args['expressions'])}}}"
        found.append((reader.names.key_of(name), name, label[2]) if name else label)
    return found


def _named_after(value: Any) -> str:
    """BigQuery: a number as ``_1``, ``minus_1`` or ``_1_point_5``, a date as ``_2024_01_31``, fields joined by ``_``."""
    if value.__class__ in (exp.Tuple, exp.Struct):
        return "_".join(_named_after(item) for item in value.args.get("expressions") or ())
    if value.__class__ is exp.Neg:
        return "minus" + _named_after(value.args["this"])
    if value.__class__ is exp.Literal and not value.is_string:
        return "_" + value.name.replace(".", "_point_")
    if value.__class__ is exp.Cast and value.args["this"].__class__ is exp.Literal:
        text = value.args["this"].name
        return "_" + text.replace("-", "_") if value.to.is_type("date") else text
    if value.__class__ in (exp.Boolean, exp.Null):
        return str(value.sql()).upper()
    return str(value.name)


_EMPTY = '""'
"""The name that an empty value of the pivoted column gives."""


def _keys(
    reader: SourceReader, group: Any, source: Rowset, found: Rowset, scope: Scope, taken: list[Any]
) -> list[Column]:
    """The columns that a pivot groups by: those of its GROUP BY, else all that it uses for nothing else."""
    if group is None:
        used = {reader.names.key(column.args["this"]) for item in taken for column in item.find_all(exp.Column)}
        return let_through(reader, source, found, used)
    keys: list[Column] = []
    for item in group.args.get("expressions") or ():
        columns = reader.expressions.columns(item, scope)
        keys.extend(columns)
        if item.__class__ is exp.Column:
            key, name, span = _label(reader, item.args["this"])
            column = reader.builder.column(found.entity, key, name, span)
            reader.builder.relate("fdd", column, columns, "select")
            found.outputs.append((key, column))
    return keys


def _label(reader: SourceReader, identifier: Any) -> _Label:
    name = reader.names.written(identifier) if identifier._meta else str(identifier.name)
    return reader.names.key(identifier), name, reader.names.span(identifier)


def _masked(reader: SourceReader, labels: list[_Label], heads: Any) -> list[_Label]:
    """The new columns, each with the name that does not disclose the values it stands for."""
    if not labels:
        return labels
    listed = [head.args.get("expressions") or () if head.__class__ is exp.In else () for head in heads]
    combinations = list(product(*listed))
    if not combinations or len(labels) % len(combinations):
        return labels
    each = len(labels) // len(combinations)
    found: list[_Label] = []
    for place, (key, name, span) in enumerate(labels):
        items = [item for item in combinations[place // each] if item.__class__ not in (exp.PivotAlias, exp.Alias)]
        values = [literal.name for item in items for literal in item.find_all(exp.Literal)]
        found.append((key, mask_values(name, values), span))
    reader.builder.masks = reader.builder.masks or any(isinstance(name, DerivedName) for _, name, _ in found)
    return found


def _listing_query(field: Any) -> Any:
    """``FOR m IN (SELECT …)``: the query that lists the values."""
    if field.__class__ is not exp.In:
        return None
    values = field.args.get("expressions") or [field.args.get("query")]
    query = values[0].args["this"] if values[0].__class__ is exp.PivotAlias else values[0]
    return query if isinstance(query, exp.Query) else None


def _joined_labels(reader: SourceReader, heads: list[Any], calls: list[Any]) -> list[_Label]:
    """DuckDB: values and aggregate joined by an underscore; nothing where the values of one list are not written."""
    values: list[list[str]] = []
    for head in heads:
        if head.__class__ is not exp.In or not head.args.get("expressions"):
            return []
        values.append([_joined(item) for item in head.args["expressions"]])
    suffixes = [
        f"_{call.args['alias'].name}"
        if call.__class__ is exp.Alias
        else f"_{call.sql('duckdb').lower()}"
        if len(calls) > 1
        else ""
        for call in calls
    ]
    names = ["_".join(combination) + suffix for combination in product(*values) for suffix in suffixes or [""]]
    return [(reader.names.key_of(name), name, None) for name in names]


def _joined(value: Any) -> str:
    if value.__class__ is exp.Tuple:
        return "_".join(map(_joined, value.args["expressions"]))
    return str(value.alias_or_name)


def _unpivot(reader: SourceReader, pivot: Any, source: Rowset, found: Rowset, scope: Scope) -> None:
    """The listed columns become values of one column; their names become values of another."""
    builder = reader.builder
    args = pivot.args
    values: list[Any] = []
    name_columns: list[Any] = []
    listed: list[Any] = []
    if args.get("fields"):
        for item in args.get("expressions") or ():
            values.extend(_listed(item))
        for field in args["fields"]:
            if field.__class__ is exp.In:
                name_columns.append(field.args["this"])
            listed.extend(field.args.get("expressions") or ())
    else:
        into = args.get("into")
        name_columns = [into.args["this"] if into is not None else exp.to_identifier("name")]
        values = into.args.get("expressions") if into is not None else [exp.to_identifier("value")]
        if not isinstance(values, list):
            raise ParseError("incomplete statement: the columns of an UNPIVOT are missing")
        listed = args.get("expressions") or []
    feeding: list[list[Column]] = [[] for _ in values] or [[]]
    used: set[str] = set()
    for item in listed:
        inner = item.args["this"] if item.__class__ in (exp.PivotAlias, exp.Alias) else item
        for place, column in enumerate(_listed(inner)):
            into_list = feeding[place % len(feeding)]
            if column.__class__ is exp.Column:
                used.add(reader.names.key(column.args["this"]))
                reader.names.column(column, scope, into_list)
            elif column.__class__ in (exp.Columns, exp.Star):
                chosen = exp.Columns(this=column.copy()) if column.__class__ is exp.Star else column
                for key, _, matching in matching_columns(chosen, scope, reader.names):
                    used.add(key)
                    into_list.append(matching)
            elif isinstance(column, BASE):
                reader.expressions.value(column, scope, into_list, {})
                used |= {reader.names.key(each.args["this"]) for each in column.find_all(exp.Column)}
    let_through(reader, source, found, used)
    if not args.get("include_nulls"):
        taken_apart = [column for columns in feeding for column in columns]
        builder.relate("fdr", builder.rows(found.entity), taken_apart, "select", "unnest")
    outputs: list[tuple[Any, list[Column]]] = [(identifier, []) for identifier in name_columns]
    valued = list(zip(values, feeding, strict=False))
    outputs = [*valued, *outputs] if args.get("value_columns_first") else [*outputs, *valued]
    for identifier, sources in outputs:
        name = identifier.args["this"] if identifier.__class__ is exp.Column else identifier
        if name.__class__ is exp.Identifier:
            key, written, span = _label(reader, name)
            column = builder.column(found.entity, key, written, span)
            builder.relate("fdd", column, sources, "select")
            found.outputs.append((key, column))


def _listed(node: Any) -> list[Any]:
    """The items of a list in parentheses; one item may stand without them."""
    if node.__class__ is exp.Paren:
        return [node.args["this"]]
    return node.args.get("expressions") or [] if node.__class__ is exp.Tuple else [node]


def let_through(reader: SourceReader, source: Rowset, found: Rowset, used: set[str]) -> list[Column]:
    """The columns that a pivot or a match does not use stay as they are."""
    builder = reader.builder
    if source.outputs:
        entries = [(key, column) for key, column in source.outputs if key not in used and key != STAR]
    else:
        entries = [
            (key, source.column(builder, key, name, None))
            for key, name in (source.known or {}).items()
            if key not in used
        ]
    passed = [column for _, column in entries]
    for key, column in entries:
        target = builder.column(found.entity, key, column.name, column.span)
        builder.direct(target, column, "select")
        found.outputs.append((key, target))
    if not source.closed:
        star = builder.column(found.entity, STAR, STAR, None)
        origin = source.column(builder, STAR, STAR, None)
        builder.direct(star, origin, "select")
        found.stars.append(OpenStar(source, frozenset(used)))
        found.outputs.append((STAR, star))
        passed.append(origin)
    return passed
