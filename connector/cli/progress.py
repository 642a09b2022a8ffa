"""Progress of a command on stderr: bars on a terminal, log lines elsewhere."""

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


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Bars if stderr is a terminal, log lines if it is not, nothing if `quiet`."""
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
    """A bar for each step, with nested steps indented below it, and a spinner for steps of unknown size.

    Bars are only redrawn during a step, so that the user can be asked a question between two steps.
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
        """Stop drawing; steps that have not ended were interrupted."""
        if self._live is not None:
            self._live.stop()
        self._live = None
        self._steps.clear()
