"""The Python API."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from connector.errors import ConfigurationError
from connector.lineage import Lineage
from connector.metadata import MetadataLike
from connector.model import Script
from connector.options import Options
from connector.request import AnalysisRequest, read_metadata

__all__ = ["analyze", "analyze_scripts", "read_metadata"]

_DEFAULT = AnalysisRequest().options
"""Made once: for a short statement, making the options is a part of the work."""


def analyze(
    sql: str,
    dialect: str = "ansi",
    metadata: MetadataLike | Path | str | None = None,
    default_database: str | None = None,
    default_schema: str | None = None,
    cluster: str | None = None,
    options: Options | None = None,
) -> Lineage:
    """The lineage of a SQL script.

    Bad SQL does not raise: see `Lineage.problems`. `metadata` gives the columns of tables that the script does not
    create itself: ``{"schema.table": ["a", "b"]}``, a provider, or the path of a file that `read_metadata` reads.
    """
    _require_text(sql)
    return analyze_scripts([Script(sql)], dialect, metadata, default_database, default_schema, cluster, options)


def analyze_scripts(
    scripts: Sequence[Script],
    dialect: str = "ansi",
    metadata: MetadataLike | Path | str | None = None,
    default_database: str | None = None,
    default_schema: str | None = None,
    cluster: str | None = None,
    options: Options | None = None,
) -> Lineage:
    """The lineage of several scripts as one model, read in order."""
    given = _DEFAULT if options is None else options
    return AnalysisRequest(dialect, metadata, default_database, default_schema, cluster, given).analyze(scripts)


def _require_text(sql: object) -> None:
    if not isinstance(sql, str):
        hint = "; read the file first: analyze(path.read_text())" if isinstance(sql, Path) else ""
        raise ConfigurationError(f"sql must be the text of a script, not {type(sql).__name__}{hint}")
