"""How far a command is: a bar for each step on a terminal, a line for each step elsewhere. On stderr, as all messages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

from connector.common.progress import LogProgress, NoProgress, Progress

__all__ = ["Bars", "shown_progress"]


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """The right one for where stderr goes."""
    if quiet:
        yield NoProgress()
    elif not sys.stderr.isatty():
        yield LogProgress()
    else:
        bars = Bars(Console(stderr=True, highlight=False))
        try:
            yield bars
        finally:
            bars.close()


class Bars:
    """A bar for each step, and indented below it those of the steps inside of it; a step of unknown size shows that it lives.

    Bars are only drawn over themselves while a step is under way, so that a question can be asked between two steps.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: RichProgress | None = None
        self._steps: list[tuple[str, TaskID]] = []

    def begin(self, what: str, total: int | None = None) -> None:
        if self._live is None:
            self._live = RichProgress(
                SpinnerColumn(finished_text="✓"),
                TextColumn("{task.description}"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=self._console,
            )
            self._live.start()
        if self._steps and self._steps[-1][0] == what:
            self._live.update(self._steps[-1][1], total=total)
        else:
            self._steps.append((what, self._live.add_task("  " * len(self._steps) + what, total=total)))

    def advance(self, count: int) -> None:
        if self._live is not None and self._steps:
            self._live.advance(self._steps[-1][1], count)

    def end(self) -> None:
        if self._live is None or not self._steps:
            return
        _, task_id = self._steps.pop()
        task = next(task for task in self._live.tasks if task.id == task_id)
        done = max(task.completed, task.total or 0, 1)
        self._live.update(task_id, total=done, completed=done)
        if not self._steps:
            self.close()

    def close(self) -> None:
        """Leave what was drawn as it is; steps that are under way were broken off."""
        if self._live is not None:
            self._live.stop()
        self._live = None
        self._steps.clear()
