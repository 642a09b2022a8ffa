"""How far a long step of Spark is, for those who wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Following", "followed_tasks"]

_LOOK_SECONDS = 0.5


class Following(threading.Thread):
    """Tells, while a step goes on, how many of so many pieces are done, by the tasks that are."""

    def __init__(self, tracker: Any, pieces: int, advance: Callable[[int], None]) -> None:
        super().__init__(daemon=True)
        self._tracker = tracker
        self._pieces = pieces
        self._advance = advance
        self._over = threading.Event()
        self.told = 0
        """Pieces told of so far."""

    def run(self) -> None:
        while not self._over.wait(_LOOK_SECONDS):
            try:
                self._look()
            except Py4JError:
                return  # Spark is gone; who waits for the step hears of it

    def end(self) -> None:
        self._over.set()
        self.join()

    def _look(self) -> None:
        jobs = [job for number in self._tracker.getActiveJobsIds() if (job := self._tracker.getJobInfo(number))]
        # What comes before the last stage of a job brings things together; the work is done in the last.
        stages = [self._tracker.getStageInfo(max(job.stageIds)) for job in jobs if job.stageIds]
        if len(stages) == 1 and stages[0] is not None and stages[0].numTasks:
            done = self._pieces * stages[0].numCompletedTasks // stages[0].numTasks
            if done > self.told:
                self._advance(done - self.told)
                self.told = done


@contextmanager
def followed_tasks(spark: SparkSession, pieces: int, advance: Callable[[int], None]) -> Iterator[Following]:
    """Follow the step of a block. A Connect server does not tell, and nothing is told then."""
    context = getattr(spark, "sparkContext", None)
    following = Following(context.statusTracker() if context is not None else None, pieces, advance)
    if context is not None:
        following.start()
    try:
        yield following
    finally:
        if context is not None:
            following.end()
