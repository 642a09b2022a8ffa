"""Joins: the joined tables, the columns they are joined by, and the conditions that limit the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import Builder
from connector.analysis.expressions import ExpressionReader
from connector.analysis.names import NameResolver
from connector.analysis.nodes import without_collation
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import ClauseType, Column, Span

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader

_JOINING = ("kind", "side", "using", "method", "match_condition")
"""Parts of a JOIN of which a comma has none."""
_SIDES = {"LEFT": "left", "RIGHT": "right", "FULL": "full"}


class JoinReader:
    """Reads JOIN clauses and the conditions that join tables, wherever they stand."""

    __slots__ = ("_coalesces", "_hides_other_side", "_sources", "builder", "expressions", "names")

    def __init__(
        self, builder: Builder, names: NameResolver, expressions: ExpressionReader, sources: SourceReader
    ) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self._sources = sources
        self._hides_other_side = not names.dialect.semi_joins_show_match
        """Whether only one side of a SEMI or ANTI join can be read; ClickHouse gives the columns of the match as well."""
        self._coalesces = names.dialect.coalesces_merged

    def read(self, joins: Any, scope: Scope, first: int = 0) -> None:
        """The joined tables and their conditions, in order.

        `first` is where the operands of these joins begin among the FROM items of the scope: a condition sees the two
        sides that it joins, not what stands before a comma or outside a parenthesis.
        """
        for join in joins or ():
            args = join.args
            kind = args.get("kind")
            if kind and kind != "INNER":
                kind = str(kind).upper()
                if kind == "ARRAY":
                    first_array, others = args.get("this"), args.get("expressions") or []
                    # Some releases of the grammar have the first array of several apart, others among them.
                    for item in [first_array, *others] if first_array and first_array not in others else others:
                        self._sources.array_join(item, scope)
                    continue
                if kind in ("SEMI", "ANTI") and self._hides_other_side:
                    self._filtering(join, scope, first)
                    continue
            if _is_comma(args):
                first = len(scope.sources)
                self._sources.add(args["this"], scope)
                continue
            merges = args.get("using") or args.get("method")
            before = list(scope.sources.values())[first:] if merges else []
            added = self._sources.add(args["this"], scope)
            self._conditions(args, scope, scope if first == 0 else _sides(scope, first), before, added)

    def _conditions(
        self, args: dict[str, Any], scope: Scope, sides: Scope, before: list[Rowset], added: Rowset
    ) -> None:
        """What joins two sides: it limits the rows of the query, and its names are those of the sides."""
        side = args.get("side")
        kind = _SIDES.get(str(side).upper(), "inner") if side else "inner"
        for condition in (args.get("on"), args.get("match_condition")):
            if condition is not None:
                self.condition(condition, sides, "joinCondition", kind, scope)
        using = args.get("using")
        if using:
            self._using([self._using_name(item) for item in using], before, added, scope, kind)
        elif args.get("method") and str(args["method"]).upper() == "NATURAL":
            self._natural(before, added, scope, kind)

    def _filtering(self, join: Any, scope: Scope, first: int) -> None:
        """A SEMI or ANTI join: the other side decides which rows stay, and is seen in the condition only."""
        args = join.args
        other = Scope(scope.parent, scope)
        added = self._sources.add(args["this"], other)
        sides = _sides(scope, first)
        before = list(sides.sources.values())
        for key, source in other.sources.items():
            sides.add(key, source)
        self._conditions(args, other, sides, before, added)
        for clause, columns in other.impacts.items():
            scope.impact(clause, columns)
        hidden = list(other.sources.values())
        if str(args.get("side") or "").upper() == "RIGHT":
            hidden = before
            kept = list(scope.sources.items())[:first]
            scope.clear()
            for key, source in [*kept, *other.sources.items()]:
                scope.add(key, source)
        scope.impact("joinCondition", {rows: None for source in hidden if (rows := source.limiting_rows) is not None})

    def _using_name(self, item: Any) -> tuple[str, str, Span | None]:
        identifier = item.args["this"] if item.__class__ is exp.Column else item
        self.names.reach(identifier)
        return self.names.key(identifier), self.names.written(identifier), self.names.span(identifier)

    def _using(
        self,
        names: Sequence[tuple[str, str, Span | None]],
        before: list[Rowset],
        added: Rowset,
        scope: Scope,
        kind: str,
    ) -> None:
        builder = self.builder
        if scope.merged is None:
            scope.merged = {}
        for key, name, span in names:
            if not name:
                continue
            sides = scope.merged.get(key)
            if sides is None:
                sides = [source for source in before if source.has(key)] or [
                    source for source in before if source.may_have(key)
                ]
                sides = sides[:1]
            right = added.column(builder, key, name, span)
            lefts = [source.column(builder, key, name, span) for source in sides]
            scope.impact("joinCondition", dict.fromkeys([*lefts, right]))
            for left in lefts[:1]:
                builder.join(left, right, kind, f"{name} = {name}")
            if kind == "left" and not self._coalesces:
                scope.merged[key] = sides or [added]
            elif kind == "right" and not self._coalesces:
                scope.merged[key] = [added]
            else:
                scope.merged[key] = [*sides, added]
        if before:
            keys = [key for key, name, _ in names if name]
            if scope.leading is None:
                scope.leading = {}
            earlier = scope.leading.get(before[0], [])
            scope.leading[before[0]] = keys + [key for key in earlier if key not in keys]

    def _natural(self, before: list[Rowset], added: Rowset, scope: Scope, kind: str) -> None:
        """The common columns, where both sides are known well enough to tell."""
        if not added.closed or not all(source.closed for source in before):
            return
        common = {key: (key, name, None) for source in before for key, name in source.names() if added.has(key)}
        self._using(list(common.values()), before, added, scope, kind)

    def condition(
        self, node: Any, scope: Scope, clause: ClauseType, join_kind: str | None, limited: Scope | None = None
    ) -> None:
        """A WHERE or ON condition: its columns limit the rows, its comparisons are joins.

        In WHERE only equalities between two tables of this FROM clause count as joins. `limited` is the query whose rows
        are limited, where the names of the condition are looked up in a part of it.
        """
        equalities: list[tuple[Any, Column, Column]] = []
        wants_joins = join_kind is not None or len(scope.sources) > 1
        columns = self.expressions.columns(node, scope, equalities if wants_joins else None)
        (limited or scope).impact(clause, columns)
        if not equalities:
            return
        joined = {source.entity for source in scope.sources.values()} if join_kind is None else set()
        for comparison, left, right in equalities:
            if join_kind is None and (
                comparison.__class__ is not exp.EQ
                or left.entity is right.entity
                or left.entity not in joined
                or right.entity not in joined
            ):
                continue
            if left is not right or join_kind is not None:
                self.builder.join(left, right, join_kind or "inner", self._comparison_text(comparison, left, right))

    def _comparison_text(self, comparison: Any, left: Column, right: Column) -> str:
        first = without_collation(comparison.args["this"])
        last = without_collation(comparison.args["expression"])
        first = first.args.get("catalog") or first.args.get("db") or first.args.get("table") or first.args["this"]
        begin = first._meta
        end = last.args["this"]._meta
        if begin and end and "start" in begin and "end" in end:
            base = self.builder.base
            return self.builder.script.text[begin["start"] + base : end["end"] + 1 + base]
        return f"{left.name} = {right.name}"


def _is_comma(args: dict[str, Any]) -> bool:
    """A comma between FROM items, which binds less than any join; APPLY looks alike and is a join."""
    if args.get("on") or any(map(args.get, _JOINING)):
        return False
    joined = args["this"]
    return joined.__class__ is not exp.Lateral or joined.args.get("cross_apply") is None


def _sides(scope: Scope, first: int) -> Scope:
    """The operands of a join by themselves; what they do not have is looked up in the whole FROM clause after them."""
    sides = Scope(scope, scope)
    sides.sources = dict(list(scope.sources.items())[first:])
    sides.merged = scope.merged
    return sides
