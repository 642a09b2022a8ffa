"""The plan: the edges that OpenMetadata should contain, with their statements and columns, before anything is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from connector.catalogs.openmetadata.client import build
from connector.catalogs.openmetadata.mapping import ServiceRule, StorageRule

ARROW = " -> "
"""Between the ends in the name of an edge. No name holds ``>``."""

ObjectType = Literal["table", "container", "storedProcedure"]
Key = tuple[ObjectType, str]
"""Type and fully qualified name, as the mapping gives it."""
EdgeKey = tuple[Key, Key]

LineageSourceName = Literal["ViewLineage", "ExternalTableLineage", "PipelineLineage", "QueryLineage"]
LINEAGE_SOURCES: tuple[LineageSourceName, ...] = get_args(LineageSourceName)
"""What made an edge; where several did, the first of these."""


class SecretName(str):
    """A name with literals in it, which no message or log shows by accident."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "SecretName(…)"


class ColumnRef(NamedTuple):
    """A column as statements name it: the path of its name, and whether it is known in this case only."""

    path: tuple[str, ...]
    exact: bool = False
    unmasked: SecretName | None = None
    """A name derived from an expression, with its literals. The server may know the column by it; nothing else may show it."""

    @property
    def text(self) -> str:
        return build(self.path)


@dataclass(slots=True)
class PlannedObject:
    """A table, container or routine that edges need."""

    type: ObjectType
    parts: tuple[str, ...]
    """From the service to the name, encoded; a layer ``*`` is not known."""
    rule: ServiceRule | StorageRule
    exact: frozenset[str] = frozenset()
    """The parts that stood in quotes where quotes keep the case: they are not found in another case."""
    view: bool = False
    uri: str | None = None
    stage: bool = False
    columns: dict[ColumnRef, None] = field(default_factory=dict)
    """In order of appearance, for creating the object."""
    text: str | None = None
    """Of a routine: its definition, masked."""
    sub_type: str | None = None

    @property
    def fqn(self) -> str:
        return build(self.parts)

    @property
    def key(self) -> Key:
        return (self.type, self.fqn)


@dataclass(frozen=True, slots=True)
class PlannedStatement:
    """A statement that makes an edge."""

    identity: str
    """Its queryHashId."""
    text: str | None
    made: LineageSourceName
    routine: Key | None = None
    kind: str = ""
    """What it does: ``Insert``."""
    place: str = ""
    """The file it stands in."""
    since: str = ""
    """The day on which a log first saw it."""


@dataclass(slots=True)
class Mappings:
    """What one target column is made of, by one kind of relation."""

    sources: dict[ColumnRef, None] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)


@dataclass(slots=True)
class PlannedEdge:
    """All that goes from one object to another."""

    source: Key
    target: Key
    statements: dict[PlannedStatement, None] = field(default_factory=dict)
    direct: dict[ColumnRef, Mappings] = field(default_factory=dict)
    """Data flow, by target column."""
    indirect: dict[ColumnRef, Mappings] = field(default_factory=dict)
    """Impact, by target column; the functions are clauses."""
    stars: bool = False
    """All columns of a table whose columns are not known go into it."""

    @property
    def key(self) -> EdgeKey:
        return (self.source, self.target)

    @property
    def name(self) -> str:
        return f"{self.source[1]}{ARROW}{self.target[1]}"

    @property
    def made(self) -> LineageSourceName:
        found = {statement.made for statement in self.statements}
        return next((source for source in LINEAGE_SOURCES if source in found), "QueryLineage")

    @property
    def routines(self) -> list[Key]:
        found = {statement.routine for statement in self.statements if statement.routine is not None}
        return sorted(found)


@dataclass(slots=True)
class Plan:
    """All edges of a load, in order of first appearance."""

    source: str
    objects: dict[Key, PlannedObject] = field(default_factory=dict)
    edges: dict[EdgeKey, PlannedEdge] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What the mapping has no place for."""

    def wanted(self) -> Iterator[PlannedObject]:
        """The objects that some edge needs."""
        needed: dict[Key, None] = {}
        for edge in self.edges.values():
            needed[edge.source] = None
            needed[edge.target] = None
            needed.update(dict.fromkeys(edge.routines))
        return (self.objects[key] for key in needed)
