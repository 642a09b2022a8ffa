"""Select lists that name no columns: stars in all their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.engines.grammar.pieces import Part, Piece, listed, maybe, piece
from tests.engines.grammar.scope import Field, Scope

if TYPE_CHECKING:
    from tests.engines.grammar.queries import Query
    from tests.engines.grammar.writer import Writer


class Stars:
    """SELECT * and its relatives."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def query(self, source: Piece, scope: Scope, where: Piece) -> Query:
        from tests.engines.grammar.queries import Query

        star, fields = self._star(scope)
        items: list[Part] = [star]
        if self.writer.chance(0.3):
            name = self.writer.fresh("e")
            items.append(piece("item", self.writer.expressions.of("int", scope, 1), f" AS {name}"))
            fields = [*fields, Field(name, "int")]
        distinct = maybe("DISTINCT ") if self.writer.chance(0.1) else piece("nothing")
        return Query(piece("query", "SELECT ", distinct, listed(items), " FROM ", source, where), fields, star=True)

    def _star(self, scope: Scope) -> tuple[Piece, list[Field]]:
        writer = self.writer
        visible = self._visible(scope.fields, scope.merged)
        alias = writer.one(scope.aliases) if scope.aliases else None
        own = scope.of(alias) if alias else []
        unique = [field for field in visible if sum(other.name == field.name for other in visible) == 1]
        numbers = [field for field in unique if field.kind == "int" and field.name.isidentifier()]
        form = writer.rng.randrange(13)
        if form == 0 and own:
            writer.used("alias star")
            return piece("star", f"{alias}.*"), own
        if form == 1 and len(unique) > 1:
            writer.used("star exclude")
            gone = writer.one(unique)
            return piece("star", f"* EXCLUDE ({gone.written})"), [field for field in visible if field.name != gone.name]
        if form == 2 and numbers:
            writer.used("star replace")
            field = writer.one(numbers)
            value = writer.expressions.of("int", scope, 1)
            return piece("star", "* REPLACE (", value, f" AS {field.written})"), visible
        if form == 3 and unique:
            writer.used("star rename")
            field, name = writer.one(unique), writer.fresh("e")
            renamed = [Field(name, other.kind) if other.name == field.name else other for other in visible]
            return piece("star", f"* RENAME ({field.written} AS {name})"), renamed
        if form == 4 and len(numbers) > 1:
            writer.used("columns list")
            chosen = numbers[:2]
            return piece("star", f"COLUMNS([{', '.join(repr(field.name) for field in chosen)}])"), chosen
        if form == 5 and numbers:
            writer.used("columns pattern")
            field = writer.one(numbers)
            return piece("star", f"COLUMNS('^{field.name}$') + 1"), [field]
        if form == 6 and numbers:
            writer.used("columns lambda")
            field = writer.one(numbers)
            chosen = [other for other in visible if other.name.startswith(field.name)]
            return piece("star", f"COLUMNS(lambda c: c LIKE '{field.name}%')"), chosen
        if form == 7 and numbers:
            writer.used("star like")
            field = writer.one(numbers)
            chosen = [other for other in visible if other.name.startswith(field.name)]
            return piece("star", f"* LIKE '{field.name}%'"), chosen
        if form == 8 and len(numbers) > 1:
            writer.used("unpacked columns")
            name = writer.fresh("e")
            names = ", ".join(repr(field.name) for field in numbers[:2])
            return piece("star", f"coalesce(*COLUMNS([{names}])) AS {name}"), [Field(name, "int")]
        if form == 9 and unique:
            writer.used("aggregate of columns")
            return piece("star", "max(COLUMNS(*))"), [Field(field.name, field.kind) for field in unique]
        rows = [field for field in scope.fields if field.kind == "row" and field.alias]
        if form in (10, 11) and rows:
            writer.used("struct star")
            field = writer.one(rows)
            written = f"{field.alias}.{field.written}"
            text = f"{written}.*" if form == 10 else f"unnest({written})"
            return piece("star", text), [Field("p", "int"), Field("q", "str")]
        if form == 12 and alias and own:
            writer.used("whole row")
            name = writer.fresh("e")
            return piece("star", f"{alias} AS {name}"), [Field(name, "whole")]
        writer.used("star")
        return piece("star", "*"), visible

    def _visible(self, fields: list[Field], merged: set[str]) -> list[Field]:
        """What * shows: of a merged name only the first."""
        seen: set[str] = set()
        shown = []
        for field in fields:
            if field.name in merged and field.name in seen:
                continue
            seen.add(field.name)
            shown.append(Field(field.name, field.kind))
        return shown
