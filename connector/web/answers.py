"""The models of requests and responses, from which the OpenAPI description is generated."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from connector.options import Options, explain_options
from connector.web.refusal import Code


class _Answer(BaseModel):
    """Python's names inside, JavaScript's names outside."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, use_attribute_docstrings=True
    )


class Problem(_Answer):
    """Why a request was not answered."""

    detail: str
    """A sentence for people."""
    code: Code
    """The kind of refusal, for programs."""
    candidates: list[str] | None = None
    """What may have been meant by an ambiguous name."""
    login: str | None = None
    """Where to log in."""


# --- analysis ---------------------------------------------------------------------------------------------------------


def _analysis_options() -> type[BaseModel]:
    """The fields of `Options` that make sense here; colours are for terminals."""
    types, explained = get_type_hints(Options), explain_options()
    described: dict[str, Any] = {
        option.name: (types[option.name], Field(option.default, description=explained[option.name]))
        for option in fields(Options)
        if option.name != "color"
    }
    return create_model("AnalysisOptions", __config__=ConfigDict(extra="forbid"), **described)


if TYPE_CHECKING:
    AnalysisOptions = BaseModel
else:
    AnalysisOptions = _analysis_options()


class AnalysisRequest(BaseModel):
    """A script, and how to read it."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    sql: str
    """The script."""
    dialect: str = "ansi"
    """The dialect it is written in; `GET /api/info` lists them."""
    metadata: dict[str, Any] | None = None
    """Columns of known tables, `{"schema.table": ["a", "b"]}`."""
    default_database: str | None = None
    """The database of names that do not have one."""
    default_schema: str | None = None
    """The schema of names that do not have one."""
    cluster: str | None = None
    """The cluster or server that qualified names end with."""
    options: AnalysisOptions | None = None
    """What to analyse and show; the defaults are those of the command line."""
    title: Annotated[str, Field(max_length=200)] | None = None
    """What the page calls it."""
    level: Literal["complete", "column", "table"] | None = None
    """The level that the page opens with, or that an export shows."""


class ExportRequest(AnalysisRequest):
    """A script, how to read it, and which level to write."""


class PageDocument(BaseModel):
    """What the page draws: entities with columns, statements, and relations on each level."""

    model_config = ConfigDict(extra="allow", use_attribute_docstrings=True)

    version: int
    """The version of this form."""
    title: str
    """What the page calls it."""
    opens: dict[str, Any]
    """The level and the switches that the page opens with."""
    scripts: list[dict[str, Any]]
    """Names and texts of the scripts."""
    entities: list[dict[str, Any]]
    """Tables, views, results, variables, paths and stages, with their columns."""
    processes: list[dict[str, Any]]
    """The statements."""
    levels: dict[str, list[list[Any]]]
    """Relations as arrays; `column` is type, source, target, effect, clause, process, count, join type, condition,
    approximate, transformation, expression."""
    problems: list[dict[str, Any]]
    """What could not be read, with its place."""
    truncated: bool = False
    """Whether there is more than this."""


# --- the server itself --------------------------------------------------------------------------------------------------


class FormatInfo(_Answer):
    name: str
    """Its name in `POST /api/export/{format}`."""
    levels: list[str]
    """The levels it can show."""
    media_type: str
    """The media type of its files."""
    extension: str
    """The ending of its files."""


class LimitsInfo(_Answer):
    max_size: int
    """Bytes of a request."""
    seconds: float
    """Seconds that an analysis may take."""
    memory_mb: int
    """Megabytes that an analysis may use."""
    per_minute: int
    """Requests of one client in a minute."""


class Info(_Answer):
    version: str
    """The version of lineage-connector."""
    dialects: list[str]
    """The SQL dialects that can be read."""
    formats: list[FormatInfo]
    """The formats of exports."""
    limits: LimitsInfo
    """How much this server does for one request and one client."""
    store: bool
    """Whether there is a store to look around in."""
    literals_shown: bool
    """Whether statements from the store are shown with their literals."""
    options: dict[str, Any]
    """The options of an analysis with their defaults."""


# --- the store ----------------------------------------------------------------------------------------------------------


class ObjectRef(_Answer):
    """A table, view, path or stage."""

    id: str
    """Its number in the store."""
    kind: str
    """`table`, `view`, `path`, `stage` or `pseudoTable`."""
    qualified_name: str
    """Its name with all layers and the cluster."""
    name: str
    """Its own name; the URI of a path."""
    cluster: str | None
    """The cluster or server it belongs to."""
    database: str | None
    """The database it belongs to."""
    schema_: str | None = Field(alias="schema")
    """The schema it belongs to."""


class ObjectListItem(ObjectRef):
    columns: int | None = None
    """How many columns it has."""
    upstream: int | None = None
    """How many objects feed it directly."""
    downstream: int | None = None
    """How many objects it feeds directly."""
    column: str | None = None
    """Of a column: its name; the rest says where it belongs."""
    object_id: str | None = None
    """Of a column: the number of the object it belongs to."""


class ObjectList(_Answer):
    total: int
    """How many were found on all pages."""
    page: int
    """The number of this page, from 1."""
    page_size: int
    """How many objects a page has at most."""
    pages: int
    """How many pages there are."""
    kinds: dict[str, int]
    """How many of each kind were found."""
    objects: list[ObjectListItem]
    """Those on this page, best first."""


class StoreColumnInfo(_Answer):
    id: str
    """Its number in the store."""
    name: str
    """Its own name."""
    qualified_name: str
    """Its name with its object and the cluster."""
    rows: bool
    """Whether it stands for the rows of the table."""
    data_type: str | None = None
    """As the definition or the metadata write it."""
    comment: str | None = None
    """What the store, its definition or the metadata say about it."""


class StatementInfo(_Answer):
    id: str
    """Its number in the store."""
    hash: str
    """What identifies it: statements with the same hash are the same one."""
    type: str
    """What it does, such as `Insert` or `Create View`."""
    procedure: str
    """The routine it belongs to; `batchQueries` if there is none."""
    qualified_name: str
    """Its name in catalogs."""
    approximate: bool
    """Whether a part of it could not be read."""
    count: int | None
    """How often it was seen."""
    users: list[str]
    """Who ran it."""
    first_seen: datetime | None
    """When it was seen first."""
    last_seen: datetime | None
    """When it was seen last."""
    origin: str | None
    """The sources that contain it."""


class StatementAnswer(StatementInfo):
    text: str | None
    """The statement; its literals are masked unless the server shows them."""
    dialect: str
    """The dialect it is written in."""
    literals_masked: bool
    """Whether literals are masked."""
    inputs: list[ObjectRef]
    """What it reads."""
    outputs: list[ObjectRef]
    """What it writes."""
    alike: list[StatementInfo]
    """Further statements with the same hash."""


class ObjectAnswer(ObjectRef):
    dialect: str
    """The dialect of the statements that name it."""
    comment: str | None = None
    """What is said about it, in the store or in its definition."""
    definition: str | None
    """The statement that creates it."""
    columns: list[StoreColumnInfo]
    """Its columns, in their order."""
    upstream: list[ObjectRef]
    """What feeds it directly."""
    downstream: list[ObjectRef]
    """What it feeds directly."""
    written_by: list[StatementInfo]
    """The latest statements that write it."""
    read_by: list[StatementInfo]
    """The latest statements that read it."""
    written_by_total: int
    """How many statements write it."""
    read_by_total: int
    """How many statements read it."""
    users: list[str]
    """Who ran these statements."""
    first_seen: datetime | None
    """When one of them was seen first."""
    last_seen: datetime | None
    """When one of them was seen last."""


class ImpactColumnInfo(_Answer):
    name: str
    """Its own name."""
    qualified_name: str
    """Its name with its object and the cluster."""
    rows: bool
    """Whether it stands for the rows of the table: which rows there are changes, not what is in them."""
    relation: Literal["direct", "indirect"]
    """`direct` if data flows to it, `indirect` if it is only influenced."""
    distance: int
    """How many steps away it is."""


class ImpactObjectInfo(ObjectRef):
    relation: Literal["direct", "indirect"]
    """`direct` if data flows to it, `indirect` if it is only influenced."""
    distance: int
    """How many tables away it is."""
    columns: list[ImpactColumnInfo]
    """The columns that are affected."""
    statements: list[StatementInfo]
    """The statements through which it is affected."""
    owners: list[str]
    """Who runs these statements."""


class ImpactAnswer(_Answer):
    name: str
    """What would change, by its qualified name."""
    id: str
    """Its number in the store."""
    kind: str
    """Its kind."""
    column: str | None
    """The name of the column, if it is one."""
    total: int
    """How many objects are affected."""
    truncated: bool
    """Whether there are more than these."""
    objects: list[ImpactObjectInfo]
    """What is affected, nearest first."""
