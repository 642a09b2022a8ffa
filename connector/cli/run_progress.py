"""How far a run is: a bar for each stage on a terminal, a line for each stage elsewhere. On stderr, as all messages."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from connector.pipeline.outcome import STAGES, NoProgress, Progress, Stage

__all__ = ["shown_progress"]

_log = logging.getLogger("connector.run")


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """The right one for where stderr goes."""
    if quiet:
        yield NoProgress()
    elif not sys.stderr.isatty():
        yield _Lines()
    else:
        console = Console(stderr=True, highlight=False)
        columns = (
            SpinnerColumn(finished_text="✓"),
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Bars(*columns, console=console) as bars:
            yield _Bars(bars)


class _Bars:
    """One bar below the other; a stage of unknown size shows that it lives."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None
        self._stage: Stage | None = None

    def begin(self, stage: Stage, total: int | None = None) -> None:
        if self._task is not None and stage == self._stage:
            self._bars.update(self._task, total=total)
            return
        self.end()
        self._stage = stage
        self._task = self._bars.add_task(STAGES[stage], total=total)

    def advance(self, count: int) -> None:
        if self._task is not None:
            self._bars.advance(self._task, count)

    def end(self) -> None:
        if self._task is None:
            return
        task = self._bars.tasks[self._task]
        done = max(task.completed, task.total or 0, 1)
        self._bars.update(self._task, total=done, completed=done)
        self._task = None


class _Lines:
    """A line when a stage is over."""

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._done = 0
        self._started = 0.0

    def begin(self, stage: Stage, total: int | None = None) -> None:
        if stage != self._stage:
            self.end()
            self._stage, self._done, self._started = stage, 0, time.monotonic()

    def advance(self, count: int) -> None:
        self._done += count

    def end(self) -> None:
        if self._stage is None:
            return
        pieces = f"{self._done:,}, " if self._done else ""
        _log.info("%s: %s%.1f s", STAGES[self._stage], pieces, time.monotonic() - self._started)
        self._stage = None
