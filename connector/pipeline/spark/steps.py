"""Steps of a run on Spark: with the settings that they need, tried again where a worker was lost."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import from_arrow_schema

from connector.common.failures import first_line, raise_if_interrupted
from connector.errors import ConfigurationError, ConnectorError, SourceError, UnavailableError
from connector.pipeline.files import Attempt, WrittenFile
from connector.pipeline.spark.workers import WRITTEN_SCHEMA, AnalyseUnits, ReadRows, WriteRows, read_attempt
from connector.pipeline.storage import Storage
from connector.pipeline.tables import LineageTables
from connector.sources import read_plain
from connector.sources.models import LogSource
from connector.sources.spark import text_frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from connector.pipeline.reading import ReadSource, Unread
    from connector.sources.record import Defaults


_log = logging.getLogger("connector.pipeline")

Result = TypeVar("Result")

_FINAL = f"{ConfigurationError.__module__}.{ConfigurationError.__name__}: "
"""How a worker begins to tell what another try does not mend."""
_TRIES = 3
_ROWS_AT_ONCE = 1000
"""Rows that a Python worker holds at once. Their texts may be long."""


class Steps:
    """What is done with a session during one run."""

    def __init__(self, spark: SparkSession, partitions: int | None) -> None:
        self.spark = spark
        self._partitions = partitions
        self._kept: list[DataFrame] = []

    @contextmanager
    def settings(self, tasks: int | None) -> Iterator[None]:
        """Settings of the session that a run needs; afterwards they are restored, and memory is released.

        `tasks` is what the input is worth, where that is known: no step is divided further.
        """
        conf = self.spark.conf
        most = 2 * self.parallelism
        partitions = self._partitions or (most if tasks is None else min(most, tasks))
        wanted = {
            "spark.sql.execution.arrow.maxRecordsPerBatch": str(_ROWS_AT_ONCE),
            "spark.sql.shuffle.partitions": str(partitions),
            # Partitions are chosen here already; choosing them again on the way makes many small jobs of each large one.
            "spark.sql.adaptive.enabled": "false",
            # An existing session may be configured to skip files that are damaged or gone. Their content would be lost silently.
            "spark.sql.files.ignoreCorruptFiles": "false",
            "spark.sql.files.ignoreMissingFiles": "false",
        }
        before = {name: conf.get(name, None) for name in wanted}
        for name, value in wanted.items():
            conf.set(name, value)
        try:
            yield
        finally:
            for frame in self._kept:
                frame.unpersist()
            for name, old in before.items():
                if old is None:
                    conf.unset(name)
                else:
                    conf.set(name, old)

    def write(self, frame: DataFrame, table: str, storage: Storage, sequence: int) -> list[WrittenFile]:
        """Write rows into files for a table; the files."""
        return [file for attempt in self.attempts(frame, WriteRows(table, storage, sequence)) for file in attempt.files]

    def attempts(self, frame: DataFrame, worker: AnalyseUnits | WriteRows) -> list[Attempt]:
        """Let workers write; what they have written."""
        told = self.tried(frame.mapInArrow(worker, from_arrow_schema(WRITTEN_SCHEMA)).collect)
        return [read_attempt(row["written"]) for row in told]

    def read(self, tables: LineageTables, table: str, columns: dict[str, str]) -> DataFrame:
        """Some columns of a table with their types."""
        paths = [file.path for file in tables.files(table)]
        parts = max(1, min(len(paths), 2 * self.parallelism))
        files = text_frame(self.spark, "path", paths).repartition(parts)
        ddl = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
        return files.mapInArrow(ReadRows(tuple(columns), tables.storage), ddl)

    def keep(self, frame: DataFrame) -> DataFrame:
        self._kept.append(frame.persist())
        return self._kept[-1]

    def tried(self, action: Callable[[], Result]) -> Result:
        """An action of Spark. A worker that is lost costs another try and not the run."""
        for attempt in range(1, _TRIES + 1):
            try:
                return action()
            except (PySparkException, Py4JError) as error:
                raise_if_interrupted(error)
                reason = first_line(error)
                if reason.startswith(_FINAL):
                    raise ConfigurationError(reason.removeprefix(_FINAL)) from error
                if attempt == _TRIES:
                    raise UnavailableError(f"Spark failed {_TRIES} times: {reason}") from error
                _log.warning("A Spark stage failed (%s); retrying", reason)
        raise AssertionError("unreachable")

    @cached_property
    def parallelism(self) -> int:
        """How many tasks run at once. On a Connect server the only way to know is to look."""
        context = getattr(self.spark, "sparkContext", None)
        if context is not None:
            return int(context.defaultParallelism)
        places = self.spark.range(100_000).select(sf.spark_partition_id().alias("place")).distinct()
        return max(self.tried(places.count), 1)


@contextmanager
def reading_source(source: ReadSource, defaults: Defaults, unread: Unread) -> Iterator[None]:
    """Failures to read one source, noted so that the others can be read."""
    try:
        yield
    except ConnectorError as error:
        unread[source.name] = error
    except (PySparkException, Py4JError) as error:
        raise_if_interrupted(error)
        unread[source.name] = _reason(source, defaults, error)


def _reason(source: ReadSource, defaults: Defaults, error: Exception) -> ConnectorError:
    """Spark names a class and a line of Java; where the files are on this machine, we can say which of them is broken."""
    if isinstance(source.source, LogSource) and source.mark.get("files") is not None:
        try:
            for _ in read_plain(source.source, defaults):
                pass
        except ConnectorError as ours:
            return ours
        except OSError as ours:
            return SourceError(f"{ours.filename or source.source.place}: {ours.strerror or ours}")
    return UnavailableError(f"{source.source.place}: Spark cannot read it: {first_line(error)}")


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
