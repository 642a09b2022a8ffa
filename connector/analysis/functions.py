"""Functions, CASE, casts and windows: each one that reads a column becomes a resultset with one column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from sqlglot import exp

from connector.analysis.builder import Builder, Impacts
from connector.analysis.lambdas import MAPPING, mapped_fields
from connector.analysis.names import ALIAS, NameResolver
from connector.analysis.nodes import BASE, KIND, NodeKind
from connector.analysis.positions import call_around, case_around, first_offset
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.set_returning import makes_rows
from connector.model import Column, Span
from connector.options import Options
from connector.sql.recovery import OPAQUE

if TYPE_CHECKING:
    from connector.analysis.expressions import ExpressionReader

_COLUMN = NodeKind.COLUMN
_LEAF = NodeKind.LEAF
_STAR = NodeKind.STAR

_COLON_CAST = re.compile(r"[\s)\]]*::")
_COUNTS = frozenset({exp.Count, exp.CountIf})
_GROUPINGS = frozenset({exp.Grouping, exp.GroupingId})
"""They say which columns a row is grouped by, and nothing of what is in these columns."""
_TEXT_FUNCTIONS = frozenset(
    "query_to_xml query_to_xmlschema query_to_xml_and_xmlschema ts_rewrite getxml getxmltype".split()
)
"""They run a query that they are given as a text."""
_WINDOW_WRAPPERS = (exp.IgnoreNulls, exp.RespectNulls, exp.Filter, exp.WithinGroup)


class Routines(Protocol):
    """Knows what the functions of the input give back."""

    def __contains__(self, name: str) -> bool:
        """Whether a routine of that name is defined."""

    def takes_values(self, path: tuple[str, ...], count: int) -> bool:
        """Whether a function writes what it is called with."""

    def pass_values(self, path: tuple[str, ...], values: list[tuple[str, list[Column]]]) -> None:
        """The arguments of a call, with the names they are passed by, to its parameters."""

    def value_of(self, path: tuple[str, ...], column: Column, arguments: list[Any]) -> bool:
        """What the function gives back for these arguments goes into the column of its call; whether it gives
        several rows."""

    def fields_read(self, path: tuple[str, ...], count: int, place: int) -> list[tuple[str, str]] | None:
        """Key and name of the fields that the function reads of the row at a place of its arguments; None where that is not known."""

    def rows_of(self, path: tuple[str, ...], arguments: list[Any], scope: Scope) -> Rowset | None:
        """The rows that a call gives; None where they are not known."""


class FunctionReader:
    """Turns calls into resultsets of type `function`."""

    __slots__ = ("_expressions", "builder", "names", "options", "routines", "text_values")

    def __init__(self, builder: Builder, names: NameResolver, options: Options, expressions: ExpressionReader) -> None:
        self.builder = builder
        self.names = names
        self.options = options
        self._expressions = expressions
        self.routines: Routines | None = None
        self.text_values: Callable[[Any], list[Column]] | None = None
        """What a function reads that runs a query it is given as a text, in dialects that have such functions."""

    def call(
        self,
        node: Any,
        scope: Scope,
        out: list[Column],
        impacts: Impacts,
        aggregate: bool,
        window: Impacts | None = None,
        ordered: Any = None,
        owner: Any = None,
        qualifier: Any = None,
    ) -> None:
        """A function with column arguments is a resultset with one column; without them it is a constant.

        `window` holds what a window clause adds; a windowed aggregate does not depend on GROUP BY. `ordered` is the
        clause of WITHIN GROUP: the values themselves for PERCENTILE_CONT and similar functions, an order for LISTAGG. `owner` is
        the value whose method is called, `qualifier` what stands before the name of the function.
        """
        node_class = node.__class__
        is_anonymous = node_class is exp.Anonymous
        if is_anonymous and self.names.variables:
            element = self.names.variables.get(self.names.key_of(node.name))
            if element is not None:
                # An element of a collection looks like a call.
                self.names.variable(element, scope, out)
                return
        if node_class in _GROUPINGS:
            return
        own = is_anonymous and self.routines is not None and node.name.lower() in self.routines
        if is_anonymous and not own and self.names.row_function is not None and self._is_column(node, scope, out):
            return
        builder = self.builder
        inner: list[Column] = []
        inner_impacts: Impacts = {}
        reach, builder.reach = builder.reach, -1
        kinds = KIND
        if owner is not None:
            self._expressions.value(owner, scope, inner, inner_impacts)
        args = node.args
        # The name of a sequence is no column.
        children: Iterable[Any] = args.values() if node_class is not exp.NextValueFor else (args.get("order"),)
        if node_class in MAPPING and mapped_fields(node, scope, self._expressions, inner, inner_impacts):
            children = (args["expression"],)
        for child in children:
            kind = kinds.get(child.__class__)
            if kind is None:
                if child.__class__ is list:
                    for place, item in enumerate(child):
                        if kinds.get(item.__class__, _LEAF) is not _LEAF:
                            if own and self._is_row_of(node, qualifier, place, scope, inner):
                                continue
                            self._argument(item, scope, inner, inner_impacts)
            elif kind is _LEAF or (node_class is exp.Count and self._is_row(child, scope)):
                continue
            elif kind is not _COLUMN:
                self._argument(child, scope, inner, inner_impacts)
            elif self.names.column(child, scope, inner) is ALIAS:
                self._expressions.alias_value(child, scope, inner, inner_impacts)
        if is_anonymous and self.text_values is not None and node.name.lower() in _TEXT_FUNCTIONS:
            inner += self.text_values(node)
        if ordered is not None:
            if inner:
                self._argument(ordered, scope, inner, inner_impacts)
            else:
                self._expressions.value(ordered, scope, inner, inner_impacts)
        if window:
            for clause, columns in window.items():
                inner_impacts[clause] = inner_impacts[clause] | columns if clause in inner_impacts else columns
        counts_rows = aggregate and not inner and (window is None or isinstance(node, exp.Count))
        if inner or inner_impacts or counts_rows or self.options.constant_functions or own:
            if node_class not in _COUNTS or self.options.count_direct:
                column = self._column(node, inner)
            else:
                column = self._column(node, [])
                builder.relate("fdr", column, inner, "function", "select")
            for clause, columns in inner_impacts.items():
                builder.relate("fdr", column, columns, "function", clause)
            if counts_rows:
                builder.relate("fdr", column, self._expressions.queries.source_rows(scope), "function")
            if aggregate and window is None:
                scope.aggregates.append((column, counts_rows))
            elif inner and makes_rows(node):
                scope.impact("unnest", dict.fromkeys(inner))
            if is_anonymous and owner is None and self.routines is not None:
                self._follow(node, qualifier, column, scope)
            out.append(column)
        if reach > builder.reach:
            builder.reach = reach

    def _is_row_of(self, node: Any, qualifier: Any, place: int, scope: Scope, inner: list[Column]) -> bool:
        """Whether an argument of a function of the input is a row; of that it takes the fields that it reads."""
        arguments = node.args["expressions"]
        row = self.names.row_of(arguments[place], scope) if KIND[arguments[place].__class__] is _COLUMN else None
        if row is None:
            return False
        assert self.routines is not None
        fields = self.routines.fields_read(_path(node, qualifier), len(arguments), place)
        inner.extend([row.column(self.builder, *field, None) for field in fields or () if row.may_have(field[0])])
        return fields is not None

    def _is_column(self, node: Any, scope: Scope, out: list[Column]) -> bool:
        """Whether a call is PostgreSQL's other way to write a column: ``a(t)`` for ``t.a``."""
        arguments = node.args.get("expressions") or []
        if len(arguments) != 1 or arguments[0].__class__ is not exp.Column:
            return False
        row = self.names.row_of(arguments[0], scope)
        key = self.names.key_of(node.name)
        if row is None or not row.has(key):
            return False
        out.append(row.column(self.builder, key, node.name, self.names.span(node)))
        return True

    def row_function(self, row: Any, identifier: Any, scope: Scope, out: list[Column]) -> bool:
        """Whether ``t.f``, where t has no column f, is a function of the input: ``f(t)``, written as if it were one."""
        if self.routines is None or identifier.name.lower() not in self.routines:
            return False
        call = exp.Anonymous(this=identifier.name, expressions=[exp.Column(this=row.copy())])
        call.meta.update(identifier.meta)
        self.call(call, scope, out, {}, False)
        return True

    def is_own(self, node: Any) -> bool:
        """Whether a call is one of a function that the input has defined by now."""
        return self.routines is not None and node.name.lower() in self.routines

    def is_element(self, node: Any) -> bool:
        """Whether what looks like a call is an element of a collection."""
        variables = self.names.variables
        return bool(variables) and self.names.key_of(node.name) in variables

    def _follow(self, node: Any, qualifier: Any, column: Column, scope: Scope) -> None:
        """A function of the input's own: what it gives back goes into its column too."""
        assert self.routines is not None
        path, arguments = _path(node, qualifier), node.args.get("expressions") or []
        if self.routines.value_of(path, column, arguments):
            scope.impact("unnest", {column: None})
        if arguments and self.routines.takes_values(path, len(arguments)):
            self.routines.pass_values(path, [self._passed(each, scope) for each in arguments])

    def _passed(self, argument: Any, scope: Scope) -> tuple[str, list[Column]]:
        """The name that an argument is passed by, if it is, and the columns of its value."""
        named = argument.__class__ in (exp.Kwarg, exp.PropertyEQ)
        value = argument.args["expression"] if named else argument
        return argument.args["this"].name if named else "", list(self._expressions.columns(value, scope))

    def called_row(self, node: Any, scope: Scope) -> Rowset | None:
        """The row that a function of the input gives, for those who ask for a field of it; None of any other function."""
        qualified = node.__class__ is exp.Dot
        call, qualifier = (node.args["expression"], node.args["this"]) if qualified else (node, None)
        if self.routines is None or not self.is_own(call):
            return None
        return self.routines.rows_of(_path(call, qualifier), call.args.get("expressions") or [], scope)

    def _is_row(self, node: Any, scope: Scope) -> bool:
        """Whether COUNT counts rows: `*`, `t.*` or the name of a table where a value stands."""
        return bool(node.is_star) or (node.__class__ is exp.Column and self.names.row_of(node, scope) is not None)

    def _argument(self, item: Any, scope: Scope, inner: list[Column], impacts: Impacts) -> None:
        """An argument; the ORDER BY inside an aggregate only has an influence."""
        kind = KIND[item.__class__]
        if kind is _COLUMN:
            if self.names.column(item, scope, inner) is ALIAS:
                self._expressions.alias_value(item, scope, inner, impacts)
        elif kind is _LEAF:
            return
        elif kind is _STAR:
            for source in scope.sources.values():
                inner.extend(self.names.whole_row(source))
        elif item.__class__ is exp.HavingMax:
            self._expressions.value(item.args["this"], scope, inner, impacts)
            impacts.setdefault("having", {}).update(self._expressions.columns(item.args["expression"], scope))
        elif item.__class__ is exp.Limit and item.args.get("this") is not None:
            self._argument(item.args["this"], scope, inner, impacts)
        elif item.__class__ is exp.Order:
            if item.args.get("this") is not None:
                self._expressions.value(item.args["this"], scope, inner, impacts)
            found: dict[Column, None] = {}
            for ordered in item.args.get("expressions") or ():
                found.update(self._expressions.columns(ordered, scope))
            if found:
                impacts.setdefault("orderBy", {}).update(found)
        else:
            self._expressions.value(item, scope, inner, impacts)

    def _column(self, node: Any, sources: list[Column], name: str | None = None) -> Column:
        """The column of a new function resultset: the name is where the call starts, the resultset is all of it."""
        builder = self.builder
        script = builder.script
        base = builder.base
        index = self._expressions.statement.index
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
        elif node.__class__ is exp.Anonymous and node.args["this"] == OPAQUE:
            name = OPAQUE
        entity = builder.resultset("function", whole)
        column = builder.column(entity, name.lower(), name, span)
        if len(sources) == 1:
            builder.direct(column, sources[0], "function")
        elif sources:
            builder.relate("fdd", column, sources, "function")
        builder.finish(entity, builder.reach, "FUNCTION")
        return column

    def cast(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """CAST(x AS t) is a function; x::t is not."""
        builder = self.builder
        inner: list[Column] = []
        inner_impacts: Impacts = {}
        this = node.args["this"]
        reach, builder.reach = builder.reach, -1
        self._expressions.value(this, scope, inner, inner_impacts)
        if not inner and not inner_impacts:
            pass
        elif self._is_colon_cast(this):
            out.extend(inner)
            for clause, columns in inner_impacts.items():
                impacts.setdefault(clause, {}).update(columns)
        else:
            column = self._column(node, inner)
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
            end = self._expressions.statement.index.call_end(meta["start"]) + builder.base
        return end > 0 and _COLON_CAST.match(builder.script.text, end) is not None

    def case(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        builder = self.builder
        inner: list[Column] = []
        inner_impacts: Impacts = {}
        reach, builder.reach = builder.reach, -1
        conditions_direct = self.options.case_condition_direct
        args = node.args

        def condition(item: Any) -> None:
            if conditions_direct:
                self._expressions.value(item, scope, inner, inner_impacts)
            else:
                inner_impacts.setdefault("case condition", {}).update(self._expressions.columns(item, scope))

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
                    self._expressions.value(branch_args[part], scope, inner, inner_impacts)
        if args.get("default") is not None:
            self._expressions.value(args["default"], scope, inner, inner_impacts)
        if inner or inner_impacts or self.options.constant_functions:
            column = self._column(node, inner, "case" if node.__class__ is exp.Case else None)
            for clause, columns in inner_impacts.items():
                builder.relate("fdr", column, columns, "function", clause)
            out.append(column)
        builder.reach = max(reach, builder.reach)

    def window(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        partition: dict[Column, None] = {}
        order: dict[Column, None] = {}
        window: Impacts = {}
        self.window_columns(node, scope, partition, order)
        call = node.args["this"]
        ordered = None
        while call.__class__ in _WINDOW_WRAPPERS:
            extra = call.args.get("expression")
            if call.__class__ is exp.Filter:
                window["where"] = self._expressions.columns(extra, scope)
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
                self.call(call, scope, out, impacts, aggregate)
                if out:
                    self.builder.relate("fdr", out[-1], order, "function", "orderBy")
            else:
                self.call(call, scope, out, impacts, aggregate, window, ordered)
        else:
            self._expressions.value(call, scope, out, impacts)
            for clause, columns in window.items():
                impacts.setdefault(clause, {}).update(columns)

    def window_columns(
        self, node: Any, scope: Scope, partition: dict[Column, None], order: dict[Column, None], depth: int = 0
    ) -> None:
        args = node.args
        for name in (args.get("alias"), args.get("first")):
            if isinstance(name, BASE) and scope.windows and depth < 20:
                named = scope.windows.get(self.names.key(name))
                if named is not None and named is not node:
                    self.window_columns(named, scope, partition, order, depth + 1)
        for item in args.get("partition_by") or ():
            partition.update(self._expressions.columns(item, scope))
        frame = args.get("spec")
        if frame is not None:
            for bound in (frame.args.get("start"), frame.args.get("end")):
                if isinstance(bound, BASE):
                    order.update(self._expressions.columns(bound, scope))
        ordering = args.get("order")
        if ordering is not None:
            for item in ordering.args.get("expressions") or ():
                order.update(self._expressions.columns(item, scope))


def _path(node: Any, qualifier: Any) -> tuple[str, ...]:
    """The folded parts of the name of a function that is called."""
    path = [str(node.args["this"]).lower()]
    while qualifier is not None:
        part = qualifier.args["expression"] if qualifier.__class__ is exp.Dot else qualifier
        path.insert(0, part.name.lower())
        qualifier = qualifier.args["this"] if qualifier.__class__ is exp.Dot else None
    return tuple(path)


def _class_name(node: Any) -> str:
    """The usual name of a function whose place in the text is unknown."""
    names = node.sql_names() if isinstance(node, exp.Func) else []
    return str(names[0]).lower() if names else str(node.key)
