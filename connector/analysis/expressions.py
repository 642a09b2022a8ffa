"""Reading expressions: which columns a value is made of, and which columns a condition looks at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import Builder
from connector.analysis.names import ALIAS, NameResolver
from connector.analysis.nodes import AGGREGATE_NAMES, BASE, KIND, NodeKind
from connector.analysis.positions import call_around, case_around, first_offset
from connector.analysis.scope import Scope
from connector.model import Column, Span
from connector.options import Options
from connector.sql.statement import Statement

if TYPE_CHECKING:
    from connector.analysis.query import QueryReader

__all__ = ["ExpressionReader", "Impacts"]

Impacts = dict[str, dict[Column, None]]
"""Columns with an indirect effect, by clause."""

_COLUMN = NodeKind.COLUMN
_LEAF = NodeKind.LEAF
_BINARY = NodeKind.BINARY
_GENERIC = NodeKind.GENERIC

_COLON_CAST = re.compile(r"[\s)\]]*::")
_COUNTS = (exp.Count, exp.CountIf)
_WINDOW_WRAPPERS = (exp.IgnoreNulls, exp.RespectNulls, exp.Filter, exp.WithinGroup)


class ExpressionReader:
    """Reads values and conditions of one statement after another.

    Chains of operators are walked with a stack, so that ten thousand ORs need no recursion; only functions,
    CASE and subqueries recurse.
    """

    __slots__ = ("_queries", "builder", "names", "options", "statement")

    def __init__(self, builder: Builder, names: NameResolver, options: Options) -> None:
        self.builder = builder
        self.names = names
        self.options = options
        self.statement: Statement
        self._queries: QueryReader

    def attach(self, queries: QueryReader) -> None:
        """Expressions hold queries and queries hold expressions: the two readers know each other."""
        self._queries = queries

    # --- values -------------------------------------------------------------------------------------------------

    def value(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """Adds to `out` the columns whose data the value is made of; functions come as columns of their resultsets.

        What only has an influence on the value goes to `impacts`.
        """
        kinds = KIND
        stack = [node]
        while stack:
            node = stack.pop()
            kind = kinds[node.__class__]
            if kind == _COLUMN:
                if self.names.column(node, scope, out) is ALIAS:
                    self._alias_value(node, scope, out, impacts)
            elif kind == _LEAF:
                continue
            elif kind == _BINARY:
                args = node.args
                if node._meta and "start" in node._meta and isinstance(node, exp.Func):
                    self._function(node, scope, out, impacts, False)
                    continue
                right = args.get("expression")
                if right is not None and isinstance(right, BASE):
                    stack.append(right)
                left = args.get("this")
                if left is not None and isinstance(left, BASE):
                    stack.append(left)
            elif kind == _GENERIC:
                self._push_children(node, stack)
            else:
                self._special(kind, node, scope, out, impacts)

    @staticmethod
    def _push_children(node: Any, stack: list[Any]) -> None:
        children: list[Any] = []
        for child in node.args.values():
            if child.__class__ is list:
                children.extend([item for item in child if isinstance(item, BASE)])
            elif isinstance(child, BASE):
                children.append(child)
        children.reverse()
        stack.extend(children)

    def _special(self, kind: NodeKind, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        if kind == NodeKind.FUNCTION:
            aggregate = node.__class__ is exp.Anonymous and str(node.args["this"]).lower() in AGGREGATE_NAMES
            self._function(node, scope, out, impacts, aggregate)
        elif kind == NodeKind.AGGREGATE:
            self._function(node, scope, out, impacts, True)
        elif kind == NodeKind.CASE:
            self._case(node, scope, out, impacts)
        elif kind == NodeKind.WINDOW:
            self._window(node, scope, out, impacts)
        elif kind == NodeKind.CAST:
            self._cast(node, scope, out, impacts)
        elif kind == NodeKind.QUERY:
            self._scalar_query(node, scope, out, impacts)
        elif kind == NodeKind.EXISTS:
            query = node.args.get("this")
            if KIND[query.__class__] == NodeKind.QUERY:
                impacts.setdefault("select", {})[self._queries.existence(query, scope)] = None
            else:
                self._function(node, scope, out, impacts, False)
        elif kind == NodeKind.IN:
            self._in(node, scope, out, impacts)
        elif kind == NodeKind.LAMBDA:
            self._lambda(node, scope, out, impacts)
        elif node.__class__ is exp.WithinGroup and isinstance(node.args["this"], exp.Func):
            call = node.args["this"]
            aggregate = KIND[call.__class__] == NodeKind.AGGREGATE
            self._function(call, scope, out, impacts, aggregate, ordered=node.args["expression"])
        elif kind == NodeKind.FILTER:
            before = len(out)
            self.value(node.args["this"], scope, out, impacts)
            found = self.columns(node.args.get("expression"), scope)
            if found and len(out) > before:
                clause = "where" if node.__class__ is exp.Filter else "orderBy"
                self.builder.relate("fdr", out[-1], found, "function", clause)
        elif kind == NodeKind.DOT:
            self._dot(node, scope, out, impacts)
        elif kind == NodeKind.BRACKET:
            self.value(node.args["this"], scope, out, impacts)
            for index in node.args.get("expressions") or ():
                if isinstance(index, BASE) and KIND[index.__class__] != _LEAF:
                    self.value(index, scope, out, impacts)
        elif kind == NodeKind.VARIABLE:
            self._variable(node, scope, out)

    def _alias_value(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """A name that is an alias of the same select list: its column, once it is there, else its expression."""
        key = self.names.key(node.args["this"])
        assert scope.aliases is not None
        target, expression = scope.aliases[key]
        if target is not None:
            out.append(target)
            return
        aliases = scope.aliases
        scope.aliases = {name: entry for name, entry in aliases.items() if name != key}
        self.value(expression, scope, out, impacts)
        scope.aliases = aliases

    def _function(
        self,
        node: Any,
        scope: Scope,
        out: list[Column],
        impacts: Impacts,
        aggregate: bool,
        window: Impacts | None = None,
        ordered: Any = None,
    ) -> None:
        """A function with column arguments is a resultset with one column; without them it is a constant.

        `window` holds what a window clause adds; a windowed aggregate does not depend on GROUP BY. `ordered` is the
        clause of WITHIN GROUP: the values themselves for PERCENTILE_CONT and its like, an order for LISTAGG.
        """
        if self.names.variables and node.__class__ is exp.Anonymous:
            element = self.names.variables.get(self.names.key_of(node.name))
            if element is not None:
                # An element of a collection looks like a call.
                self.names.variable(element, scope, out)
                return
        builder = self.builder
        inner: list[Column] = []
        inner_impacts: Impacts = {}
        reach, builder.reach = builder.reach, -1
        for child in node.args.values():
            if child.__class__ is list:
                for item in child:
                    if isinstance(item, BASE):
                        self._argument(item, scope, inner, inner_impacts)
            elif isinstance(child, BASE) and not (node.__class__ is exp.Count and child.is_star):
                self._argument(child, scope, inner, inner_impacts)
        if ordered is not None:
            if inner:
                self._argument(ordered, scope, inner, inner_impacts)
            else:
                self.value(ordered, scope, inner, inner_impacts)
        if window:
            inner_impacts.update(window)
        counts_rows = aggregate and not inner and (window is None or isinstance(node, exp.Count))
        if inner or inner_impacts or counts_rows or self.options.constant_functions:
            if self.options.count_direct or not isinstance(node, _COUNTS):
                column = self._function_column(node, inner)
            else:
                column = self._function_column(node, [])
                builder.relate("fdr", column, inner, "function", "select")
            for clause, columns in inner_impacts.items():
                builder.relate("fdr", column, columns, "function", clause)
            if counts_rows:
                builder.relate("fdr", column, self._queries.source_rows(scope), "function")
            if aggregate and window is None:
                scope.aggregates.append((column, counts_rows))
            out.append(column)
        if reach > builder.reach:
            builder.reach = reach

    def _argument(self, item: Any, scope: Scope, inner: list[Column], impacts: Impacts) -> None:
        """An argument; the ORDER BY inside an aggregate only has an influence."""
        kind = KIND[item.__class__]
        if kind == _COLUMN:
            if self.names.column(item, scope, inner) is ALIAS:
                self._alias_value(item, scope, inner, impacts)
        elif kind == _LEAF:
            return
        elif kind == NodeKind.STAR:
            for source in scope.sources.values():
                inner.extend(self.names.whole_row(source))
        elif item.__class__ is exp.HavingMax:
            self.value(item.args["this"], scope, inner, impacts)
            impacts.setdefault("having", {}).update(self.columns(item.args["expression"], scope))
        elif item.__class__ is exp.Limit and item.args.get("this") is not None:
            self._argument(item.args["this"], scope, inner, impacts)
        elif item.__class__ is exp.Order:
            if item.args.get("this") is not None:
                self.value(item.args["this"], scope, inner, impacts)
            found: dict[Column, None] = {}
            for ordered in item.args.get("expressions") or ():
                found.update(self.columns(ordered, scope))
            if found:
                impacts.setdefault("orderBy", {}).update(found)
        else:
            self.value(item, scope, inner, impacts)

    def _function_column(self, node: Any, sources: list[Column], name: str | None = None) -> Column:
        """The column of a new function resultset: the name is where the call starts, the resultset is all of it."""
        builder = self.builder
        script = builder.script
        base = builder.base
        index = self.statement.index
        meta = node._meta
        place: tuple[int, int] | None
        if meta and "start" in meta:
            place = meta["start"], meta["end"] + 1
        else:
            offset, depth = first_offset(node)
            if offset < 0:
                place = None
            elif node.__class__ is exp.Case:
                place = case_around(index, offset)
            else:
                place = call_around(index, offset, depth)
        span: Span | None = None
        whole: Span | None = None
        if place is not None:
            start, end = place[0] + base, place[1] + base
            span = (script, start, end)
            whole = (script, start, index.call_end(place[0]) + base)
            if name is None:
                name = script.text[start:end]
            if end > builder.reach:
                builder.reach = end
        if name is None:
            name = _class_name(node)
        entity = builder.resultset("function", whole)
        column = builder.column(entity, name.lower(), name, span)
        if sources:
            builder.relate("fdd", column, sources, "function")
        builder.finish(entity, builder.reach)
        return column

    def _cast(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """CAST(x AS t) is a function; x::t is not."""
        builder = self.builder
        inner: list[Column] = []
        inner_impacts: Impacts = {}
        this = node.args["this"]
        reach, builder.reach = builder.reach, -1
        self.value(this, scope, inner, inner_impacts)
        if not inner and not inner_impacts:
            pass
        elif self._is_colon_cast(this):
            out.extend(inner)
            for clause, columns in inner_impacts.items():
                impacts.setdefault(clause, {}).update(columns)
        else:
            name = "try_cast" if isinstance(node, exp.TryCast) else "cast"
            column = self._function_column(node, inner, name)
            for clause, columns in inner_impacts.items():
                builder.relate("fdr", column, columns, "function", clause)
            out.append(column)
        builder.reach = max(reach, builder.reach)

    def _is_colon_cast(self, inner: Any) -> bool:
        if inner.__class__ is exp.JSONExtract and inner.args.get("variant_extract"):
            return True
        builder = self.builder
        end = builder.reach
        meta = inner._meta
        if meta and "start" in meta and isinstance(inner, exp.Func):
            end = self.statement.index.call_end(meta["start"]) + builder.base
        return end > 0 and _COLON_CAST.match(builder.script.text, end) is not None

    def _case(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        builder = self.builder
        inner: list[Column] = []
        inner_impacts: Impacts = {}
        reach, builder.reach = builder.reach, -1
        conditions_direct = self.options.case_condition_direct
        args = node.args

        def condition(item: Any) -> None:
            if conditions_direct:
                self.value(item, scope, inner, inner_impacts)
            else:
                inner_impacts.setdefault("case condition", {}).update(self.columns(item, scope))

        if node.__class__ is exp.Case:
            if args.get("this") is not None:
                condition(args["this"])
            branches = args.get("ifs") or ()
        else:
            branches = (node,)
        for branch in branches:
            branch_args = branch.args
            condition(branch_args["this"])
            for part in ("true", "false"):
                if branch_args.get(part) is not None:
                    self.value(branch_args[part], scope, inner, inner_impacts)
        if args.get("default") is not None:
            self.value(args["default"], scope, inner, inner_impacts)
        if inner or inner_impacts or self.options.constant_functions:
            column = self._function_column(node, inner, "case" if node.__class__ is exp.Case else None)
            for clause, columns in inner_impacts.items():
                builder.relate("fdr", column, columns, "function", clause)
            out.append(column)
        builder.reach = max(reach, builder.reach)

    def _window(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        partition: dict[Column, None] = {}
        order: dict[Column, None] = {}
        window: Impacts = {}
        self._window_columns(node, scope, partition, order)
        call = node.args["this"]
        ordered = None
        while call.__class__ in _WINDOW_WRAPPERS:
            extra = call.args.get("expression")
            if call.__class__ is exp.Filter:
                window["where"] = self.columns(extra, scope)
            elif call.__class__ is exp.WithinGroup:
                ordered = extra
            call = call.args["this"]
        if partition:
            window["partitionBy"] = partition
        if order:
            window["orderBy"] = order
        if isinstance(call, exp.Func):
            aggregate = KIND[call.__class__] == NodeKind.AGGREGATE
            if str(node.args.get("over") or "").upper() == "KEEP":
                # Oracle's KEEP (… FIRST ORDER BY …) leaves an aggregate an aggregate.
                self._function(call, scope, out, impacts, aggregate)
                self.builder.relate("fdr", out[-1], order, "function", "orderBy") if out else None
            else:
                self._function(call, scope, out, impacts, aggregate, window, ordered)
        else:
            self.value(call, scope, out, impacts)
            for clause, columns in window.items():
                impacts.setdefault(clause, {}).update(columns)

    def _window_columns(
        self, node: Any, scope: Scope, partition: dict[Column, None], order: dict[Column, None], depth: int = 0
    ) -> None:
        args = node.args
        for name in (args.get("alias"), args.get("first")):
            if isinstance(name, BASE) and scope.windows and depth < 20:
                named = scope.windows.get(self.names.key(name))
                if named is not None and named is not node:
                    self._window_columns(named, scope, partition, order, depth + 1)
        for item in args.get("partition_by") or ():
            partition.update(self.columns(item, scope))
        ordering = args.get("order")
        if ordering is not None:
            for item in ordering.args.get("expressions") or ():
                order.update(self.columns(item, scope))

    def _scalar_query(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """A subquery as a value: its column, and whatever limits its rows as an influence."""
        found = self._queries.subquery(node, scope)
        for _, column in found.outputs[:1] if len(found.outputs) == 1 else found.outputs:
            out.append(column)
        rows = found.entity.columns.get("")
        if rows is not None:
            impacts.setdefault("select", {})[rows] = None

    def _in(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        args = node.args
        self.value(args["this"], scope, out, impacts)
        for item in args.get("expressions") or ():
            self.value(item, scope, out, impacts)
        for part in ("query", "unnest", "field"):
            if isinstance(args.get(part), BASE):
                self.value(args[part], scope, out, impacts)

    def _lambda(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """The body of a lambda; its parameters are no columns."""
        parameters = {self.names.key(item) for item in node.args.get("expressions") or () if isinstance(item, BASE)}
        stack = [node.args["this"]]
        while stack:
            item = stack.pop()
            kind = KIND[item.__class__]
            if kind == _COLUMN:
                head = item.args.get("catalog") or item.args.get("db") or item.args.get("table") or item.args["this"]
                if self.names.key(head) not in parameters:
                    self.value(item, scope, out, impacts)
            elif kind == NodeKind.QUERY:
                self.value(item, scope, out, impacts)
            elif kind not in (_LEAF, NodeKind.IDENTIFIER):
                self._push_children(item, stack)

    def _dot(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """`(expression).field`, or a function with a qualified name."""
        if self._field(node, scope, out):
            return
        args = node.args
        right = args.get("expression")
        left = args["this"]
        if isinstance(right, exp.Func) and isinstance(left, (exp.Identifier, exp.Dot)):
            self._function(right, scope, out, impacts, False)
            return
        if left.__class__ is not exp.Identifier:
            self.value(left, scope, out, impacts)

    def _variable(self, node: Any, scope: Scope, out: list[Column]) -> None:
        """`@x` or `:x`: the variable when the routine declares it, else a constant."""
        names = self.names
        position = node.args.get("this")
        if position.__class__ is exp.Literal and not position.args.get("is_string"):
            self._position(int(position.name), scope, out)
            return
        if names.bindings:
            bound = names.bindings.get(names.key_of(node.name))
            if bound is not None:
                out.extend(bound)
                return
        if names.variables:
            found = names.signed(node)
            if found is not None:
                names.variable(found, scope, out, names.span(node.args["this"]) if isinstance(node.args.get("this"), BASE) else None)

    @staticmethod
    def _position(place: int, scope: Scope, out: list[Column]) -> None:
        """`$2`: the second column of what the query reads, or the content of a file or stage."""
        for source in scope.sources.values():
            if source.element is not None:
                out.append(source.element)
            elif 0 < place <= len(source.outputs):
                out.append(source.outputs[place - 1][1])

    def _field(self, node: Any, scope: Scope, out: list[Column]) -> bool:
        """`:rec.field`, `rec(i).field`: a field of a variable."""
        names = self.names
        left, right = node.args["this"], node.args.get("expression")
        if not names.variables or right.__class__ is not exp.Identifier:
            return False
        kind = KIND[left.__class__]
        if kind == NodeKind.VARIABLE:
            found = names.signed(left)
        elif left.__class__ is exp.Anonymous:
            found = names.variables.get(names.key_of(left.name))
        else:
            return False
        if found is None:
            return False
        names.field(found, right, scope, out)
        return True

    # --- conditions ---------------------------------------------------------------------------------------------

    def columns(
        self, node: Any, scope: Scope, equalities: list[tuple[Any, Column, Column]] | None = None
    ) -> dict[Column, None]:
        """The columns a condition looks at, without the functions around them; subqueries give theirs and their rows.

        Equalities between two columns are noted in `equalities`: they make join relations.
        """
        found: dict[Column, None] = {}
        if node is None:
            return found
        kinds = KIND
        resolve = self.names.column
        out: list[Column] = []
        stack = [node]
        while stack:
            node = stack.pop()
            kind = kinds[node.__class__]
            if kind == _COLUMN:
                if resolve(node, scope, out) is ALIAS:
                    found.update(self._alias_columns(node, scope))
                for column in out:
                    found[column] = None
                out.clear()
            elif kind == _LEAF:
                continue
            elif kind == _BINARY:
                args = node.args
                left = args.get("this")
                right = args.get("expression")
                if (
                    equalities is not None
                    and left.__class__ is exp.Column
                    and right.__class__ is exp.Column
                    and isinstance(node, (exp.EQ, exp.NullSafeEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NEQ))
                ):
                    resolve(left, scope, out)
                    middle = len(out)
                    resolve(right, scope, out)
                    if middle == 1 and len(out) == 2:
                        equalities.append((node, out[0], out[1]))
                    for column in out:
                        found[column] = None
                    out.clear()
                    continue
                if isinstance(right, BASE):
                    stack.append(right)
                if isinstance(left, BASE):
                    stack.append(left)
            elif kind == NodeKind.QUERY:
                self._query_columns(node, scope, found)
            elif kind == NodeKind.EXISTS:
                query = node.args.get("this")
                if kinds[query.__class__] == NodeKind.QUERY:
                    found[self._queries.existence(query, scope)] = None
                else:
                    self._push_children(node, stack)
            elif kind == NodeKind.LAMBDA:
                self._lambda(node, scope, out, {})
                for column in out:
                    found[column] = None
                out.clear()
            elif kind == NodeKind.VARIABLE:
                self._variable(node, scope, out)
                for column in out:
                    found[column] = None
                out.clear()
            elif kind == NodeKind.WINDOW:
                self._window_columns(node, scope, found, found)
                stack.append(node.args["this"])
            elif kind == NodeKind.DOT:
                if self._field(node, scope, out):
                    found.update(dict.fromkeys(out))
                    out.clear()
                    continue
                left = node.args["this"]
                right = node.args.get("expression")
                if isinstance(right, exp.Func):
                    stack.append(right)
                if left.__class__ is not exp.Identifier:
                    stack.append(left)
            elif kind not in (NodeKind.STAR, NodeKind.IDENTIFIER, NodeKind.CLAUSE):
                self._push_children(node, stack)
        return found

    def _alias_columns(self, node: Any, scope: Scope) -> dict[Column, None]:
        key = self.names.key(node.args["this"])
        aliases = scope.aliases
        assert aliases is not None
        scope.aliases = {name: entry for name, entry in aliases.items() if name != key}
        found = self.columns(aliases[key][1], scope)
        scope.aliases = aliases
        return found

    def _query_columns(self, node: Any, scope: Scope, found: dict[Column, None]) -> None:
        rowset = self._queries.subquery(node, scope)
        for _, column in rowset.outputs:
            found[column] = None
        rows = rowset.entity.columns.get("")
        if rows is not None:
            found[rows] = None


def _class_name(node: Any) -> str:
    """The usual name of a function whose place in the text is unknown."""
    names = node.sql_names() if isinstance(node, exp.Func) else []
    return str(names[0]).lower() if names else str(node.key)
