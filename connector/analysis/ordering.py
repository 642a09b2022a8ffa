"""The order of rows: what it decides, what its items mean, and how far it reaches."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from connector.analysis.builder import Builder
from connector.analysis.expressions import ExpressionReader
from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column

_BY_VALUE = (exp.Sum, exp.Count, exp.CountIf, exp.Min, exp.Max, exp.Avg, exp.Variance, exp.VariancePop, exp.Stddev)
"""Aggregates to which the order of the rows does not matter."""


def order_and_limit(
    expressions: ExpressionReader,
    args: dict[str, Any],
    scope: Scope,
    result: Rowset,
    projections: list[Any],
    ordered: bool,
) -> None:
    """The order of rows moves no data, unless it decides which rows stay or somebody reads them in order."""
    names = expressions.names
    decides = False
    for limit in (args.get("limit"), args.get("offset")):
        if limit is not None and isinstance(limit, BASE):
            decides = True
            scope.impact("limit", expressions.columns(limit, scope))
    order = args.get("order")
    if order is None:
        return
    distinct = args.get("distinct")
    if distinct is not None and isinstance(distinct, BASE) and distinct.args.get("on") is not None:
        decides = True
    for item in order.args.get("expressions") or ():
        inner = item.args["this"] if item.__class__ is exp.Ordered else item
        is_column = inner.__class__ is exp.Column
        if decides:
            pass
        elif not ordered:
            if is_column or inner.find(exp.Query) is None:
                continue
        elif is_column and names.key(inner.args["this"]) in result.entity.columns:
            # The rows bring the column along that they are in the order of: see `carry_order`.
            result.order = [*(result.order or ()), names.key(inner.args["this"])]
            continue
        if inner.__class__ in (exp.Var, exp.Column) and inner.name.upper() == "ALL" and not _is_quoted(inner):
            scope.impact("orderBy", compared(result) if decides else {})
            continue
        target = numbered(inner, projections, result, expressions.builder) or _output_named(
            inner, result, projections, names
        )
        if target.__class__ is Column:
            scope.impact("orderBy", {target: None})
            continue
        if target is not None:
            inner = target
        elif is_column and (not scope.sources or inner.args.get("table") is None):
            # The order of a set operation or a parenthesis names columns of the result, and so does that of a star.
            column = result.entity.columns.get(names.key(inner.args["this"]))
            if column is not None:
                scope.impact("orderBy", {column: None})
                continue
            if not scope.sources:
                continue
        scope.impact("orderBy", expressions.columns(inner, scope))


def carry_order(source: Rowset, node: Any, scope: Scope, result: Rowset, ordered: bool) -> None:
    """Rows that a subquery gives in an order: whoever cuts, numbers or collects them goes by it.

    Who only hands them on hands on the order too, together with the columns that make it.
    """
    uses_order = _goes_by_order(node, scope)
    for key in source.order or ():
        column = source.entity.columns.get(key)
        if column is None or not (uses_order or ordered):
            continue
        if uses_order or key not in result.entity.columns:
            scope.impact("orderBy", {column: None})
        elif node.args.get("order") is None:
            result.order = [*(result.order or ()), key]


def numbered(item: Any, projections: list[Any], result: Rowset, builder: Builder) -> Any:
    """What a number in GROUP BY or ORDER BY means: a select item, or the column of the result where a star or a set
    operation brought it."""
    if item.__class__ is exp.PositionalColumn:
        item = item.args["this"]
    if item.__class__ is not exp.Literal or item.args.get("is_string"):
        return None
    if len(projections) == len(result.outputs) and not result.stars:
        return ordinal(item, projections)
    text = item.args["this"]
    return result.at(builder, int(text)) if text.isdigit() else None


def _output_named(node: Any, result: Rowset, projections: list[Any], names: NameResolver) -> Any:
    """ORDER BY looks at the columns of the result before it looks at those of the tables."""
    if node.__class__ is exp.Column and node.args.get("table") is None and len(projections) == len(result.outputs):
        key = names.key(node.args["this"])
        for (name, _), item in zip(result.outputs, projections, strict=True):
            if name == key:
                return item
    return None


def _goes_by_order(node: Any, scope: Scope) -> bool:
    """Whether what a SELECT gives depends on the order of the rows that it reads."""
    args = node.args
    if args.get("order") is None and (args.get("limit") is not None or args.get("offset") is not None):
        return True
    if any(join.args.get("method") == "POSITIONAL" for join in args.get("joins") or ()):
        return True
    distinct = args.get("distinct")
    if isinstance(distinct, BASE) and distinct.args.get("on") is not None:
        return True
    items = args.get("expressions") or ()
    if scope.aggregates:
        by_value = sum(isinstance(found, _BY_VALUE) for item in items for found in item.find_all(exp.AggFunc))
        return by_value < len(scope.aggregates)
    parts = [*items, args.get("where"), args.get("qualify")]
    return any(
        found.__class__ is exp.Window or found.name.upper() == "ROWNUM"
        for part in parts
        if part is not None
        for found in part.find_all(exp.Window, exp.Column, exp.Pseudocolumn)
    )


def ordinal(item: Any, projections: list[Any]) -> Any:
    """The select item that a number in GROUP BY or ORDER BY means."""
    if item.__class__ is exp.Literal and not item.args.get("is_string"):
        text = item.args["this"]
        if text.isdigit() and 0 < int(text) <= len(projections):
            return projections[int(text) - 1]
    return None


def _is_quoted(node: Any) -> bool:
    identifier = node.args["this"]
    return identifier.__class__ is exp.Identifier and bool(identifier.args.get("quoted"))


def compared(result: Rowset) -> dict[Column, None]:
    """The columns that tell the rows of a result apart."""
    return {column: None for _, column in result.outputs}
