"""Compares two sets of edges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from connector.compare.edges import ComparedLevel, Edge
from connector.naming import parse_name
from connector.sql.dialects import SqlDialect

__all__ = ["Difference", "difference"]

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
