"""How far a load is: a bar on a terminal, a log line now and then elsewhere. On stderr, as all messages."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import Protocol, TextIO

__all__ = ["LogProgress", "NoProgress", "Progress", "TerminalProgress", "choose_progress"]

_log = logging.getLogger("connector.catalogs")


class Progress(Protocol):
    """Told about the steps of a load."""

    def begin(self, what: str, total: int) -> None: ...

    def advance(self, count: int) -> None: ...

    def end(self) -> None: ...


class NoProgress:
    """For callers who look at the summary alone."""

    def begin(self, what: str, total: int) -> None:
        pass

    def advance(self, count: int) -> None:
        pass

    def end(self) -> None:
        pass


class _Timed:
    """Rate and remaining time of the current step."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._what = ""
        self._total = self._done = 0
        self._started = self._shown = clock()

    def begin(self, what: str, total: int) -> None:
        self._what, self._total, self._done = what, total, 0
        self._started = self._shown = self._clock()

    def _figures(self) -> str:
        seconds = max(self._clock() - self._started, 1e-6)
        rate = self._done / seconds
        left = f", {_duration((self._total - self._done) / rate)} left" if 0 < self._done < self._total else ""
        return f"{self._done:,}/{self._total:,}, {rate:,.0f}/s{left}"


class LogProgress(_Timed):
    """A line when a step has taken a while, and one at its end."""

    def __init__(self, every: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._every = every

    def advance(self, count: int) -> None:
        self._done += count
        now = self._clock()
        if now - self._shown >= self._every and self._done < self._total:
            self._shown = now
            _log.info("%s: %s", self._what, self._figures())

    def end(self) -> None:
        if self._total:
            _log.info("%s: %s", self._what, self._figures())


class TerminalProgress(_Timed):
    """A bar that is drawn over itself and gone at the end of the step."""

    _WIDTH = 24

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._stream = stream

    def begin(self, what: str, total: int) -> None:
        super().begin(what, total)
        self._draw()

    def advance(self, count: int) -> None:
        self._done += count
        now = self._clock()
        if now - self._shown >= 0.1 or self._done >= self._total:
            self._shown = now
            self._draw()

    def end(self) -> None:
        self._stream.write("\r\x1b[K")
        self._stream.flush()

    def _draw(self) -> None:
        share = self._done / self._total if self._total else 1.0
        full = int(share * self._WIDTH)
        bar = "#" * full + "-" * (self._WIDTH - full)
        self._stream.write(f"\r\x1b[K{self._what:<18} [{bar}] {self._figures()}")
        self._stream.flush()


def choose_progress(*, quiet: bool = False) -> Progress:
    """The right one for where stderr goes."""
    if quiet:
        return NoProgress()
    return TerminalProgress(sys.stderr) if sys.stderr.isatty() else LogProgress()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
