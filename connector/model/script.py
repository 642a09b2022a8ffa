"""A script: the text that coordinates refer to, and the conversion of offsets to lines and columns."""

from __future__ import annotations

import sys
from bisect import bisect_right
from itertools import accumulate

__all__ = ["PositionScript", "Script"]

_with_its_end = (1).__add__
"""The length of a line including its line break. A built-in, because it is called for each line of each script."""


class Script:
    """One text of the input, a file or a string. The model keeps offsets; lines and columns are computed on demand."""

    __slots__ = ("index", "line_starts", "name", "text")

    def __init__(self, text: str, index: int = 0, name: str = "") -> None:
        self.text = text if text.isascii() else _whole_characters(text)
        self.index = index
        self.name = name
        self.line_starts: list[int] | None = None
        """The result of :meth:`find_lines`, if it was called."""

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both starting at 1; a tab is one column."""
        starts = self.line_starts or self.find_lines()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def extent(self, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Start and end of a piece of the text.

        SQL that is concatenated from several strings may end with one that is written further up. Such a piece has no extent in
        the script, so only its start is returned, as an empty range.
        """
        first, last = self.position(start), self.position(end)
        return first, max(first, last)

    def find_lines(self) -> list[int]:
        """The offsets at which lines start, followed by a sentinel that no offset reaches, so that every line has an end."""
        starts = self.line_starts = [0, *accumulate(map(_with_its_end, map(len, self.text.split("\n"))))]
        starts[-1] = sys.maxsize
        return starts


def _whole_characters(text: str) -> str:
    """The text with a question mark for each lone surrogate, which could not be encoded in any output.

    JSON and Python strings can contain them. The length, and with it every offset, stays the same.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


class PositionScript(Script):
    """A script without its text (a model read from a file): its offsets are packed positions."""

    __slots__ = ()
    _COLUMN_BITS = 24

    def position(self, offset: int) -> tuple[int, int]:
        return offset >> self._COLUMN_BITS, offset & ((1 << self._COLUMN_BITS) - 1)

    @classmethod
    def pack(cls, line: int, column: int) -> int:
        return line << cls._COLUMN_BITS | column
