"""Identifying and analysing under a guard: no text can stop the job or harm its neighbours.

Small texts go to the guarded child together, because the way there and back costs as much as a small statement. When the
child is stopped they are tried again one by one, and only the one that is to blame is reported. Where that is a script,
its statements are tried one by one, the ones to blame are blanked out, and the rest is analysed as a whole, so that what
one statement creates the next ones still know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from connector.guard import Guard, Limits, Stopped
from connector.hashing import text_hash
from connector.pipeline.results import UnitResult, failed_result
from connector.pipeline.units import Identified, Question, Unit, Work

__all__ = ["GuardedAnalysis", "GuardedIdentification", "Performing", "guarded_results", "new_guard"]

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
            try:
                yield from self._ask(batch, _SECONDS_TOGETHER if len(batch) > 1 else None)
            except Stopped as stopped:
                if len(batch) == 1:
                    yield _stopped(batch[0], stopped)
                    continue
                for question in batch:
                    try:
                        yield from self._ask([question], None)
                    except Stopped as alone:
                        yield _stopped(question, alone)

    def _ask(self, questions: Sequence[Question], seconds: float | None) -> list[Identified]:
        answer: list[Identified] = self._guard(("identify", questions), seconds)
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
            try:
                yield self._work(batch, _SECONDS_TOGETHER if len(batch) > 1 else None)
            except Stopped as stopped:
                if len(batch) == 1:
                    yield self._pack(self._in_parts(batch[0], stopped))
                    continue
                for unit in batch:
                    try:
                        yield self._work([unit], None)
                    except Stopped as alone:
                        yield self._pack(self._in_parts(unit, alone))

    def _work(self, units: Sequence[Unit], seconds: float | None) -> Packed:
        packed: Packed = self._guard((self._task, Work(self._context, tuple(units))), seconds)
        return packed

    # --- a unit that was stopped ------------------------------------------------------------------------------------

    def _in_parts(self, unit: Unit, stopped: Stopped) -> list[UnitResult]:
        """What can be had of a unit that cannot be analysed as a whole."""
        failure = [failed_result(unit, stopped.reason, stopped.message)]
        if unit.statements < 2:
            return failure
        try:
            places: list[list[tuple[int, int]]] = self._guard(("places", unit))
        except Stopped:
            return failure
        singles = [_Single(unit, at, start, end) for at, found in enumerate(places) for start, end in found]
        if len(singles) < 2:
            return failure
        outcomes = [self._alone(single) for single in singles]
        poison = [(single, out) for single, out in zip(singles, outcomes, strict=True) if isinstance(out, Stopped)]
        failures = [
            failed_result(unit, out.reason, out.message, part=number, texts=[single.text], line=single.line)
            for number, (single, out) in enumerate(poison, 1)
        ]
        if poison:
            try:
                rest: list[UnitResult] = self._guard(("analyse", Work(self._context, (_without(unit, poison),))))
            except Stopped as again:
                stopped = again
            else:
                return [*rest, *failures]
        # Too much together, though each statement for itself is not: what they know of each other is lost, and that is told.
        told = f"{stopped.message}; its statements were analysed one by one"
        parts = [failed_result(unit, stopped.reason, told), *failures]
        for out in outcomes:
            if isinstance(out, UnitResult):
                out.part = len(parts)
                parts.append(out)
        return parts

    def _alone(self, single: _Single) -> UnitResult | Stopped:
        try:
            results: list[UnitResult] = self._guard(("analyse", Work(self._context, (single.unit,))))
        except Stopped as stopped:
            return stopped
        return results[0]


class _Single:
    """One statement of a unit as a unit of its own."""

    def __init__(self, unit: Unit, at: int, start: int, end: int) -> None:
        text = unit.texts[at]
        self.at, self.start, self.end = at, start, end
        self.text = text.text[start:end]
        self.line = (unit.line if at == 0 else 1) + text.text.count("\n", 0, start)
        self.unit = unit._replace(texts=(text._replace(text=self.text),), line=self.line, statements=1)


def _without(unit: Unit, poison: Sequence[tuple[_Single, Stopped]]) -> Unit:
    """The unit with some statements blanked out; everything else stays at its place."""
    texts = list(unit.texts)
    for single, _ in poison:
        text = texts[single.at].text
        blank = "".join("\n" if letter == "\n" else " " for letter in text[single.start : single.end])
        texts[single.at] = texts[single.at]._replace(text=text[: single.start] + blank + text[single.end :])
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
