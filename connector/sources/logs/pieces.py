"""Assembles texts that a log stores in pieces.

The rows are sorted by their key, so that the pieces of a text are adjacent; their order within a text is determined here. The
same function is used whether Spark or this program has sorted them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from connector.sources.logs.binding import Binding, Getter, as_text

__all__ = ["PIECE", "Joined", "canonical", "joined", "sort_key"]

Row: TypeAlias = Sequence[Any] | None

PIECE = Binding(
    ("key", "number", "text"), {}, (), (), Getter((((0, ()),),)), Getter((((1, ()),),)), Getter((((2, ()),),))
)
"""The uniform columns of pieces from a second export, whatever the columns of its files."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A text from its pieces, with the first of their rows."""

    row: Row
    key: str
    text: str | None
    """None if the row has no pieces, so that its own text is used."""
    broken: bool
    """Whether a piece is missing."""


def sort_key(row: Row, binding: Binding) -> str:
    """The key as text, independent of the type that the reader returns."""
    value = None if row is None else binding.key.get(row)
    return "" if value is None else as_text(value).strip()


def canonical(row: Sequence[Any], binding: Binding) -> Sequence[Any]:
    """A piece in the form of `PIECE`."""
    return sort_key(row, binding), binding.piece_number.get(row), _text(row, binding)


def joined(rows: Iterable[Row], binding: Binding, size: int | None) -> Iterator[Joined]:
    """One text per key. Rows without a key or a number are not pieces and are passed through."""
    for key, group in groupby(rows, lambda row: sort_key(row, binding)):
        pieces: dict[int, Sequence[Any]] = {}
        others: list[Row] = []
        for row in group:
            number = _number(binding.piece_number.get(row)) if key and row is not None else None
            if number is None or row is None:
                others.append(row)
            elif number not in pieces or _order(row) < _order(pieces[number]):
                # A duplicate piece: the choice must not depend on the order of the log.
                pieces[number] = row
        for row in others if not pieces else ():
            yield Joined(row, key, None, False)
        if pieces:
            numbers = sorted(pieces)
            texts = [_text(pieces[number], binding) for number in numbers]
            if size is not None:
                texts = [text.ljust(size) for text in texts[:-1]] + texts[-1:]
            complete = numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1
            yield Joined(pieces[numbers[0]], key, "".join(texts), not complete)


def _order(row: Sequence[Any]) -> tuple[str, ...]:
    return tuple(map(str, row))


def _text(row: Sequence[Any], binding: Binding) -> str:
    value = binding.piece_text.get(row)
    return "" if value is None else as_text(value)


def _number(value: Any) -> int | None:
    try:
        return int(as_text(value))
    except (TypeError, ValueError):
        return None
