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

from connector.addresses import safe_url
from connector.errors import ConfigurationError, UnknownDialectError
from connector.sources.logs.layout import LogLayout, load_preset
from connector.sql.dialects import get_dialect, supported_dialects

LogFormat: TypeAlias = Literal["auto", "csv", "jsonl", "json", "parquet", "orc", "delta"]


def as_tuple(value: object) -> object:
    """Accepts a single text or path instead of a list."""
    return (value,) if isinstance(value, (str, Path)) else value


def _not_empty(value: tuple[str, ...]) -> tuple[str, ...]:
    if not value:
        raise ValueError("at least one value is required")
    return value


OneOrMore: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(as_tuple), AfterValidator(_not_empty)]


def _encoding(value: str) -> str:
    try:
        codecs.lookup(value)
    except LookupError:
        raise ValueError(f"unknown encoding {value!r}") from None
    return value


def dialect_name(value: str) -> str:
    """The canonical name of a dialect. Raises ValueError, so that pydantic reports an unknown name with its location."""
    try:
        return get_dialect(value).name
    except UnknownDialectError as error:
        near = get_close_matches(value.lower(), supported_dialects(), n=1)
        raise ValueError(f"unknown dialect {value!r}; did you mean {near[0]}?" if near else str(error)) from None


class SourceBase(BaseModel):
    """The settings that all sources share."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: str = ""
    """Name of the source, unique within its job; derived from its path or address by default."""
    dialect: str | None = None
    """SQL dialect of the statements. Defaults to what the source itself knows (preset, dbt adapter, type of database), then to
    the job's dialect."""
    cluster: str | None = None
    """Cluster (data source) of the objects; defaults to the job's."""
    default_database: str | None = None
    """Database of unqualified names, unless the source specifies it; defaults to the job's."""
    default_schema: str | None = None
    """Schema of unqualified names, unless the source specifies it; defaults to the job's."""

    @field_validator("dialect")
    @classmethod
    def _known_dialect(cls, value: str | None) -> str | None:
        return dialect_name(value) if value is not None else None

    @property
    def place(self) -> str:
        """Its location, for messages and as its default name; never contains a password."""
        raise NotImplementedError

    @property
    def label(self) -> str:
        """Its name; a source outside of a job may have none."""
        return self.name or self.place


class FilesSource(SourceBase):
    """SQL files, folders, globs and zip archives."""

    type: Literal["files"] = "files"
    """The type of source; omit it if the type itself is used as a key."""
    paths: OneOrMore
    """Files, folders (searched recursively), globs such as ``sql/**/*.sql``, or zip archives, either local or at an
    address: ``s3://…``, ``hdfs://…``, ``gs://…``, ``abfs://…``."""
    options: dict[str, str] = Field(default_factory=dict, repr=False)
    """How to reach an address, named as in the store's options: ``AWS_ENDPOINT_URL``, ``AWS_REGION`` and the like. Secrets are
    written as ``${env:NAME}``."""
    exclude: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """Globs of files to exclude, matched against the path inside the source."""
    encoding: str | None = None
    """Encoding of the files; detected for each file by default."""

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
    """The type of source; omit it if the type itself is used as a key."""
    manifest: str
    """The project's ``target/manifest.json``, or the folder of the project."""
    exclude: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """Globs of models to exclude, matched against their unique ids (``model.shop.stg_*``) and names."""

    @property
    def place(self) -> str:
        return self.manifest


class LogSource(SourceBase, LogLayout):
    """A query log: files, a table that Spark knows, or a database."""

    type: Literal["log"] = "log"
    """The type of source; omit it if the type itself is used as a key."""
    paths: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """Files, folders or globs: local, at an ``s3://…`` address, or in any file system that Spark supports
    (``hdfs://…``, ``s3a://…``)."""
    options: dict[str, str] = Field(default_factory=dict, repr=False)
    """How to reach an ``s3://…`` address: ``AWS_ENDPOINT_URL``, ``AWS_REGION`` and the like. Secrets are written as
    ``${env:NAME}``."""
    table: str | None = None
    """A table in the database at `url`, or in Spark's catalog (Hive, Delta, Iceberg, …)."""
    query: str | None = None
    """A query instead of a table. Without either, the query of the preset runs on the database at `url`."""
    url: str | None = Field(default=None, repr=False)
    """A database: an SQLAlchemy URL such as ``postgresql://…``, or ``jdbc:…``, which Spark reads with a JDBC driver."""
    user: str | None = None
    """User name, if the address does not contain it."""
    password: SecretStr | None = None
    """Password, if the address does not contain it: ``${env:…}`` or ``${file:…}``."""
    format: LogFormat = "auto"
    """Format of the files; derived from their names by default."""
    preset: str | None = None
    """A predefined layout: snowflake, bigquery, redshift_stl, redshift_sys, teradata, sqlserver, postgresql, hive, impala,
    trino, databricks, oracle. Other settings take precedence over it."""
    texts: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """A second export with the text in pieces, if the vendor keeps it in a separate table (STL_QUERYTEXT,
    SYS_QUERY_TEXT, DBQLSqlTbl, V$SQLTEXT)."""
    delimiter: str = Field(default=",", min_length=1, max_length=1)
    """CSV: the character between two fields."""
    quote: str = Field(default='"', min_length=1, max_length=1)
    """CSV: the character around a field; doubled inside a field unless `escape` is set."""
    escape: str | None = Field(default=None, min_length=1, max_length=1)
    """CSV: the character before a quote inside a field."""
    header: tuple[str, ...] = ()
    """CSV: names of the columns, for files without a header line."""
    encoding: str = "utf-8"
    """CSV and JSON: encoding of the files."""
    lookback_hours: float = Field(default=24, ge=0)
    """For logs other than local files: how many hours before the latest known row to read again, for rows that arrive late and
    for sessions that continue."""
    reader_options: dict[str, str] = Field(default_factory=dict)
    """Additional options for Spark's reader (``fetchsize``, ``partitionColumn``, ``driver``, …)."""

    @field_validator("encoding")
    @classmethod
    def _known_encoding(cls, value: str) -> str:
        return _encoding(value)

    @field_validator("preset")
    @classmethod
    def _known_preset(cls, value: str | None) -> str | None:
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
            raise ValueError("set the location of the log: log (a file), table, query or url")
        if self.paths and len(places) > 1:
            raise ValueError(
                f"a log is read either from files or from a database, but {' and '.join(places)} are both set"
            )
        if self.table and self.query:
            raise ValueError("set either table or query, not both")
        return self


class DatabaseSource(SourceBase):
    """The views and routines of a live database, and the columns of its tables."""

    type: Literal["database"] = "database"
    """The type of source; omit it if the type itself is used as a key."""
    url: str = Field(repr=False)
    """SQLAlchemy URL: ``postgresql://user:${env:PASSWORD}@host/database``."""
    user: str | None = None
    """User name, if the address does not contain it."""
    password: SecretStr | None = None
    """Password, if the address does not contain it: ``${env:…}`` or ``${file:…}``."""
    schemas: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """Globs of schemas to read; by default all except system schemas."""
    exclude: Annotated[tuple[str, ...], BeforeValidator(as_tuple)] = ()
    """Globs of objects to exclude, matched against ``schema.name``."""
    views: bool = True
    """Read the definitions of views and materialized views."""
    routines: bool = True
    """Read the definitions of functions, procedures and triggers."""
    columns: bool = True
    """Use the columns of tables and views as metadata for the analysis."""

    @property
    def place(self) -> str:
        return safe_url(self.url)


Source: TypeAlias = FilesSource | DbtSource | LogSource | DatabaseSource
