"""The task of the server's guarded child processes: analyse, and serialise the response.

The result travels as bytes: a child that has the model also turns it into text, so that neither the event loop nor the
pipe between the processes has to look at thousands of objects.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from connector.errors import ConnectorError
from connector.export import FORMATS
from connector.export.page import page_document
from connector.metadata.provider import parse_json_metadata
from connector.model import Script
from connector.request import AnalysisRequest

_DEFAULT = AnalysisRequest()


@dataclass(frozen=True, slots=True)
class Job:
    """One analysis, and what is to be made of it: the page's document, or an export."""

    sql: str
    request: AnalysisRequest = _DEFAULT
    metadata: dict[str, Any] | None = None
    """As the client has sent it: it is parsed in the child."""
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
    request = job.request
    if job.metadata is not None:
        request = replace(request, metadata=parse_json_metadata(job.metadata))
    lineage = request.analyze([Script(job.sql)])
    if job.format is not None:
        level = job.level or FORMATS[job.format].levels[0]
        return lineage.render(job.format, level).encode("utf-8", "replace")
    document = page_document(lineage.model, request.options, title=job.title, level=job.level)
    # Half a surrogate pair, which JSON can hold and UTF-8 cannot, comes back as it was sent.
    return json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode("ascii")
