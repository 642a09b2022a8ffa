"""Aggregates and window functions of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tests.engines.grammar.pieces import NOTHING, Piece, listed, maybe, piece
from tests.engines.grammar.scope import Scope

if TYPE_CHECKING:
    from tests.engines.grammar.writer import Writer

FRAMES = (
    "ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
    "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW",
    "ROWS 2 PRECEDING",
    "GROUPS BETWEEN CURRENT ROW AND 1 FOLLOWING",
)


class Aggregates:
    """Values of several rows: of a group, or of a window."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def of_group(self, kind: str, scope: Scope, depth: int) -> Piece:
        """An aggregate of the kind."""
        with self.writer.expressions.without_outer():  # an aggregate of outer columns alone would be the outer query's
            return piece(kind, self._aggregate(kind, scope, depth))

    def _aggregate(self, kind: str, scope: Scope, depth: int) -> Piece:
        writer, value = self.writer, self.writer.expressions.of
        filtered = maybe(" FILTER (WHERE ", value("bool", scope, depth), ")") if writer.chance(0.15) else NOTHING
        if filtered is not NOTHING:
            writer.used("filter")
        form = writer.rng.random()
        if kind == "int" and form < 0.6:
            rules: list[Callable[[], Piece]] = [
                lambda: piece("calc", "count(*)"),
                lambda: piece("calc", "count(", value(writer.one(("int", "str")), scope, depth), ")"),
                lambda: piece("calc", "count(DISTINCT ", value("int", scope, depth), ")"),
                lambda: piece("calc", "sum(", maybe("DISTINCT "), value("int", scope, depth), ")"),
                lambda: piece("calc", "sum(", value("int", scope, depth), ")"),
            ]
            number = writer.one(rules)()
            return piece("calc", number, filtered, "::INTEGER")
        if form < 0.7:
            writer.used("arg_max")
            best = writer.one(("arg_max(", "arg_min("))
            # Ties are broken by the value itself.
            result = value(kind, scope, 0)
            return piece("calc", best, result, ", (", value("int", scope, depth), ", ", result, "))", filtered)
        if kind == "str" and form < 0.85:
            writer.used("ordered aggregate")
            word = value("str", scope, depth)
            order = listed((value("int", scope, 0), word))
            return piece("calc", "string_agg(", word, ", ',' ORDER BY ", order, ")", filtered)
        return piece("calc", writer.one(("max(", "min(")), value(kind, scope, depth), ")", filtered)

    def list_of_group(self, scope: Scope, depth: int) -> Piece:
        value = self.writer.expressions.of
        self.writer.used("ordered aggregate")
        form = self.writer.one(("array_agg(", "list("))
        with self.writer.expressions.without_outer():
            number = value("int", scope, depth)
            return piece("ints", form, number, " ORDER BY ", listed((value("int", scope, 0), number)), ")")

    def of_window(self, kind: str, scope: Scope, depth: int, named: str | None) -> Piece:
        """A window function; `named` is a window of the WINDOW clause."""
        writer, value = self.writer, self.writer.expressions.of
        writer.used("window")
        over = piece("over", named) if named else self.window(scope)
        form = writer.rng.random()
        if kind == "int" and form < 0.3:
            function: Piece = piece("calc", writer.one(("row_number()", "rank()", "dense_rank()", "ntile(2)")))
            return piece(kind, function, " OVER ", over, "::INTEGER")
        if form < 0.5:
            lag = writer.one(("lag(", "lead(", "first_value(", "last_value("))
            return piece(kind, lag, value(kind, scope, depth), maybe(" IGNORE NULLS"), ") OVER ", over)
        return piece(kind, self._simple(kind, scope, depth), " OVER ", over)

    def _simple(self, kind: str, scope: Scope, depth: int) -> Piece:
        function = self.writer.one(("max(", "min(", "max("))
        if kind == "int" and self.writer.chance(0.5):
            return piece(
                "calc", self.writer.one(("sum(", "count(")), self.writer.expressions.of(kind, scope, depth), ")"
            )
        return piece("calc", function, self.writer.expressions.of(kind, scope, depth), ")")

    def window(self, scope: Scope) -> Piece:
        writer, value = self.writer, self.writer.expressions.of
        parts: list[Piece] = []
        if writer.chance(0.6):
            parts.append(maybe("PARTITION BY ", listed([value("int", scope, 1)])))
        if writer.chance(0.8):
            order = [value(writer.one(("int", "str")), scope, 1), *self._tie_breaker(scope)]
            frame = maybe(" ", writer.one(FRAMES)) if writer.chance(0.4) else NOTHING
            parts.append(maybe("ORDER BY ", listed(order), frame))
        return piece("over", "(", Piece("text", tuple(parts), " "), ")")

    def _tie_breaker(self, scope: Scope) -> list[Piece]:
        ids = [field for field in scope.fields if field.name == "id"]
        return [piece("int", scope.refer(field, self.writer.rng)) for field in ids]
