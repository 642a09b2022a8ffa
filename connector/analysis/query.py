"""Reading queries: SELECT, set operations, VALUES and common table expressions, each into a resultset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from connector.analysis.builder import ROWS, STAR, Builder
from connector.analysis.ctes import CteReader
from connector.analysis.expressions import ExpressionReader
from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE
from connector.analysis.projection import ProjectionReader
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.analysis.sources import SourceReader
from connector.model import Column, Entity
from connector.sql.dialects import SqlDialect

__all__ = ["QueryReader"]

_LATERAL_ALIAS = frozenset(
    "clickhouse databricks duckdb netezza redshift snowflake sparksql teradata dremio exasol vertica".split()
)
"""Dialects in which a select item may use the alias of an earlier one."""

DmlReader = Callable[[Any, Scope], Rowset]


class QueryReader:
    """Reads one query after another into resultsets and their relations."""

    __slots__ = ("_lateral_alias", "_projections", "_sources", "builder", "ctes", "dml", "expressions", "names")

    def __init__(
        self,
        builder: Builder,
        names: NameResolver,
        expressions: ExpressionReader,
        sources: SourceReader,
        dialect: SqlDialect,
        dml: DmlReader,
    ) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self.dml = dml
        """Reads a data-changing statement inside a WITH, and gives what it returns."""
        self._sources = sources
        self._projections = ProjectionReader(builder, names, expressions)
        self.ctes = CteReader(builder, names, self, dialect)
        self._lateral_alias = dialect.name in _LATERAL_ALIAS
        expressions.attach(self)
        sources.attach(self)

    def release(self) -> None:
        """The end of the acquaintance with the readers that know this one."""
        del self.dml, self.ctes

    # --- entry points -------------------------------------------------------------------------------------------

    def read(self, node: Any, parent: Scope | None, cte_parent: Scope | None, kind: str = "select_list") -> Rowset:
        """The resultset of any query. `kind` is the type of the resultset when the query is a plain SELECT."""
        while node.__class__ is exp.Subquery and not _has_modifiers(node):
            node = node.args["this"]
        if node.__class__ is exp.Select:
            return self._select(node, parent, cte_parent, kind)
        if isinstance(node, exp.SetOperation):
            return self.set_operation(node, parent, cte_parent)
        if node.__class__ is exp.Subquery:
            return self._modified_subquery(node, parent, cte_parent, kind)
        if isinstance(node, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
            return self.dml(node, Scope(parent, cte_parent))
        scope = Scope(parent, cte_parent)
        with_clause = node.args.get("with_")
        if with_clause is not None:
            self.ctes.read(with_clause, scope)
        return self._sources.read(node, scope)

    def subquery(self, node: Any, scope: Scope) -> Rowset:
        """A query inside an expression: it sees the columns around it."""
        return self.read(node, scope, scope)

    def derived(self, node: Any, scope: Scope, lateral: bool = False) -> Rowset:
        """A query in a FROM clause: it sees the tables beside it only when it is lateral."""
        return self.read(node, scope if lateral else scope.parent, scope)

    def existence(self, node: Any, scope: Scope) -> Column:
        """The row column of a subquery of which only the existence of rows counts."""
        found = self.subquery(node, scope)
        return found.entity.columns.get(ROWS) or found.rows(self.builder)

    def source_rows(self, scope: Scope) -> list[Column]:
        """The row columns of everything in the FROM clause."""
        return [source.rows(self.builder) for source in scope.sources.values()]

    # --- columns of one result as columns of another ---------------------------------------------------------

    def rename_columns(self, found: Rowset, result: Rowset, columns: Any) -> None:
        """Carries the columns of `result` over to `found`, under new names as far as there are any."""
        builder = self.builder
        names = list(columns or ())
        for place, (key, column) in enumerate(result.outputs):
            if key == STAR:
                star = builder.column(found.entity, STAR, STAR, column.span)
                builder.direct(star, column, "select")
                found.stars.append(OpenStar(result))
                found.outputs.append((STAR, star))
                continue
            if place < len(names) and STAR not in found.entity.columns:
                identifier = names[place]
                new_key, name, span = (
                    self.names.key(identifier),
                    self.names.written(identifier),
                    self.names.span(identifier),
                )
            else:
                new_key, name, span = key, column.name, column.span
            self.direct_output(found, new_key, name, span, column)
        if not result.outputs and result.feeds is not None:
            found.feeds = result.feeds

    def direct_output(self, found: Rowset, key: str, name: str, span: Any, source: Column) -> Column:
        """A new column of a result that takes its data from one column."""
        column = self.builder.column(found.entity, key, name, span)
        self.builder.direct(column, source, "select")
        found.outputs.append((key, column))
        return column

    # --- set operations -----------------------------------------------------------------------------------------

    def set_operation(
        self,
        node: Any,
        parent: Scope | None,
        cte_parent: Scope | None,
        anchor_read: Callable[[Rowset], None] | None = None,
    ) -> Rowset:
        builder = self.builder
        scope = Scope(parent, cte_parent)
        reach, builder.reach = builder.reach, -1
        with_clauses = [node.args["with_"]] if node.args.get("with_") is not None else []
        branches = _branches(node, with_clauses)
        for with_clause in reversed(with_clauses):
            self.ctes.read(with_clause, scope)
        entity = builder.resultset("select_union")
        result = Rowset(entity)
        rows: dict[Column, None] = {}
        subtracts = isinstance(node, exp.Except)
        by_name = bool(node.args.get("by_name"))
        read: list[Rowset] = []
        for place, branch in enumerate(branches):
            rowset = self.read(branch, parent, scope)
            read.append(rowset)
            if place == 0 and anchor_read is not None:
                anchor_read(rowset)
            branch_rows = rowset.entity.columns.get(ROWS)
            if branch_rows is not None:
                rows[branch_rows] = None
        first = read[0]
        entity.span = first.entity.span
        self._merge_branches(result, read[:1] if subtracts else read, by_name)
        if subtracts:
            taken = {column: None for rowset in read[1:] for _, column in rowset.outputs}
            builder.relate("fdr", builder.rows(entity), taken, "select", "where")
        if rows:
            builder.relate("fdr", builder.rows(entity), rows, "select")
        result.inputs = [rowset for rowset in read if ROWS not in rowset.entity.columns]
        self._order_and_limit(node, scope, result, [])
        self._emit_impacts(scope, entity)
        builder.finish(entity, builder.reach)
        builder.reach = max(reach, builder.reach)
        return result

    def _merge_branches(self, result: Rowset, read: list[Rowset], by_name: bool) -> None:
        """The columns of a set operation: by position, or by name where asked for or where a star hides positions."""
        builder = self.builder
        entity = result.entity
        if any(key == STAR for rowset in read for key, _ in rowset.outputs):
            self._merge_open_branches(result, read)
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

    def _merge_open_branches(self, result: Rowset, read: list[Rowset]) -> None:
        builder = self.builder
        entity = result.entity
        stars: list[Column] = []
        columns: dict[str, list[Column]] = {}
        for rowset in read:
            for key, column in rowset.outputs:
                if key == STAR:
                    stars.append(column)
                else:
                    columns.setdefault(key, []).append(column)
            result.stars.append(OpenStar(rowset))
        for key, sources in columns.items():
            column = builder.column(entity, key, sources[0].name, sources[0].span)
            builder.relate("fdd", column, sources, "select")
            result.outputs.append((key, column))
        star = builder.column(entity, STAR, STAR, stars[0].span)
        builder.relate("fdd", star, stars, "select")
        result.outputs.append((STAR, star))

    def _modified_subquery(self, node: Any, parent: Scope | None, cte_parent: Scope | None, kind: str) -> Rowset:
        """`(query) ORDER BY … LIMIT …`, or a parenthesis with its own WITH."""
        scope = Scope(parent, cte_parent)
        if node.args.get("with_") is not None:
            self.ctes.read(node.args["with_"], scope)
        result = self.read(node.args["this"], parent, scope, kind)
        self._order_and_limit(node, scope, result, [])
        self._emit_impacts(scope, result.entity)
        return result

    # --- SELECT -------------------------------------------------------------------------------------------------

    def _select(self, node: Any, parent: Scope | None, cte_parent: Scope | None, kind: str) -> Rowset:
        builder = self.builder
        args = node.args
        scope = Scope(parent, cte_parent)
        reach, builder.reach = builder.reach, -1
        if args.get("with_") is not None:
            self.ctes.read(args["with_"], scope)
        entity = builder.resultset(kind)
        result = Rowset(entity)
        self._sources.read_from(node, scope)
        if args.get("windows"):
            scope.windows = {
                self.names.key(window.args["this"]): window
                for window in args["windows"]
                if isinstance(window.args.get("this"), exp.Identifier)
            }
        projections = args.get("expressions") or []
        scope.prefers_alias = self._lateral_alias or bool(scope.aliases)
        self._projections.read(projections, scope, result)
        self._clauses(args, scope, projections)
        self._order_and_limit(node, scope, result, projections)
        self._emit_impacts(scope, entity)
        self._carry_rows(scope, result)
        builder.finish(entity, builder.reach)
        if reach > builder.reach:
            builder.reach = reach
        return result

    def _clauses(self, args: dict[str, Any], scope: Scope, projections: list[Any]) -> None:
        columns = self.expressions.columns
        where = args.get("where")
        if where is not None:
            self._sources.joins.condition(where.args["this"], scope, "where", None)
        where = args.get("prewhere")
        if where is not None:
            self._sources.joins.condition(where.args["this"], scope, "where", None)
        connect = args.get("connect")
        if connect is not None:
            for part in ("start", "connect"):
                if connect.args.get(part) is not None:
                    scope.impact("connectBy", columns(connect.args[part], scope))
        scope.prefers_alias = True
        distinct = args.get("distinct")
        if distinct is not None and isinstance(distinct, BASE) and distinct.args.get("on") is not None:
            scope.impact("groupBy", columns(distinct.args["on"], scope))
        group = args.get("group")
        grouped: dict[Column, None] = {}
        if group is not None:
            grouped = self._group_columns(group, scope, projections)
        having = columns(args.get("having"), scope)
        if scope.aggregates:
            self._feed_aggregates(scope, group is not None, grouped, having)
        else:
            scope.impact("groupBy", grouped)
            scope.impact("having", having)
        if args.get("qualify") is not None:
            scope.impact("qualify", columns(args["qualify"], scope))

    def _feed_aggregates(
        self, scope: Scope, is_grouped: bool, grouped: dict[Column, None], having: dict[Column, None]
    ) -> None:
        """What stands in GROUP BY and HAVING influences every aggregate; without GROUP BY all the rows do."""
        builder = self.builder
        rows = [] if is_grouped else self.source_rows(scope)
        for aggregate, counts_rows in scope.aggregates:
            if grouped:
                builder.relate("fdr", aggregate, grouped, "select", "groupBy")
            if having:
                builder.relate("fdr", aggregate, having, "select", "having")
            if rows and not counts_rows:
                builder.relate("fdr", aggregate, rows, "select")

    def _group_columns(self, group: Any, scope: Scope, projections: list[Any]) -> dict[Column, None]:
        gather = self.expressions.gather
        found: list[Column] = []
        args = group.args
        for item in args.get("expressions") or ():
            if item.__class__ is exp.Literal:
                item = _ordinal(item, projections) or item
            gather(item, scope, found)
        for part in ("grouping_sets", "cube", "rollup"):
            entries = args.get(part)
            if isinstance(entries, list):
                for item in entries:
                    if isinstance(item, BASE):
                        gather(item, scope, found)
        if args.get("all") and not args.get("expressions"):
            for item in projections:
                if item.find(exp.AggFunc) is None:
                    gather(item, scope, found)
        return dict.fromkeys(found)

    def _order_and_limit(self, node: Any, scope: Scope, result: Rowset, projections: list[Any]) -> None:
        """The order of rows moves no data, unless a limit makes it decide which rows stay."""
        args = node.args
        order = args.get("order")
        limit = args.get("limit")
        if limit is not None and isinstance(limit, BASE):
            scope.impact("limit", self.expressions.columns(limit, scope))
        if order is None:
            return
        for item in order.args.get("expressions") or ():
            inner = item.args["this"] if item.__class__ is exp.Ordered else item
            if limit is None and (inner.__class__ is exp.Column or inner.find(exp.Query) is None):
                continue
            target = _ordinal(inner, projections) or self._output_named(inner, result, projections)
            if target is not None:
                inner = target
            elif inner.__class__ is exp.Column and not scope.sources:
                # The order of a set operation or a parenthesis names columns of the result.
                column = result.entity.columns.get(self.names.key(inner.args["this"]))
                if column is not None:
                    scope.impact("orderBy", {column: None})
                continue
            scope.impact("orderBy", self.expressions.columns(inner, scope))

    def _output_named(self, node: Any, result: Rowset, projections: list[Any]) -> Any:
        """ORDER BY looks at the columns of the result before it looks at those of the tables."""
        if node.__class__ is exp.Column and node.args.get("table") is None and len(projections) == len(result.outputs):
            key = self.names.key(node.args["this"])
            for (name, _), item in zip(result.outputs, projections, strict=True):
                if name == key:
                    return item
        return None

    def _emit_impacts(self, scope: Scope, entity: Entity) -> None:
        if scope.impacts:
            rows = self.builder.rows(entity)
            for clause, columns in scope.impacts.items():
                self.builder.relate("fdr", rows, columns, "select", clause)

    def _carry_rows(self, scope: Scope, result: Rowset) -> None:
        """What limited the rows of a subquery limits the rows of the query around it."""
        limited: list[Column] = []
        for source in scope.sources.values():
            rows = source.limiting_rows
            if rows is not None:
                limited.append(rows)
            else:
                result.inputs.append(source)
        if limited:
            self.builder.relate("fdr", self.builder.rows(result.entity), limited, "select")


def _ordinal(item: Any, projections: list[Any]) -> Any:
    """The select item that a number in GROUP BY or ORDER BY means."""
    if item.__class__ is exp.Literal and not item.args.get("is_string"):
        text = item.args["this"]
        if text.isdigit() and 0 < int(text) <= len(projections):
            return projections[int(text) - 1]
    return None


def _has_modifiers(node: Any) -> bool:
    args = node.args
    return any(args.get(part) for part in ("with_", "limit", "order", "pivots", "joins", "laterals", "alias", "where"))


def _branches(node: Any, with_clauses: list[Any]) -> list[Any]:
    """The branches of a chain of the same operation, left to right, without recursion."""
    branches: list[Any] = []
    operation = node.__class__
    by_name = bool(node.args.get("by_name"))
    current = node
    while True:
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
    return branches


def _is_limited(node: Any) -> bool:
    return bool(node.args.get("limit") or node.args.get("order"))
