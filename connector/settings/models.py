"""The models of lineage.yaml: what a job reads, how it runs, and where its results go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetPydanticSchema,
    Tag,
    field_validator,
    model_validator,
)
from pydantic.dataclasses import dataclass
from pydantic_core import CoreSchema, core_schema

from connector.catalogs import catalog_names, load_catalog
from connector.catalogs.catalog import DeliverySettings
from connector.errors import ConfigurationError
from connector.options import Options
from connector.sources.addresses import is_database
from connector.sources.models import DatabaseSource, DbtSource, FilesSource, LogSource, Source, as_tuple, dialect_name
from connector.sources.record import Defaults

if TYPE_CHECKING:
    from connector.request import AnalysisRequest


def _load_models() -> tuple[dict[str, type[DeliverySettings]], dict[str, str]]:
    """The settings of the catalogs whose libraries are installed, and what to install for the others."""
    models: dict[str, type[DeliverySettings]] = {}
    missing: dict[str, str] = {}
    for name in catalog_names():
        try:
            models[name] = load_catalog(name).settings_class
        except ConfigurationError as error:
            missing[name] = str(error)
    if not models:
        raise ConfigurationError(next(iter(missing.values())))
    return models, missing


_MODELS, _MISSING = _load_models()


def catalog_models() -> dict[str, type[DeliverySettings]]:
    """The settings of each available catalog, by its type."""
    return dict(_MODELS)


def _installed(value: Any) -> Any:
    kind = value.get("type") if isinstance(value, dict) else None
    if kind in _MISSING:
        raise ValueError(_MISSING[kind])
    return value


if TYPE_CHECKING:
    Catalog: TypeAlias = DeliverySettings
else:
    Catalog = Annotated[
        Annotated[reduce(or_, _MODELS.values()), Field(discriminator="type")], BeforeValidator(_installed)
    ]


# --- short forms of a section: ``- files: sql/`` for a source, ``store: lineage.db`` for a store ------------------------

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


# --- the options of the analysis: names, defaults and explanations are those of `connector.options.Options` ------------

_Checked = dataclass(Options, config=ConfigDict(extra="forbid"), frozen=True)
"""The same class with pydantic's validation. It never leaves this module: a worker could not unpickle it."""


def _readable(value: Any) -> Any:
    return asdict(value) if isinstance(value, Options) else value


def _plain(value: Options) -> Options:
    return Options(**asdict(value))


def _schema(_source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    checked = core_schema.no_info_before_validator_function(_readable, handler(_Checked))
    return core_schema.no_info_after_validator_function(_plain, checked)


OptionsField: TypeAlias = Annotated[Options, GetPydanticSchema(_schema)]


# --- the sections -------------------------------------------------------------------------------------------------------


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


TABLE_SCHEMES = ("file", "s3", "s3a", "hdfs", "viewfs", "gs", "abfs", "abfss", "az", "adl")
"""The supported schemes for the address of tables."""


def as_text(value: Any) -> Any:
    """Converts option values to text; YAML parses ``true`` and ``4`` as booleans and numbers."""
    if not isinstance(value, dict):
        return value
    return {
        key: str(inner).lower() if isinstance(inner, bool) else str(inner) if isinstance(inner, (int, float)) else inner
        for key, inner in value.items()
    }


class StoreSettings(_Section):
    """Where results are kept."""

    url: str = Field(default="lineage.db", repr=False)
    """The store to query: a SQLite file, or ``postgresql://user:${env:PASSWORD}@host/database``."""
    tables: str | None = None
    """Where the tables of the pipeline are kept: a folder, or an address such as ``s3://bucket/lineage``,
    ``hdfs://namenode:8020/lineage``, ``gs://…`` or ``abfs://…``. Defaults to a folder next to the store's file."""
    options: dict[str, str] = Field(default_factory=dict, repr=False)
    """How to reach that address, as deltalake names it: ``AWS_ENDPOINT_URL``, ``AWS_REGION``, ``AWS_ACCESS_KEY_ID`` and the
    like. Secrets are written as ``${env:NAME}``."""
    compact_files: int = Field(default=100, ge=0)
    """Number of files of a table above which a run combines small ones; 0 to never do so."""
    keep_days: int = Field(default=7, ge=1)
    """Days for which replaced files and older versions of the tables are kept, for readers that still use them."""

    @field_validator("options", mode="before")
    @classmethod
    def _option_text(cls, value: Any) -> Any:
        return as_text(value)

    @field_validator("tables")
    @classmethod
    def _known_scheme(cls, value: str | None) -> str | None:
        scheme, mark, _ = (value or "").partition("://")
        if mark and scheme.lower() not in TABLE_SCHEMES:
            known = ", ".join(f"{each}://" for each in TABLE_SCHEMES)
            raise ValueError(f"tables cannot be kept at {scheme}:// addresses; use a folder or one of {known}")
        return value


class GuardSettings(_Section):
    """Limits for a single statement. A statement that exceeds them is stopped and reported."""

    seconds: float = Field(default=30.0, gt=0)
    """Time limit in seconds."""
    memory_mb: int = Field(default=500, ge=50)
    """Memory limit in MB."""


class SparkSettings(_Section):
    """Where and how Spark runs. Under spark-submit, the existing session is used."""

    master: str | None = None
    """``local[2]``, ``spark://host:7077``, ``yarn``, ``k8s://…``; defaults to ``local[*]``."""
    remote: str | None = None
    """A Spark Connect server, ``sc://host:15002``, instead of a master."""
    partitions: int | None = Field(default=None, ge=1)
    """Number of partitions for the analysis; by default it depends on the size of the input."""
    environment: Path | None = None
    """An archive made by `lineage-connector pack`. It is sent to executors whose Python lacks the connector."""
    conf: dict[str, str] = Field(default_factory=dict)
    """Spark's own settings."""

    @field_validator("conf", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return as_text(value)

    @model_validator(mode="after")
    def _one_place(self) -> SparkSettings:
        if self.master and self.remote:
            raise ValueError("set either master or remote, not both")
        return self


def _source_type(value: Any) -> str | None:
    return value.get("type") if isinstance(value, dict) else getattr(value, "type", None)


AnySource: TypeAlias = Annotated[
    Annotated[FilesSource, Tag("files")]
    | Annotated[DbtSource, Tag("dbt")]
    | Annotated[LogSource, Tag("log")]
    | Annotated[DatabaseSource, Tag("database")],
    Discriminator(
        _source_type,
        custom_error_type="source_type",
        custom_error_message="a source needs a type: files, dbt, log or database",
    ),
    BeforeValidator(complete_source),
]


class Job(_Section):
    """A job: its sources, how to read them, and where the results go."""

    name: str = "lineage"
    """Name of the job. Used in reports and, by default, as the source name in catalogs."""
    dialect: str = "ansi"
    """SQL dialect of sources that neither set nor know their own."""
    cluster: str | None = None
    """Cluster (data source): the part of qualified names after the @. The default depends on the dialect."""
    default_database: str | None = None
    """Database of unqualified names."""
    default_schema: str | None = None
    """Schema of unqualified names."""
    metadata: Annotated[tuple[Path, ...], BeforeValidator(as_tuple)] = ()
    """Files with the columns of known tables: JSON, or DDL scripts."""
    sources: tuple[AnySource, ...]
    """Where statements come from."""
    options: OptionsField = Options()
    """Options of the analysis and of its output, named like the command-line flags."""
    store: Annotated[StoreSettings, BeforeValidator(complete_store)] = StoreSettings()
    """Where results are kept; a file name or URL on its own sets url."""
    catalogs: tuple[Catalog, ...] = ()
    """Where lineage is sent."""
    guard: GuardSettings = GuardSettings()
    """Limits for a single statement. A statement that exceeds them is stopped and reported."""
    spark: SparkSettings = SparkSettings()
    """Where and how Spark runs."""
    html: Path | None = None
    """File for the interactive lineage page."""
    report: Path | None = None
    """File for the report of the run, in JSON."""
    prometheus: Path | None = None
    """File for the metrics of the run, in the Prometheus text format."""

    @field_validator("dialect")
    @classmethod
    def _known_dialect(cls, value: str) -> str:
        return dialect_name(value)

    @field_validator("sources")
    @classmethod
    def _sources(cls, sources: tuple[Source, ...]) -> tuple[Source, ...]:
        if not sources:
            raise ValueError("at least one source is required")
        return _named(sources)

    @property
    def request(self) -> AnalysisRequest:
        """How the statements of the job are analysed."""
        from connector.guard import Limits
        from connector.request import AnalysisRequest  # the analyser, which a check of the settings does not need

        return AnalysisRequest(
            self.dialect,
            self.metadata,
            self.default_database,
            self.default_schema,
            self.cluster,
            self.options,
            Limits(self.guard.seconds, self.guard.memory_mb),
        )

    @property
    def defaults(self) -> Defaults:
        """The values for sources that do not set their own."""
        return Defaults(self.dialect, self.cluster, self.default_database, self.default_schema)

    @property
    def tables(self) -> str:
        """The folder or address of the pipeline's tables."""
        if self.store.tables is not None:
            return self.store.tables.removeprefix("file://")
        if "://" in self.store.url:
            return re.sub(r"[^\w.-]+", "_", f"{self.name}-tables")
        store = Path(self.store.url)
        return str(store.with_name(f"{store.stem}-tables"))


class Settings(_Section):
    """The content of a settings file."""

    jobs: tuple[Job, ...] = Field(min_length=1)
    file: Path | None = None
    """The file that the settings were read from."""

    def job(self, name: str) -> Job:
        """Returns the job with this name."""
        for job in self.jobs:
            if job.name == name:
                return job
        where = f"{self.file}: " if self.file else ""
        raise ConfigurationError(
            f"{where}unknown job {name!r}; the file defines {', '.join(job.name for job in self.jobs)}"
        )


def _named(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Gives every source a unique name."""
    taken = {source.name for source in sources if source.name}
    if len(taken) < sum(1 for source in sources if source.name):
        names = [source.name for source in sources if source.name]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"source names must be unique; used more than once: {', '.join(twice)}")
    named = []
    for source in sources:
        if source.name:
            named.append(source)
            continue
        base = name = source.place
        number = 2
        while name in taken:
            name = f"{base} ({number})"
            number += 1
        taken.add(name)
        named.append(source.model_copy(update={"name": name}))
    return tuple(named)
