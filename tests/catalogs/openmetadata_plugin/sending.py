"""Short words for what most tests do: read a script, write its lineage, look at an edge."""

from __future__ import annotations

from typing import Any

from connector import analyze
from connector.catalogs.openmetadata import OpenMetadataSettings, push
from connector.catalogs.summary import Summary
from connector.lineage import Lineage

__all__ = ["entries", "read", "send"]


def read(sql: str, dialect: str = "postgres", **more: Any) -> Lineage:
    return analyze(sql, dialect, default_database="shop", default_schema="public", **more)


def send(sql: str, settings: OpenMetadataSettings, source: str = "tests", **more: Any) -> Summary:
    return push([read(sql)], settings, source=source, **more)


def entries(details: dict[str, Any]) -> dict[str, tuple[list[str], str | None]]:
    """The columns of an edge: by target, the sources and the function."""
    return {
        entry["toColumn"].rpartition(".")[2]: (
            sorted(name.rpartition(".")[2] for name in entry["fromColumns"]),
            entry.get("function"),
        )
        for entry in details["columnsLineage"]
    }
