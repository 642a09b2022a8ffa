"""The report of a run: progress while it runs, and figures at the end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

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
                {
                    "name": source.name,
                    "rows": source.rows,
                    "skipped": source.skipped,
                    "passed_over": source.passed_over,
                    "malformed": source.malformed,
                    "truncated": source.truncated,
                    "error": source.error,
                }
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
            "failures": [
                {
                    "reason": failure.reason,
                    "message": failure.message,
                    "source": failure.source,
                    "origin": failure.origin,
                    "line": failure.line,
                    "size": failure.size,
                    "text": failure.text,
                }
                for failure in self.failures
            ],
            "slowest": [_worst(unit) for unit in self.slowest],
            "largest": [_worst(unit) for unit in self.largest],
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


def _worst(unit: WorstUnit) -> dict[str, Any]:
    return {
        "seconds": round(unit.seconds, 3),
        "size": unit.size,
        "source": unit.source,
        "origin": unit.origin,
        "line": unit.line,
        "text": unit.text,
    }
