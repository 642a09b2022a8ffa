"""The records that queries return."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from connector.naming import parse_name

Direction = Literal["upstream", "downstream"]
Relation = Literal["direct", "indirect"]

ROW_COLUMNS = frozenset({"PseudoRows", "RelationRows"})
"""The names of the column that represents the rows of a table."""


class Place(NamedTuple):
    """Where an object belongs. The name of a path is its URI."""

    cluster: str | None
    database: str | None
    schema: str | None
    name: str


@dataclass(frozen=True, slots=True)
class StoreObject:
    """A table, view, path or stage."""

    number: int
    qualified_name: str
    kind: str
    comment: str | None = None

    @property
    def place(self) -> Place:
        *layers, name = (parsed := parse_name(self.qualified_name)).parts
        return Place(parsed.cluster, layers[0] if layers else None, layers[1] if len(layers) > 1 else None, name)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an object."""

    number: int
    qualified_name: str
    owner: int
    data_type: str | None = None
    comment: str | None = None

    @property
    def name(self) -> str:
        return parse_name(self.qualified_name).parts[-1]

    @property
    def is_rows(self) -> bool:
        return self.name in ROW_COLUMNS


@dataclass(frozen=True, slots=True)
class ObjectHit:
    """An object in a list, with details that help to choose."""

    object: StoreObject
    columns: int = 0
    upstream: int = 0
    """Number of objects that feed it directly."""
    downstream: int = 0


@dataclass(frozen=True, slots=True)
class ColumnHit:
    """A column in a list, with the object it belongs to."""

    column: Column
    object: StoreObject


@dataclass(frozen=True, slots=True)
class Found:
    """One page of search results."""

    total: int
    hits: list[ObjectHit]
    columns: list[ColumnHit]
    kinds: dict[str, int]
    """How many of each kind were found on all pages together."""


@dataclass(frozen=True, slots=True)
class StoredStatement:
    """A statement with its history."""

    number: int
    qualified_name: str
    type: str
    hash: str
    procedure: str
    approximate: bool
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    count: int = 0
    users: tuple[str, ...] = ()
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class StatementPage:
    """The details of a statement."""

    statement: StoredStatement
    text: str | None
    inputs: list[StoreObject]
    outputs: list[StoreObject]
    dialect: str
    alike: list[StoredStatement]
    """Further statements with the same hash: the same text in another routine or database."""


@dataclass(frozen=True, slots=True)
class ObjectPage:
    """The details of an object."""

    object: StoreObject
    dialect: str
    definition: str | None
    columns: list[Column]
    upstream: list[StoreObject]
    downstream: list[StoreObject]
    written_by: list[StoredStatement]
    read_by: list[StoredStatement]
    written_by_total: int
    read_by_total: int
    users: list[str]
    first_seen: datetime | None
    last_seen: datetime | None


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """An edge between two numbers: of columns, or of objects."""

    source: int
    target: int
    type: str
    process: int
    effect: str | None = None
    clause: str | None = None
    join_type: str | None = None
    condition: str | None = None
    expression: str | None = None
    transformation: str | None = None


@dataclass(slots=True, eq=False)
class Graph:
    """A part of the lineage: objects, perhaps with columns, the edges between them and the statements that made them."""

    start: StoreObject
    start_column: Column | None
    objects: dict[int, StoreObject] = field(default_factory=dict)
    columns: dict[int, Column] = field(default_factory=dict)
    column_edges: list[GraphEdge] = field(default_factory=list)
    table_edges: list[GraphEdge] = field(default_factory=list)
    statements: dict[int, StoredStatement] = field(default_factory=dict)
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class ImpactedColumn:
    column: Column
    relation: Relation
    distance: int


@dataclass(frozen=True, slots=True)
class ImpactedObject:
    """An object that a change affects, and through which statements."""

    object: StoreObject
    relation: Relation
    distance: int
    columns: list[ImpactedColumn]
    statements: list[StoredStatement]
    owners: list[str]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change to an object or column affects, nearest first."""

    start: StoreObject
    start_column: Column | None
    objects: list[ImpactedObject]
    truncated: bool


@dataclass(slots=True, eq=False)
class Overview:
    """The whole store, table by table, as far as it fits."""

    total: int
    objects: dict[int, StoreObject]
    edges: list[GraphEdge]
    statements: dict[int, StoredStatement]
    truncated: bool
