"""Coordinates as written to the outputs."""

from __future__ import annotations

from bisect import bisect_right

from connector.model import Script, Span

__all__ = ["Pair", "coordinate_text", "coordinates"]

Pair = list[list[int]]
"""Start and end, each as line, column and script index; the end is after the last character."""

_NOWHERE: Pair = [[-1, -1, 0], [-1, -1, 0]]


def coordinates(span: Span | None) -> Pair:
    """``[[line, column, script], [line, column, script]]``; -1 where there is no text."""
    if span is None:
        return _NOWHERE
    script, start, end = span
    index = script.index
    starts = script.line_starts
    if starts is None and script.__class__ is Script:
        starts = script.find_lines()
    if starts is not None:
        # Start and end are nearly always on the same line, and one search is enough: the next line starts after the end.
        line = bisect_right(starts, start)
        column = start - starts[line - 1] + 1
        if end < starts[line]:
            return [[line, column, index], [line, column + end - start, index]]
    (line, column), (last, behind) = script.extent(start, end)
    return [[line, column, index], [last, behind, index]]


def coordinate_text(span: Span | None) -> str:
    """The same as text: ``[1,6,0],[1,17,0]``."""
    (line, column, index), (last, behind, _) = coordinates(span)
    return f"[{line},{column},{index}],[{last},{behind},{index}]"
