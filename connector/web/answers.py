"""The forms of requests and answers, from which the description of the interface (OpenAPI) is made."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from connector.options import Options
from connector.web.refusal import Code

__all__ = [
    "AnalysisOptions",
    "AnalysisRequest",
    "ExportRequest",
    "FormatInfo",
    "ImpactAnswer",
    "ImpactColumnInfo",
    "ImpactObjectInfo",
    "Info",
    "LimitsInfo",
    "ObjectAnswer",
    "ObjectList",
    "ObjectListItem",
    "ObjectRef",
    "PageDocument",
    "Problem",
    "StatementAnswer",
    "StatementInfo",
    "StoreColumnInfo",
]


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
    candidates: list[str] | None = None
    """What may have been meant by an ambiguous name."""
    login: str | None = None
    """Where to log in."""


# --- analysis ---------------------------------------------------------------------------------------------------------


def _analysis_options() -> type[BaseModel]:
    """The fields of `Options` that make sense here; colours are for terminals."""
    types = get_type_hints(Options)
    described: dict[str, Any] = {
        option.name: (types[option.name], option.default) for option in fields(Options) if option.name != "color"
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
    dialect: str = "ansi"
    metadata: dict[str, Any] | None = None
    """Columns of known tables, `{"schema.table": ["a", "b"]}`."""
    default_database: str | None = None
    default_schema: str | None = None
    cluster: str | None = None
    options: AnalysisOptions | None = None
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
    title: str
    opens: dict[str, Any]
    scripts: list[dict[str, Any]]
    entities: list[dict[str, Any]]
    processes: list[dict[str, Any]]
    levels: dict[str, list[list[Any]]]
    """Relations as arrays; `column` is type, source, target, effect, clause, process, count, join type, condition,
    approximate, transformation, expression."""
    problems: list[dict[str, Any]]
    truncated: bool = False


# --- the server itself --------------------------------------------------------------------------------------------------


class FormatInfo(_Answer):
    name: str
    levels: list[str]
    media_type: str
    extension: str


class LimitsInfo(_Answer):
    max_size: int
    """Bytes of a request."""
    seconds: float
    memory_mb: int
    per_minute: int


class Info(_Answer):
    version: str
    dialects: list[str]
    formats: list[FormatInfo]
    limits: LimitsInfo
    store: bool
    literals_shown: bool
    options: dict[str, Any]
    """The options of an analysis with their defaults."""


# --- the store ----------------------------------------------------------------------------------------------------------


class ObjectRef(_Answer):
    """A table, view, path or stage."""

    id: str
    kind: str
    qualified_name: str
    name: str
    cluster: str | None
    database: str | None
    schema_: str | None = Field(alias="schema")


class ObjectListItem(ObjectRef):
    columns: int | None = None
    upstream: int | None = None
    downstream: int | None = None
    column: str | None = None
    """Of a column: its name; the rest says where it belongs."""
    object_id: str | None = None


class ObjectList(_Answer):
    total: int
    page: int
    page_size: int
    pages: int
    kinds: dict[str, int]
    objects: list[ObjectListItem]


class StoreColumnInfo(_Answer):
    id: str
    name: str
    qualified_name: str
    rows: bool
    """Whether it stands for the rows of the table."""
    data_type: str | None = None
    """As the definition or the metadata write it."""
    comment: str | None = None


class StatementInfo(_Answer):
    id: str
    hash: str
    type: str
    procedure: str
    qualified_name: str
    approximate: bool
    count: int | None
    users: list[str]
    first_seen: datetime | None
    last_seen: datetime | None
    origin: str | None


class StatementAnswer(StatementInfo):
    text: str | None
    dialect: str
    literals_masked: bool
    inputs: list[ObjectRef]
    outputs: list[ObjectRef]
    alike: list[StatementInfo]


class ObjectAnswer(ObjectRef):
    dialect: str
    comment: str | None = None
    """What is said about it, in the store or in its definition."""
    definition: str | None
    columns: list[StoreColumnInfo]
    upstream: list[ObjectRef]
    downstream: list[ObjectRef]
    written_by: list[StatementInfo]
    read_by: list[StatementInfo]
    written_by_total: int
    read_by_total: int
    users: list[str]
    first_seen: datetime | None
    last_seen: datetime | None


class ImpactColumnInfo(_Answer):
    name: str
    qualified_name: str
    rows: bool
    """Whether it stands for the rows of the table: which rows there are changes, not what is in them."""
    relation: Literal["direct", "indirect"]
    distance: int


class ImpactObjectInfo(ObjectRef):
    relation: Literal["direct", "indirect"]
    distance: int
    columns: list[ImpactColumnInfo]
    statements: list[StatementInfo]
    owners: list[str]


class ImpactAnswer(_Answer):
    name: str
    id: str
    kind: str
    column: str | None
    total: int
    truncated: bool
    objects: list[ImpactObjectInfo]
