"""The report of a run for programs: a document described by report.schema.json, and figures for Prometheus.

A scheduled run is over before it could be scraped, so the figures are gauges of the last run in a file.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from connector import __version__
from connector.pipeline.run_report import RunReport

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
