"""How exports are called when they are downloaded."""

from __future__ import annotations

from typing import NamedTuple

from connector.export import FORMATS
from connector.web.answers import FormatInfo

__all__ = ["FileKind", "file_kind", "offered_formats"]


class FileKind(NamedTuple):
    media_type: str
    extension: str


_KINDS = {
    "csv": FileKind("text/csv", "csv"),
    "dot": FileKind("text/vnd.graphviz", "dot"),
    "graphml": FileKind("application/graphml+xml", "graphml"),
    "html": FileKind("text/html", "html"),
    "json": FileKind("application/json", "json"),
    "mermaid": FileKind("text/vnd.mermaid", "mmd"),
    "openlineage": FileKind("application/x-ndjson", "jsonl"),
    "xml": FileKind("application/xml", "xml"),
}


def file_kind(format: str) -> FileKind:
    """A format that nobody has told us about is text."""
    return _KINDS.get(format, FileKind("text/plain", "txt"))


def offered_formats() -> list[FormatInfo]:
    return [
        FormatInfo(name=name, levels=list(exporter.levels), media_type=kind.media_type, extension=kind.extension)
        for name, exporter in FORMATS.items()
        for kind in (file_kind(name),)
    ]
