"""One run of a job on Spark, stage by stage."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Observation
from pyspark.sql import functions as sf

from connector.errors import UnavailableError
from connector.pipeline.arrow import RESULT_SCHEMA
from connector.pipeline.context import AnalysisContext, save_context
from connector.pipeline.delivery import deliver_to_catalogs, deliver_to_store
from connector.pipeline.outcome import FailedUnit, Progress, RunReport, SourceOutcome, Stage, WorstUnit
from connector.pipeline.reading import ReadSource, context_of, read_scripts, read_sources
from connector.pipeline.report_failures import failed_statements
from connector.pipeline.spark.edges import write_edges
from connector.pipeline.spark.frames import (
    Figures,
    Identifying,
    choose_units,
    figures_of,
    fingerprints,
    group_rows,
    history_of,
    prepare,
    session_units,
    single_units,
    spread,
)
from connector.pipeline.spark.mirror import mirror_tables
from connector.pipeline.spark.workers import AnalyseUnits, IdentifyTexts, SessionUnits
from connector.pipeline.stored import failures_in, problem_classes
from connector.pipeline.tables import Commit, TableFolder, open_commits, sources_read
from connector.sources import read_spark
from connector.sources.record import arrow_batch, arrow_schema, spark_schema
from connector.sources.tally import Tally
from connector.sql.dialects import get_dialect
from connector.sql.identity import mask_literals

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

    from connector.settings.models import Job

__all__ = ["SparkRun"]

_log = logging.getLogger("connector.pipeline")

Result = TypeVar("Result")

_PYTHON_ERROR = re.compile(r"(?!org\.|java\.)[\w.]+(?:Error|Exception|Interrupt): ")
_WAVE = 50_000
"""Units between two commits of a long analysis."""
_TRIES = 3
_LISTED = 20
_SLOW_SECONDS = 0.25
_ROWS_AT_ONCE = 1000
"""Rows that a Python worker holds at once. Their texts may be long."""


class SparkRun:
    """A run. The tables are held by whoever calls it."""

    def __init__(self, job: Job, spark: SparkSession, tables: TableFolder, progress: Progress, *, full: bool) -> None:
        self._job = job
        self._spark = spark
        self._tables = tables
        self._progress = progress
        self._full = full
        self._cached: list[DataFrame] = []
        self._tallies: dict[str, Observation] = {}
        now = datetime.now(timezone.utc)
        self.report = RunReport(
            job.name, uuid4().hex[:12], now, now, full=full, store=_shown(job.store.url), tables=str(tables.folder)
        )

    def run(self) -> RunReport:
        """All stages. What an earlier run has committed and not delivered is delivered too."""
        report = self.report
        began = time.monotonic()
        with self._stage("start"):
            self._tables.clean()
            scripts = read_scripts(self._job)
            context = context_of(self._job, chain.from_iterable(scripts.values()))
            context_file = save_context(context, self._tables.context_folder)
        with self._stage("read"):
            known = sources_read(self._tables.commits())
            sources = read_sources(self._job, scripts, context.digest, known, full=self._full)
        report.sources = [SourceOutcome(source.name, skipped=not source.changed) for source in sources]
        changed = [source for source in sources if source.changed]
        if changed:
            with self._settings():
                self._analyse(changed, context, context_file)
        if self._job.store.format != "parquet":
            with self._stage("commit"):
                mirror_tables(self._spark, self._tables, self._job.store.format)
        with self._stage("store"):
            for summary in deliver_to_store(self._job, self._tables):
                report.stored = summary.to_dict()
        with self._stage("catalogs", len(self._job.catalogs)):
            report.catalogs = list(deliver_to_catalogs(self._job, self._tables, self._progress))
        report.finished = datetime.now(timezone.utc)
        report.seconds = time.monotonic() - began
        return report

    # --- from sources to a commit -----------------------------------------------------------------------------------

    def _analyse(self, sources: Sequence[ReadSource], context: AnalysisContext, context_file: Path) -> None:
        limits = context.limits
        with self._stage("identify"):
            rows = self._rows(sources)
            identifying = Identifying(
                IdentifyTexts(context.digest, context.options.query_identity, limits.seconds, limits.memory_mb)
            )
            groups = self._kept(identifying(group_rows(rows)))
            sessions = self._count(groups)
            candidates = single_units(groups)
            if sessions:
                units, groups_outside = session_units(rows, groups, SessionUnits(context.digest))
                candidates = self._kept(single_units(groups_outside).unionByName(units))
            known = None if self._full else self._known_keys(context)
            chosen = self._kept(choose_units(candidates, known))
            figures = Figures(**self._tried(lambda: figures_of(chosen).collect()[0]).asDict())
            self.report.units = figures.units + figures.known
            self.report.known = figures.known
        with self._stage("analyse", figures.units):
            worker = AnalyseUnits(str(context_file), limits.seconds, limits.memory_mb)
            self._analyse_in_waves(chosen.where(~sf.col("known")), candidates, figures, worker, context)
        with self._stage("commit"):
            self._finish(rows, groups, sources, context)

    def _rows(self, sources: Sequence[ReadSource]) -> DataFrame:
        """The rows of the sources that have changed, those marked that were not counted before."""
        frames = [self._frame(source) for source in sources]
        rows = reduce(lambda one, other: one.unionByName(other), frames)
        rows = prepare(fingerprints(rows))
        seen = self._tables.folders("rows")
        if not seen:
            return self._kept(rows.withColumn("new", sf.lit(True)))
        counted = self._read(seen).select("row_hash").distinct().withColumn("counted", sf.lit(True))
        rows = rows.join(counted, "row_hash", "left")
        new = sf.col("counted").isNull() | ~sf.col("query")
        return self._kept(rows.withColumn("new", new).drop("counted"))

    def _frame(self, source: ReadSource) -> DataFrame:
        if source.statements is None:
            self._tallies[source.name] = tally = Observation()
            return read_spark(self._spark, source.source, self._job.defaults, observation=tally)
        import pyarrow as pa

        table = pa.Table.from_batches([arrow_batch(source.statements)], schema=arrow_schema())
        return self._spark.createDataFrame(table, schema=spark_schema())

    def _count(self, groups: DataFrame) -> bool:
        """Fill in what the sources gave; whether there are sessions to follow."""
        figures = groups.groupBy("source").agg(
            sf.sum("runs").alias("rows"),
            sf.max(sf.col("changes") & sf.col("query")).alias("changes"),
            sf.coalesce(sf.sum(sf.when(~sf.col("query"), sf.col("statements"))), sf.lit(0)).alias("statements"),
        )
        by_name = {outcome.name: outcome for outcome in self.report.sources}
        sessions = False
        for row in self._tried(figures.collect):
            by_name[row["source"]].rows = row["rows"]
            self.report.rows += row["rows"]
            self.report.statements += row["statements"]
            sessions = sessions or bool(row["changes"])
        for name, observation in self._tallies.items():
            tally = Tally.of(observation.get)
            by_name[name].passed_over, by_name[name].truncated = tally.passed_over, tally.truncated
        return sessions

    def _known_keys(self, context: AnalysisContext) -> DataFrame | None:
        """Units that need not be analysed again. One that failed under other limits is worth another try."""
        folders = self._tables.folders("units")
        if not folders:
            return None
        number = sf.regexp_extract(sf.col("_metadata.file_path"), r"/units/(\d+)-", 1)
        again = (sf.col("status") == "failed") & ~(
            (sf.col("limit_seconds") == context.limits.seconds) & (sf.col("limit_mb") == context.limits.memory_mb)
        )
        units = self._read(folders).select(
            "key", sf.struct(number.alias("number"), again.alias("again")).alias("state")
        )
        return units.groupBy("key").agg(sf.max("state").alias("state")).where(~sf.col("state.again")).select("key")

    def _analyse_in_waves(
        self,
        chosen: DataFrame,
        candidates: DataFrame,
        figures: Figures,
        worker: AnalyseUnits,
        context: AnalysisContext,
    ) -> None:
        """Analyse, and commit now and then, so that a run that is cut off has not worked in vain."""
        count = figures.units
        waves = -(-count // _WAVE)
        limits = context.limits
        observed: list[Any] = []
        for wave in range(waves):
            part = chosen if waves == 1 else chosen.where(sf.pmod(sf.xxhash64(sf.lit(0), "key"), sf.lit(waves)) == wave)
            commit = Commit(self._tables.next_sequence(), self.report.run, context=context.digest)
            folder = self._tables.new_folder("units", commit)
            placed = spread(part, candidates, figures.share(waves), self._job.spark.partitions)
            results = placed.mapInArrow(worker, _spark_schema_of_results(self._spark))

            def write(results: DataFrame = results, folder: Path = folder) -> list[Any]:
                observation = Observation()
                watched = results.observe(observation, _slowest().alias("slow"), _largest().alias("large"))
                (
                    watched.drop("seconds")
                    .withColumn("limit_seconds", sf.lit(limits.seconds))
                    .withColumn("limit_mb", sf.lit(limits.memory_mb))
                    .write.mode("overwrite")
                    .parquet(folder.as_uri())
                )
                return [observation.get]

            observed.extend(self._tried(write))
            self._tables.commit(commit)
            self._progress.advance(min(_WAVE, count - wave * _WAVE))
        self.report.analysed = count
        self._tell_worst(observed)

    def _finish(
        self, rows: DataFrame, groups: DataFrame, sources: Sequence[ReadSource], context: AnalysisContext
    ) -> None:
        """Everything else, and the commit that makes the run count."""
        commit = Commit(self._tables.next_sequence(), self.report.run, final=True, context=context.digest)
        report = self.report
        if any(source.statements is None for source in sources):
            report.statements += self._write(history_of(groups), self._tables.new_folder("statements", commit))
            fresh = rows.where(sf.col("query") & sf.col("new")).select("row_hash").distinct()
            self._write(fresh, self._tables.new_folder("rows", commit))
        # What a run before this one has analysed and not finished belongs to this one.
        done = open_commits(self._tables.commits())
        written = self._tables.folders("units", done)
        if written:
            units = self._read(written)
            folders = {level: self._tables.new_folder(level, commit) for level in ("column_edges", "table_edges")}
            report.column_edges, report.table_edges = self._tried(lambda: write_edges(units, folders))
        report.errors, report.failed, report.problems = problem_classes(self._tables, done)
        report.failures = [
            FailedUnit(
                row.reason, row.message, row.source, row.origin, row.line, row.size, _beginning(row.texts, row.dialect)
            )
            for row in failures_in(self._tables, done, _LISTED)
        ]
        lost, listed = failed_statements(self._tables, done, _LISTED)
        report.failed += lost
        report.problems -= lost
        report.failures = [*report.failures, *listed][:_LISTED]
        commit.sources = {source.name: source.mark for source in sources}
        commit.problems = report.problems + report.failed
        commit.started = report.started.isoformat()
        commit.finished = datetime.now(timezone.utc).isoformat()
        self._tables.commit(commit)

    def _tell_worst(self, observed: Sequence[dict[str, Any]]) -> None:
        def worst(name: str, order: str) -> list[WorstUnit]:
            rows = [row for each in observed for row in each.get(name) or ()]
            rows.sort(key=lambda row: row[order], reverse=True)
            return [
                WorstUnit(
                    row["seconds"],
                    row["size"],
                    row["source"],
                    row["origin"],
                    row["line"],
                    _beginning([row["text"]], row["dialect"]),
                )
                for row in rows[:10]
            ]

        self.report.slowest = worst("slow", "seconds")
        self.report.largest = worst("large", "size")

    # --- small things ---------------------------------------------------------------------------------------------------

    def _write(self, frame: DataFrame, folder: Path) -> int:
        """Write a small table; how many rows it has."""

        def write() -> int:
            observation = Observation()
            counted = frame.observe(observation, sf.count("*").alias("rows"))
            counted.write.mode("overwrite").parquet(folder.as_uri())
            return int(observation.get["rows"])

        return self._tried(write)

    def _read(self, folders: Sequence[Path]) -> DataFrame:
        return self._spark.read.parquet(*(folder.as_uri() for folder in folders))

    def _kept(self, frame: DataFrame) -> DataFrame:
        self._cached.append(frame.persist())
        return self._cached[-1]

    def _tried(self, action: Callable[[], Result]) -> Result:
        """An action of Spark. A worker that is lost costs another try and not the run."""
        for attempt in range(1, _TRIES + 1):
            try:
                return action()
            except (PySparkException, Py4JError) as error:
                reason = _first_line(error)
                if attempt == _TRIES:
                    raise UnavailableError(f"Spark could not do it in {_TRIES} attempts: {reason}") from error
                _log.warning("Spark gave up on a step (%s); trying again", reason)
        raise AssertionError("unreachable")

    def _parallelism(self) -> int:
        """How many tasks run at once. Asked in a way that works wherever the session is."""
        places = self._spark.range(100_000).select(sf.spark_partition_id().alias("place")).distinct()
        return max(self._tried(places.count), 1)

    @contextmanager
    def _stage(self, stage: Stage, total: int | None = None) -> Iterator[None]:
        self._progress.begin(stage, total)
        began = time.monotonic()
        try:
            yield
        finally:
            self.report.stages[stage] = self.report.stages.get(stage, 0.0) + time.monotonic() - began
            self._progress.end()

    @contextmanager
    def _settings(self) -> Iterator[None]:
        """Settings of the session that a run needs, put back behind it, and the memory given back."""
        conf = self._spark.conf
        partitions = self._job.spark.partitions or 2 * self._parallelism()
        wanted = {
            "spark.sql.execution.arrow.maxRecordsPerBatch": str(_ROWS_AT_ONCE),
            "spark.sql.shuffle.partitions": str(partitions),
            # Partitions are chosen here already; choosing them again on the way makes many small jobs of each large one.
            "spark.sql.adaptive.enabled": "false",
            # The work is done in Python, and little is left for Java to compile. At 2,000 rows it made no difference.
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        }
        before = {name: conf.get(name, None) for name in wanted}
        for name, value in wanted.items():
            conf.set(name, value)
        try:
            yield
        finally:
            for frame in self._cached:
                frame.unpersist()
            for name, old in before.items():
                if old is None:
                    conf.unset(name)
                else:
                    conf.set(name, old)


def _slowest() -> Any:
    return sf.collect_list(sf.when(sf.col("seconds") >= _SLOW_SECONDS, _described()))


def _largest() -> Any:
    return sf.collect_list(sf.when(sf.col("size") >= 100_000, _described()))


def _described() -> Any:
    text = sf.substring(sf.col("texts").getItem(0), 1, 200).alias("text")
    return sf.struct("seconds", "size", "source", "origin", "line", "dialect", text)


def _spark_schema_of_results(spark: SparkSession) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(RESULT_SCHEMA)


def _beginning(texts: Sequence[str], dialect: str) -> str:
    """The beginning of a text as it may be shown: without literals, on one line."""
    masked = mask_literals(texts[0][:400] if texts else "", get_dialect(dialect))
    return " ".join(masked.split())[:160]


def _shown(url: str) -> str:
    if "://" not in url:
        return url
    from sqlalchemy import make_url

    return make_url(url).render_as_string(hide_password=True)


def _first_line(error: BaseException) -> str:
    """What went wrong, in one line: of an exception in a worker its own message, of others the beginning."""
    lines = [line.strip().removeprefix(": ") for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):  # Java's own words stand below
        lines = lines[1:]
    told = [line for line in lines if _PYTHON_ERROR.match(line)]
    return (told[-1] if told else lines[0]).rstrip(".")[:300]
