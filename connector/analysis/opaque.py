"""Relations that come from a part of a statement that was not understood."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from connector.model import Column, Relation, Script, Span

__all__ = ["mark_relations"]


def mark_relations(relations: Iterable[Relation], regions: Iterable[Span]) -> None:
    """Marks what leads into the expression that stands for a region, and what a name in a region decides."""
    places = _Places(regions)
    for relation in relations:
        if relation.type == "fdd":
            entity = relation.target.entity
            relation.approximate = entity.type == "function" and places.hold(entity.span)
        elif relation.clause is not None:
            relation.approximate = any(places.name(column) for column in relation.sources)


class _Places:
    """Regions by script, in order."""

    def __init__(self, regions: Iterable[Span]) -> None:
        self._starts: defaultdict[Script, list[int]] = defaultdict(list)
        self._ends: defaultdict[Script, list[int]] = defaultdict(list)
        for script, start, end in sorted(regions, key=lambda span: span[1]):
            self._starts[script].append(start)
            self._ends[script].append(end)
        self._named: dict[Column, bool] = {}

    def hold(self, span: Span | None) -> bool:
        """Whether the place begins in one of the regions."""
        if span is None or span[0] not in self._starts:
            return False
        at = bisect_right(self._starts[span[0]], span[1]) - 1
        return at >= 0 and span[1] < self._ends[span[0]][at]

    def name(self, column: Column) -> bool:
        """Whether one of the regions names the column."""
        known = self._named.get(column)
        if known is None:
            spans = (column.span, *(column.occurrences or ()))
            known = self._named[column] = any(self.hold(span) for span in spans)
        return known
