"""A script: the text that coordinates point into, and the way from an offset to a line and a column."""

from __future__ import annotations

import sys
from bisect import bisect_right
from itertools import accumulate

__all__ = ["PositionScript", "Script"]

_with_its_end = (1).__add__
"""The length of a line and the sign that ends it. Not a function of ours: this is done for each line of each script."""


class Script:
    """One text of the input, a file or a string. The model keeps offsets; lines and columns are worked out on demand."""

    __slots__ = ("index", "line_starts", "name", "text")

    def __init__(self, text: str, index: int = 0, name: str = "") -> None:
        self.text = text if text.isascii() else _whole_characters(text)
        self.index = index
        self.name = name
        self.line_starts: list[int] | None = None
        """What :meth:`find_lines` found, if it was asked."""

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, a tab counted as one column."""
        starts = self.line_starts or self.find_lines()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def extent(self, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Where a piece of the text begins and ends.

        SQL that is put together from several strings may end with one that is written further up. Such a piece has no
        extent in the script, so only its beginning is given, as an empty place.
        """
        first, last = self.position(start), self.position(end)
        return first, max(first, last)

    def find_lines(self) -> list[int]:
        """The offsets at which the lines start, and behind them one that no offset reaches: every line has an end."""
        starts = self.line_starts = [0, *accumulate(map(_with_its_end, map(len, self.text.split("\n"))))]
        starts[-1] = sys.maxsize
        return starts


def _whole_characters(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which no output could be written with.

    JSON and Python strings can hold them. The length stays the same, and with it every offset.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


class PositionScript(Script):
    """A script whose text is gone (a model read back from a file): its offsets are packed positions."""

    __slots__ = ()
    _COLUMN_BITS = 24

    def position(self, offset: int) -> tuple[int, int]:
        return offset >> self._COLUMN_BITS, offset & ((1 << self._COLUMN_BITS) - 1)

    @classmethod
    def pack(cls, line: int, column: int) -> int:
        return line << cls._COLUMN_BITS | column
