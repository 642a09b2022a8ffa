"""The analysis request that every caller makes: Python, the command line, `lineage.yaml`, the server or OpenMetadata's plugin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from connector.analysis.analyser import analyse_scripts
from connector.analysis.definitions import read_definitions
from connector.errors import ConfigurationError
from connector.lineage import Lineage
from connector.metadata import (
    MappingMetadata,
    MetadataLike,
    MetadataProvider,
    as_provider,
    load_metadata,
    merge_metadata,
)
from connector.model import Script
from connector.options import Options
from connector.sql.dialects import get_dialect
from connector.sql.encoding import read_scripts
from connector.sql.identity import credential_blank, literal_mask

if TYPE_CHECKING:
    from connector.guard import Limits

__all__ = ["AnalysisRequest", "read_metadata"]


_DEFAULT = Options()


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """A dialect, what is known about tables, how unqualified names are completed, options and limits."""

    dialect: str = "ansi"
    metadata: MetadataLike | Path | str | tuple[Path, ...] | None = None
    """Columns of known tables: a mapping, a provider, or files. Of several files, the first one that knows a table is used."""
    default_database: str | None = None
    default_schema: str | None = None
    cluster: str | None = None
    options: Options = _DEFAULT
    limits: Limits | None = None
    """Limits for a single statement. A statement that exceeds them is skipped and reported as a problem."""

    def __post_init__(self) -> None:
        if not isinstance(self.dialect, str):
            raise ConfigurationError(f"dialect must be the name of a dialect, not {type(self.dialect).__name__}")
        if not isinstance(self.options, Options):
            raise ConfigurationError(
                f"options must be a connector.Options such as Options(top_select=True), not {self.options!r}"
            )

    def analyze(self, scripts: Sequence[Script]) -> Lineage:
        """The lineage of scripts as one model, read in order."""
        if self.limits is not None:
            from connector.request.guarded import analyze_within  # processes and pipes

            return analyze_within(self, scripts, self.limits)
        model = analyse_scripts(
            scripts,
            get_dialect(self.dialect),
            metadata=self.provider(),
            default_database=self.default_database,
            default_schema=self.default_schema,
            cluster=self.cluster,
            options=self.options,
        )
        return Lineage(model, self.options, literal_mask(self.dialect), credential_blank(self.dialect))

    def provider(self) -> MetadataProvider | None:
        """The metadata in the form that the analysis uses; files are read."""
        if isinstance(self.metadata, (str, Path, tuple)):
            return merge_metadata(self.read_files())
        return as_provider(self.metadata)

    def read_files(self) -> list[MappingMetadata]:
        """The content of each metadata file."""
        if isinstance(self.metadata, tuple):
            return [read_metadata(path, self.dialect) for path in self.metadata]
        return [read_metadata(self.metadata, self.dialect)] if isinstance(self.metadata, (str, Path)) else []

    def with_columns(self, known: Mapping[str, Iterable[str]]) -> AnalysisRequest:
        """The same request with the columns of further tables, used where its own metadata does not know a table."""
        further = as_provider({table: list(columns) for table, columns in known.items()})
        providers = [provider for provider in (self.provider(), further) if provider is not None]
        return replace(self, metadata=merge_metadata(providers))


def read_metadata(path: Path | str, dialect: str = "ansi") -> MappingMetadata:
    """Reads the columns of tables from a file: JSON (see `connector.metadata`), or DDL scripts, a file or a folder of them."""
    if Path(path).suffix.lower() == ".json":
        return load_metadata(path)
    return read_definitions(read_scripts([path]), get_dialect(dialect))
