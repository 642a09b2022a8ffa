"""Expressions of the grammar, by the kind of value they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from tests.engines.grammar.pieces import LEAVES, Piece, listed, maybe, piece
from tests.engines.grammar.scope import Scope
from tests.engines.grammar.world import WORDS

if TYPE_CHECKING:
    from tests.engines.grammar.writer import Writer

Rule = Callable[[Scope, int], Piece]

SIMPLE = ("int", "int", "int", "str", "date")
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM")


class Expressions:
    """Values of one row."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.correlated = 0.25
        self.rules: dict[str, list[Rule]] = {
            "int": [
                self.arithmetic, self.arithmetic, self.length, self.day, self.element, self.struct_field, self.map_value, self.list_sum, self.truth_as_number, self.least,
                self.written_struct_field, self.nullif, self.list_reduce, self.cast_to_int, self.days_between,
            ],
            "str": [
                self.concatenation, self.upper, self.dot_call, self.cast_to_text, self.substring, self.struct_word,
                self.formatted,
            ],
            "date": [self.later],
            "ints": [
                self.bracketed, self.transformed, self.filtered, self.comprehension, self.slice, self.array_subquery,
                self.joined_lists, self.map_values,
            ],
            "row": [self.written_struct, self.packed_struct],
            "map": [self.written_map],
        }  # fmt: skip

    def of(self, kind: str, scope: Scope, depth: int) -> Piece:
        """An expression; with no depth left, a column or a literal."""
        writer = self.writer
        if kind == "bool":
            return self.condition(scope, depth)
        if depth > 0 and writer.chance(0.5):
            if kind in SIMPLE and writer.chance(0.3):
                general = writer.one((self.case, self.coalesce, self.scalar_subquery))
                return piece(kind, general(kind, scope, depth - 1))
            return piece(kind, writer.one(self.rules[kind])(scope, depth - 1))
        if writer.chance(0.06):
            return piece(kind, self.literal(kind))
        return self.column(kind, scope, self.correlated)

    def column(self, kind: str, scope: Scope, correlated: float = 0.0) -> Piece:
        """A column of the kind; where there is none, something made of another column."""
        column = scope.choose(kind, self.writer.rng, correlated)
        if column is not None:
            return piece(kind, column)
        number = scope.choose("int", self.writer.rng, correlated)
        if number is None:
            return piece(kind, self.literal(kind))
        made = {
            "int": number,
            "str": f"({number})::VARCHAR",
            "date": f"(DATE '2024-01-01' + ({number})::INTEGER)",
            "ints": f"[{number}, 1]",
            "row": f"{{'p': {number}, 'q': 'a'}}",
            "map": f"MAP {{'a': {number}}}",
        }
        return piece(kind, made[kind])

    def without_outer(self) -> AbstractContextManager[None]:
        """Until the end of the block nothing of an outer query is named."""
        return self.correlating(0.0)

    @contextmanager
    def correlating(self, share: float) -> Iterator[None]:
        before, self.correlated = self.correlated, share
        yield
        self.correlated = before

    def literal(self, kind: str) -> str:
        rng = self.writer.rng
        if kind == "int":
            return str(rng.randint(1, 5))
        if kind == "str":
            return f"'{rng.choice(WORDS)}'"
        if kind == "date":
            return f"DATE '2024-01-0{rng.randint(1, 6)}'"
        if kind == "row":
            return f"{{'p': {rng.randint(0, 5)}, 'q': 'a'}}"
        if kind == "map":
            return f"MAP {{'a': {rng.randint(0, 5)}}}"
        return LEAVES[kind]

    # --- numbers ------------------------------------------------------------------------------------------------

    def arithmetic(self, scope: Scope, depth: int) -> Piece:
        operator = self.writer.one((" + ", " - ", " * "))
        return piece("calc", "(", self.of("int", scope, depth), operator, self.of("int", scope, depth), ")")

    def length(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "length(", self.of("str", scope, depth), ")")

    def day(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", self.writer.one(("extract(day FROM ", "day(")), self.of("date", scope, depth), ")")

    def days_between(self, scope: Scope, depth: int) -> Piece:
        return piece(
            "calc", "date_diff('day', ", self.of("date", scope, depth), ", ", self.of("date", scope, depth), ")"
        )

    def element(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("list element")
        index = self.literal("int") if self.writer.chance(0.6) else self.of("int", scope, 0)
        return piece("calc", self.column("ints", scope), "[", index, "]")

    def struct_field(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("struct field")
        form = self.writer.one(("(*).p", "*.p", "struct_extract(*, 'p')", "(*)['p']"))
        before, _, after = form.partition("*")
        return piece("calc", before, self.column("row", scope) if form != "*.p" else self._named_row(scope), after)

    def struct_word(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", self._named_row(scope), ".q")

    def _named_row(self, scope: Scope) -> Piece:
        column = scope.choose("row", self.writer.rng)
        return piece("row", column if column is not None else "({'p': 1, 'q': 'b'})")

    def written_struct_field(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("field of a written struct")
        return piece("calc", "{'p': ", self.of("int", scope, depth), ", 'o': 0}.p")

    def map_value(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("map value")
        return piece("calc", self.column("map", scope), "[", self.of("str", scope, 0), "]")

    def list_sum(self, scope: Scope, depth: int) -> Piece:
        function = self.writer.one(("list_sum(", "len(", "list_max(", "list_aggregate("))
        rest = ", 'min')" if function == "list_aggregate(" else ")"
        return piece("calc", function, self.of("ints", scope, depth), rest, "::INTEGER")

    def list_reduce(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("lambda")
        inner = self.writer.one(("x + y", "x * 2 + y"))
        return piece(
            "calc", "list_reduce(list_append(", self.of("ints", scope, depth), f", 1), lambda x, y: {inner}, ",
            self.of("int", scope, depth), ")",
        )  # fmt: skip

    def truth_as_number(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "CAST(", self.condition(scope, depth), " AS INTEGER)")

    def cast_to_int(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "TRY_CAST(", self.cast_to_text(scope, depth), " AS INTEGER)")

    def least(self, scope: Scope, depth: int) -> Piece:
        function = self.writer.one(("least", "greatest"))
        return piece("calc", f"{function}(", listed(self.of("int", scope, depth) for _ in range(2)), ")")

    def nullif(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "nullif(", self.of("int", scope, depth), ", ", self.of("int", scope, depth), ")")

    # --- text and days ------------------------------------------------------------------------------------------

    def concatenation(self, scope: Scope, depth: int) -> Piece:
        if self.writer.chance(0.3):
            return piece("calc", "concat(", listed(self.of("str", scope, depth) for _ in range(2)), ")")
        return piece("calc", "(", self.of("str", scope, depth), " || ", self.of("str", scope, depth), ")")

    def upper(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", self.writer.one(("upper(", "reverse(", "'<' || trim(")), self.of("str", scope, depth), ")")

    def dot_call(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("dot call")
        value = self.column("str", scope)
        if str(value).startswith("'") or self.writer.chance(0.4):
            return piece("calc", "(", value, ")", self.writer.one((".upper()", ".lpad(3, '-')")))
        return piece("calc", value, self.writer.one((".upper()", ".lpad(3, '-')", ".upper().reverse()")))

    def cast_to_text(self, scope: Scope, depth: int) -> Piece:
        kind = self.writer.one(("int", "date", "int", "str"))
        if self.writer.chance(0.5):
            return piece("calc", "CAST(", self.of(kind, scope, depth), " AS VARCHAR)")
        return piece("calc", "(", self.of(kind, scope, depth), ")::VARCHAR")

    def substring(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "substr(", self.of("str", scope, depth), ", ", self.of("int", scope, depth), ")")

    def formatted(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "format('{}-{}', ", self.of("str", scope, depth), ", ", self.of("int", scope, depth), ")")

    def later(self, scope: Scope, depth: int) -> Piece:
        return piece(
            "calc", "CAST(", self.of("date", scope, depth), " + (", self.of("int", scope, depth), ")::INTEGER AS DATE)"
        )

    # --- of any kind --------------------------------------------------------------------------------------------

    def case(self, kind: str, scope: Scope, depth: int) -> Piece:
        self.writer.used("case")
        if self.writer.chance(0.3):
            return piece(
                "calc", "CASE ", self.of("int", scope, depth), " WHEN ", self.of("int", scope, 0), " THEN ",
                self.of(kind, scope, depth), maybe(" ELSE ", self.of(kind, scope, depth)), " END",
            )  # fmt: skip
        return piece(
            "calc", "CASE WHEN ", self.condition(scope, depth), " THEN ", self.of(kind, scope, depth),
            maybe(" ELSE ", self.of(kind, scope, depth)), " END",
        )  # fmt: skip

    def coalesce(self, kind: str, scope: Scope, depth: int) -> Piece:
        return piece("calc", "coalesce(", listed(self.of(kind, scope, depth) for _ in range(2)), ")")

    def scalar_subquery(self, kind: str, scope: Scope, depth: int) -> Piece:
        self.writer.used("scalar subquery")
        return piece("calc", "(", self.writer.queries.scalar(kind, scope, depth), ")")

    # --- nested values ------------------------------------------------------------------------------------------

    def bracketed(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "[", listed(self.of("int", scope, depth) for _ in range(2)), "]")

    def transformed(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("lambda")
        return piece(
            "calc",
            "list_transform(",
            self.of("ints", scope, depth),
            ", lambda x: x + ",
            self.of("int", scope, depth),
            ")",
        )

    def filtered(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("lambda")
        return piece(
            "calc", "list_filter(", self.of("ints", scope, depth), ", lambda x: x > ", self.of("int", scope, depth), ")"
        )

    def comprehension(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("list comprehension")
        return piece(
            "calc", "[x + ", self.of("int", scope, depth), " FOR x IN ", self.of("ints", scope, depth),
            maybe(" IF x > ", self.of("int", scope, depth)), "]",
        )  # fmt: skip

    def slice(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", self.column("ints", scope), "[1:", self.of("int", scope, 0), "]")

    def joined_lists(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "list_concat(", self.of("ints", scope, depth), ", ", self.of("ints", scope, depth), ")")

    def map_values(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "map_values(", self.column("map", scope), ")")

    def array_subquery(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("array subquery")
        return piece("calc", "ARRAY(", self.writer.queries.ordered_values("int", scope, depth), ")")

    def written_struct(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "{'p': ", self.of("int", scope, depth), ", 'q': ", self.of("str", scope, depth), "}")

    def packed_struct(self, scope: Scope, depth: int) -> Piece:
        return piece(
            "calc", "struct_pack(p := ", self.of("int", scope, depth), ", q := ", self.of("str", scope, depth), ")"
        )

    def written_map(self, scope: Scope, depth: int) -> Piece:
        return piece("calc", "MAP {'a': ", self.of("int", scope, depth), ", 'b': 0}")

    # --- conditions ---------------------------------------------------------------------------------------------

    def condition(self, scope: Scope, depth: int) -> Piece:
        rules: list[Rule] = [
            self.comparison,
            self.comparison,
            self.comparison,
            self.is_null,
            self.in_list,
            self.between,
        ]
        if depth > 0:
            rules += [
                self.both, self.negated, self.like, self.exists, self.in_subquery, self.any_or_all, self.contains,
                self.row_in_subquery,
            ]  # fmt: skip
        return piece("bool", self.writer.one(rules)(scope, depth - 1))

    def comparison(self, scope: Scope, depth: int) -> Piece:
        kind = self.writer.one(SIMPLE)
        left, right = self.of(kind, scope, depth), self.of(kind, scope, depth)
        return piece("test", left, f" {self.writer.one(COMPARISONS)} ", right)

    def is_null(self, scope: Scope, depth: int) -> Piece:
        return piece(
            "test", self.of(self.writer.one(SIMPLE), scope, depth), self.writer.one((" IS NULL", " IS NOT NULL"))
        )

    def in_list(self, scope: Scope, depth: int) -> Piece:
        kind = self.writer.one(SIMPLE)
        word = self.writer.one((" IN (", " NOT IN ("))
        return piece("test", self.of(kind, scope, depth), word, listed(self.of(kind, scope, 0) for _ in range(2)), ")")

    def between(self, scope: Scope, depth: int) -> Piece:
        low, high = self.of("int", scope, 0), self.of("int", scope, 0)
        return piece("test", self.of("int", scope, depth), " BETWEEN ", low, " AND ", high)

    def like(self, scope: Scope, depth: int) -> Piece:
        word = self.writer.one((" LIKE ", " NOT LIKE ", " ILIKE "))
        return piece("test", self.of("str", scope, depth), word, "concat(", self.of("str", scope, 0), ", '%')")

    def both(self, scope: Scope, depth: int) -> Piece:
        word = self.writer.one((" AND ", " OR "))
        return piece("test", "(", listed((self.condition(scope, depth) for _ in range(2)), word), ")")

    def negated(self, scope: Scope, depth: int) -> Piece:
        return piece("test", "NOT (", self.condition(scope, depth), ")")

    def exists(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("exists")
        word = self.writer.one(("EXISTS (", "NOT EXISTS ("))
        return piece("test", word, self.writer.queries.select(min(depth, 1), scope, wanted=None).piece, ")")

    def in_subquery(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("in subquery")
        kind = self.writer.one(SIMPLE)
        word = self.writer.one((" IN (", " NOT IN ("))
        query = self.writer.queries.any_query(min(depth, 1), scope, wanted=[kind])
        return piece("test", self.of(kind, scope, depth), word, query.piece, ")")

    def row_in_subquery(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("row in subquery")
        query = self.writer.queries.any_query(min(depth, 1), scope, wanted=["int", "str"])
        return piece("test", "(", self.of("int", scope, 0), ", ", self.of("str", scope, 0), ") IN (", query.piece, ")")

    def any_or_all(self, scope: Scope, depth: int) -> Piece:
        self.writer.used("any or all")
        word = self.writer.one((" = ANY (", " > ALL (", " <= ANY ("))
        if self.writer.chance(0.3):
            return piece("test", self.of("int", scope, depth), " = ANY (", self.column("ints", scope), ")")
        query = self.writer.queries.any_query(min(depth, 1), scope, wanted=["int"])
        return piece("test", self.of("int", scope, depth), word, query.piece, ")")

    def contains(self, scope: Scope, depth: int) -> Piece:
        return piece("test", "list_contains(", self.of("ints", scope, depth), ", ", self.of("int", scope, depth), ")")
