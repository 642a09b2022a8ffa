"""Queries: SELECT with its clauses, set operations, common table expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.engines.grammar.aggregates import Aggregates
from tests.engines.grammar.pieces import NOTHING, Part, Piece, listed, maybe, piece
from tests.engines.grammar.scope import Field, Scope
from tests.engines.grammar.stars import Stars

if TYPE_CHECKING:
    from tests.engines.grammar.writer import Writer

SHOWN = ("int", "int", "int", "str", "str", "date", "ints", "row")


@dataclass(frozen=True)
class Query:
    """A query and its columns; with a `star` there may be more of them than are listed here."""

    piece: Piece
    fields: list[Field]
    star: bool = False


class Queries:
    """Queries of all forms; `wanted` are the kinds that the columns must have."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.aggregates = Aggregates(writer)
        self.stars = Stars(writer)

    def any_query(self, depth: int, outer: Scope | None = None, wanted: Sequence[str] | None = None) -> Query:
        writer = self.writer
        if depth > 0 and writer.chance(0.35):
            rules: list[Callable[[int, Scope | None, Sequence[str] | None], Query]] = [
                self.set_operation, self.set_operation, self.with_clause, self.recursive,
            ]  # fmt: skip
            return writer.one(rules)(depth - 1, outer, wanted)
        return self.select(depth, outer, wanted)

    # --- select -------------------------------------------------------------------------------------------------

    def select(self, depth: int, outer: Scope | None = None, wanted: Sequence[str] | None = None) -> Query:
        writer = self.writer
        source, scope = writer.relations.from_clause(depth, outer)
        where = (
            maybe(" WHERE ", writer.expressions.condition(scope, writer.rng.randint(0, 2)))
            if writer.chance(0.35)
            else NOTHING
        )
        if writer.chance(0.35):
            return self._grouped(source, scope, where, wanted)
        if wanted is None and writer.chance(0.2):
            return self.stars.query(source, scope, where)
        return self._plain(source, scope, where, wanted)

    def _plain(self, source: Piece, scope: Scope, where: Piece, wanted: Sequence[str] | None) -> Query:
        writer = self.writer
        kinds = list(wanted or [writer.one(SHOWN) for _ in range(writer.rng.randint(1, 3))])
        window = writer.fresh("win") if writer.chance(0.1) else None
        items: list[Part] = []
        fields: list[Field] = []
        aliases = Scope([], None)
        for kind in kinds:
            if kind in ("int", "str") and writer.chance(0.15):
                value = self.aggregates.of_window(kind, scope, 1, window)
            elif kind == "int" and aliases.fields and writer.chance(0.15):
                writer.used("lateral alias")
                value = piece("int", "(", aliases.fields[-1].name, " + ", writer.expressions.of("int", scope, 1), ")")
            elif kind == "int" and wanted is None and writer.chance(0.06):
                writer.used("unnest in select")
                value = piece("int", "unnest(", writer.expressions.of("ints", scope, 1), ")")
            else:
                value = writer.expressions.of(kind, scope, writer.rng.randint(0, 2))
            item, field = self._item(kind, value, scope)
            items.append(item)
            fields.append(field)
            if kind == "int" and "unnest(" not in str(item) and " AS " in str(item):
                aliases.fields.append(Field(field.name, kind))
        ending: list[Piece] = []
        if window is not None:
            writer.used("named window")
            ending.append(maybe(f" WINDOW {window} AS ", self.aggregates.window(scope)))
        if writer.chance(0.08):
            writer.used("qualify")
            test = self.aggregates.of_window("int", scope, 1, window)
            ending.append(maybe(" QUALIFY ", test, writer.one((" = ", " <= ")), writer.expressions.literal("int")))
        distinct, order = self._distinct(scope, len(kinds))
        return Query(piece("query", *self._clauses(distinct, items, source), where, *ending, order), fields)

    def _clauses(self, distinct: Piece, items: list[Part], source: Piece) -> list[Part]:
        if self.writer.chance(0.06):
            self.writer.used("from first")
            return ["FROM ", source, " SELECT ", distinct, listed(items)]
        return ["SELECT ", distinct, listed(items), " FROM ", source]

    def _item(self, kind: str, value: Piece, scope: Scope) -> tuple[Part, Field]:
        """An entry of the select list: a column under its own name, or an expression under a new one."""
        writer = self.writer
        text = str(value)
        own = next((field for field in scope.fields if text in (field.name, f"{field.alias}.{field.name}")), None)
        if own is not None and writer.chance(0.6):
            return value, Field(own.name, kind)
        name = writer.fresh("e")
        if own is not None and kind == "int" and writer.chance(0.05):
            writer.used("parenthesised column")
            return piece("item", "(", value, ")"), Field(own.name, kind)
        return piece("item", value, f" AS {name}"), Field(name, kind)

    def _distinct(self, scope: Scope, width: int) -> tuple[Piece, Piece]:
        """DISTINCT in front and the order at the end: of rows that are equal in all columns it does not matter which stay."""
        writer = self.writer
        form = writer.rng.random()
        if form < 0.1:
            writer.used("distinct")
            return maybe("DISTINCT "), self._limit(width)
        if form < 0.16:
            writer.used("distinct on")
            key = writer.expressions.of("int", scope, 1)
            places = ", ".join(map(str, range(1, width + 1)))
            order = maybe(" ORDER BY ", key, ", ", writer.expressions.of("int", scope, 1), f", {places}")
            return maybe("DISTINCT ON (", key, ") "), order
        return NOTHING, self._limit(width)

    def _limit(self, width: int) -> Piece:
        writer = self.writer
        if not writer.chance(0.12):
            return NOTHING
        writer.used("limit")
        places = list(range(1, width + 1))
        writer.rng.shuffle(places)
        order = writer.one(("ALL", ", ".join(f"{place}{writer.one(('', ' DESC'))}" for place in places)))
        count: Part = str(writer.rng.randint(2, 5))
        if writer.chance(0.15):
            writer.used("limit subquery")
            count = piece("count", "(SELECT coalesce(max(", writer.one(("a", "b")), "), 0) FROM t)")
        offset = maybe(" OFFSET 1") if writer.chance(0.3) else NOTHING
        return maybe(f" ORDER BY {order}", maybe(" LIMIT ", count), offset)

    # --- groups -------------------------------------------------------------------------------------------------

    def _grouped(self, source: Piece, scope: Scope, where: Piece, wanted: Sequence[str] | None) -> Query:
        writer = self.writer
        with writer.expressions.without_outer():
            keys = [
                (kind, writer.expressions.of(kind, scope, 1 if writer.chance(0.3) else 0))
                for kind in (writer.one(("int", "str", "int")) for _ in range(writer.rng.randint(0, 2)))
            ]
        keys = [(kind, key) for kind, key in keys if any(char.isalpha() for char in str(key)) and "'" not in str(key)]
        kinds = list(wanted or [writer.one(("int", "int", "str", "ints")) for _ in range(writer.rng.randint(1, 3))])
        items: list[Part] = []
        fields: list[Field] = []
        places: list[int] = []
        for place, kind in enumerate(kinds, start=1):
            own = [key for key_kind, key in keys if key_kind == kind]
            if own and writer.chance(0.55):
                item, field = self._item(kind, writer.one(own), scope)
                places.append(place)
            elif kind == "int" and len(keys) > 0 and writer.chance(0.08):
                writer.used("grouping")
                item, field = self._item(kind, piece("int", "grouping(", str(keys[0][1]), ")::INTEGER"), scope)
            elif kind == "ints":
                item, field = self._item(kind, self.aggregates.list_of_group(scope, 1), scope)
            elif kind == "row":
                value = piece(
                    "row",
                    "{'p': ",
                    self.aggregates.of_group("int", scope, 1),
                    ", 'q': ",
                    self.aggregates.of_group("str", scope, 1),
                    "}",
                )
                item, field = self._item(kind, value, scope)
            else:
                item, field = self._item(kind, self.aggregates.of_group(kind, scope, 1), scope)
                if writer.chance(0.05) and wanted is None and kind == "int":
                    writer.used("unnamed aggregate")
                    column = writer.expressions.column("int", scope)
                    item, field = piece("item", "max(", column, ")"), Field(f"max({column})", "int")
            items.append(item)
            fields.append(field)
        group = self._group_by([key for _, key in keys], places, len(kinds))
        having: Piece = NOTHING
        if writer.chance(0.3):
            writer.used("having")
            test = piece(
                "bool",
                self.aggregates.of_group("int", scope, 1),
                writer.one((" > ", " <= ")),
                writer.expressions.literal("int"),
            )
            having = maybe(" HAVING ", test)
        distinct = maybe("DISTINCT ") if writer.chance(0.08) else NOTHING
        return Query(
            piece("query", *self._clauses(distinct, items, source), where, group, having, self._limit(len(kinds))),
            fields,
        )

    def _group_by(self, keys: list[Piece], places: list[int], width: int) -> Piece:
        writer = self.writer
        if not keys:
            return NOTHING
        if len(places) == len(keys) and writer.chance(0.2):
            writer.used("group by place")
            return maybe(" GROUP BY ", writer.one(("ALL", ", ".join(map(str, places)))))
        form = writer.rng.random()
        if form < 0.6:
            writer.used("group by")
            return maybe(" GROUP BY ", listed(keys))
        if form < 0.75:
            writer.used("rollup or cube")
            return maybe(writer.one((" GROUP BY ROLLUP (", " GROUP BY CUBE (")), listed(keys), ")")
        writer.used("grouping sets")
        sets: list[Part] = [
            piece("set", "(", listed(keys), ")"),
            *(piece("set", "(", key, ")") for key in keys[1:]),
            "()",
        ]
        return maybe(" GROUP BY GROUPING SETS (", listed(sets), ")")

    # --- of one column ------------------------------------------------------------------------------------------

    def scalar(self, kind: str, outer: Scope, depth: int) -> Piece:
        """A query of one row and one column."""
        writer = self.writer
        source, scope = writer.relations.from_clause(min(depth, 1), outer)
        where = maybe(" WHERE ", writer.expressions.condition(scope, 1)) if writer.chance(0.7) else NOTHING
        if writer.chance(0.2):
            value = writer.expressions.of(kind, scope, 1)
            order = maybe(writer.expressions.of("int", scope, 1), ", ")
            return piece("scalar", "SELECT ", value, " FROM ", source, where, " ORDER BY ", order, value, " LIMIT 1")
        return piece("scalar", "SELECT ", self.aggregates.of_group(kind, scope, 1), " FROM ", source, where)

    def ordered_values(self, kind: str, outer: Scope, depth: int) -> Piece:
        writer = self.writer
        source, scope = writer.relations.from_clause(min(depth, 1), outer)
        where = maybe(" WHERE ", writer.expressions.condition(scope, 1)) if writer.chance(0.5) else NOTHING
        value = writer.expressions.of(kind, scope, 1)
        order = listed((writer.expressions.of("int", scope, 0), value))
        limit = maybe(" LIMIT 2") if writer.chance(0.3) else NOTHING
        return piece("ordered", "SELECT ", value, " FROM ", source, where, " ORDER BY ", order, limit)

    # --- combinations -------------------------------------------------------------------------------------------

    def set_operation(self, depth: int, outer: Scope | None, wanted: Sequence[str] | None) -> Query:
        writer = self.writer
        kinds = list(wanted or [writer.one(("int", "str", "int", "ints")) for _ in range(writer.rng.randint(1, 3))])
        words = (" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ", " INTERSECT ALL ", " EXCEPT ALL ")
        left = self.select(depth, outer, kinds)
        right = self.any_query(depth, outer, kinds)
        if writer.chance(0.25) and wanted is None:
            return self._by_name(left, right)
        word = writer.one(words)
        writer.used(word.strip().lower())
        sides = [piece("query", "(", query.piece, ")") for query in (left, right)]
        return Query(piece("query", sides[0], word, sides[1], self._limit(len(kinds))), left.fields)

    def _by_name(self, left: Query, right: Query) -> Query:
        writer = self.writer
        writer.used("union by name")
        names = [field.name for field in left.fields]
        known = {field.name: field.kind for field in left.fields}
        further = [field for field in right.fields if field.name not in names]
        clash = any(known.get(field.name, field.kind) != field.kind for field in right.fields)
        word = writer.one((" UNION ALL BY NAME ", " UNION BY NAME "))
        text = piece("query", "(", left.piece, ")", word, "(", right.piece, ")")
        return Query(text, [] if clash else left.fields + further, star=True)

    def with_clause(self, depth: int, outer: Scope | None, wanted: Sequence[str] | None) -> Query:
        writer = self.writer
        saved = dict(writer.tables)
        entries = []
        for _ in range(writer.rng.randint(1, 2)):
            query = self.any_query(depth)
            name, fields = writer.fresh("q"), query.fields
            names = ""
            if fields and not query.star and writer.chance(0.3):
                writer.used("column list of a cte")
                fields = [Field(writer.fresh("c"), field.kind) for field in fields]
                names = f"({', '.join(field.name for field in fields)})"
            hint = writer.one(("", "", " MATERIALIZED", " NOT MATERIALIZED"))
            entries.append(piece("cte", f"{name}{names} AS{hint} (", query.piece, ")"))
            if fields:
                writer.tables[name] = fields
        writer.used("cte")
        body = self.select(depth, outer, wanted)
        writer.tables = saved
        return Query(piece("query", "WITH ", listed(entries), " ", body.piece), body.fields, body.star)

    def recursive(self, depth: int, outer: Scope | None, wanted: Sequence[str] | None) -> Query:
        """A recursion that ends: a step counter stands in its first column."""
        writer = self.writer
        name = writer.fresh("q")
        columns = [Field("step", "int"), Field(writer.fresh("c"), "int")]
        start_from, start = writer.relations.from_clause(min(depth, 1), None)
        saved = dict(writer.tables)
        alias = writer.fresh("x")
        again = Scope([Field(field.name, field.kind, alias) for field in columns])
        joined: Piece = NOTHING
        if writer.chance(0.6):
            right = writer.relations.table(writer.one(("t", "u")))
            joined = maybe(" JOIN ", right.piece, " ON ", writer.relations.match(again, right, again))
            again.add(right.fields)
        further = maybe(" AND ", writer.expressions.condition(again, 1)) if writer.chance(0.4) else NOTHING
        text = piece(
            "cte", f"{name}(step, {columns[1].name}) AS (SELECT 1, ", writer.expressions.of("int", start, 1), " FROM ",
            start_from, writer.one((" UNION ALL ", " UNION ")), f"SELECT {alias}.step + 1, ",
            writer.expressions.of("int", again, 1), f" FROM {name} AS {alias}", joined, f" WHERE {alias}.step < 3",
            further, ")",
        )  # fmt: skip
        writer.used("recursive cte")
        writer.tables[name] = columns
        body = self.select(min(depth, 1), outer, wanted)
        writer.tables = saved
        return Query(piece("query", "WITH RECURSIVE ", text, " ", body.piece), body.fields, body.star)
