"""What a source yields: statements with what is known about their runs, as Python objects and as rows of a table.

Both forms have the same fields in the same order, so that the readers with and without Spark can be compared, and so that a row
can be converted by Arrow in either direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from connector.metadata import MappingMetadata, TableInfo

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql.types import StructType

    from connector.sources.models import SourceBase

Kind = Literal["script", "query", "view", "routine"]
"""`script`: a text of any number of statements; `query`: a row of a log; `view` and `routine`: a definition."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """Defaults for statements that do not specify these values: the settings of the job."""

    dialect: str = "ansi"
    cluster: str | None = None
    database: str | None = None
    schema: str | None = None

    def under(self, source: SourceBase, dialect: str | None = None) -> Defaults:
        """What holds in a source: what its settings say, the dialect that it knows itself, and these values."""
        return Defaults(
            source.dialect or dialect or self.dialect,
            source.cluster or self.cluster,
            source.default_database or self.database,
            source.default_schema or self.schema,
        )


@dataclass(frozen=True, slots=True)
class SourceStatement:
    """A statement, or a whole script, with its origin."""

    text: str
    dialect: str
    kind: Kind = "script"
    origin: str = ""
    """The file inside the source, the log or the database object; for messages and for the name of a script."""
    first_line: int = 1
    """The line of the file on which the text begins."""
    database: str | None = None
    schema: str | None = None
    """Where unqualified names are resolved."""
    user: str | None = None
    started_at: datetime | None = None
    """In UTC, with the time zone set."""
    duration_ms: int | None = None
    run_id: str | None = None
    """The log's own id of this run of the statement."""
    session_id: str | None = None
    sequence: int = 0
    """The order among the scripts of a source, or among the rows of a session that started at the same time."""
    cluster: str | None = None
    source: str = ""
    """Name of the source in the settings."""
    truncated: bool = False
    """The log has truncated the text."""


FIELDS = tuple(field.name for field in fields(SourceStatement))


def arrow_schema() -> pyarrow.Schema:
    """The fields as columns."""
    import pyarrow as pa

    text = pa.string()
    return pa.schema(
        [
            pa.field("text", text, nullable=False),
            pa.field("dialect", text, nullable=False),
            pa.field("kind", text, nullable=False),
            pa.field("origin", text, nullable=False),
            pa.field("first_line", pa.int64(), nullable=False),
            pa.field("database", text),
            pa.field("schema", text),
            pa.field("user", text),
            pa.field("started_at", pa.timestamp("us", tz="UTC")),
            pa.field("duration_ms", pa.int64()),
            pa.field("run_id", text),
            pa.field("session_id", text),
            pa.field("sequence", pa.int64(), nullable=False),
            pa.field("cluster", text),
            pa.field("source", text, nullable=False),
            pa.field("truncated", pa.bool_(), nullable=False),
        ]
    )


def spark_schema() -> StructType:
    """The same for Spark, which is an optional dependency and slow to import."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(arrow_schema())


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table or a view with its columns in order."""

    database: str | None
    schema: str | None
    name: str
    columns: tuple[str, ...]
    view: bool = False
    types: tuple[str | None, ...] = ()
    """Of the columns, in the same order; empty where nothing is known of them."""


def metadata_of(tables: Iterable[TableColumns]) -> MappingMetadata:
    """A metadata provider for the analyser."""
    return MappingMetadata(
        ([table.database or "", table.schema or "", table.name], TableInfo(table.columns, table.view, table.types))
        for table in tables
    )


@dataclass(slots=True)
class Tally:
    """The counts of one read."""

    read: int = 0
    """Statements that were read."""
    truncated: int = 0
    """Among them: texts that the log has truncated."""
    failed: int = 0
    """Rows of failed queries, or that the settings exclude."""
    hidden: int = 0
    """Rows whose text the log does not show."""
    empty: int = 0
    """Rows without a text."""
    unreadable: int = 0
    """Malformed lines."""
    old: int = 0
    """Rows from before the requested time."""

    @property
    def passed_over(self) -> int:
        """Rows that are no statement to analyse. Those that were read before, and malformed ones, are not among them."""
        return self.failed + self.hidden + self.empty

    @classmethod
    def of(cls, counts: Mapping[str, Any]) -> Tally:
        """Creates a tally from a mapping, such as the metrics of a Spark observation."""
        return cls(**{field.name: int(counts.get(field.name) or 0) for field in fields(cls)})
