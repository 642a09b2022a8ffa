"""Identifying and analysing under a guard: no text can stop the job or harm its neighbours.

Small texts go to the guarded child together, because the way there and back costs as much as a small statement. When the
child is stopped they are tried again one by one, and only the one that is to blame is reported. Where that is a script,
its statements are tried one by one, the ones to blame are blanked out, and the rest is analysed as a whole, so that what
one statement creates the next ones still know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, TypeVar

from connector.common.hashing import text_hash
from connector.guard import Guard, Limits, Stopped
from connector.guard.blame import Place, blank_out, isolate, together_or_alone
from connector.pipeline.results import UnitResult, failed_result
from connector.pipeline.units import Identified, Question, Unit, Work

Packed = TypeVar("Packed")
Piece = TypeVar("Piece")

Order = tuple[str, Any]
"""The name of a task, and its argument."""
Performing = Guard[Order, Any]
"""A guard that performs what it is told."""

_CHILD = "connector.pipeline.tasks:perform"

_TOGETHER = 64
_LETTERS = 64_000
"""So many texts, or so much of them, go to the child at once."""
_SECONDS_TOGETHER = 10.0
"""Small texts together that take longer than this hold one that is not small in what it takes; each is tried alone."""


class GuardedIdentification:
    """Takes texts apart."""

    def __init__(self, guard: Performing) -> None:
        self._guard = guard

    def identify(self, questions: Iterable[Question]) -> Iterator[Identified]:
        """What each of the texts holds, in their order."""
        for batch in _batches(questions, lambda question: len(question.text)):
            for asked, answer in together_or_alone(batch, self._ask):
                if isinstance(answer, Stopped):
                    yield _stopped(asked[0], answer)
                else:
                    yield from answer

    def _ask(self, questions: Sequence[Question]) -> list[Identified]:
        answer: list[Identified] = self._guard(("identify", questions), _seconds(questions))
        return answer


def _stopped(question: Question, stopped: Stopped) -> Identified:
    return Identified((text_hash(question.text),), False, stopped.reason, stopped.message)


class GuardedAnalysis(Generic[Packed]):
    """Analyses units. What comes out is packed by the child where that saves work for its parent."""

    def __init__(
        self,
        guard: Performing,
        context: str,
        task: str,
        pack: Callable[[list[UnitResult]], Packed],
    ) -> None:
        """`task` names what does the work in the child and packs the results; `pack` packs those that are made here."""
        self._guard = guard
        self._context = context
        self._task = task
        self._pack = pack

    def analyse(self, units: Iterable[Unit]) -> Iterator[Packed]:
        """The results of all units, in packets, in the order of the units."""
        for batch in _batches(units, lambda unit: unit.size):
            for tried, packed in together_or_alone(batch, self._work):
                yield self._pack(self._in_parts(tried[0], packed)) if isinstance(packed, Stopped) else packed

    def _work(self, units: Sequence[Unit]) -> Packed:
        packed: Packed = self._guard((self._task, Work(self._context, tuple(units))), _seconds(units))
        return packed

    # --- a unit that was stopped ------------------------------------------------------------------------------------

    def _in_parts(self, unit: Unit, stopped: Stopped) -> list[UnitResult]:
        """What can be had of a unit that cannot be analysed as a whole."""
        failure = [failed_result(unit, stopped.reason, stopped.message)]
        if unit.statements < 2:
            return failure
        try:
            places: list[list[Place]] = self._guard(("places", unit))
        except Stopped:
            return failure
        singles = [_Single(unit, at, place) for at, found in enumerate(places) for place in found]
        if len(singles) < 2:
            return failure

        def rest(blamed: list[_Single]) -> list[UnitResult]:
            if not blamed:
                raise stopped
            return self._analyse(_without(unit, blamed))

        found = isolate(singles, lambda single: self._analyse(single.unit), rest)
        failures = [
            failed_result(unit, reason.reason, reason.message, part=number, texts=[single.text], line=single.line)
            for number, (single, reason) in enumerate(found.blamed, 1)
        ]
        if not isinstance(found.rest, Stopped):
            return [*found.rest, *failures]
        # Each statement alone is within the limits, but what they know of each other is lost, and that is reported.
        message = f"{found.rest.message}; its statements were analysed one by one"
        parts = [failed_result(unit, found.rest.reason, message), *failures]
        for result in chain.from_iterable(found.alone):
            result.part = len(parts)
            parts.append(result)
        return parts

    def _analyse(self, unit: Unit) -> list[UnitResult]:
        results: list[UnitResult] = self._guard(("analyse", Work(self._context, (unit,))))
        return results


class _Single:
    """One statement of a unit as a unit of its own."""

    def __init__(self, unit: Unit, at: int, place: Place) -> None:
        text = unit.texts[at]
        self.at, self.place = at, place
        self.text = text.text[slice(*place)]
        self.line = (unit.line if at == 0 else 1) + text.text.count("\n", 0, place[0])
        self.unit = unit._replace(texts=(text._replace(text=self.text),), line=self.line, statements=1)


def _without(unit: Unit, singles: Sequence[_Single]) -> Unit:
    """The unit with some statements blanked out; everything else stays at its place."""
    texts = [
        text._replace(text=blank_out(text.text, [single.place for single in singles if single.at == at]))
        for at, text in enumerate(unit.texts)
    ]
    return unit._replace(texts=tuple(texts))


def guarded_results(units: Iterable[Unit], guard: Performing, context: str) -> Iterator[UnitResult]:
    """The results of units one by one."""
    for packet in GuardedAnalysis(guard, context, "analyse", _unpacked).analyse(units):
        yield from packet


def _unpacked(results: list[UnitResult]) -> list[UnitResult]:
    return results


def new_guard(limits: Limits) -> Performing:
    """A guard for the functions of this module."""
    return Guard(_CHILD, limits)


def _seconds(pieces: Sequence[object]) -> float | None:
    return _SECONDS_TOGETHER if len(pieces) > 1 else None


def _batches(pieces: Iterable[Piece], size: Callable[[Piece], int]) -> Iterator[list[Piece]]:
    """Small pieces together, large ones alone."""
    batch: list[Piece] = []
    letters = 0
    for piece in pieces:
        more = size(piece)
        if batch and (len(batch) >= _TOGETHER or letters + more > _LETTERS):
            yield batch
            batch, letters = [], 0
        batch.append(piece)
        letters += more
    if batch:
        yield batch
