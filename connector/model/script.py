"""A script: the text that coordinates point into, and the way from an offset to a line and a column."""

from __future__ import annotations

from bisect import bisect_right

__all__ = ["PositionScript", "Script"]


class Script:
    """One text of the input, a file or a string. The model keeps offsets; lines and columns are worked out on demand."""

    __slots__ = ("_line_starts", "index", "name", "text")

    def __init__(self, text: str, index: int = 0, name: str = "") -> None:
        self.text = text
        self.index = index
        self.name = name
        self._line_starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, a tab counted as one column."""
        starts = self._line_starts
        if starts is None:
            starts = self._line_starts = _line_starts(self.text)
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1


class PositionScript(Script):
    """A script whose text is gone (a model read back from a file): its offsets are packed positions."""

    __slots__ = ()
    _COLUMN_BITS = 24

    def position(self, offset: int) -> tuple[int, int]:
        return offset >> self._COLUMN_BITS, offset & ((1 << self._COLUMN_BITS) - 1)

    @classmethod
    def pack(cls, line: int, column: int) -> int:
        return line << cls._COLUMN_BITS | column


def _line_starts(text: str) -> list[int]:
    starts = [0]
    find = text.find
    at = find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = find("\n", at + 1)
    return starts
