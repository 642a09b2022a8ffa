"""Progress of long operations: the protocol, and an implementation that writes log lines. `connector.cli.progress` draws bars."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

_log = logging.getLogger("connector.progress")


class Progress(Protocol):
    """Receives the start, the progress and the end of steps. Steps can be nested."""

    def begin(self, what: str, total: int | None = None) -> None:
        """Start a step inside the current one. `total` is the number of items, if known. Starting the current step again
        continues it."""

    def advance(self, count: int) -> None:
        """Complete `count` more items of the innermost step."""

    def end(self) -> None:
        """End the innermost step."""


class NoProgress:
    """Ignores progress."""

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
    """Logs a line when a step ends, and one every few seconds during a long step."""

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
