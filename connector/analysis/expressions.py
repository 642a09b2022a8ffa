"""Reads expressions: which columns a value is computed from, and which columns a condition uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import ROWS, Builder, Impacts
from connector.analysis.column_patterns import matching_columns
from connector.analysis.functions import FunctionReader
from connector.analysis.lambdas import read_fields
from connector.analysis.methods import method_value
from connector.analysis.names import ALIAS, NameResolver
from connector.analysis.nodes import (
    AGGREGATE_NAMES,
    BASE,
    KIND,
    NodeKind,
    children,
    everything_from,
    readable,
    without_collation,
)
from connector.analysis.scope import Scope
from connector.analysis.structs import read_field
from connector.analysis.written_lists import takes_element
from connector.model import ClauseType, Column
from connector.options import Options
from connector.sql.statement import Statement

if TYPE_CHECKING:
    from connector.analysis.query import QueryReader

# Reading a member from an enumeration costs more than the rest of a step.
_AGGREGATE = NodeKind.AGGREGATE
_BINARY = NodeKind.BINARY
_BRACKET = NodeKind.BRACKET
_CASE = NodeKind.CASE
_CAST = NodeKind.CAST
_CLAUSE = NodeKind.CLAUSE
_COLUMN = NodeKind.COLUMN
_COLUMNS = NodeKind.COLUMNS
_DOT = NodeKind.DOT
_EXISTS = NodeKind.EXISTS
_FILTER = NodeKind.FILTER
_FUNCTION = NodeKind.FUNCTION
_GENERIC = NodeKind.GENERIC
_IDENTIFIER = NodeKind.IDENTIFIER
_IN = NodeKind.IN
_LAMBDA = NodeKind.LAMBDA
_LEAF = NodeKind.LEAF
_QUERY = NodeKind.QUERY
_STAR = NodeKind.STAR
_VARIABLE = NodeKind.VARIABLE
_WINDOW = NodeKind.WINDOW

_UNREAD = frozenset({_STAR, _IDENTIFIER, _CLAUSE})
"""What a condition reads nothing of."""
_COMPARISONS = frozenset({exp.EQ, exp.NullSafeEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NEQ})
_IMPLICIT_CALLS = frozenset({exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TsOrDsToTime})
"""Conversions that the grammar wraps around the arguments of date functions."""


class ExpressionReader:
    """Reads values and conditions of one statement after another.

    Chains of operators are walked with a stack, so that ten thousand ORs need no recursion; only functions,
    CASE and subqueries recurse.
    """

    __slots__ = ("builder", "chosen", "functions", "names", "options", "queries", "statement")

    def __init__(self, builder: Builder, names: NameResolver, options: Options) -> None:
        self.builder = builder
        self.names = names
        self.options = options
        self.functions = FunctionReader(builder, names, options, self)
        self.chosen: Column | None = None
        """The column that COLUMNS(…) stands for at the moment."""
        self.statement: Statement
        self.queries: QueryReader

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
            if kind is _COLUMN:
                if self.names.column(node, scope, out) is ALIAS:
                    self.alias_value(node, scope, out, impacts)
            elif kind is _LEAF:
                continue
            elif kind is _BINARY:
                meta = node._meta
                if meta and "start" in meta and isinstance(node, exp.Func):
                    self.functions.call(node, scope, out, impacts, False)
                    continue
                args = node.args
                # What is no node at all (a word, nothing) is as good as a leaf.
                right = args.get("expression")
                if kinds.get(right.__class__, _LEAF) is not _LEAF:
                    stack.append(right)
                left = args.get("this")
                if kinds.get(left.__class__, _LEAF) is not _LEAF:
                    stack.append(left)
            elif kind is _AGGREGATE:
                self.functions.call(node, scope, out, impacts, True)
            elif kind is _GENERIC:
                stack += readable(node)
            elif kind is _FUNCTION:
                self._function(node, scope, out, impacts)
            elif kind is _CASE:
                self.functions.case(node, scope, out, impacts)
            else:
                self._special(kind, node, scope, out, impacts)

    def _function(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        kind = node.__class__
        if kind in _IMPLICIT_CALLS and not (node._meta and "start" in node._meta):
            # The grammar put the call there, and the text has only what is inside.
            inner = node.args.get("this")
            if isinstance(inner, BASE):
                self.value(inner, scope, out, impacts)
            return
        if kind is exp.Anonymous and takes_element(node) and read_field(node, scope, self, out, impacts):
            return
        aggregate = kind is exp.Anonymous and str(node.args["this"]).lower() in AGGREGATE_NAMES
        self.functions.call(node, scope, out, impacts, aggregate)

    def _special(self, kind: NodeKind, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        if kind is _COLUMNS:
            self._pattern(node, scope, out)
        elif kind is _STAR and node.parent.__class__ is exp.Struct:
            # ``struct(*)``, ``{*}``
            for source in scope.sources.values():
                out.extend(self.names.whole_row(source))
        elif kind is _WINDOW:
            self.functions.window(node, scope, out, impacts)
        elif kind is _CAST:
            self.functions.cast(node, scope, out, impacts)
        elif kind is _QUERY:
            self._scalar_query(node, scope, out, impacts)
        elif kind is _EXISTS:
            query = node.args.get("this")
            if KIND[query.__class__] is _QUERY:
                impacts.setdefault("select", {})[self.queries.existence(query, scope)] = None
            else:
                self.functions.call(node, scope, out, impacts, False)
        elif kind is _IN:
            self._in(node, scope, out, impacts)
        elif kind is _LAMBDA:
            self._lambda(node, scope, out, impacts)
        elif node.__class__ is exp.WithinGroup and isinstance(node.args["this"], exp.Func):
            call = node.args["this"]
            aggregate = KIND[call.__class__] is _AGGREGATE
            self.functions.call(call, scope, out, impacts, aggregate, ordered=node.args["expression"])
        elif kind is _FILTER:
            before = len(out)
            self.value(node.args["this"], scope, out, impacts)
            found = self.columns(node.args.get("expression"), scope)
            if found and len(out) > before:
                clause: ClauseType = "where" if node.__class__ is exp.Filter else "orderBy"
                self.builder.relate("fdr", out[-1], found, "function", clause)
        elif kind is _DOT:
            self._dot(node, scope, out, impacts)
        elif kind is _BRACKET:
            if read_field(node, scope, self, out, impacts):
                return
            meta = node._meta
            if meta and "start" in meta and isinstance(node, exp.Binary):
                self.functions.call(node, scope, out, impacts, False)
                return
            self.value(node.args["this"], scope, out, impacts)
            if isinstance(node, exp.Binary):
                self.value(node.args["expression"], scope, out, impacts)
            for index in node.args.get("expressions") or ():
                if isinstance(index, BASE) and KIND[index.__class__] is not _LEAF:
                    self.value(index, scope, out, impacts)
        elif kind is _VARIABLE:
            self._variable(node, scope, out)

    def alias_value(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """A name that is an alias of the same select list: its column, once it is there, else its expression."""
        assert scope.aliases is not None
        key = self._alias_key(node, scope.aliases)
        target, expression = scope.aliases[key]
        if target is not None:
            out.append(target)
            return
        aliases = scope.aliases
        scope.aliases = {name: entry for name, entry in aliases.items() if name != key}
        self.value(expression, scope, out, impacts)
        scope.aliases = aliases

    def _scalar_query(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """A subquery as a value: its column, and whatever limits its rows as an influence."""
        found = self.queries.subquery(node, scope)
        out.extend([column for _, column in found.outputs])
        rows = found.entity.columns.get(ROWS)
        if rows is not None:
            impacts.setdefault("select", {})[rows] = None

    def _in(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        args = node.args
        self.value(args["this"], scope, out, impacts)
        for item in args.get("expressions") or ():
            self.value(item, scope, out, impacts)
        for part in ("query", "field"):
            if isinstance(args.get(part), BASE):
                self.value(self._listed(args[part], scope), scope, out, impacts)
        unnest = args.get("unnest")
        if isinstance(unnest, BASE):
            # A list of values to compare with: it multiplies no rows.
            for item in unnest.args.get("expressions") or ():
                self.value(item, scope, out, impacts)

    def _listed(self, node: Any, scope: Scope) -> Any:
        """What IN compares with: where a name means a table, the query that reads it."""
        names = self.names
        if node.__class__ is not exp.Column or not names.dialect.in_reads_tables:
            return node
        args = node.args
        identifier = args["this"]
        if identifier.__class__ is not exp.Identifier:
            return node
        key = names.key(args.get("table") or identifier)
        if (scope.aliases is not None and key in scope.aliases) or any(
            name == key if args.get("table") is not None else source.has(key) for name, source in scope.sources.items()
        ):
            return node
        table = exp.Table(this=identifier.copy(), db=args["table"].copy() if args.get("table") is not None else None)
        return everything_from(table)

    def _lambda(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """The body of a lambda or a list comprehension; its parameters are no columns."""
        if node.__class__ is exp.Comprehension:
            args = node.args
            inputs = [args.get("expression"), args.get("position")]
            stack = [item for item in (args["this"], args.get("condition")) if isinstance(item, BASE)]
            elements = args.get("iterator")
            if isinstance(elements, BASE) and not read_fields(elements, inputs[0], stack, scope, self, out, impacts):
                self.value(elements, scope, out, impacts)
        else:
            inputs = node.args.get("expressions") or []
            stack = [node.args["this"]]
        parameters = {self.names.key(item) for item in inputs if isinstance(item, BASE)}
        while stack:
            item = stack.pop()
            kind = KIND[item.__class__]
            if kind is _COLUMN:
                head = item.args.get("catalog") or item.args.get("db") or item.args.get("table") or item.args["this"]
                if self.names.key(head) not in parameters:
                    self.value(item, scope, out, impacts)
            elif kind is _QUERY:
                self.value(item, scope, out, impacts)
            elif kind not in (_LEAF, _IDENTIFIER):
                inner = list(children(item))
                if item.__class__ is exp.Comprehension:
                    # A list comprehension inside of another: its names are no columns either.
                    named = [item.args.get("expression"), item.args.get("position")]
                    parameters |= {self.names.key(each) for each in named if isinstance(each, BASE)}
                    inner = [each for each in inner if each not in named]
                stack += reversed(inner)

    def _pattern(self, node: Any, scope: Scope, out: list[Column]) -> None:
        """COLUMNS(…): the column it stands for at the moment, or all that it selects."""
        if self.chosen is not None and not node.args.get("unpack"):
            out.append(self.chosen)
        else:
            out.extend([column for _, _, column in matching_columns(node, scope, self.names)])

    def _dot(self, node: Any, scope: Scope, out: list[Column], impacts: Impacts) -> None:
        """`(expression).field`, or a function with a qualified name."""
        if self._field(node, scope, out):
            return
        args = node.args
        right = args.get("expression")
        left = args["this"]
        if right.__class__ in (exp.Identifier, exp.Literal) and left.__class__ is not exp.Identifier:
            if read_field(node, scope, self, out, impacts):
                return
        if isinstance(right, exp.Func):
            owner = method_value(left, right.name, self.names.dialect)
            qualifier = left if owner is None else None
            self.functions.call(right, scope, out, impacts, False, owner=owner, qualifier=qualifier)
            return
        if left.__class__ is not exp.Identifier:
            self.value(left, scope, out, impacts)

    def _variable(self, node: Any, scope: Scope, out: list[Column]) -> None:
        """`@x` or `:x`: the variable when the routine declares it, else a constant.

        Snowflake's `$2` is the second column of what the query reads, or the content of a file or stage.
        """
        names = self.names
        position = node.args.get("this")
        if node.__class__ is exp.PositionalColumn:
            found_here = names.numbered(node, scope)
            out.extend([found_here] if found_here is not None else [])
            return
        if position.__class__ is exp.Literal and not position.args.get("is_string"):
            if names.dialect.stages and position.name.isdecimal():
                found_at = [source.at(self.builder, int(position.name)) for source in scope.sources.values()]
                out.extend([column for column in found_at if column is not None])
                return
        if position.__class__ is exp.Paren:
            # PostgreSQL: ``@ (a - b)`` is the absolute value.
            self.value(position, scope, out, {})
            return
        if names.bindings:
            bound = names.bindings.get(names.key_of(node.name))
            if bound is not None:
                names.bound(bound, scope, out)
                return
        if names.variables:
            found = names.signed(node)
            if found is not None:
                names.variable(
                    found,
                    scope,
                    out,
                    names.span(node.args["this"]) if isinstance(node.args.get("this"), BASE) else None,
                )

    def _field(self, node: Any, scope: Scope, out: list[Column]) -> bool:
        """`:rec.field`, `rec(i).field`, `(rec).field`: a field of a variable."""
        names = self.names
        left, right = node.args["this"], node.args.get("expression")
        if not names.variables or right.__class__ is not exp.Identifier:
            return False
        kind = KIND[left.__class__]
        if kind is _VARIABLE:
            found = names.signed(left)
        elif left.__class__ is exp.Anonymous:
            found = names.variables.get(names.key_of(left.name))
        elif left.__class__ is exp.Paren and left.args["this"].__class__ is exp.Column:
            found = names.record_in(left.args["this"], scope)
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
        if node is None:
            return {}
        out: list[Column] = []
        self.gather(node, scope, out, equalities)
        return {out[0]: None} if len(out) == 1 else dict.fromkeys(out)

    def gather(
        self, node: Any, scope: Scope, out: list[Column], equalities: list[tuple[Any, Column, Column]] | None = None
    ) -> None:
        """As `columns`, but into a list, each as often as it is named."""
        resolve = self.names.column
        if node.__class__ is exp.Column:
            if resolve(node, scope, out) is ALIAS:
                out.extend(self._alias_columns(node, scope))
            return
        kinds = KIND
        stack = [node]
        while stack:
            node = stack.pop()
            kind = kinds[node.__class__]
            if kind is _COLUMN:
                if resolve(node, scope, out) is ALIAS:
                    out.extend(self._alias_columns(node, scope))
            elif kind is _LEAF:
                continue
            elif kind is _BINARY:
                args = node.args
                left = args.get("this")
                right = args.get("expression")
                if equalities is not None and exp.Collate in (left.__class__, right.__class__):
                    left, right = without_collation(left), without_collation(right)
                left_kind = kinds.get(left.__class__, _LEAF)
                right_kind = kinds.get(right.__class__, _LEAF)
                if (
                    left_kind is _COLUMN
                    and right_kind is _COLUMN
                    and equalities is not None
                    and node.__class__ in _COMPARISONS
                    and left.__class__ is exp.Column
                    and right.__class__ is exp.Column
                ):
                    self._compare(node, left, right, scope, out, equalities)
                    continue
                if right_kind is not _LEAF:
                    stack.append(right)
                if left_kind is _COLUMN:
                    # The commonest of all: a column and a constant.
                    if resolve(left, scope, out) is ALIAS:
                        out.extend(self._alias_columns(left, scope))
                elif left_kind is not _LEAF:
                    stack.append(left)
            elif kind is _GENERIC or kind is _FUNCTION or kind is _AGGREGATE:
                if node.__class__ is exp.Anonymous and (self.functions.is_own(node) or self.functions.is_element(node)):
                    self.functions.call(node, scope, out, {}, False)
                else:
                    stack += readable(node)
            elif kind is _QUERY:
                self._query_columns(node, scope, out)
            elif kind is _EXISTS:
                query = node.args.get("this")
                if kinds[query.__class__] is _QUERY:
                    out.append(self.queries.existence(query, scope))
                else:
                    stack += readable(node)
            elif kind is _LAMBDA:
                self._lambda(node, scope, out, {})
            elif kind is _COLUMNS:
                self._pattern(node, scope, out)
            elif kind is _VARIABLE:
                self._variable(node, scope, out)
            elif kind is _WINDOW:
                columns: dict[Column, None] = {}
                self.functions.window_columns(node, scope, columns, columns)
                out.extend(columns)
                stack.append(node.args["this"])
            elif kind is _DOT:
                if self._field(node, scope, out):
                    continue
                left = node.args["this"]
                right = node.args.get("expression")
                if right.__class__ is exp.Identifier and left.__class__ is not exp.Identifier:
                    impacts: Impacts = {}
                    self._dot(node, scope, out, impacts)
                    for each in impacts.values():
                        out.extend(each)
                    continue
                if isinstance(right, exp.Func):
                    stack.append(right)
                    left = method_value(left, right.name, self.names.dialect)
                if left is not None and left.__class__ is not exp.Identifier:
                    stack.append(left)
            elif kind is _BRACKET:
                deciding: Impacts = {}
                if read_field(node, scope, self, out, deciding):
                    for each in deciding.values():
                        out.extend(each)
                else:
                    stack += readable(node)
            elif kind is _IN and node.args.get("field") is not None:
                stack += (self._listed(node.args["field"], scope), node.args["this"])
            elif kind not in _UNREAD:
                stack += readable(node)

    def _compare(
        self,
        node: Any,
        left: Any,
        right: Any,
        scope: Scope,
        out: list[Column],
        equalities: list[tuple[Any, Column, Column]],
    ) -> None:
        """A comparison of two columns; one that is an alias stands for what it is made of."""
        start = len(out)
        resolve = self.names.column
        if resolve(left, scope, out) is ALIAS:
            out.extend(self._alias_columns(left, scope))
        if resolve(right, scope, out) is ALIAS:
            out.extend(self._alias_columns(right, scope))
        if len(out) == start + 2:
            equalities.append((node, out[start], out[start + 1]))

    def _alias_key(self, node: Any, aliases: Mapping[str, object]) -> str:
        """Which alias a name means: of ``x.field``, where `x` is one, that is the first part."""
        args = node.args
        parts = (args.get(part) for part in ("catalog", "db", "table", "this"))
        keys = [self.names.key(part) for part in parts if part is not None]
        return next((key for key in keys if key in aliases), keys[-1])

    def _alias_columns(self, node: Any, scope: Scope) -> dict[Column, None]:
        aliases = scope.aliases
        assert aliases is not None
        key = self._alias_key(node, aliases)
        scope.aliases = {name: entry for name, entry in aliases.items() if name != key}
        found = self.columns(aliases[key][1], scope)
        scope.aliases = aliases
        return found

    def _query_columns(self, node: Any, scope: Scope, out: list[Column]) -> None:
        rowset = self.queries.subquery(node, scope)
        out.extend([column for _, column in rowset.outputs])
        rows = rowset.entity.columns.get(ROWS)
        if rows is not None:
            out.append(rows)
