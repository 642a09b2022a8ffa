"""Whole statements: tables and views made of queries, and changes of the table `z`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.engines.grammar.pieces import NOTHING, Part, Piece, listed, maybe, piece
from tests.engines.grammar.scope import Field, Scope
from tests.engines.grammar.world import TABLES, kind_of
from tests.engines.grammar.writer import Writer
from tests.engines.judge import Case

SEPARATOR = ";\n"
IMPLICIT = ("star", "columns", "natural", "pivot", "whole row", "positional", "merge", "insert", "partial")
"""Features that read columns without naming them."""


@dataclass(frozen=True)
class Statement:
    """A drawn script; the number of its seed names it."""

    number: int
    tree: Piece
    target: str
    features: Counter[str]

    @property
    def case(self) -> Case:
        return self.case_of(str(self.tree))

    def case_of(self, text: str) -> Case:
        spelled_out = not any(word in feature for feature in self.features for word in IMPLICIT)
        unnamed = "unnamed key" in self.features
        statements = tuple(text.split(SEPARATOR))
        return Case(f"random {self.number}", statements, self.target, spelled_out=spelled_out, key_unnamed=unnamed)


def draw(number: int) -> Statement:
    """The statement of a number; the same on every machine."""
    base = {table.name: [Field(name, kind_of(domain)) for name, domain in table.columns.items()] for table in TABLES}
    del base["z"]
    writer = Writer(Random(f"statement {number}"), tables=base, base=frozenset(base))
    tree, target = _Statements(writer).draw()
    return Statement(number, tree, target, writer.features)


class _Statements:
    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def draw(self) -> tuple[Piece, str]:
        rules: list[Callable[[], tuple[Piece, str]]] = [
            self.create_table, self.create_table, self.create_table, self.create_table, self.create_table,
            self.create_table, self.views, self.insert, self.upsert, self.update, self.delete, self.merge, self.pivot,
        ]  # fmt: skip
        return self.writer.one(rules)()

    def create_table(self) -> tuple[Piece, str]:
        query = self.writer.queries.any_query(self.writer.rng.choice((1, 1, 2, 2, 3)))
        return piece("statement", "CREATE TABLE o AS ", query.piece), "o"

    def pivot(self) -> tuple[Piece, str]:
        relations = self.writer.relations
        text, _ = relations.pivot_text() if self.writer.chance(0.6) else relations.unpivot_text()
        return piece("statement", "CREATE TABLE o AS ", text), "o"

    def views(self) -> tuple[Piece, str]:
        writer = self.writer
        writer.used("views")
        made: list[Part] = []
        for _ in range(writer.rng.randint(1, 2)):
            query = writer.queries.any_query(1)
            if not query.fields:
                continue
            name, fields = writer.fresh("v"), query.fields
            names = ""
            if not query.star and writer.chance(0.3):
                fields = [Field(writer.fresh("c"), field.kind) for field in fields]
                names = f" ({', '.join(field.name for field in fields)})"
            word = writer.one(("VIEW", "VIEW", "TEMP VIEW", "TEMP TABLE")) if not names else "VIEW"
            made.append(maybe(f"CREATE {word} {name}{names} AS ", query.piece, SEPARATOR))
            writer.tables = {name: fields, **{known: writer.tables[known] for known in ("t", "u", "p")}}
        last = piece("statement", "CREATE TABLE o AS ", writer.queries.any_query(1).piece)
        return piece("script", *made, last), "o"

    # --- changes of z(x, y, s) ----------------------------------------------------------------------------------

    def insert(self) -> tuple[Piece, str]:
        writer = self.writer
        writer.used("insert")
        form = writer.rng.random()
        if form < 0.3:
            query = writer.queries.any_query(2, wanted=["int", "int", "str"])
            text = piece("statement", "INSERT INTO z ", self._unique(query.piece))
        elif form < 0.6:
            query = writer.queries.any_query(2, wanted=["str", "int"])
            text = piece("statement", "INSERT INTO z (s, x) ", self._unique(query.piece, "two"))
        else:
            writer.used("insert by name")
            source, scope = writer.relations.from_clause(1, None)
            value = writer.expressions.of
            items = listed(
                (
                    piece("item", value("str", scope, 1), " AS s"),
                    piece("item", "100 + row_number() OVER (ORDER BY ", value("int", scope, 1), ") AS x"),
                )
            )
            text = piece("statement", "INSERT INTO z BY NAME SELECT ", items, " FROM ", source)
        return text, "z"

    def _unique(self, query: Piece, form: str = "three") -> Piece:
        """Rows whose key is new: numbers far from those that are there, each once."""
        names = "c1, c2, c3" if form == "three" else "c2, c1"
        shown = (
            "100 + row_number() OVER (ORDER BY c1, c2, c3), c2, c3"
            if form == "three"
            else "c2, 100 + row_number() OVER (ORDER BY c1, c2)"
        )
        return piece("query", f"SELECT {shown} FROM (", query, f") AS src({names})")

    def upsert(self) -> tuple[Piece, str]:
        writer = self.writer
        writer.used("on conflict")
        name = writer.one(("t", "u"))
        scope = Scope([Field(field.name, field.kind, name) for field in writer.tables[name]])
        value = writer.expressions.of
        where = maybe(" WHERE ", value("bool", scope, 1)) if writer.chance(0.5) else NOTHING
        query = piece(
            "query", f"SELECT {name}.id, ", value("int", scope, 1), ", ", value("str", scope, 1), f" FROM {name}", where
        )
        target = Scope(
            [
                Field("y", "int", "excluded"),
                Field("s", "str", "excluded"),
                Field("y", "int", "z"),
                Field("s", "str", "z"),
            ]
        )
        settings = [
            piece("set", "y = ", writer.expressions.arithmetic(target, 0)),
            piece("set", "s = ", writer.expressions.concatenation(target, 0)),
        ]
        changed_where = maybe(" WHERE ", writer.expressions.comparison(target, 0))
        actions: list[Piece] = [
            piece("action", "(x) DO UPDATE SET ", listed(settings), changed_where),
            piece("action", "(x) DO UPDATE SET y = excluded.y"),
            piece("action", "DO NOTHING"),
        ]
        action = writer.one(actions)
        if action is actions[-1]:
            writer.used("unnamed key")
        if writer.chance(0.2):
            writer.used("unnamed key")
            return piece("statement", "INSERT OR REPLACE INTO z ", query), "z"
        return piece("statement", "INSERT INTO z ", query, " ON CONFLICT ", action), "z"

    def update(self) -> tuple[Piece, str]:
        writer = self.writer
        writer.used("update")
        own = Scope([Field("x", "int", "z"), Field("y", "int", "z"), Field("s", "str", "z")])
        value = writer.expressions.of
        if writer.chance(0.5):
            settings = listed((piece("set", "y = ", value("int", own, 2)), piece("set", "s = ", value("str", own, 2))))
            where = maybe(" WHERE ", value("bool", own, 2)) if writer.chance(0.6) else NOTHING
            return piece("statement", "UPDATE z SET ", settings, where), "z"
        # One row of the other table for each row of z, or the outcome is not one.
        relation = writer.relations.table(writer.one(("t", "u")))
        both = Scope(own.fields + relation.fields)
        settings = listed((piece("set", "y = ", value("int", both, 1)), piece("set", "s = ", value("str", both, 1))))
        further = maybe(" AND ", value("bool", both, 1)) if writer.chance(0.5) else NOTHING
        return piece(
            "statement",
            "UPDATE z SET ",
            settings,
            " FROM ",
            relation.piece,
            f" WHERE z.x = {relation.alias}.id",
            further,
        ), "z"

    def delete(self) -> tuple[Piece, str]:
        writer = self.writer
        writer.used("delete")
        own = Scope([Field("x", "int", "z"), Field("y", "int", "z"), Field("s", "str", "z")])
        if writer.chance(0.5):
            return piece("statement", "DELETE FROM z WHERE ", writer.expressions.of("bool", own, 2)), "z"
        relation = writer.relations.relation(1)
        both = Scope(own.fields + relation.fields)
        return piece(
            "statement", "DELETE FROM z USING ", relation.piece, " WHERE ", writer.relations.match(own, relation, both)
        ), "z"

    def merge(self) -> tuple[Piece, str]:
        writer = self.writer
        writer.used("merge")
        relation = writer.relations.table(writer.one(("t", "u")))
        own = [Field("x", "int", "z"), Field("y", "int", "z"), Field("s", "str", "z")]
        both, theirs = Scope(own + relation.fields), Scope(list(relation.fields))
        value = writer.expressions.of
        also = maybe(" AND ", value("bool", both, 1)) if writer.chance(0.4) else NOTHING
        branches: list[Part] = [
            piece(
                "branch",
                "WHEN MATCHED",
                also,
                " THEN UPDATE SET y = ",
                value("int", both, 1),
                ", s = ",
                value("str", both, 1),
            )
        ]
        if writer.chance(0.3):
            branches = [piece("branch", "WHEN MATCHED AND ", value("bool", both, 1), " THEN DELETE"), *branches]
        if writer.chance(0.7):
            new = maybe(" AND ", value("bool", theirs, 1)) if writer.chance(0.3) else NOTHING
            branches.append(
                piece(
                    "branch", "WHEN NOT MATCHED", new, f" THEN INSERT (x, y, s) VALUES ({relation.alias}.id, ",
                    value("int", theirs, 1), ", ", value("str", theirs, 1), ")",
                )
            )  # fmt: skip
        if writer.chance(0.2):
            branches.append(piece("branch", "WHEN NOT MATCHED BY SOURCE THEN DELETE"))
        on = piece("on", f"z.x = {relation.alias}.id")
        return piece("statement", "MERGE INTO z USING ", relation.piece, " ON ", on, " ", listed(branches, " ")), "z"
