"""The report of a run as a document: one object for each job, described by report.schema.json beside this file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from connector import __version__
from connector.pipeline.run_report import RunReport

__all__ = ["FailedJob", "JobOutcome", "report_document", "report_schema"]

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
