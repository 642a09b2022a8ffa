"""Short forms of a section: ``- files: sql/`` for a source, ``store: lineage.db`` for a store."""

from __future__ import annotations

from typing import Any

from connector.sources.addresses import is_database

__all__ = ["SHORT_SOURCES", "complete_source", "complete_store"]

SHORT_SOURCES = {"files": "paths", "dbt": "manifest", "log": "paths", "database": "url"}
"""The type of a source as a key, and the field that its value belongs to."""


def complete_source(value: Any) -> Any:
    """``{"files": "sql/"}`` in full: ``{"type": "files", "paths": "sql/"}``."""
    if not isinstance(value, dict) or "type" in value:
        return value
    for type_, field in SHORT_SOURCES.items():
        if type_ in value and field not in value:
            rest = {key: inner for key, inner in value.items() if key != type_}
            place = value[type_]
            if type_ == "log" and isinstance(place, str) and is_database(place):
                field = "url"
            return {"type": type_, field: place, **rest}
    if any(key in value for key in ("table", "query", "preset")):
        return {"type": "log", **value}
    return value


def complete_store(value: Any) -> Any:
    """Expands a file name or a URL to a section."""
    return {"url": value} if isinstance(value, str) else value
