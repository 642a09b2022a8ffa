"""Reads queries: SELECT, set operations, VALUES and common table expressions, each into a resultset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.builder import ROWS, STAR, Builder
from connector.analysis.ctes import CteReader
from connector.analysis.expressions import ExpressionReader
from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE, children
from connector.analysis.ordering import carry_order, compared, numbered, order_and_limit, ordinal
from connector.analysis.pivots import read_pivot_statement
from connector.analysis.projection import ProjectionReader
from connector.analysis.rowset import OpenStar, Rowset
from connector.analysis.scope import Scope
from connector.analysis.set_operations import read_set_operation
from connector.analysis.sources import SourceReader
from connector.analysis.summaries import read_summary
from connector.model import Column, Entity
from connector.sql.dialects import SqlDialect

_MODIFIERS = ("with_", "limit", "order", "pivots", "joins", "laterals", "alias", "where")
"""Parts of a parenthesis around a query that make it more than a parenthesis."""

_TIME_WINDOWS = frozenset({"window", "session_window"})
_GROUPINGS = ("grouping_sets", "cube", "rollup")

DmlReader = Callable[[Any, Scope], Rowset]


class QueryReader:
    """Reads one query after another into resultsets and their relations."""

    __slots__ = (
        "_aliases_anywhere",
        "_extreme_rows",
        "_lateral_alias",
        "_names_time_windows",
        "_projections",
        "_sources",
        "builder",
        "ctes",
        "dml",
        "expressions",
        "names",
    )

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
        self._lateral_alias = dialect.lateral_aliases
        self._aliases_anywhere = dialect.aliases_anywhere
        self._extreme_rows = dialect.extreme_rows
        self._names_time_windows = dialect.names_time_windows
        # Expressions and FROM clauses hold queries in turn.
        expressions.queries = sources.queries = self

    # --- entry points -------------------------------------------------------------------------------------------

    def read(
        self,
        node: Any,
        parent: Scope | None,
        cte_parent: Scope | None,
        kind: str = "select_list",
        ordered: bool = False,
    ) -> Rowset:
        """The resultset of any query. `kind` is the type of the resultset when the query is a plain SELECT.

        `ordered` says that the order of the rows reaches the reader, who may number, cut or collect them by it: it does
        from a subquery or a view, but a table that is filled keeps no order.
        """
        while node.__class__ is exp.Subquery and not has_modifiers(node):
            node = node.args["this"]
        if node.__class__ is exp.Select:
            return self._select(node, parent, cte_parent, kind, ordered)
        if isinstance(node, exp.SetOperation):
            return read_set_operation(self, node, parent, cte_parent, ordered)
        if node.__class__ is exp.Subquery:
            return self._modified_subquery(node, parent, cte_parent, kind, ordered)
        if isinstance(node, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
            return self.dml(node, Scope(parent, cte_parent))
        scope = Scope(parent, cte_parent)
        if node is None:
            raise ParseError("incomplete statement: a query is missing")
        with_clause = node.args.get("with_")
        if with_clause is not None:
            self.ctes.read(with_clause, scope)
        if node.__class__ is exp.Pivot:
            return read_pivot_statement(self._sources, node, scope)
        if node.__class__ in (exp.Summarize, exp.Describe):
            return read_summary(self, node, scope)
        return self._sources.read(node, scope)

    def select(self, node: Any, scope: Scope, kind: str) -> Rowset:
        """The resultset of a plain SELECT; its FROM items are in the scope afterwards, for clauses behind the query."""
        return self._select(node, None, None, kind, False, scope)

    def subquery(self, node: Any, scope: Scope) -> Rowset:
        """A query inside an expression: it sees the columns around it."""
        return self.read(node, scope, scope, ordered=True)

    def derived(self, node: Any, scope: Scope, lateral: bool = False) -> Rowset:
        """A query in a FROM clause: it sees the tables beside it only when it is lateral."""
        return self.read(node, scope if lateral else scope.parent, scope, ordered=True)

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
        found.also = result.also
        if result.order:
            places = {key: place for place, (key, _) in reversed([*enumerate(result.outputs)])} if names else {}
            found.order = [
                self.names.key(names[place]) if (place := places.get(key, len(names))) < len(names) else key
                for key in result.order
            ]
        if len(names) > result.star_place >= 0:
            self._rename_around_star(found, result, names)
            return
        for place, (key, column) in enumerate(result.outputs):
            if key == STAR:
                found.last_star = result.last_star
                star = builder.column(found.entity, STAR, STAR, column.span)
                builder.direct(star, column, "select")
                found.stars.append(OpenStar(result))
                found.outputs.append((STAR, star))
                continue
            if place < len(names) and names[place].name and STAR not in found.entity.columns:
                identifier = names[place]
                new_key, name, span = (
                    self.names.key(identifier),
                    self.names.written(identifier),
                    self.names.span(identifier),
                )
            else:
                new_key, name, span = key, column.name, column.span
            output = builder.column(found.entity, new_key, name, span)
            builder.direct(output, column, "select")
            found.outputs.append((new_key, output))
            if column is result.element:
                found.element = output
            if result.structs and key in result.structs:
                found.structs = found.structs or {}
                found.structs[new_key] = result.structs[key]
        if not result.outputs and result.feeds is not None:
            found.feeds = result.feeds

    def _rename_around_star(self, found: Rowset, result: Rowset, names: list[Any]) -> None:
        """By position: which columns of the star get these names nobody knows, but what stands behind it is the end.

        Where the list may be shorter than the row, nothing says what its end is."""
        places = result.places(len(names))
        if self.names.dialect.short_alias_lists:
            places = [*places[: result.star_place], range(result.star_place, len(names))]
        for (_, column), taken in zip(result.outputs, places, strict=False):
            for identifier in names[taken.start : taken.stop]:
                if identifier.name:
                    key, name = self.names.key(identifier), self.names.written(identifier)
                    self.direct_output(found, key, name, self.names.span(identifier), column)

    def direct_output(self, found: Rowset, key: str, name: str, span: Any, source: Column) -> Column:
        """A new column of a result that takes its data from one column."""
        column = self.builder.column(found.entity, key, name, span)
        self.builder.direct(column, source, "select")
        found.outputs.append((key, column))
        return column

    def _modified_subquery(
        self, node: Any, parent: Scope | None, cte_parent: Scope | None, kind: str, ordered: bool
    ) -> Rowset:
        """`(query) ORDER BY … LIMIT …`, or a parenthesis with its own WITH."""
        scope = Scope(parent, cte_parent)
        if node.args.get("with_") is not None:
            self.ctes.read(node.args["with_"], scope)
        result = self.read(node.args["this"], parent, scope, kind, True)
        order_and_limit(self.expressions, node.args, scope, result, [], ordered)
        self.emit_impacts(scope, result.entity)
        return result

    # --- SELECT -------------------------------------------------------------------------------------------------

    def _select(
        self,
        node: Any,
        parent: Scope | None,
        cte_parent: Scope | None,
        kind: str,
        ordered: bool,
        scope: Scope | None = None,
    ) -> Rowset:
        builder = self.builder
        args = node.args
        scope = scope or Scope(parent, cte_parent)
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
        if args.get("kind") == "VALUE":
            projections = [exp.Dot(this=item.copy(), expression=exp.Star()) for item in projections]
        if self._aliases_anywhere:
            self._note_inner_aliases(node, scope)
        scope.group = args.get("group")
        if scope.group is not None and self._names_time_windows:
            self._note_time_windows(scope.group, scope)
        scope.prefers_alias = self._lateral_alias or bool(scope.aliases)
        self._projections.read(projections, scope, result)
        self._clauses(args, scope, projections, result)
        order_and_limit(self.expressions, args, scope, result, projections, ordered)
        for source in scope.sources.values():
            if source.order:
                carry_order(source, node, scope, result, ordered)
        self.emit_impacts(scope, entity)
        self._carry_rows(scope, result)
        builder.finish(entity, builder.reach)
        if reach > builder.reach:
            builder.reach = reach
        return result

    def _note_inner_aliases(self, node: Any, scope: Scope) -> None:
        """``(a + b AS c) * 2``: aliases, also inside of expressions, which all parts of the query can use."""
        clauses = [node.args.get(part) for part in ("where", "prewhere", "group", "having", "order")]
        items = []
        for item in node.args["expressions"]:
            named = item.__class__ is exp.Alias
            items.append(item.args["this"] if named else item)
            if named and not _keeps_name(item) and item.find(exp.AggFunc, exp.Window) is None:
                scope.aliases = scope.aliases or {}
                scope.aliases.setdefault(self.names.key(item.args["alias"]), (None, items[-1]))
        for part in (*items, *clauses):
            if isinstance(part, BASE) and part.args and part.__class__ is not exp.Column:
                waiting = [part]
                for found in waiting:
                    if found.__class__ is exp.Alias and not _is_query(found.parent):
                        scope.aliases = scope.aliases or {}
                        scope.aliases.setdefault(self.names.key(found.args["alias"]), (None, found.args["this"]))
                    if not _is_query(found):
                        waiting += children(found)

    def _note_time_windows(self, group: Any, scope: Scope) -> None:
        """``SELECT window.start … GROUP BY window(ts, '1 hour')``: the name of the function is what it gives."""
        for item in group.args.get("expressions") or ():
            if item.__class__ is exp.Anonymous and item.name.lower() in _TIME_WINDOWS:
                scope.aliases = scope.aliases or {}
                scope.aliases.setdefault(self.names.key_of(item.name), (None, item))

    def _clauses(self, args: dict[str, Any], scope: Scope, projections: list[Any], result: Rowset) -> None:
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
        scope.result = result
        distinct = args.get("distinct")
        if distinct is not None:
            on = distinct.args.get("on") if isinstance(distinct, BASE) else None
            scope.impact("distinct", columns(on, scope) if on is not None else compared(result))
        group = scope.group
        grouped = self._group_columns(group, scope, projections, result) if group is not None else {}
        having = self._having_columns(args["having"], scope, grouped) if args.get("having") is not None else {}
        if scope.aggregates:
            self._feed_aggregates(scope, group is not None, grouped, having)
            if self._extreme_rows:
                self._choose_rows(scope, projections, result)
        # Whatever is aggregated beside them, the groups are the rows.
        scope.impact("groupBy", grouped)
        scope.impact("having", having)
        if args.get("qualify") is not None:
            scope.impact("qualify", columns(args["qualify"], scope))

    def _having_columns(self, having: Any, scope: Scope, grouped: dict[Column, None]) -> dict[Column, None]:
        """What HAVING looks at. Outside of aggregates a name that is not grouped by can only mean an alias."""
        found: list[Column] = []
        self.expressions.gather(having, scope, found)
        for node in having.find_all(exp.Column) if self._lateral_alias and scope.aliases else ():
            key = self.names.key(node.args["this"]) if node.args.get("table") is None else ""
            source = scope.found.get(key)
            column = source.entity.columns.get(key) if source is not None and key in (scope.aliases or ()) else None
            if column is None or column not in found or column in grouped:
                continue
            if scope.aliases and node.find_ancestor(exp.AggFunc, exp.Query) is having.parent:
                found.remove(column)
                self.expressions.gather(scope.aliases[key][1], scope, found)
        return dict.fromkeys(found)

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

    def _choose_rows(self, scope: Scope, projections: list[Any], result: Rowset) -> None:
        """SQLite: the only ``max(x)`` or ``min(x)`` decides which row of the group the bare columns beside it show."""
        extremes = [
            node
            for item in projections
            for node in item.find_all(exp.Max, exp.Min)
            if not node.args.get("expressions") and node.parent.__class__ is not exp.Window
        ]
        if len(extremes) != 1 or len(projections) != len(result.outputs):
            return
        grouped = scope.group.args.get("expressions") or [] if scope.group is not None else []
        keys = [(ordinal(key, projections) if key.__class__ is exp.Literal else None) or key for key in grouped]
        names = {key.name for key in keys if key.__class__ is exp.Column}
        chosen = self.expressions.columns(extremes[0].args["this"], scope)
        for item, (_, column) in zip(projections, result.outputs, strict=True):
            is_key = item in keys or item.unalias() in keys or item.alias_or_name in names
            if not is_key and item.find(exp.AggFunc) is None:
                self.builder.relate("fdr", column, chosen, "select", "orderBy")

    def _group_columns(self, group: Any, scope: Scope, projections: list[Any], result: Rowset) -> dict[Column, None]:
        gather = self.expressions.gather
        found: list[Column] = []
        args = group.args
        for item in args.get("expressions") or ():
            if item.__class__ is exp.Literal:
                item = numbered(item, projections, result, self.builder) or item
            if item.__class__ is Column:
                found.append(item)
            else:
                gather(item, scope, found)
        for part in _GROUPINGS:
            entries = args.get(part)
            if entries.__class__ is list:
                for item in entries:
                    if isinstance(item, BASE):
                        gather(item, scope, found)
        if args.get("all") and not args.get("expressions"):
            for item in projections:
                if item.find(exp.AggFunc) is None:
                    gather(item, scope, found)
        return dict.fromkeys(found)

    def emit_impacts(self, scope: Scope, entity: Entity) -> None:
        if scope.impacts:
            builder = self.builder
            rows = builder.rows(entity)
            for clause, columns in scope.impacts.items():
                builder.relate("fdr", rows, columns, "select", clause)

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


def _keeps_name(item: Any) -> bool:
    """`a AS a`: an alias that means nothing new."""
    named = item.args["this"]
    is_bare = named.__class__ is exp.Column and named.args.get("table") is None
    return is_bare and bool(named.name == item.args["alias"].name)


def _is_query(node: Any) -> bool:
    return isinstance(node, exp.Query)


def has_modifiers(node: Any) -> bool:
    args = node.args
    return any(map(args.get, _MODIFIERS))
