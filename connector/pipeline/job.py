"""The scheduled job: sources, analysis on Spark, tables, store, catalogs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from typing import TYPE_CHECKING

from connector.common.progress import NoProgress, Progress
from connector.pipeline.run import REPORT, Run
from connector.pipeline.run_report import RunReport
from connector.pipeline.tables import LineageTables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from connector.settings.models import Job

__all__ = ["acknowledge_report", "run_job"]


def run_job(
    job: Job,
    *,
    spark: SparkSession | Callable[[], SparkSession] | None = None,
    full: bool = False,
    progress: Progress | None = None,
    wait: float = 0.0,
    acknowledge: bool = True,
) -> RunReport:
    """Run a job. `spark` is a session to run in, or what opens one when it is needed; without it one is opened and closed.

    With `full` everything is read and analysed again. Another run on the same tables is waited for as long as `wait` says,
    in seconds, and is an error after that. A caller that passes on the report itself sets `acknowledge` to false and calls
    :func:`acknowledge_report` afterwards: failures that nobody has seen are then reported by the next run.
    """
    tables = LineageTables.of(job)
    with tables.only_run(wait), ExitStack() as opened:

        @cache
        def session() -> SparkSession:
            if callable(spark):
                return spark()
            if spark is not None:
                return spark
            from connector.pipeline.spark.session import spark_session

            return opened.enter_context(spark_session(job.spark, job.name))

        report = Run(job, session, tables, progress or NoProgress(), full=full).run()
        if acknowledge:
            _acknowledge(tables, report)
        return report


def acknowledge_report(job: Job, report: RunReport) -> None:
    """Record that a report has reached its readers, so that later runs do not repeat its failures."""
    if report.covers:
        _acknowledge(LineageTables.of(job), report)


def _acknowledge(tables: LineageTables, report: RunReport) -> None:
    if report.covers:
        tables.mark_delivered(REPORT, report.covers)
