"""`lineage-connector run`: the scheduled job, from sources to catalogs; and `check`: what would fail, before it does."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer

from connector.addresses import safe_text
from connector.catalogs import catalog_of
from connector.cli import codes, flags
from connector.cli.codes import describe_failure
from connector.cli.output import configure_messages, tell_summary, write_result
from connector.common.extras import missing_package
from connector.errors import ConnectorError, cannot_write

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from connector.catalogs.catalog import RunState, RunWatcher
    from connector.common.progress import Progress
    from connector.pipeline.run_report import JobOutcome, RunReport
    from connector.settings.models import Job, Settings, SparkSettings
    from connector.sources import Finding

_log = logging.getLogger("connector")
_LINE_END = "\n"

Config = Annotated[
    Path,
    typer.Option(
        "--config", "-c", metavar="FILE", help="Settings file with the jobs, their sources, store and catalogs."
    ),
]
JobNames = Annotated[
    list[str] | None,
    typer.Option(
        "--job", metavar="NAME", help="Name of a job to select. Can be given several times.", show_default="all"
    ),
]
Full = Annotated[bool, typer.Option("--full", help="Read and analyse everything again, not only what is new.")]
Wait = Annotated[
    float,
    typer.Option(min=0, metavar="SECONDS", help="How long to wait for another run of the same job before giving up."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a JSON report of the run; - writes it to stdout instead of the summary."),
]


def run(
    config: Config = Path("lineage.yaml"),
    job: JobNames = None,
    full: Full = False,
    wait: Wait = 0.0,
    report: ReportFile = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Run the jobs of a settings file: read what is new in their sources, analyse it on Spark, update the store and the catalogs.

    A summary goes to stdout, progress and messages to stderr. A run that was interrupted resumes when it is started again. With
    --verbose, Spark's own messages are shown as well.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    if not (quiet or verbose):
        _log.setLevel(logging.INFO)
    settings = read_jobs(config)
    jobs = [settings.job(name) for name in dict.fromkeys(job)] if job else list(settings.jobs)
    how = _How(full=full, wait=wait, quiet=quiet, verbose=verbose, shows_summary=str(report) != "-")
    outcomes = _run_all(jobs, how)
    _write_files(jobs, outcomes)
    if report is not None:
        _write_report(outcomes, report)
    _acknowledge(jobs, outcomes)
    code = max(map(_code, outcomes))
    if code:
        raise typer.Exit(code)


def read_jobs(config: Path) -> Settings:
    """Read a settings file. A missing package is reported with the command that installs it."""
    try:
        from connector.settings import load_settings
    except ModuleNotFoundError as error:
        raise missing_package(error, "spark") from None
    return load_settings(config)


@dataclass(frozen=True, slots=True)
class _How:
    """The flags that apply to all jobs."""

    full: bool
    wait: float
    quiet: bool
    verbose: bool
    shows_summary: bool


def _run_all(jobs: Sequence[Job], how: _How) -> list[JobOutcome]:
    """Run the jobs in order. If one fails, the others still run."""
    from connector.cli.progress import shown_progress
    from connector.cli.run_summary import summary_table
    from connector.pipeline.run_report import FailedJob

    outcomes: list[JobOutcome] = []
    with _Sessions(verbose=how.verbose) as sessions:
        for job in jobs:
            try:
                with shown_progress(quiet=how.quiet) as progress:
                    report = _run_one(job, sessions, progress, how)
            except (ConnectorError, OSError) as error:
                reason, code = describe_failure(error)
                _log.error("%s: %s", job.name, reason)
                outcomes.append(FailedJob(job.name, reason, code))
                continue
            except Exception as error:  # noqa: BLE001 - a bug, or a library's: it must not keep the other jobs from running
                reason = f"unexpected failure: {type(error).__name__}: {safe_text(str(error)).partition(_LINE_END)[0]}"
                _log.error("%s: %s (--verbose shows where)", job.name, reason)
                _log.debug("", exc_info=True)
                outcomes.append(FailedJob(job.name, reason, codes.USAGE))
                continue
            _tell(report)
            outcomes.append(report)
            if how.shows_summary:
                write_result(summary_table(report), None)
    return outcomes


def _run_one(job: Job, sessions: _Sessions, progress: Progress, how: _How) -> RunReport:
    from connector.pipeline.run import run_job
    from connector.pipeline.spark.session import spark_failures

    watchers = _watchers(job)
    _tell_watchers(watchers, "START")
    try:
        with spark_failures():
            report = run_job(
                job,
                spark=lambda: sessions.session(job.spark, job.name),
                full=how.full,
                progress=progress,
                wait=how.wait,
                acknowledge=False,
            )
    except ConnectorError as error:
        _tell_watchers(watchers, "FAIL", str(error))
        raise
    _tell_watchers(watchers, "COMPLETE")
    return report


class _Sessions:
    """The Spark session of the job at hand. Jobs with the same settings share one, because it takes seconds to open."""

    def __init__(self, *, verbose: bool) -> None:
        self._verbose = verbose
        self._opened = ExitStack()
        self._settings: SparkSettings | None = None
        self._spark: SparkSession | None = None

    def __enter__(self) -> _Sessions:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def session(self, settings: SparkSettings, name: str) -> SparkSession:
        from connector.pipeline.spark.session import spark_session

        if self._spark is None or settings != self._settings:
            self._opened.close()
            opened = spark_session(settings, f"lineage-connector {name}", verbose=self._verbose)
            self._spark = self._opened.enter_context(opened)
            self._settings = settings
        return self._spark


# --- messages ---------------------------------------------------------------------------------------------------------


def _tell(report: RunReport) -> None:
    """The failures, each on a line."""
    for source in report.sources:
        if source.error is not None:
            _log.error("%s: %s cannot be read: %s", report.job, source.name, source.error)
        elif source.malformed:
            rows = "row is" if source.malformed == 1 else "rows are"
            _log.error("%s: %s: %s %s malformed and skipped", report.job, source.name, f"{source.malformed:,}", rows)
    for failure in report.failures:
        shown = f" [{failure.text}]" if failure.text else ""
        _log.warning("%s:%d: %s: %s%s", failure.origin, failure.line, failure.reason, failure.message, shown)
    if report.failed > len(report.failures):
        _log.warning("and %s more", f"{report.failed - len(report.failures):,}")
    for catalog in report.catalogs:
        if catalog.error is not None:
            _log.error("%s: %s", catalog.type, catalog.error)
        if catalog.summary is not None:
            tell_summary(catalog.summary, f"{catalog.type}: ")


def _watchers(job: Job) -> list[RunWatcher]:
    """The catalogs that record runs, such as OpenLineage."""
    run_id = str(uuid4())
    watchers = (catalog_of(settings).watch(job.name, run_id) for settings in job.catalogs)
    return [watcher for watcher in watchers if watcher is not None]


def _tell_watchers(watchers: Sequence[RunWatcher], state: RunState, reason: str = "") -> None:
    """Report the state of the run. If a service cannot be reached, the run continues."""
    for watcher in watchers:
        try:
            watcher.tell(state, datetime.now(timezone.utc), reason)
        except ConnectorError as error:
            _log.warning("note: %s", error)


# --- what is written --------------------------------------------------------------------------------------------------


def _write_files(jobs: Sequence[Job], outcomes: Sequence[JobOutcome]) -> None:
    """Write the files that the jobs are configured to write. Jobs with the same file share it."""
    from connector.pipeline.run_report import FailedJob, prometheus_text
    from connector.store.picture import store_picture

    reports: dict[Path, list[JobOutcome]] = {}
    figures: dict[Path, list[JobOutcome]] = {}
    for job, outcome in zip(jobs, outcomes, strict=True):
        if job.html is not None and not isinstance(outcome, FailedJob):
            _write(store_picture(job.store.url, job.name), job.html)
            _log.info("%s: lineage page written to %s", job.name, job.html)
        if job.report is not None:
            reports.setdefault(job.report, []).append(outcome)
        if job.prometheus is not None:
            figures.setdefault(job.prometheus, []).append(outcome)
    for file, found in reports.items():
        _write_report(found, file)
    for file, found in figures.items():
        _write(prometheus_text(found), file)


def _write_report(outcomes: Sequence[JobOutcome], file: Path) -> None:
    from connector.pipeline.run_report import report_document

    _write(json.dumps(report_document(outcomes), indent=2, ensure_ascii=False), file)


def _write(text: str, file: Path) -> None:
    if str(file) != "-":
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(file, error) from error
    write_result(text, file)


def _acknowledge(jobs: Sequence[Job], outcomes: Sequence[JobOutcome]) -> None:
    """Record what was reported. A run that is killed before this point is reported by the next one."""
    from connector.pipeline.run import acknowledge_report
    from connector.pipeline.run_report import RunReport

    for job, outcome in zip(jobs, outcomes, strict=True):
        if isinstance(outcome, RunReport):
            acknowledge_report(job, outcome)


def _code(outcome: JobOutcome) -> int:
    from connector.pipeline.run_report import FailedJob

    if isinstance(outcome, FailedJob):
        return outcome.code
    unread = [source for source in outcome.sources if source.error is not None]
    refused = [catalog for catalog in outcome.catalogs if catalog.error is not None]
    if any(each.unavailable for each in unread) or any(each.unavailable for each in refused):
        return codes.UNAVAILABLE
    if unread or refused:
        return codes.USAGE
    return codes.DONE if outcome.succeeded else codes.FAILURES


WithSpark = Annotated[bool, typer.Option("--spark/--no-spark", help="Start Spark and test a worker.")]


def check(
    config: Config = Path("lineage.yaml"),
    job: JobNames = None,
    spark: WithSpark = True,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = False,
) -> None:
    """Check everything that the jobs of a file need, and report what is wrong and how to fix it.

    Checks settings, Java and Spark, metadata, sources, the store, catalogs with their credentials and types, and the output
    files. Nothing is changed. The exit code is 2 if something has to be fixed, and 3 if a server does not respond.
    """
    configure_messages(quiet=quiet, verbose=verbose)
    settings = read_jobs(config)
    jobs = [settings.job(name) for name in dict.fromkeys(job)] if job else list(settings.jobs)
    from connector.pipeline.checking import check_job

    failed: list[Finding] = []
    write_result(_line("settings", f"{config}: {len(settings.jobs)} job{'s' * (len(settings.jobs) != 1)}"), None)
    for each in jobs:
        if len(settings.jobs) > 1:
            write_result(f"\n{each.name}", None)
        for part, finding in check_job(each, with_spark=spark, verbose=verbose):
            if finding.failed:
                failed.append(finding)
            state = "FAILS" if finding.failed else "note" if finding.level == "warning" else "ok"
            write_result(_line(part, finding.message, state), None)
    if failed:
        unavailable = all(finding.level == "unavailable" for finding in failed)
        raise typer.Exit(codes.UNAVAILABLE if unavailable else codes.USAGE)


def _line(part: str, message: str, state: str = "ok") -> str:
    first, *others = message.splitlines() or [""]
    return "\n".join([f"{state:<6} {part:<22} {first}", *(f"{'':<30}{line}" for line in others)])
