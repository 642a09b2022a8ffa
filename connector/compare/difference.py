"""The difference between the lineage of two inputs, edge by edge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from connector.model import Model, Span
from connector.model.levels import column_level, table_level
from connector.naming import Namer, parse_name
from connector.sql.dialects import SqlDialect

ComparedLevel = Literal["column", "table"]

FLOWS = frozenset({"fdd", "fdr"})
"""Joins are not data flow; the effect of a join condition on the rows is part of the fdr edges."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Data flow or impact from one name to another, with its expression and statement as far as they are known."""

    type: str
    source: str
    source_kind: str
    target: str
    target_kind: str
    place: str | None = field(default=None, compare=False)
    """`file:line` of a statement that creates it."""
    transformation: str | None = field(default=None, compare=False)
    expression: str | None = field(default=None, compare=False)
    masked: tuple[str, str] | None = field(default=None, compare=False)
    """Source and target without the literals in names that were derived from expressions; None if there are none."""

    @property
    def public(self) -> tuple[str, str]:
        """Source and target as they may leave the machine, and as stores know them."""
        return self.masked or (self.source, self.target)


def model_edges(model: Model, level: ComparedLevel) -> Iterator[Edge]:
    """The edges of a model, in order of appearance."""
    namer, public = Namer(model), Namer(model, masked=True)
    edges = column_level(model, joins=False)
    if level == "column":
        for edge in edges:
            source, target, how = edge.source, edge.target, edge.how
            yield Edge(
                edge.type,
                namer.column(source),
                source.entity.kind,
                namer.column(target),
                target.entity.kind,
                place_of(edge.process.span) if edge.process is not None else None,
                how.transformation,
                how.expression,
                None
                if source.masked is None and target.masked is None
                else (public.column(source), public.column(target)),
            )
    else:
        for pair in table_level(model, edges=edges).relations:
            yield Edge(
                pair.type,
                namer.entity(pair.source),
                pair.source.kind,
                namer.entity(pair.target),
                pair.target.kind,
                place_of(pair.process.span) if pair.process is not None else None,
            )


def place_of(span: Span) -> str | None:
    """`file:line`, as compilers write it."""
    script, start, _ = span
    return f"{script.name}:{script.position(start)[0]}" if script.name else None


Key = tuple[str, tuple[str, ...], tuple[str, ...]]


@dataclass(slots=True)
class Difference:
    """The edges that only one of two lineages has, and those whose expression differs, by target, source and type."""

    added: list[Edge]
    removed: list[Edge]
    changed: list[tuple[Edge, Edge]] = field(default_factory=list)
    """Edges that both have but compute with different expressions: before and after."""

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def difference(
    old: Iterable[Edge], new: Iterable[Edge], level: ComparedLevel, dialect: SqlDialect, *, masked: bool = False
) -> Difference:
    """What only `new` has, and what only `old` has.

    Names are compared by the dialect's rules for unquoted names: exports and stores do not record which were quoted. With
    `masked`, they are compared without literals, which stores do not keep in names.
    """
    before, after = _by_key(old, level, dialect, masked), _by_key(new, level, dialect, masked)
    return Difference(
        sorted([edge for key, edge in after.items() if key not in before], key=_order),
        sorted([edge for key, edge in before.items() if key not in after], key=_order),
        sorted(
            [(edge, after[key]) for key, edge in before.items() if key in after and _made_otherwise(edge, after[key])],
            key=lambda pair: _order(pair[1]),
        ),
    )


def _made_otherwise(old: Edge, new: Edge) -> bool:
    """Whether data flows through a different expression. A copy is a copy however the column is written; layout is ignored."""
    if old.type != "fdd" or None in (old.transformation, new.transformation):
        return False
    if old.transformation != new.transformation:
        return True
    return new.transformation != "identity" and _layout_free(old.expression) != _layout_free(new.expression)


def _layout_free(text: str | None) -> str:
    return "".join((text or "").split()).lower()


def _order(edge: Edge) -> tuple[str, str, str]:
    return edge.target, edge.source, edge.type


def _by_key(edges: Iterable[Edge], level: ComparedLevel, dialect: SqlDialect, masked: bool) -> dict[Key, Edge]:
    folded: dict[tuple[str, str], tuple[str, ...]] = {}

    def fold(name: str, kind: str) -> tuple[str, ...]:
        known = folded.get((name, kind))
        if known is None:
            known = folded[name, kind] = _fold(name, kind, level, dialect)
        return known

    found: dict[Key, Edge] = {}
    for edge in edges:
        names = edge.public if masked else (edge.source, edge.target)
        source, target = fold(names[0], edge.source_kind), fold(names[1], edge.target_kind)
        # Whether a table that a statement writes is also its input does not show in every export, and is no lineage
        # between tables.
        if level == "column" or source != target:
            found.setdefault((edge.type, source, target), edge)
    return found


def _fold(name: str, kind: str, level: ComparedLevel, dialect: SqlDialect) -> tuple[str, ...]:
    parts, cluster = parse_name(name)
    layers, columns = (parts[:-1], parts[-1:]) if level == "column" else (parts, ())
    if kind != "path":
        layers = tuple(dialect.fold_table(part, False) for part in layers)
    return (*layers, *(dialect.fold_column(part, False) for part in columns), cluster or "")
