"""One run of a job, stage by stage: sources, analysis on Spark, store, catalogs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime, timezone
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING
from uuid import uuid4

from connector.addresses import safe_url
from connector.common.progress import NoProgress, Progress
from connector.errors import ConnectorError, SourceError, UnavailableError
from connector.pipeline.commits import final_groups, sources_read
from connector.pipeline.context import AnalysisContext
from connector.pipeline.delivery import deliver_to_catalogs, deliver_to_store
from connector.pipeline.reading import ReadSource, Unread, context_of, read_scripts, read_sources
from connector.pipeline.report_failures import tell_failures
from connector.pipeline.run_report import RunReport, SourceOutcome, Stages
from connector.pipeline.tables import LineageTables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from connector.settings.models import Job


REPORT = "report"
"""The receiver of what a run reports, among those that the tables keep deliveries to."""


class Run:
    """A run. The caller holds the lock on the tables.

    Spark takes seconds to start, so it is started when there is something to do for it.
    """

    def __init__(
        self, job: Job, session: Callable[[], SparkSession], tables: LineageTables, progress: Progress, *, full: bool
    ) -> None:
        self._job = job
        self._session = session
        self._tables = tables
        self._progress = progress
        self._full = full
        now = datetime.now(timezone.utc)
        self.report = RunReport(
            job.name, uuid4().hex[:12], now, now, full=full, store=safe_url(job.store.url), tables=tables.storage.label
        )
        self._stage = Stages(progress, self.report.stages)

    def run(self) -> RunReport:
        """All stages. What an earlier run has committed and not delivered is delivered too."""
        report = self.report
        began = time.monotonic()
        with self._stage("read"):
            unread: Unread = {}
            scripts = read_scripts(self._job, unread)
            context = context_of(self._job, chain.from_iterable(scripts.values()), unread)
            known = sources_read(self._tables.commits())
            sources = read_sources(self._job, scripts, context.digest, known, unread, full=self._full)
        report.sources = [SourceOutcome(source.name, skipped=not source.changed) for source in sources]
        self._note(unread)
        changed = [source for source in sources if source.changed]
        if changed:
            self._analyse(changed, context)
            with self._stage("commit"):
                self._tables.tidy()
        self._include_unreported()
        with self._stage("store"):
            for summary in deliver_to_store(self._job, self._tables):
                report.stored = summary.to_dict()
        with self._stage("catalogs", len(self._job.catalogs)):
            report.catalogs = list(deliver_to_catalogs(self._job, self._tables, self._progress))
        report.finished = datetime.now(timezone.utc)
        report.seconds = time.monotonic() - began
        return report

    def _include_unreported(self) -> None:
        """Report the failures of earlier runs that were killed between their last commit and their report."""
        reported = self._tables.delivered(REPORT)
        groups = [group for group in final_groups(self._tables.commits()) if group[-1].name not in reported]
        self.report.covers = [group[-1] for group in groups]
        if any(final.run != self.report.run for final in self.report.covers):
            tell_failures(self.report, self._tables, [commit for group in groups for commit in group])

    def _note(self, unread: Unread) -> None:
        """Sources that cannot be read are reported. Where no other is left, that is the failure of the job."""
        if unread and not self.report.sources:
            raise _together(unread)
        for name, error in unread.items():
            outcome = SourceOutcome(name)
            outcome.failed(error)
            self.report.sources.append(outcome)

    def _analyse(self, sources: Sequence[ReadSource], context: AnalysisContext) -> None:
        with self._stage("start"):
            from connector.pipeline.spark.analysis import SparkAnalysis

            analysis = SparkAnalysis(self._job, self._session(), self._tables, self._stage, self.report)
        analysis.analyse(sources, context, full=self._full)


def _together(unread: Unread) -> ConnectorError:
    """One error for all sources of a job."""
    errors = list(unread.values())
    if len(errors) == 1:
        return errors[0]
    told = "; ".join(f"{name}: {error}" for name, error in unread.items())
    absent = all(isinstance(error, UnavailableError) for error in errors)
    return (UnavailableError if absent else SourceError)(f"none of the sources can be read: {told}")


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
    :func:`acknowledge_report` afterwards: failures that were not reported are then reported by the next run.
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
        if acknowledge and report.covers:
            tables.mark_delivered(REPORT, report.covers)
        return report


def acknowledge_report(job: Job, report: RunReport) -> None:
    """Record that a report has reached its readers, so that later runs do not repeat its failures."""
    if report.covers:
        LineageTables.of(job).mark_delivered(REPORT, report.covers)
