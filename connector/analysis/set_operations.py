"""Reads UNION, INTERSECT and EXCEPT: a chain of the same operation is one resultset."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR, Builder
from connector.analysis.made_structs import merge_structs
from connector.analysis.names import NameResolver
from connector.analysis.ordering import order_and_limit
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.model import Column

if TYPE_CHECKING:
    from connector.analysis.query import QueryReader


def read_set_operation(
    queries: QueryReader,
    node: Any,
    parent: Scope | None,
    cte_parent: Scope | None,
    ordered: bool,
    anchor_read: Callable[[Rowset], None] | None = None,
) -> Rowset:
    builder = queries.builder
    scope = Scope(parent, cte_parent)
    reach, builder.reach = builder.reach, -1
    with_clauses = [node.args["with_"]] if node.args.get("with_") is not None else []
    branches, compared = _branches(node, with_clauses)
    for with_clause in reversed(with_clauses):
        queries.ctes.read(with_clause, scope)
    entity = builder.resultset("select_union")
    result = Rowset(entity)
    rows: dict[Column, None] = {}
    subtracts = isinstance(node, exp.Except)
    by_name = bool(node.args.get("by_name"))
    read: list[Rowset] = []
    for place, branch in enumerate(branches):
        rowset = queries.read(branch, parent, scope, ordered=True)
        read.append(rowset)
        if place == 0 and anchor_read is not None:
            anchor_read(rowset)
        branch_rows = rowset.entity.columns.get(ROWS)
        if branch_rows is not None:
            rows[branch_rows] = None
    first = read[0]
    entity.span = first.entity.span
    _merge_branches(builder, result, read[:1] if subtracts else read, by_name)
    if anchor_read is None and not by_name and all(rowset.structs for rowset in read):
        # In a recursion fields may change places from step to step.
        merge_structs(result, read[:1] if subtracts else read, builder)
    if by_name:
        _keep_matched(queries.names, node, result, read)
    if compared:
        columns = [column for rowset in read[:compared] for _, column in rowset.outputs]
        builder.relate("fdr", builder.rows(entity), columns, "select", "setOperation")
    if rows:
        builder.relate("fdr", builder.rows(entity), rows, "select")
    result.inputs = [rowset for rowset in read if ROWS not in rowset.entity.columns]
    order_and_limit(queries.expressions, node.args, scope, result, [], ordered)
    queries.emit_impacts(scope, entity)
    builder.finish(entity, builder.reach)
    builder.reach = max(reach, builder.reach)
    return result


def _merge_branches(builder: Builder, result: Rowset, read: list[Rowset], by_name: bool) -> None:
    """The columns of a set operation: by position, or by name where asked for or where a star hides positions."""
    result.also = read[0].also
    entity = result.entity
    if any(key == STAR for rowset in read for key, _ in rowset.outputs):
        _merge_open_branches(builder, result, read)
        return
    if by_name:
        merged: dict[str, list[Column]] = {}
        for rowset in read:
            for key, column in rowset.outputs:
                merged.setdefault(key, []).append(column)
        groups = list(merged.items())
    else:
        groups = []
        for place, (key, column) in enumerate(read[0].outputs):
            sources = [column]
            sources += [rowset.outputs[place][1] for rowset in read[1:] if place < len(rowset.outputs)]
            groups.append((key, sources))
    for key, sources in groups:
        column = builder.column(entity, key, sources[0].name, sources[0].span)
        builder.relate("fdd", column, sources, "select")
        result.outputs.append((key, column))


def _merge_open_branches(builder: Builder, result: Rowset, read: list[Rowset]) -> None:
    """By position around the stars where all branches have as many columns there, else by name."""
    base = next((rowset for rowset in read if STAR not in rowset.entity.columns), read[0])
    shapes = {(len(rowset.outputs), rowset.star_place, rowset.last_star) for rowset in read}
    if len(shapes) == 1 and base.last_star == base.star_place + 1:
        groups = [(key, [each.outputs[at][1] for each in read]) for at, (key, _) in enumerate(base.outputs)]
    else:
        keys = dict.fromkeys(key for rowset in (base, *read) for key, _ in rowset.outputs)
        # In a branch with a star nobody knows which column stands in the place of one that another branch names.
        named = [(dict(rowset.outputs), rowset.entity.columns.get(STAR)) for rowset in read]
        groups = [
            (key, [found for by_key, star in named if (found := by_key.get(key, star)) is not None]) for key in keys
        ]
    for key, sources in groups:
        first = next((source for source in sources if source.name != STAR), sources[0])
        column = builder.column(result.entity, key, first.name, first.span)
        builder.relate("fdd", column, sources, "select")
        result.outputs.append((key, column))
    result.stars += [OpenStar(rowset) for rowset in read]
    # Nobody knows the place of what the first branch does not name.
    result.last_star = base.last_star if len(groups) == len(base.outputs) else len(groups)


def _keep_matched(names: NameResolver, node: Any, result: Rowset, read: list[Rowset]) -> None:
    """``INNER UNION ALL BY NAME``, ``LEFT … BY NAME``, ``BY NAME ON (a)``: only some of the columns by name are kept."""
    listed = [item for item in node.args.get("on") or () if item.__class__ in (exp.Column, exp.Identifier)]
    kind = str(node.args.get("kind") or node.args.get("side") or "").upper()
    if any(key == STAR for key, _ in result.outputs) or not (listed or kind in ("INNER", "LEFT")):
        return
    if listed:
        kept = {names.key(item.args["this"] if item.__class__ is exp.Column else item) for item in listed}
    elif kind == "LEFT":
        kept = {key for key, _ in read[0].outputs}
    else:
        kept = set.intersection(*({key for key, _ in rowset.outputs} for rowset in read))
    result.outputs = [(key, column) for key, column in result.outputs if key in kept]


def _branches(node: Any, with_clauses: list[Any]) -> tuple[list[Any], int]:
    """The branches of a chain of the same operation, left to right, without recursion.

    The number says how many of them have their rows compared: a chain is read from the left, so each operation that
    compares rows compares all that stands before it.
    """
    branches: list[Any] = []
    operation = node.__class__
    by_name = bool(node.args.get("by_name"))
    current = node
    kept = 0
    compares = False
    while True:
        compares = compares or operation is not exp.Union or current.args.get("distinct") is not False
        if not compares:
            kept += 1
        branches.append(current.args["expression"])
        left = current.args["this"]
        if left.__class__ is operation and bool(left.args.get("by_name")) == by_name and not _is_limited(left):
            if left.args.get("with_") is not None:
                with_clauses.append(left.args["with_"])
            current = left
            continue
        branches.append(left)
        break
    branches.reverse()
    return branches, len(branches) - kept if compares else 0


def _is_limited(node: Any) -> bool:
    return bool(node.args.get("limit") or node.args.get("order"))
