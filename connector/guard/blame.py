"""Finds the items that cause a guarded call to be stopped, so that all others still succeed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from connector.guard.limits import Stopped

Place = tuple[int, int]
"""Start and end of a statement in its text."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Isolated(Generic[Piece, Result]):
    """What remains of a call that was stopped, once each of its pieces has been tried alone."""

    blamed: list[tuple[Piece, Stopped]]
    """The pieces that are stopped even when they are alone, and why."""
    rest: Result | Stopped
    """The result of everything else together, or what stopped that."""
    alone: list[Result]
    """The results of the other pieces, each on its own: what is left when they are too much together."""


def attempt(call: Callable[[], Result]) -> Result | Stopped:
    """The result of a guarded call, or what stopped it."""
    try:
        return call()
    except Stopped as stopped:
        return stopped


def isolate(
    pieces: Iterable[Piece], alone: Callable[[Piece], Result], rest: Callable[[list[Piece]], Result]
) -> Isolated[Piece, Result]:
    """Try each piece alone to find those to blame, then everything else together.

    `rest` gets the blamed pieces. If there are none, the pieces are only too much together, and `rest` decides what to do.
    """
    blamed: list[tuple[Piece, Stopped]] = []
    results: list[Result] = []
    for piece in pieces:
        result = attempt(partial(alone, piece))
        if isinstance(result, Stopped):
            blamed.append((piece, result))
        else:
            results.append(result)
    return Isolated(blamed, attempt(partial(rest, [piece for piece, _ in blamed])), results)


def together_or_alone(
    pieces: Sequence[Piece], call: Callable[[Sequence[Piece]], Result]
) -> Iterator[tuple[Sequence[Piece], Result | Stopped]]:
    """The result of all pieces together; if that call is stopped, the result of each piece alone, or what stopped it."""
    together = attempt(partial(call, pieces))
    if not isinstance(together, Stopped) or len(pieces) == 1:
        yield pieces, together
        return
    for piece in pieces:
        yield [piece], attempt(partial(call, [piece]))


def blank_out(text: str, places: Iterable[Place]) -> str:
    """The text with white space at these places; everything else keeps its line and column."""
    for start, end in places:
        blank = "".join("\n" if letter == "\n" else " " for letter in text[start:end])
        text = text[:start] + blank + text[end:]
    return text
