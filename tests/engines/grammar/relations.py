"""What stands in FROM: tables, subqueries, functions, pivots, and their joins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.engines.grammar.pieces import NOTHING, Piece, listed, maybe, piece
from tests.engines.grammar.scope import Field, Scope, output
from tests.engines.grammar.world import YEARS

if TYPE_CHECKING:
    from tests.engines.grammar.writer import Writer


@dataclass(frozen=True)
class Relation:
    """One entry of FROM and the columns that it shows."""

    piece: Piece
    alias: str
    fields: list[Field]


class Relations:
    """Entries of FROM, alone and joined."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def from_clause(self, depth: int, outer: Scope | None) -> tuple[Piece, Scope]:
        """The text after FROM, and what the rest of the query sees."""
        writer = self.writer
        first = self.relation(depth)
        scope = Scope(list(first.fields), outer)
        joined = first.piece
        while depth > 0 and writer.chance(0.45) and len(scope.aliases) < 3:
            joined = piece("joined", joined, self.join(depth - 1, scope))
        return joined, scope

    # --- single relations ---------------------------------------------------------------------------------------

    def relation(self, depth: int) -> Relation:
        writer = self.writer
        if depth <= 0 or writer.chance(0.5):
            return self.table()
        rules: list[Callable[[int], Relation]] = [
            self.subquery, self.subquery, self.values, self.series, self.pivot, self.unpivot, self.parenthesised,
            self.pivot_statement, self.renamed,
        ]  # fmt: skip
        return writer.one(rules)(depth - 1)

    def table(self, name: str | None = None) -> Relation:
        writer = self.writer
        name = name or writer.one(list(writer.tables))
        fields = writer.tables[name]
        if writer.chance(0.3) and name in writer.base:
            writer.used("table without alias")
            return Relation(piece("relation", name), name, output(fields, name))
        alias = writer.fresh("x")
        return Relation(piece("relation", name, writer.one((" AS ", " ")), alias), alias, output(fields, alias))

    def renamed(self, depth: int) -> Relation:
        """A table whose first columns get other names."""
        writer = self.writer
        name = writer.one(list(writer.tables))
        fields = writer.tables[name]
        writer.used("partial alias list")
        alias = writer.fresh("x")
        names = [writer.fresh("c") for _ in range(writer.rng.randint(1, min(3, len(fields))))]
        shown = [Field(new, field.kind) for new, field in zip(names, fields, strict=False)] + fields[len(names) :]
        return Relation(piece("relation", name, f" AS {alias}(", ", ".join(names), ")"), alias, output(shown, alias))

    def subquery(self, depth: int, outer: Scope | None = None) -> Relation:
        writer = self.writer
        query = writer.queries.any_query(depth, outer)
        alias = writer.fresh("x")
        fields, names = query.fields, NOTHING
        if fields and not query.star and writer.chance(0.25):
            writer.used("column aliases of a subquery")
            new = [writer.fresh("c") for _ in fields]
            names = piece("names", "(", ", ".join(new), ")")
            fields = [Field(name, field.kind) for name, field in zip(new, fields, strict=True)]
        return Relation(piece("relation", "(", query.piece, f") AS {alias}", names), alias, output(fields, alias))

    def values(self, depth: int) -> Relation:
        writer = self.writer
        writer.used("values")
        alias, first, second = writer.fresh("x"), writer.fresh("c"), writer.fresh("c")
        literal = writer.expressions.literal
        rows = listed(f"({literal('int')}, {literal('str')})" for _ in range(3))
        fields = [Field(first, "int"), Field(second, "str")]
        return Relation(
            piece("relation", "(VALUES ", rows, f") AS {alias}({first}, {second})"), alias, output(fields, alias)
        )

    def series(self, depth: int) -> Relation:
        writer = self.writer
        writer.used("series")
        alias, column = writer.fresh("x"), writer.fresh("c")
        function = writer.one(("generate_series(1, 3)", "range(4)", "unnest([1, 2, 2])"))
        text = f"{function} AS {alias}({column})"
        return Relation(piece("relation", text), alias, [Field(column, "int", alias)])

    def parenthesised(self, depth: int) -> Relation:
        """A join in parentheses; its relations keep their names, of which one is enough here."""
        writer = self.writer
        writer.used("parenthesised join")
        left = self.table()
        scope = Scope(list(left.fields))
        if writer.chance(0.5):
            right = self.table()
        else:
            right = self.subquery(depth)
        scope.add(right.fields)
        on = writer.expressions.condition(scope, 1)
        kind = writer.one((" JOIN ", " LEFT JOIN "))
        return Relation(
            piece("relation", "(", left.piece, kind, right.piece, " ON ", on, ")"), left.alias, scope.fields
        )

    # --- pivots -------------------------------------------------------------------------------------------------

    def pivot(self, depth: int) -> Relation:
        """PIVOT as a clause after a table or subquery."""
        writer = self.writer
        writer.used("pivot clause")
        alias = writer.fresh("x")
        source, groups = self._pivoted()
        years = writer.rng.sample(YEARS, 2)
        named = writer.chance(0.5)
        listed_years = ", ".join(f"{year} AS y{year}" if named else str(year) for year in years)
        function = writer.one(("sum", "max", "count"))
        group = maybe(" GROUP BY ", "g") if writer.chance(0.5) else NOTHING
        names = [f"y{year}" if named else str(year) for year in years]
        shown = [Field(name, kind) for name, kind in (groups if group is NOTHING else [("g", "str")])]
        fields = shown + [Field(name, "int") for name in names]
        text = piece("relation", source, f" PIVOT ({function}(v) FOR y IN (", listed_years, ")", group, f") AS {alias}")
        return Relation(text, alias, output(fields, alias))

    def pivot_statement(self, depth: int) -> Relation:
        """PIVOT as a statement in parentheses."""
        alias = self.writer.fresh("x")
        text, fields = self.pivot_text()
        return Relation(piece("relation", "(", text, f") AS {alias}"), alias, output(fields, alias))

    def pivot_text(self) -> tuple[Piece, list[Field]]:
        writer = self.writer
        writer.used("pivot statement")
        source, groups = self._pivoted()
        years = writer.rng.sample(YEARS, 2)
        two = writer.chance(0.3)
        using = "sum(v) AS total, count(*) AS many" if two else writer.one(("sum(v)", "max(v)", "sum(v + 1)"))
        columns = [f"{year}_{name}" for year in years for name in ("total", "many")] if two else list(map(str, years))
        group = maybe(" GROUP BY ", "g") if writer.chance(0.6) else NOTHING
        shown = [Field(name, kind) for name, kind in (groups if group is NOTHING else [("g", "str")])]
        fields = shown + [Field(name, "int") for name in columns]
        text = piece("query", "PIVOT ", source, f" ON y IN ({', '.join(map(str, years))})", " USING ", using, group)
        return text, fields

    def _pivoted(self) -> tuple[Piece, list[tuple[str, str]]]:
        """What is pivoted, and which of its columns are group keys unless others are named."""
        writer = self.writer
        if writer.chance(0.5):
            return piece("relation", "p"), [("g", "str"), ("n", "int")]
        filtered = maybe(" WHERE ", writer.expressions.condition(Scope(writer.tables["p"]), 1))
        return piece("relation", "(SELECT g, y, v FROM p", filtered, ")"), [("g", "str")]

    def unpivot(self, depth: int) -> Relation:
        writer = self.writer
        writer.used("unpivot clause")
        alias = writer.fresh("x")
        nulls = maybe(" INCLUDE NULLS") if writer.chance(0.3) else NOTHING
        named = writer.one(("v, n", "v AS 'V', n AS 'N'"))
        text = piece("relation", "p UNPIVOT", nulls, f" (amount FOR measure IN ({named})) AS {alias}")
        fields = [Field("g", "str"), Field("y", "int"), Field("measure", "str"), Field("amount", "int")]
        return Relation(text, alias, output(fields, alias))

    def unpivot_text(self) -> tuple[Piece, list[Field]]:
        self.writer.used("unpivot statement")
        columns = self.writer.one(("v, n", "COLUMNS(['v', 'n'])", "COLUMNS(* EXCLUDE (g, y))"))
        text = piece("query", f"UNPIVOT p ON {columns} INTO NAME measure VALUE amount")
        return text, [Field("g", "str"), Field("y", "int"), Field("measure", "str"), Field("amount", "int")]

    # --- joins --------------------------------------------------------------------------------------------------

    def join(self, depth: int, scope: Scope) -> Piece:
        """One more relation; what it shows is added to the scope."""
        rules: list[Callable[[int, Scope], Piece | None]] = [
            self.on, self.on, self.on, self.using, self.natural, self.cross, self.semi, self.asof, self.lateral,
            self.lateral, self.unnest, self.positional,
        ]  # fmt: skip
        return self.writer.one(rules)(depth, scope) or self.on(depth, scope)

    def on(self, depth: int, scope: Scope) -> Piece:
        writer = self.writer
        right = self.relation(depth)
        both = Scope(scope.fields + right.fields, scope.outer, set())
        kind = writer.one((" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ", " INNER JOIN "))
        writer.used(kind.strip().lower())
        condition = self.match(scope, right, both) if writer.chance(0.6) else writer.expressions.condition(both, 1)
        scope.add(right.fields)
        scope.merged -= {field.name for field in right.fields}
        return maybe(kind, right.piece, " ON ", condition)

    def match(self, scope: Scope, right: Relation, both: Scope) -> Piece:
        """A condition that compares the two sides, so that it seldom is empty."""
        writer = self.writer
        numbers = [field for field in right.fields if field.kind == "int"]
        mine = [field for field in scope.fields if field.kind == "int" and field.alias]
        if not numbers or not mine:
            return writer.expressions.condition(both, 1)
        left_field, right_field = writer.one(mine), writer.one(numbers)
        operator = writer.one((" = ", " = ", " = ", " <= "))
        test = piece(
            "bool", f"{left_field.alias}.{left_field.written}", operator, f"{right_field.alias}.{right_field.written}"
        )
        further = maybe(" AND ", writer.expressions.condition(both, 1)) if writer.chance(0.3) else NOTHING
        return piece("bool", test, further)

    def using(self, depth: int, scope: Scope) -> Piece | None:
        writer = self.writer
        right = self.relation(depth)
        common = [field.name for field in right.fields if scope.plain(field.name)]
        kinds = {field.name: field.kind for field in scope.fields}
        common = [name for name in common if any(f.name == name and f.kind == kinds[name] for f in right.fields)]
        if not common:
            return None
        names = writer.rng.sample(common, 1 if writer.chance(0.7) else min(2, len(common)))
        kind = writer.one((" JOIN ", " LEFT JOIN ", " FULL JOIN ", " SEMI JOIN "))
        writer.used("using")
        if kind == " SEMI JOIN ":
            return maybe(kind, right.piece, " USING (", listed(names), ")")
        scope.add(right.fields)
        scope.merged |= set(names)
        return maybe(kind, right.piece, " USING (", listed(names), ")")

    def natural(self, depth: int, scope: Scope) -> Piece | None:
        writer = self.writer
        right = self.table()
        common = {field.name for field in right.fields} & {field.name for field in scope.fields}
        if not common or not all(scope.plain(name) for name in common):
            return None
        writer.used("natural")
        scope.add(right.fields)
        scope.merged |= common
        return maybe(writer.one((" NATURAL JOIN ", " NATURAL LEFT JOIN ")), right.piece)

    def cross(self, depth: int, scope: Scope) -> Piece:
        right = self.relation(depth)
        scope.add(right.fields)
        scope.merged -= {field.name for field in right.fields}
        self.writer.used("cross join")
        return maybe(self.writer.one((" CROSS JOIN ", ", ")), right.piece)

    def semi(self, depth: int, scope: Scope) -> Piece:
        writer = self.writer
        right = self.relation(depth)
        writer.used("semi or anti join")
        both = Scope(scope.fields + right.fields, scope.outer)
        return maybe(writer.one((" SEMI JOIN ", " ANTI JOIN ")), right.piece, " ON ", self.match(scope, right, both))

    def asof(self, depth: int, scope: Scope) -> Piece | None:
        writer = self.writer
        right = self.table(writer.one(("t", "u")))
        mine = [field for field in scope.fields if field.kind == "int" and field.alias]
        if not mine:
            return None
        writer.used("asof join")
        field = writer.one(mine)
        numbers = [column for column in right.fields if column.kind == "int" and column.name != "id"]
        equal, key = writer.one(mine), writer.one(numbers)
        # The inequality is on the unique column, so that there is one nearest row.
        nearest = f"{field.alias}.{field.written} >= {right.alias}.id"
        same = maybe(f"{equal.alias}.{equal.written} = {right.alias}.{key.name} AND ")
        scope.add(right.fields)
        scope.merged -= {column.name for column in right.fields}
        return maybe(writer.one((" ASOF JOIN ", " ASOF LEFT JOIN ")), right.piece, " ON ", same, nearest)

    def positional(self, depth: int, scope: Scope) -> Piece | None:
        """Only beside a table in a known order is the outcome one."""
        writer = self.writer
        if len(scope.aliases) != 1 or not writer.chance(0.5):
            return None
        writer.used("positional join")
        alias, name = writer.fresh("x"), writer.one(("t", "u"))
        fields = output(writer.tables[name], alias)
        scope.add(fields)
        return maybe(f" POSITIONAL JOIN (SELECT * FROM {name} ORDER BY id) AS {alias}")

    def lateral(self, depth: int, scope: Scope) -> Piece:
        writer = self.writer
        writer.used("lateral")
        inner = Scope(list(scope.fields), scope.outer, set(scope.merged))
        with writer.expressions.correlating(0.5):
            right = self.subquery(max(depth, 0), inner)
        scope.add(right.fields)
        form = writer.one(
            ((", LATERAL ", ""), (", ", ""), (" LEFT JOIN LATERAL ", " ON TRUE"), (" CROSS JOIN LATERAL ", ""))
        )
        return maybe(form[0], right.piece, form[1])

    def unnest(self, depth: int, scope: Scope) -> Piece | None:
        """The elements of a list of the row beside it."""
        writer = self.writer
        lists = [field for field in scope.fields if field.kind == "ints" and field.alias]
        if not lists:
            return None
        writer.used("unnest in from")
        value = writer.expressions.of("ints", Scope(scope.fields), 1)
        alias = writer.fresh("x")
        form = writer.rng.random()
        if form < 0.5:
            column = writer.fresh("c")
            scope.add([Field(column, "int", alias)])
            return maybe(", unnest(", value, f") AS {alias}({column})")
        if form < 0.75:
            scope.add([Field("unnest", "int", alias)])
            return maybe(" CROSS JOIN unnest(", value, f") AS {alias}")
        column = writer.fresh("c")
        scope.add([Field(column, "int", alias)])
        return maybe(", LATERAL (SELECT unnest(", value, f") AS {column}) AS {alias}")
