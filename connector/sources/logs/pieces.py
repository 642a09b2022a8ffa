"""Texts that a log keeps in pieces, put together again.

The rows come sorted by their key, so that the pieces of a text follow each other; their order among themselves is found
here. It is the same function whether Spark has sorted them or we have.
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
"""The pieces of a second export in one form, whatever the columns of its files."""


@dataclass(frozen=True, slots=True)
class Joined:
    """A text from its pieces, with the first of their rows."""

    row: Row
    key: str
    text: str | None
    """None where the row has no pieces, so that its own text counts."""
    broken: bool
    """Whether a piece is missing."""


def sort_key(row: Row, binding: Binding) -> str:
    """The key as text; the same whatever type the reader gives it."""
    value = None if row is None else binding.key.get(row)
    return "" if value is None else as_text(value).strip()


def canonical(row: Sequence[Any], binding: Binding) -> Sequence[Any]:
    """A piece in the form of `PIECE`."""
    return sort_key(row, binding), binding.piece_number.get(row), _text(row, binding)


def joined(rows: Iterable[Row], binding: Binding, size: int | None) -> Iterator[Joined]:
    """One text for each key. Rows without a key or a number are no pieces and stand for themselves."""
    for key, group in groupby(rows, lambda row: sort_key(row, binding)):
        pieces: dict[int, Sequence[Any]] = {}
        others: list[Row] = []
        for row in group:
            number = _number(binding.piece_number.get(row)) if key and row is not None else None
            if number is None or row is None:
                others.append(row)
            elif number not in pieces or _order(row) < _order(pieces[number]):
                # The same piece twice: which of the two is taken must not depend on the order of the log.
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
