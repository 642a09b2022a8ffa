"""From sources that have changed to a commit, on Spark."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from functools import reduce
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from pyspark.sql import functions as sf

from connector.common.failures import raise_if_interrupted
from connector.errors import ConnectorError, UnavailableError
from connector.pipeline.commits import Commit, open_commits, units_now
from connector.pipeline.context import AnalysisContext, save_context
from connector.pipeline.files import Attempt, WrittenFile
from connector.pipeline.reading import ReadSource, Unread
from connector.pipeline.report_failures import tell_failures, tell_worst
from connector.pipeline.run_report import RunReport, Stages
from connector.pipeline.spark.deduplication import TALLY, TEXT, Deduplicate
from connector.pipeline.spark.frames import (
    GIANT,
    TALLIES,
    Figures,
    figures_of,
    fingerprints_of,
    history_of,
    new_runs,
    runs_of,
    session_units,
    settled_units,
    single_units,
    spread,
    tallies_of,
)
from connector.pipeline.spark.small import FIGURE, SmallInput, SmallLog, rows_of
from connector.pipeline.spark.steps import Steps, followed_tasks, reading_source
from connector.pipeline.spark.workers import AnalyseUnits
from connector.pipeline.tables import LineageTables
from connector.sources.logs.plain import bound_files
from connector.sources.models import LogSource
from connector.sources.record import Tally
from connector.sources.spark import log_frame, plain_frame, text_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

    from connector.settings.models import Job

_log = logging.getLogger("connector.pipeline")

Sessions = frozenset[tuple[str, str]]
"""Source and name of each."""
_WAVE = 50_000
"""Units between two commits of a long analysis."""
_TOGETHER = 8_000_000
"""Letters of sources that one task reads, or bytes of tables. Starting one more Python worker costs as much as reading them."""


class _Found(NamedTuple):
    """What a run has read."""

    distinct: DataFrame
    """The rows of `Deduplicate`. Everything else is made of them, so they are kept."""
    sources: list[ReadSource]
    """Those that could be read."""
    units: DataFrame
    figures: Figures | None = None
    """Of all units, where that is known already."""


class SparkAnalysis:
    """The part of a run that needs Spark. What it finds out is told in the report."""

    def __init__(self, job: Job, spark: SparkSession, tables: LineageTables, stages: Stages, report: RunReport) -> None:
        self._job = job
        self._spark = spark
        self._steps = Steps(spark, job.spark.partitions)
        self._tables = tables
        self._stages = stages
        self._report = report

    def analyse(self, sources: Sequence[ReadSource], context: AnalysisContext, *, full: bool) -> None:
        """Analyse what is new, and commit it."""
        stored = sum(file.size for name in ("rows", "units") for file in self._tables.files(name))
        with self._steps.settings(_tasks_for(sources, stored)):
            self._analyse(sources, context, full=full)

    def _analyse(self, sources: Sequence[ReadSource], context: AnalysisContext, *, full: bool) -> None:
        with self._stages("identify"):
            counted = bool(self._tables.files("rows"))
            found = self._read_small(sources, context, one_by_one=counted)
            if found is None:
                found = self._read(sources, context, one_by_one=counted)
            distinct, sources, units, figures = found
            runs = runs_of(distinct)
            if counted:
                runs = self._steps.keep(
                    new_runs(runs, self._steps.read(self._tables, "rows", {"fingerprint": "binary"}))
                )
                self._count_new(runs, sources)
            known = None if full else self._known_keys(context)
            if figures is None or known is not None:
                figures = Figures(**self._steps.tried(lambda: figures_of(units, known).collect()[0]).asDict())
            self._report.units = figures.units + figures.known
            self._report.known = figures.known
            if known is not None:
                units = units.join(known, "key", "left_anti")
        with self._stages("analyse", figures.units):
            self._analyse_in_waves(units, figures, context)
        with self._stages("commit"):
            commit = self._tables.begin(self._report.run, final=True, context=context.digest)
            self._note_units(distinct, sources, commit)
            self._finish(sources, commit, self._write_history(runs, sources, commit))

    def _read_small(
        self, sources: Sequence[ReadSource], context: AnalysisContext, *, one_by_one: bool
    ) -> _Found | None:
        """What the sources say, read by the driver, where they are worth no more than one task; None where they are worth more,
        or where Spark's own readers are needed."""
        if self._job.spark.partitions or _tasks_for(sources) != 1:
            return None
        logs = []
        for source in sources:
            if isinstance(source.source, LogSource):
                try:
                    tables = bound_files(source.source, self._job.defaults)
                except ConnectorError:
                    return None  # which of the sources fails, and how, is told by those who read them one by one
                if tables is None:
                    return None
                logs.append(SmallLog(tables, self._into(source.name, context, log=True, one_by_one=one_by_one)))
        scripts = tuple(chain.from_iterable(source.statements or () for source in sources))
        small = SmallInput(scripts, self._into("", context, log=False), tuple(logs), GIANT)
        try:
            table = small.read()
        except Exception as error:  # noqa: BLE001 - as above, and Spark's readers may be more lenient
            raise_if_interrupted(error)
            _log.debug("The driver cannot read the sources by itself", exc_info=error)
            return None
        self._count(rows_of(table, TALLY, TALLIES), sources)
        figures = Figures(**{row["key"]: row["runs"] for row in rows_of(table, FIGURE, ["key", "runs"])})
        distinct = self._spark.createDataFrame(table).coalesce(1)
        return _Found(distinct, list(sources), settled_units(distinct), figures)

    def _read(self, sources: Sequence[ReadSource], context: AnalysisContext, *, one_by_one: bool) -> _Found:
        """What the sources that have changed say, of those that can be read."""
        logs: dict[str, DataFrame] = {}
        readable: list[ReadSource] = []
        unread: Unread = {}
        for source in sources:
            with reading_source(source, self._job.defaults, unread):
                if isinstance(source.source, LogSource):
                    into = self._into(source.name, context, log=True, one_by_one=one_by_one)
                    logs[source.name] = log_frame(self._spark, source.source, self._job.defaults, source.since, into)
                readable.append(source)
        scripts = self._scripts(readable, context)
        while readable:
            distinct = reduce(lambda one, other: one.unionByName(other), [*scripts, *logs.values()])
            tasks = _tasks_for(readable)
            distinct = self._steps.keep(distinct if tasks is None else distinct.coalesce(tasks))
            try:
                stateful = self._count(self._steps.tried(tallies_of(distinct).collect), readable)
            except UnavailableError:
                # Spark says what failed, but not for whom: each log is looked at by itself.
                before = len(unread)
                for source in [each for each in readable if isinstance(each.source, LogSource)]:
                    with reading_source(source, self._job.defaults, unread):
                        tallies_of(logs[source.name]).collect()
                if len(unread) == before:
                    raise
                readable = [each for each in readable if each.name not in unread]
                logs = {name: frame for name, frame in logs.items() if name not in unread}
                continue
            for outcome in self._report.sources:
                if outcome.name in unread:
                    outcome.failed(unread[outcome.name])
            units = single_units(distinct)
            if stateful:
                units = self._steps.keep(session_units(distinct, stateful, context.digest))
            return _Found(distinct, readable, units)
        raise next(iter(unread.values()))

    def _scripts(self, sources: Sequence[ReadSource], context: AnalysisContext) -> list[DataFrame]:
        """The scripts of all sources in one frame, in no more partitions than they are worth; none where all are logs."""
        read = [source.statements for source in sources if source.statements is not None]
        if not read:
            return []
        statements = list(chain.from_iterable(read))
        worth = 1 + sum(len(statement.text) for statement in statements) // GIANT
        return [plain_frame(self._spark, statements, self._into("", context, log=False), worth)]

    def _into(self, source: str, context: AnalysisContext, *, log: bool, one_by_one: bool = False) -> Deduplicate:
        limits = context.limits
        mode = context.options.identity_of(log=log)
        return Deduplicate(source, context.digest, mode, limits.seconds, limits.memory_mb, one_by_one=one_by_one)

    def _count(self, tallies: Iterable[Row | Mapping[str, Any]], sources: Sequence[ReadSource]) -> Sessions:
        """Fill in what the sources gave; the sessions that change state."""
        by_source: dict[str, Counter[str]] = {source.name: Counter() for source in sources}
        by_name = {source.name: source for source in sources}
        stateful: set[tuple[str, str]] = set()
        for row in tallies:
            by_source[row["source"]][row["key"]] += row["runs"]
            by_name[row["source"]].seen(row["last_seen"])
            stateful.update((row["source"], session) for session in row["sessions"] or ())
        for outcome in self._report.sources:
            counts = by_source.get(outcome.name, Counter())
            tally = Tally.of(counts)
            outcome.rows, outcome.passed_over, outcome.truncated = tally.read, tally.passed_over, tally.truncated
            outcome.malformed = tally.unreadable
            self._report.rows += tally.read
            self._report.statements += counts.get("statements", 0)
        return frozenset(stateful)

    def _count_new(self, runs: DataFrame, sources: Sequence[ReadSource]) -> None:
        """Of logs only the rows count that were not there in an earlier run."""
        found = self._steps.tried(runs.groupBy("source").agg(sf.sum("runs").alias("rows")).collect)
        new = {row["source"]: row["rows"] for row in found}
        logs = {source.name for source in sources if isinstance(source.source, LogSource)}
        for outcome in self._report.sources:
            if outcome.name in logs:
                self._report.rows += new.get(outcome.name, 0) - outcome.rows
                outcome.rows = new.get(outcome.name, 0)

    def _known_keys(self, context: AnalysisContext) -> DataFrame | None:
        """Units that need not be analysed again. One that failed under other limits is worth another try."""
        if not self._tables.files("units"):
            return None
        columns = {
            "key": "string",
            "sequence": "long",
            "status": "string",
            "limit_seconds": "double",
            "limit_mb": "long",
        }
        again = (sf.col("status") == "failed") & ~(
            (sf.col("limit_seconds") == context.limits.seconds) & (sf.col("limit_mb") == context.limits.memory_mb)
        )
        units = self._steps.read(self._tables, "units", columns).select(
            "key", sf.struct("sequence", again.alias("again")).alias("state")
        )
        return units.groupBy("key").agg(sf.max("state").alias("state")).where(~sf.col("state.again")).select("key")

    def _analyse_in_waves(self, units: DataFrame, figures: Figures, context: AnalysisContext) -> None:
        """Analyse, and commit now and then, so that a run that is cut off has not worked in vain."""
        storage = self._tables.storage
        context_file = save_context(context, storage)
        count = figures.units
        waves = -(-count // _WAVE)
        written: list[Attempt] = []
        for wave in range(waves):
            part = units if waves == 1 else units.where(sf.pmod(sf.xxhash64(sf.lit(0), "key"), sf.lit(waves)) == wave)
            share, wanted = figures.share(waves), self._job.spark.partitions
            placed = spread(
                part, share, wanted or share.partitions(self._steps.parallelism), giants_apart=wanted is None
            )
            commit = self._tables.begin(self._report.run, context=context.digest)
            worker = AnalyseUnits(context_file, context.limits, storage, commit.sequence)
            with followed_tasks(self._spark, share.units, self._stages.advance) as following:
                attempts = self._steps.attempts(placed, worker)
            self._tables.commit(commit, [file for attempt in attempts for file in attempt.files])
            self._stages.advance(sum(each.units for each in attempts) - following.told)
            written.extend(attempts)
        self._report.analysed = sum(each.units for each in written)
        if self._report.analysed != count:
            raise UnavailableError(
                f"Of {count:,} units, {self._report.analysed:,} were analysed: the sources changed while they were read. "
                "The next run reads them again."
            )
        tell_worst(self._report, written)

    def _note_units(self, distinct: DataFrame, sources: Sequence[ReadSource], commit: Commit) -> None:
        """Which units the scripts have now, so that what they no longer say can be told from what still holds."""
        logs = [source.name for source in sources if isinstance(source.source, LogSource)]
        wholes = [source.name for source in sources if source.name not in logs]
        texts = distinct.where(sf.col("kind") == TEXT).select("source", "key")
        if wholes:
            commit.units = {name: [] for name in wholes}
            of_scripts = self._steps.tried(texts.where(sf.col("source").isin(wholes)).collect)
            for source, key in sorted({(row["source"], row["key"]) for row in of_scripts}):
                commit.units[source].append(key)
        now = units_now([*self._tables.commits(), commit])
        keys = sorted({key for units in now.values() for key in units})
        if logs and keys:
            known = sf.broadcast(text_frame(self._spark, "key", keys))
            shared = texts.where(sf.col("source").isin(logs)).join(known, "key", "left_semi").select("key").distinct()
            commit.shared = sorted(row["key"] for row in self._steps.tried(shared.collect))

    def _finish(self, sources: Sequence[ReadSource], commit: Commit, files: Sequence[WrittenFile]) -> None:
        """The commit that makes the run count. What a run before it has analysed and not finished belongs to it too."""
        report = self._report
        tell_failures(report, self._tables, open_commits(self._tables.commits()))
        commit.sources = {source.name: source.mark for source in sources}
        commit.problems = report.problems + report.failed
        commit.started = report.started.isoformat()
        commit.finished = datetime.now(timezone.utc).isoformat()
        self._tables.commit(commit, files)

    def _write_history(self, runs: DataFrame, sources: Sequence[ReadSource], commit: Commit) -> list[WrittenFile]:
        """What the logs tell, as files for the commit."""
        if not any(isinstance(source.source, LogSource) for source in sources):
            return []
        storage, sequence = self._tables.storage, commit.sequence
        history = self._steps.write(history_of(runs), "statements", storage, sequence)
        self._report.statements += sum(file.rows for file in history)
        return history + self._steps.write(fingerprints_of(runs), "rows", storage, sequence)


def _tasks_for(sources: Sequence[ReadSource], stored: int = 0) -> int | None:
    """How many tasks the sources are worth, with so many bytes of tables; None where they do not tell how large they are."""
    size = stored
    for source in sources:
        letters = source.letters
        if letters is None:
            return None
        size += letters
    return 1 + size // _TOGETHER
