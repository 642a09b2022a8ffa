"""The mapping: the names of the model's objects in OpenMetadata, and what may be created."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from connector.catalogs.templates import MappingFile, MappingModel, NameTemplate, Patterns, Template, find_mapping
from connector.common.located_yaml import Located, read_yaml
from connector.errors import ConfigurationError

ANY = "*"
"""A layer that the statements do not say and the mapping leaves open: it is looked for."""

TABLE_FIELDS = ("cluster", "dialect", "layers", "kind", "database", "schema", "table")
CONTAINER_FIELDS = (
    "cluster",
    "dialect",
    "kind",
    "uri",
    "scheme",
    "bucket",
    "path",
    "name",
    "file_format",
    "database",
    "schema",
    "stage",
)

Case = Literal["dialect", "keep", "lower", "upper"]


def _known(names: Iterable[str], fields: tuple[str, ...]) -> None:
    for name in names:
        if name not in fields:
            raise ValueError(f"unknown field {name}; choose from {', '.join(fields)}")


class _Rule(MappingModel):
    known_fields: ClassVar[tuple[str, ...]]
    when: Patterns = Field(default_factory=dict)
    """The values that fields must have for this rule, as patterns in any case; the first rule that fits is taken."""

    @field_validator("when")
    @classmethod
    def _when(cls, value: Patterns) -> Patterns:
        _known(value, cls.known_fields)
        return value

    def fits(self, fields: dict[str, Any]) -> bool:
        return all(
            any(fnmatchcase(str(fields.get(field) or "").lower(), pattern.lower()) for pattern in patterns)
            for field, patterns in self.when.items()
        )


class ServiceRule(_Rule):
    """The names of a cluster's tables and routines in OpenMetadata."""

    known_fields = TABLE_FIELDS
    service: NameTemplate | None = None
    """Name of the database service; without it the run's own (`service` of the settings), or else the cluster."""
    type: str = "CustomDatabase"
    """Type of the service, when it is created."""
    case: Case = "dialect"
    """Case of names that stand without quotes: as the dialect stores them, as written, lower or upper."""
    database: NameTemplate = Field(default_factory=lambda: Template.parse("{database|default:*}"))
    schema_: NameTemplate = Field(alias="schema", default_factory=lambda: Template.parse("{schema|default:*}"))
    table: NameTemplate = Field(default_factory=lambda: Template.parse("{table}"))
    create: list[Literal["service", "database", "schema", "table", "procedure"]] = Field(default_factory=list)
    """What is created when the server does not have it."""

    @field_validator("service", "database", "schema_", "table")
    @classmethod
    def _fields(cls, value: Template | None) -> Template | None:
        if value is not None:
            _known(value.fields, cls.known_fields)
        return value


class StorageRule(_Rule):
    """The names of paths and stages, as containers of a storage service."""

    known_fields = CONTAINER_FIELDS
    service: NameTemplate
    type: str = "CustomStorage"
    """Type of the service, when it is created."""
    containers: list[NameTemplate] = Field(min_length=1)
    """Names of the containers, from the outermost (a bucket) to the one of the path."""
    inside: bool = True
    """A path inside the path of a container that exists belongs to that container, the innermost one; not where containers
    are created."""
    create: list[Literal["service", "container"]] = Field(default_factory=list)

    @field_validator("service", "containers")
    @classmethod
    def _fields(cls, value: Template | list[Template]) -> Template | list[Template]:
        for template in value if isinstance(value, list) else [value]:
            _known(template.fields, cls.known_fields)
        return value


class Mapping(MappingFile):
    """A whole mapping file."""

    relations: list[Literal["fdd", "fdr"]] = Field(default=["fdd", "fdr"], min_length=1)
    """What makes an edge between tables: data flow, impact, or both."""
    columns: list[Literal["fdd", "fdr"]] = Field(default=["fdd"])
    """What makes a pair of columns in an edge."""
    self_edges: bool = True
    """Write the edge of a table that is filled from itself."""
    foreign_keys: bool = True
    """Write the edges that foreign keys make in the model."""
    procedures: bool = True
    """Name the routine of a statement as the pipeline of its edge."""
    query_characters: int = Field(default=100_000, ge=1000)
    """The longest text of statements that an edge carries."""
    statements: int = Field(default=100, ge=1)
    """How many queryHashIds an edge's description lists."""
    services: list[ServiceRule] = Field(min_length=1)
    storage: list[StorageRule] = Field(default_factory=list)

    def service_rule(self, fields: dict[str, Any]) -> ServiceRule | None:
        return next((rule for rule in self.services if rule.fits(fields)), None)

    def storage_rule(self, fields: dict[str, Any]) -> StorageRule | None:
        return next((rule for rule in self.storage if rule.fits(fields)), None)


def load_mapping(name: str | Path) -> tuple[Mapping, Located]:
    """Read a mapping, a file or a shipped one; mistakes come with file and line."""
    located = read_yaml(find_mapping(str(name), lambda shipped: shipped == "openmetadata"))
    if isinstance(located.data, dict) and "entities" in located.data and "services" not in located.data:
        raise ConfigurationError(f"{located.where(('entities',))}: this mapping is for Atlas, not for OpenMetadata")
    return located.parse(Mapping), located
