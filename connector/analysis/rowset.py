"""What is known about an entity during the analysis: the columns it has, and those it may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from connector.analysis.builder import ROWS, STAR, Builder
from connector.model import Column, EffectType, Entity, Span

Path: TypeAlias = Sequence[tuple[str, str]]
"""Key and name of a field, and of the fields inside it."""

_NO_NAMES: dict[str, str] = {}


class Struct(Protocol):
    """A column of a query's result whose fields are known."""

    def field(self, path: Path) -> Column | None:
        """The field as a column of its own; None where it cannot be told apart from the others."""

    def names(self) -> list[tuple[str, str]]:
        """Key and name of its fields, with a star among them where not all are known."""


class OpenStar:
    """A `*` over a rowset whose columns are not all known, with the names that the query takes away or renames."""

    __slots__ = ("excluded", "renamed", "source")

    def __init__(
        self, source: Rowset, excluded: frozenset[str] = frozenset(), renamed: dict[str, str] | None = None
    ) -> None:
        self.source = source
        self.excluded = excluded
        self.renamed = renamed or {}
        """New key to old key."""

    def source_key(self, key: str) -> str | None:
        """The name a column has in the source, None when the star does not bring it."""
        if key in self.excluded:
            return None
        return self.renamed.get(key, key)


class Shown:
    """The columns of tables that a view shows as they are, and those that decide which rows it shows."""

    __slots__ = ("columns", "kept_by", "limits")

    def __init__(self, columns: dict[Column, Column], limits: list[Column], kept_by: Rowset | None = None) -> None:
        self.columns = columns
        """Column of the view to column of the table."""
        self.limits = limits
        self.kept_by = kept_by
        """Of a table that keeps no rows: the one that keeps them, column by column under the same names."""


class Rowset:
    """An entity in a FROM clause: one class for base tables, subqueries, CTEs and table functions.

    `known` lists the columns of a base table that metadata or the script gave (None: anything may be there).
    `outputs` lists the columns of a query's result in order; `stars` are its unexpanded stars: a column that is
    not listed may come through them.
    """

    __slots__ = (
        "also",
        "element",
        "entity",
        "feeds",
        "filled",
        "inputs",
        "key",
        "known",
        "last_star",
        "order",
        "outputs",
        "reads",
        "shown",
        "stars",
        "structs",
    )

    def __init__(self, entity: Entity, known: dict[str, str] | None = None, key: tuple[str, ...] = ()) -> None:
        self.entity = entity
        self.known = known
        self.also: dict[str, str] = _NO_NAMES
        """Other spellings of known names, with the key that each stands for."""
        self.key = key
        """The folded name parts of a base table."""
        self.outputs: list[tuple[str, Column]] = []
        self.last_star = 0
        """How many outputs there were behind the last unexpanded star: all of them share one, at the place of the first."""
        self.order: list[str] | None = None
        """Of a query whose rows come in an order: its columns that make it, as far as nothing was related for them yet."""
        self.filled = False
        """Whether the script wrote data into it."""
        self.stars: list[OpenStar] = []
        self.inputs: list[Rowset] = []
        """Where the rows of a query's result come from."""
        self.reads: Entity | None = None
        """Of what a data-changing statement in a WITH clause returns: the table the rows come from."""
        self.element: Column | None = None
        """Of an unnested array: the column that stands for one element; fields of it are that column."""
        self.feeds: list[Column] | None = None
        """Of a table function that does not say its columns: what any column of it is made from."""
        self.shown: Shown | None = None
        """Of a view that can be written to: the columns that it shows."""
        self.structs: dict[str, Struct] | None = None
        """Columns that the query puts together from fields."""

    @property
    def closed(self) -> bool:
        """Whether all columns are known."""
        if self.entity.kind == "resultset":
            return not self.stars and self.feeds is None and STAR not in self.entity.columns
        return self.known is not None

    def names(self) -> list[tuple[str, str]]:
        """Key and name of the columns that are known, in order."""
        if self.outputs:
            return [(key, column.name) for key, column in self.outputs]
        return list((self.known or {}).items())

    def has(self, key: str) -> bool:
        """Whether the column is surely there."""
        if self.known is not None:
            return key in self.known or key in self.also
        if self.entity.kind != "resultset":
            return False
        return (
            key in self.entity.columns
            or key in self.also
            or any((old := star.source_key(key)) is not None and star.source.has(old) for star in self.stars)
        )

    def may_have(self, key: str) -> bool:
        """Whether the column could be there."""
        if self.known is not None:
            return key in self.known or key in self.also
        if self.entity.kind != "resultset":
            return True
        if key in self.entity.columns or self.feeds is not None or key in self.also:
            return True
        if not self.stars:
            return STAR in self.entity.columns
        return any((old := star.source_key(key)) is not None and star.source.may_have(old) for star in self.stars)

    def column(self, builder: Builder, key: str, name: str, span: Span | None) -> Column:
        """The column of that name, made if it is not there: on a table by itself, on a result through its star."""
        found = self.entity.columns.get(key)
        if found is None and key in self.also:
            key = self.also[key]
            found = self.entity.columns.get(key)
        if found is not None:
            if span is not None:
                found.note(span)
            return found
        if self.element is not None:
            return (self.structs and self._field(key, name)) or self.element
        if self.stars:
            return self._through_star(builder, key, name)
        if self.feeds is not None:
            column = builder.column(self.entity, key, name, span)
            builder.relate("fdd", column, self.feeds, "function")
            return column
        if self.known is not None:
            name = self.known.get(key, name)
        elif self.entity.kind == "resultset" and STAR in self.entity.columns:
            return self.entity.columns[STAR]
        return builder.column(self.entity, key, name, span)

    @property
    def star_place(self) -> int:
        """The place of the unexpanded star among the outputs, -1 without one."""
        if STAR not in self.entity.columns:
            return -1
        return next((place for place, (key, _) in enumerate(self.outputs) if key == STAR), -1)

    def places(self, count: int) -> list[range]:
        """Where each output goes in a list of `count` columns: to one place, a star to all that the others leave.

        What stands behind the last star is counted from the end. Between two stars the place of a column is not known.
        """
        outputs = self.outputs
        star = self.star_place
        if star < 0:
            return [range(place, min(place + 1, count)) for place in range(len(outputs))]
        last = max(self.last_star, star + 1)
        shift = count - len(outputs)
        found = [range(place, min(place + 1, count)) for place in range(star)]
        found.append(range(star, max(last + shift, star)))
        found += [range(0)] * (last - star - 1)
        # Of a row that is longer than the list even without the star nobody knows which columns are meant.
        ends = [range(place + shift, place + shift + 1) for place in range(last, len(outputs))]
        return found + (ends if shift >= -1 else [range(0)] * len(ends))

    def at(self, builder: Builder, place: int) -> Column | None:
        """The column at a place, counted from 1: a star where it is not known which that is; None if there is none."""
        if self.element is not None and len(self.outputs) < 2:
            return self.element
        for key, column in self.outputs[:place]:
            if key == STAR:
                return column
        if self.outputs:
            return self.outputs[place - 1][1] if 0 < place <= len(self.outputs) else None
        if self.known is None:
            return self.column(builder, STAR, STAR, None)
        known = list(self.known.items())
        return self.column(builder, *known[place - 1], None) if 0 < place <= len(known) else None

    def _field(self, key: str, name: str) -> Column | None:
        """A field of an element, where the elements are structs whose fields are known."""
        return next((struct.field([(key, name)]) for struct in (self.structs or {}).values()), None)

    def _through_star(self, builder: Builder, key: str, name: str) -> Column:
        """A column that an unexpanded star must have brought; the star itself when several sources may have it."""
        stars = [(star.source, old) for star in self.stars if (old := star.source_key(key)) is not None]
        fit = [(source, old) for source, old in stars if source.has(old)]
        if not fit:
            fit = [(source, old) for source, old in stars if source.may_have(old)]
        if not fit or (len(fit) > 1 and self.entity.type not in ("select_union", "variable")):
            return self.entity.columns[STAR]
        column = builder.column(self.entity, key, name, None)
        for source, old in fit:
            effect: EffectType = "cursor" if self.entity.kind == "variable" else "select"
            builder.direct(column, source.column(builder, old, name if old == key else old, None), effect)
        return column

    @property
    def limiting_rows(self) -> Column | None:
        """The row column, where what limited these rows limits the rows of whoever reads them.

        That goes for results, variables and temporary tables; a permanent table stands for itself.
        """
        entity = self.entity
        if entity.kind in ("resultset", "variable") or entity.temporary:
            return entity.columns.get(ROWS)
        return None

    def rows(self, builder: Builder) -> Column:
        """The row column, fed by the rows of what the query reads: for COUNT(*) and the like, which need all of it."""
        column = builder.rows(self.entity)
        if self.inputs:
            inputs, self.inputs = self.inputs, []
            builder.relate("fdr", column, [source.rows(builder) for source in inputs], "select")
        return column


def nameless(builder: Builder, span: Span | None) -> Rowset:
    """Dynamic SQL: something that is read or written, but it is unknown what."""
    found = Rowset(builder.resultset("alias", span))
    found.feeds = []
    builder.finish(found.entity, builder.reach)
    return found
