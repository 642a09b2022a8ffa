"""The settings of a source: the entries of `sources:` in lineage.yaml."""

from __future__ import annotations

import codecs
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    field_validator,
    model_validator,
)

from connector.errors import ConfigurationError, UnknownDialectError
from connector.sources.addresses import safe_url
from connector.sources.layout import LogLayout
from connector.sql.dialects import get_dialect, supported_dialects

__all__ = [
    "DatabaseSource",
    "DbtSource",
    "FilesSource",
    "LogFormat",
    "LogSource",
    "Source",
    "SourceBase",
    "dialect_name",
]

LogFormat: TypeAlias = Literal["auto", "csv", "jsonl", "json", "parquet", "orc", "delta"]


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, (str, Path)) else value


def _not_empty(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value:
        raise ValueError("give at least one")
    return value


OneOrMore: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_as_tuple), AfterValidator(_not_empty)]


def _encoding(value: str) -> str:
    try:
        codecs.lookup(value)
    except LookupError:
        raise ValueError(f"there is no encoding {value!r}") from None
    return value


def dialect_name(value: str) -> str:
    """The canonical name of a dialect; for the models of settings, so that a mistake is one of theirs."""
    try:
        return get_dialect(value).name
    except UnknownDialectError as error:
        near = get_close_matches(value.lower(), supported_dialects(), n=1)
        raise ValueError(f"there is no dialect {value!r}; did you mean {near[0]}?" if near else str(error)) from None


class SourceBase(BaseModel):
    """What all sources have."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: str = ""
    """Name of the source, unique in its job; made from its path or address when left out."""
    dialect: str | None = None
    """SQL dialect of the statements; without it the source's own knowledge decides (preset, dbt adapter, kind of
    database), and after it the job's dialect."""
    cluster: str | None = None
    """Cluster (data source) of the objects; the job's when left out."""
    default_database: str | None = None
    """Database of names without one, where the source does not say it; the job's when left out."""
    default_schema: str | None = None
    """Schema of names without one, where the source does not say it; the job's when left out."""

    @field_validator("dialect")
    @classmethod
    def _known_dialect(cls, value: str | None) -> str | None:
        return dialect_name(value) if value is not None else None

    @property
    def place(self) -> str:
        """Where it is, for messages and as a name; never with a password."""
        raise NotImplementedError


class FilesSource(SourceBase):
    """SQL files, folders, globs and zip archives."""

    type: Literal["files"] = "files"
    """The kind of source; left out where it stands as a key itself."""
    paths: OneOrMore
    """Files, folders (read with what is below them), globs such as ``sql/**/*.sql``, or zip archives."""
    exclude: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """Globs of files to leave out, matched against the path inside the source."""
    encoding: str | None = None
    """Encoding of the files; found out for each file when left out."""

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str | None) -> str | None:
        return _encoding(value) if value is not None else None

    @property
    def place(self) -> str:
        return ", ".join(self.paths)


class DbtSource(SourceBase):
    """The models, seeds and snapshots of a dbt project."""

    type: Literal["dbt"] = "dbt"
    """The kind of source; left out where it stands as a key itself."""
    manifest: str
    """``target/manifest.json`` of the project, or the project's folder."""
    exclude: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """Globs of models to leave out, matched against their unique ids (``model.shop.stg_*``) and names."""

    @property
    def place(self) -> str:
        return self.manifest


class LogSource(SourceBase, LogLayout):
    """A query log: files, a table that Spark knows, or a database."""

    type: Literal["log"] = "log"
    """The kind of source; left out where it stands as a key itself."""
    paths: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """Files, folders or globs, local or of any file system that Spark reads (``s3a://…``, ``hdfs://…``)."""
    table: str | None = None
    """A table: of the database at `url`, else of Spark's catalog (Hive, Delta, Iceberg, …)."""
    query: str | None = None
    """A query instead of a table; without both a preset's own query is asked of the database at `url`."""
    url: str | None = Field(default=None, repr=False)
    """A database: ``postgresql://…`` as SQLAlchemy writes it, or ``jdbc:…``, which Spark reads with a JDBC driver."""
    user: str | None = None
    """User name, where the address does not hold it."""
    password: SecretStr | None = None
    """Password, where the address does not hold it: ``${env:…}`` or ``${file:…}``."""
    format: LogFormat = "auto"
    """Format of the files; found out from their names when left out."""
    preset: str | None = None
    """A ready layout: snowflake, bigquery, redshift_stl, redshift_sys, teradata, sqlserver, postgresql, hive, impala,
    trino, databricks, oracle. What is said beside it counts more."""
    texts: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """A second export with the text in pieces, where the vendor keeps it in a table of its own (STL_QUERYTEXT,
    SYS_QUERY_TEXT, DBQLSqlTbl, V$SQLTEXT)."""
    delimiter: str = Field(default=",", min_length=1, max_length=1)
    """CSV: what stands between two fields."""
    quote: str = Field(default='"', min_length=1, max_length=1)
    """CSV: what stands around a field; written twice inside one, unless `escape` says otherwise."""
    escape: str | None = Field(default=None, min_length=1, max_length=1)
    """CSV: the character before a quote inside a field."""
    header: tuple[str, ...] = ()
    """CSV: names of the columns, for a file without a first line that names them."""
    encoding: str = "utf-8"
    """CSV and JSON: encoding of the files."""
    lookback_hours: float = Field(default=24, ge=0)
    """How far before the latest row that is known a log outside of local files is read again: for rows that come late, and
    for sessions that go on."""
    reader_options: dict[str, str] = Field(default_factory=dict)
    """Further options for Spark's reader (``fetchsize``, ``partitionColumn``, ``driver``, …)."""

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str) -> str:
        return _encoding(value)

    @field_validator("preset")
    @classmethod
    def _known_preset(cls, value: str | None) -> str | None:
        # The presets are layouts themselves and know this module.
        from connector.sources.logs.presets import load_preset

        if value is not None:
            try:
                load_preset(value)
            except ConfigurationError as error:
                raise ValueError(str(error)) from None
        return value

    @property
    def place(self) -> str:
        if self.paths:
            return ", ".join(self.paths)
        address = safe_url(self.url) if self.url else ""
        return " ".join(part for part in (address, self.table or ("" if self.url else self.query)) if part)

    @model_validator(mode="after")
    def _one_place(self) -> LogSource:
        places = [name for name in ("paths", "table", "query", "url") if getattr(self, name)]
        if not places:
            raise ValueError("say where the log is: log (a file), table, query or url")
        if self.paths and len(places) > 1:
            raise ValueError(f"a log is in files or in a database, not in both: {' and '.join(places)}")
        if self.table and self.query:
            raise ValueError("give a table or a query, not both")
        return self


class DatabaseSource(SourceBase):
    """The views and routines of a live database, and the columns of its tables."""

    type: Literal["database"] = "database"
    """The kind of source; left out where it stands as a key itself."""
    url: str = Field(repr=False)
    """Address as SQLAlchemy writes it: ``postgresql://user:${env:PASSWORD}@host/database``."""
    user: str | None = None
    """User name, where the address does not hold it."""
    password: SecretStr | None = None
    """Password, where the address does not hold it: ``${env:…}`` or ``${file:…}``."""
    schemas: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """Globs of schemas to read; all but the system's own when left out."""
    exclude: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)] = ()
    """Globs of objects to leave out, matched against ``schema.name``."""
    views: bool = True
    """Read the definitions of views and materialized views."""
    routines: bool = True
    """Read the definitions of functions, procedures and triggers."""
    columns: bool = True
    """Use the columns of tables and views as metadata of the analysis."""

    @property
    def place(self) -> str:
        return safe_url(self.url)


Source: TypeAlias = FilesSource | DbtSource | LogSource | DatabaseSource
