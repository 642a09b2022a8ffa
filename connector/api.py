"""The functions people call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from connector.analysis.analyser import analyse_scripts
from connector.analysis.definitions import read_definitions
from connector.errors import ConfigurationError
from connector.lineage import Lineage
from connector.metadata import MetadataLike, MetadataProvider, as_provider, load_metadata
from connector.model import Script
from connector.options import Options
from connector.sql.dialects import get_dialect
from connector.sql.encoding import read_scripts
from connector.sql.identity import literal_mask

__all__ = ["analyze", "analyze_scripts", "read_metadata"]

_DEFAULT = Options()


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
    _require_text("sql", sql, "the text of a script")
    return analyze_scripts(
        [Script(sql)],
        dialect,
        metadata=metadata,
        default_database=default_database,
        default_schema=default_schema,
        cluster=cluster,
        options=options,
    )


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
    options = options or _DEFAULT
    _require_text("dialect", dialect, "the name of a dialect")
    _require_options(options)
    if isinstance(metadata, (str, Path)):
        metadata = read_metadata(metadata, dialect)
    model = analyse_scripts(
        scripts,
        get_dialect(dialect),
        metadata=as_provider(metadata),
        default_database=default_database,
        default_schema=default_schema,
        cluster=cluster,
        options=options,
    )
    return Lineage(model, options, literal_mask(dialect))


def read_metadata(path: Path | str, dialect: str = "ansi") -> MetadataProvider:
    """The columns of tables from a file: JSON (see `connector.metadata`), else DDL scripts, a file or a folder of them."""
    if Path(path).suffix.lower() == ".json":
        return load_metadata(path)
    return read_definitions(read_scripts([path]), get_dialect(dialect))


def _require_text(name: str, value: object, what: str) -> None:
    if not isinstance(value, str):
        hint = "; read the file first: analyze(path.read_text())" if isinstance(value, Path) else ""
        raise ConfigurationError(f"{name} is {what}, not {type(value).__name__}{hint}")


def _require_options(value: object) -> None:
    if not isinstance(value, Options):
        raise ConfigurationError(f"options is a connector.Options such as Options(top_select=True), not {value!r}")
