"""What the guarded children of the server do: analyse, and write the result down as it is sent.

The result travels as bytes: a child that has the model also turns it into text, so that neither the event loop nor the
pipe between the processes has to look at thousands of objects.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from connector.api import analyze
from connector.errors import ConnectorError
from connector.export import FORMATS
from connector.export.page import page_document
from connector.metadata.files import parse_json_metadata
from connector.options import Options

__all__ = ["Job", "Outcome", "run_job"]


@dataclass(frozen=True, slots=True)
class Job:
    """One analysis, and what is to be made of it: the page's document, or an export."""

    sql: str
    dialect: str = "ansi"
    metadata: dict[str, Any] | None = None
    default_database: str | None = None
    default_schema: str | None = None
    cluster: str | None = None
    options: Options | None = None
    title: str | None = None
    format: str | None = None
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer, or why there is none. A wrong option is no reason to lose a child, so it is not raised."""

    content: bytes
    error: str | None = None


def run_job(job: Job) -> Outcome:
    """The guarded task."""
    try:
        return Outcome(_content(job))
    except ConnectorError as error:
        return Outcome(b"", str(error))


def _content(job: Job) -> bytes:
    options = job.options or Options()
    lineage = analyze(
        job.sql,
        job.dialect,
        metadata=None if job.metadata is None else parse_json_metadata(job.metadata),
        default_database=job.default_database or None,
        default_schema=job.default_schema or None,
        cluster=job.cluster or None,
        options=options,
    )
    if job.format is not None:
        level = job.level or FORMATS[job.format].levels[0]
        return lineage.render(job.format, level).encode("utf-8", "replace")
    document = page_document(lineage.model, options, title=job.title, level=job.level)
    # Half a surrogate pair, which JSON can hold and UTF-8 cannot, comes back as it was sent.
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode("ascii")
