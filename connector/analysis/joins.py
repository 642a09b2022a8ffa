"""Joins: the joined tables, the columns they are joined by, and the conditions that limit the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.builder import Builder
from connector.analysis.expressions import ExpressionReader
from connector.analysis.names import NameResolver
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column, Span

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader

__all__ = ["JoinReader"]

_SIDES = {"LEFT": "left", "RIGHT": "right", "FULL": "full"}


class JoinReader:
    """Reads JOIN clauses and the conditions that join tables, wherever they stand."""

    __slots__ = ("_sources", "builder", "expressions", "names")

    def __init__(
        self, builder: Builder, names: NameResolver, expressions: ExpressionReader, sources: SourceReader
    ) -> None:
        self.builder = builder
        self.names = names
        self.expressions = expressions
        self._sources = sources

    def read(self, joins: Any, scope: Scope) -> None:
        """The joined tables and their conditions, in order."""
        for join in joins or ():
            args = join.args
            if str(args.get("kind") or "").upper() == "ARRAY":
                for item in args.get("expressions") or [args["this"]]:
                    self._sources.array_join(item, scope)
                continue
            using = args.get("using")
            natural = str(args.get("method") or "").upper() == "NATURAL"
            before = list(scope.sources.values()) if using or natural else []
            added = self._sources.add(args["this"], scope)
            side = args.get("side")
            kind = _SIDES.get(str(side).upper(), "inner") if side else "inner"
            on = args.get("on")
            if on is not None:
                self.condition(on, scope, "joinCondition", kind)
            if args.get("match_condition") is not None:
                self.condition(args["match_condition"], scope, "joinCondition", kind)
            if using:
                self._using([self._using_name(item) for item in using], before, added, scope, kind)
            elif natural:
                self._natural(before, added, scope, kind)

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
            scope.merged[key] = [*sides, added]

    def _natural(self, before: list[Rowset], added: Rowset, scope: Scope, kind: str) -> None:
        """The common columns, where both sides are known well enough to tell."""
        if not added.closed or not all(source.closed for source in before):
            return
        columns = added.outputs if added.outputs else list((added.known or {}).items())
        common = [
            (key, column if isinstance(column, str) else column.name, None)
            for key, column in columns
            if any(source.has(key) for source in before)
        ]
        self._using(common, before, added, scope, kind)

    def condition(self, node: Any, scope: Scope, clause: str, join_kind: str | None) -> None:
        """A WHERE or ON condition: its columns limit the rows, its comparisons are joins.

        In WHERE only equalities between two tables of this FROM clause count as joins.
        """
        equalities: list[tuple[Any, Column, Column]] = []
        wants_joins = join_kind is not None or len(scope.sources) > 1
        scope.impact(clause, self.expressions.columns(node, scope, equalities if wants_joins else None))
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
        first = comparison.args["this"]
        last = comparison.args["expression"]
        first = first.args.get("catalog") or first.args.get("db") or first.args.get("table") or first.args["this"]
        begin = first._meta
        end = last.args["this"]._meta
        if begin and end and "start" in begin and "end" in end:
            base = self.builder.base
            return self.builder.script.text[begin["start"] + base : end["end"] + 1 + base]
        return f"{left.name} = {right.name}"
