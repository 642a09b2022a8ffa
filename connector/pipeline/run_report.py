"""The report of a run: progress while it runs, and figures at the end, also as a document that report.schema.json describes and as
metrics for Prometheus. A scheduled run is over before it could be scraped, so these are gauges of the last run in a file."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal

from connector import __version__
from connector.common.progress import Progress
from connector.errors import UnavailableError

if TYPE_CHECKING:
    from connector.catalogs.summary import Summary
    from connector.pipeline.commits import Commit

Stage = Literal["read", "start", "identify", "analyse", "commit", "store", "catalogs"]
STAGES: dict[Stage, str] = {
    "read": "Reading sources",
    "start": "Starting Spark",
    "identify": "Deduplicating statements",
    "analyse": "Analysing",
    "commit": "Writing tables",
    "store": "Loading the store",
    "catalogs": "Sending to catalogs",
}
"""The stages of a run in order, with what a person calls them."""


class Stages:
    """The stages of one run: reported as they begin, with the seconds that each has taken."""

    def __init__(self, progress: Progress, seconds: dict[str, float]) -> None:
        self._progress = progress
        self._seconds = seconds

    @contextmanager
    def __call__(self, stage: Stage, total: int | None = None) -> Iterator[None]:
        self._progress.begin(STAGES[stage], total)
        began = time.monotonic()
        try:
            yield
        finally:
            self._seconds[stage] = self._seconds.get(stage, 0.0) + time.monotonic() - began
            self._progress.end()

    def advance(self, count: int) -> None:
        self._progress.advance(count)


@dataclass(frozen=True, slots=True)
class FailedUnit:
    """A statement, or a script, that gave no lineage."""

    reason: str
    """`timeout`, `memory`, `depth`, `crash`, or the type of an error of the analysis."""
    message: str
    source: str
    origin: str
    line: int
    size: int
    text: str
    """The beginning of its text, literals masked."""


@dataclass(frozen=True, slots=True)
class WorstUnit:
    """A unit that took long, or is large."""

    seconds: float
    size: int
    source: str
    origin: str
    line: int
    text: str
    """The beginning of its text, literals masked."""


@dataclass(slots=True)
class SourceOutcome:
    """What one source gave."""

    name: str
    rows: int = 0
    """Rows that were not there in an earlier run."""
    skipped: bool = False
    """It has not changed since the last run and was not read."""
    passed_over: int = 0
    """Rows of the log that are no statement to analyse: failed queries, hidden or empty texts."""
    malformed: int = 0
    """Rows of the log that could not be read: statements may be lost with them."""
    truncated: int = 0
    """Texts that the log has cut off. They are analysed as far as they go, and their problems say so."""
    error: str | None = None
    """Why it could not be read. The other sources were, and the next run tries again."""
    unavailable: bool = False
    """Whether a source that could not be read may become available again without intervention."""

    def failed(self, error: Exception) -> None:
        """Note that the source could not be read."""
        self.error, self.unavailable = str(error), isinstance(error, UnavailableError)


@dataclass(slots=True)
class CatalogOutcome:
    """What was sent to one catalog."""

    type: str
    name: str
    """The catalog's address, without secrets."""
    statements: int = 0
    summary: Summary | None = None
    error: str | None = None
    """Why nothing, or not all, could be sent; it is sent by the next run."""
    unavailable: bool = False
    """Whether a catalog that failed may respond later without intervention."""


@dataclass(slots=True)
class RunReport:
    """The outcome of one run."""

    job: str
    run: str
    started: datetime
    finished: datetime
    full: bool = False
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)
    """Seconds by stage."""
    sources: list[SourceOutcome] = field(default_factory=list)
    rows: int = 0
    """New rows of all sources: log entries, scripts, definitions."""
    statements: int = 0
    """Distinct statements among them, by the job's query identity."""
    units: int = 0
    """What is analysed as a whole: a statement, a script, a session that changes state."""
    known: int = 0
    """Units that the tables held already."""
    analysed: int = 0
    """Units analysed by this run."""
    failed: int = 0
    """Units and statements that gave no lineage."""
    problems: int = 0
    """What could not be read or resolved in the units that were analysed."""
    errors: dict[str, int] = field(default_factory=dict)
    """Failures and problems by class."""
    failures: list[FailedUnit] = field(default_factory=list)
    """The first failures."""
    slowest: list[WorstUnit] = field(default_factory=list)
    largest: list[WorstUnit] = field(default_factory=list)
    column_edges: int = 0
    table_edges: int = 0
    store: str = ""
    tables: str = ""
    stored: dict[str, Any] = field(default_factory=dict)
    """What loading the store did, by kind of row."""
    catalogs: list[CatalogOutcome] = field(default_factory=list)
    covers: list[Commit] = field(default_factory=list)
    """The final commits that were not reported before: that of this run, and those of runs that were killed behind them."""

    @property
    def rows_per_second(self) -> float:
        return self.rows / self.seconds if self.seconds else 0.0

    @property
    def units_per_second(self) -> float:
        """Of the analysis alone."""
        seconds = self.stages.get("analyse", 0.0)
        return self.analysed / seconds if seconds else 0.0

    @property
    def succeeded(self) -> bool:
        """Whether everything was analysed and delivered."""
        refused = any(
            each.error or (each.summary and (each.summary.failures or each.summary.unattached))
            for each in self.catalogs
        )
        return not self.failed and not refused and not any(source.error or source.malformed for source in self.sources)

    def to_dict(self) -> dict[str, Any]:
        """For machines."""
        return {
            "job": self.job,
            "run": self.run,
            "started": self.started.isoformat(),
            "finished": self.finished.isoformat(),
            "full": self.full,
            "seconds": round(self.seconds, 3),
            "rows_per_second": round(self.rows_per_second, 1),
            "units_per_second": round(self.units_per_second, 1),
            "stages": {name: round(seconds, 3) for name, seconds in self.stages.items()},
            "sources": [
                {name: value for name, value in asdict(source).items() if name != "unavailable"}
                for source in self.sources
            ],
            "rows": self.rows,
            "statements": self.statements,
            "units": self.units,
            "known": self.known,
            "analysed": self.analysed,
            "failed": self.failed,
            "problems": self.problems,
            "errors": self.errors,
            "failures": [asdict(failure) for failure in self.failures],
            "slowest": [{**asdict(unit), "seconds": round(unit.seconds, 3)} for unit in self.slowest],
            "largest": [{**asdict(unit), "seconds": round(unit.seconds, 3)} for unit in self.largest],
            "column_edges": self.column_edges,
            "table_edges": self.table_edges,
            "store": self.store,
            "tables": self.tables,
            "stored": self.stored,
            "catalogs": [
                {
                    "type": catalog.type,
                    "name": catalog.name,
                    "statements": catalog.statements,
                    "error": catalog.error,
                    "summary": catalog.summary.to_dict() if catalog.summary is not None else None,
                }
                for catalog in self.catalogs
            ],
        }


_SCHEMA = Path(__file__).with_name("report.schema.json")


@dataclass(frozen=True, slots=True)
class FailedJob:
    """A job that ended before it had anything to report."""

    job: str
    error: str
    code: int
    """The exit code that stands for the error."""


JobOutcome = RunReport | FailedJob


def report_document(outcomes: Sequence[JobOutcome]) -> dict[str, Any]:
    """What `--report` writes."""
    return {"connector": __version__, "jobs": [_job(outcome) for outcome in outcomes]}


def report_schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    schema: dict[str, Any] = json.loads(_SCHEMA.read_text(encoding="utf-8"))
    return schema


def _job(outcome: JobOutcome) -> dict[str, Any]:
    if isinstance(outcome, FailedJob):
        return {"job": outcome.job, "status": "error", "error": outcome.error}
    return {"status": "done" if outcome.succeeded else "failures", **outcome.to_dict()}


_Sample = tuple[str, dict[str, str], float]

_HELP = {
    "success": "Whether the last run analysed and delivered everything (1) or not (0).",
    "timestamp_seconds": "When the last run ended, in seconds since 1970.",
    "duration_seconds": "How long the last run took.",
    "stage_seconds": "How long each stage of the last run took.",
    "rows": "New rows of all sources in the last run.",
    "statements": "Distinct statements in the last run.",
    "units_known": "Units of the last run that were known already.",
    "units_analysed": "Units that the last run analysed.",
    "units_failed": "Units and statements of the last run that gave no lineage.",
    "problems": "What could not be read or resolved in the last run, by class.",
    "edges": "Edges that the last run found, by level.",
    "catalog_entities": "What the last run did in each catalog, by outcome.",
    "catalog_up": "Whether each catalog took what the last run sent (1) or not (0).",
}


def prometheus_text(outcomes: Sequence[JobOutcome], now: float | None = None) -> str:
    """All metrics of the jobs, each with its help and type once."""
    found: dict[str, list[tuple[dict[str, str], float]]] = {name: [] for name in _HELP}
    for outcome in outcomes:
        for name, labels, value in _samples(outcome, time.time() if now is None else now):
            found[name].append(({"lineage_job": outcome.job, **labels}, value))
    lines = []
    for name, samples in found.items():
        if samples:
            lines.append(f"# HELP lineage_run_{name} {_HELP[name]}")
            lines.append(f"# TYPE lineage_run_{name} gauge")
            lines.extend(f"lineage_run_{name}{{{_labels(labels)}}} {value:.15g}" for labels, value in samples)
    return "\n".join(lines) + "\n"


def _samples(outcome: JobOutcome, now: float) -> Iterator[_Sample]:
    if isinstance(outcome, FailedJob):
        yield "success", {}, 0
        yield "timestamp_seconds", {}, now
        return
    yield from _figures(outcome)
    for catalog in outcome.catalogs:
        labels = {"type": catalog.type, "catalog": _place(catalog.name)}
        yield "catalog_up", labels, float(catalog.error is None)
        if catalog.summary is not None:
            total = catalog.summary.total
            for kind in ("created", "updated", "unchanged", "removed", "missing", "failed"):
                yield "catalog_entities", {**labels, "outcome": kind}, getattr(total, kind)


def _figures(report: RunReport) -> Iterator[_Sample]:
    yield "success", {}, float(report.succeeded)
    yield "timestamp_seconds", {}, report.finished.timestamp()
    yield "duration_seconds", {}, round(report.seconds, 3)
    for stage, seconds in report.stages.items():
        yield "stage_seconds", {"stage": stage}, round(seconds, 3)
    yield "rows", {}, report.rows
    yield "statements", {}, report.statements
    yield "units_known", {}, report.known
    yield "units_analysed", {}, report.analysed
    yield "units_failed", {}, report.failed
    for kind, count in sorted(report.errors.items()):
        yield "problems", {"class": kind}, count
    yield "edges", {"level": "column"}, report.column_edges
    yield "edges", {"level": "table"}, report.table_edges


def _labels(labels: dict[str, str]) -> str:
    return ",".join([f'{name}="{_escaped(value)}"' for name, value in labels.items()])


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def _place(name: str) -> str:
    """The address of a catalog; of a file its name alone, because the figures leave the machine."""
    return PurePath(name).name if PurePath(name).is_absolute() else name
