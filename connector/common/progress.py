"""How far something is: the protocol, and the plain form of it, lines in the log. The bars of a terminal are the command line's."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

__all__ = ["LogProgress", "NoProgress", "Progress"]

_log = logging.getLogger("connector.progress")


class Progress(Protocol):
    """Told about steps, which may lie within each other."""

    def begin(self, what: str, total: int | None = None) -> None:
        """A step begins, inside of the one that is under way; `total` says of how many pieces it consists, where that is
        known. To begin the same step again is to go on with it."""

    def advance(self, count: int) -> None:
        """So many more pieces of the innermost step are done."""

    def end(self) -> None:
        """The innermost step is over."""


class NoProgress:
    """For callers who look at the result alone."""

    def begin(self, what: str, total: int | None = None) -> None:
        pass

    def advance(self, count: int) -> None:
        pass

    def end(self) -> None:
        pass


@dataclass(slots=True)
class _Step:
    what: str
    total: int | None
    started: float
    shown: float
    done: int = 0


class LogProgress:
    """A line when a step is over, and one now and then while it lasts."""

    def __init__(self, every: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._every = every
        self._clock = clock
        self._steps: list[_Step] = []

    def begin(self, what: str, total: int | None = None) -> None:
        if self._steps and self._steps[-1].what == what:
            self._steps[-1].total = total
            return
        now = self._clock()
        self._steps.append(_Step(what, total, now, now))

    def advance(self, count: int) -> None:
        if not self._steps:
            return
        step = self._steps[-1]
        step.done += count
        now = self._clock()
        if now - step.shown >= self._every and step.total is not None and step.done < step.total:
            step.shown = now
            rate = step.done / max(now - step.started, 1e-6)
            left = f", {_duration((step.total - step.done) / rate)} left" if step.done else ""
            _log.info("%s: %s/%s, %s/s%s", step.what, f"{step.done:,}", f"{step.total:,}", f"{rate:,.0f}", left)

    def end(self) -> None:
        if not self._steps:
            return
        step = self._steps.pop()
        if step.total == 0 and not step.done:
            return
        pieces = f"{step.done:,}, " if step.done else ""
        _log.info("%s: %s%.1f s", step.what, pieces, self._clock() - step.started)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
