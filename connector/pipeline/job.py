"""The scheduled job: sources, analysis on Spark, tables, store, catalogs."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from connector.pipeline.outcome import NoProgress, Progress, RunReport
from connector.pipeline.tables import TableFolder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from connector.settings.models import Job

__all__ = ["run_job"]


def run_job(
    job: Job,
    *,
    spark: SparkSession | None = None,
    full: bool = False,
    progress: Progress | None = None,
    wait: float = 0.0,
) -> RunReport:
    """Run a job. `spark` is a session to run in; without it one is opened and closed again.

    With `full` everything is read and analysed again. Another run on the same tables is waited for as long as `wait` says,
    in seconds, and is an error after that.
    """
    tables = TableFolder(job.tables)
    with tables.only_run(wait):
        # Spark takes a while to load, and a run that cannot begin need not wait for it.
        from connector.pipeline.spark.run import SparkRun
        from connector.pipeline.spark.session import spark_session

        opened = nullcontext(spark) if spark is not None else spark_session(job.spark, job.name)
        with opened as session:
            return SparkRun(job, session, tables, progress or NoProgress(), full=full).run()
