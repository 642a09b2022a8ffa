"""What the token readers find in a statement: names, places and ranges of tokens, not interpreted yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from connector.model import EffectType, ProcessType
from connector.sql.locations import Location
from connector.sql.table_names import NameRef

Range = tuple[int, int]
"""First token and the token after the last, in the tokens of the statement."""

End = NameRef | Location
"""Where data comes from or goes to: a table or a place outside of the database."""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns that refer to columns of another table; `referenced` is empty where the statement leaves them out."""

    columns: list[NameRef]
    table: NameRef
    referenced: list[NameRef]


@dataclass(slots=True)
class ColumnDefinition:
    """A column of a new table."""

    name: NameRef
    expression: Range | None = None
    """What a generated column is computed from."""
    data_type: str | None = None
    """As written."""
    comment: str | None = None


@dataclass(slots=True)
class UniqueKey:
    """Columns of which no two rows may have the same values."""

    name: str
    """Empty where the constraint has none."""
    columns: list[NameRef]


@dataclass(slots=True)
class TableDefinition:
    """CREATE TABLE, CREATE VIEW and their relatives."""

    type: ProcessType
    name: NameRef
    view: bool = False
    temporary: bool = False
    external: bool = False
    comment: str | None = None
    writable: bool = False
    """What is inserted into the external table goes to its place."""
    columns: list[ColumnDefinition] = field(default_factory=list)
    """With their types; in CREATE TABLE AS and views often the bare names."""
    partitions: list[NameRef] = field(default_factory=list)
    """The columns that are listed again, or for the first time, in PARTITIONED BY."""
    complete: bool = True
    """Whether `columns` are all there are; a schema that lies elsewhere may have more."""
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    primary_key: list[NameRef] = field(default_factory=list)
    unique_keys: list[UniqueKey] = field(default_factory=list)
    query: Range | None = None
    origin: NameRef | None = None
    """The table that the new one is made like."""
    with_rows: bool = False
    """Whether the rows of the origin come along."""
    parents: list[NameRef] = field(default_factory=list)
    """PostgreSQL: tables whose columns the new one has before its own, by INHERITS or PARTITION OF."""
    locations: list[Location] = field(default_factory=list)
    feeds: NameRef | None = None
    """The table that a materialized view writes to."""
    shows: list[NameRef] = field(default_factory=list)
    """The tables that keep the rows of one that keeps none itself."""
    shows_matching: tuple[str, str] | None = None
    """The same by a database, or nothing for the one in use, and a regular expression for the names of its tables."""
    refresh: Range | None = None
    """The statement that fills the table, which it calls SELF."""


@dataclass(slots=True)
class Movement:
    """Data that goes from a file, a stage, a table or a query to another of them: COPY, LOAD, UNLOAD, EXPORT."""

    type: ProcessType
    target: End | None
    """None where the data goes to a client, through a pipe that has no name."""
    columns: list[NameRef] = field(default_factory=list)
    """The columns of the target that are filled."""
    sources: list[End] = field(default_factory=list)
    source_columns: list[NameRef] = field(default_factory=list)
    """The columns of the source table that are taken."""
    query: Range | None = None
    query_text: int | None = None
    """The token of a string that holds the query."""
    cursor: NameRef | None = None
    """A cursor that the script has declared, where its rows are what is moved."""
    looked_up: list[tuple[NameRef, Range]] = field(default_factory=list)
    """Columns of the target that are set to what a subquery gives, with the expression."""
    effect: EffectType = "copy"
    creates: bool = False
    """Whether the target is a new object with the columns of its source."""


@dataclass(slots=True)
class Stage:
    """CREATE STAGE."""

    stage: Location
    url: Location | None = None


@dataclass(slots=True)
class Copies:
    """One statement with several movements."""

    movements: list[Movement]


@dataclass(slots=True)
class Transfer:
    """Whole tables, or partitions of them, that change their name or their place."""

    type: ProcessType
    effect: EffectType
    pairs: list[tuple[NameRef, NameRef]]
    """From, to."""
    renames: bool = False
    """The source name ends with the statement."""
    keeps_schema: bool = False
    """A bare new name stays in the schema of the old one."""


@dataclass(slots=True)
class Renamed:
    """A column that gets another name."""

    old: NameRef
    new: NameRef


@dataclass(slots=True)
class Placed:
    """A column that gets another place: after another one, or before all where `after` is None."""

    column: NameRef
    after: NameRef | None


@dataclass(slots=True)
class ColumnsChange:
    """ALTER TABLE that changes columns or adds foreign keys, or gives the table a place outside of the database."""

    table: NameRef
    added: list[ColumnDefinition] = field(default_factory=list)
    removed: list[NameRef] = field(default_factory=list)
    renamed: list[Renamed] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    replaced: bool = False
    """Whether what is added takes the place of all columns but those of the partitions."""
    foreign_keys: list[ForeignKey] = field(default_factory=list)
    locations: list[Location] = field(default_factory=list)


@dataclass(slots=True)
class Synonym:
    """A second name for an object."""

    name: NameRef
    base: NameRef


@dataclass(slots=True)
class RowType:
    """``CREATE TYPE p AS (x INT, y INT)``: the fields of rows that have this type."""

    name: NameRef
    columns: list[ColumnDefinition]


@dataclass(slots=True)
class Comment:
    """COMMENT ON a table or a column: words for people, which move nothing."""

    table: NameRef
    column: NameRef | None
    text: str


@dataclass(slots=True)
class Removal:
    """DROP: names that mean nothing any more."""

    names: list[NameRef]


@dataclass(slots=True)
class DefaultChange:
    """The database or the schema in which bare names are looked up from here on; what is None stays as it is."""

    database: tuple[str, bool] | None = None
    schema: tuple[str, bool] | None = None


@dataclass(slots=True)
class InnerStatement:
    """An object that runs statements: a task, a pipe, an event, an alert."""

    name: NameRef
    bodies: list[Range]


@dataclass(slots=True)
class SchemaDefinition:
    """CREATE SCHEMA with the statements that create what it holds."""

    schema: tuple[str, bool]
    bodies: list[Range]


@dataclass(slots=True)
class Restated:
    """A statement that means another one, and the tokens of that: ``ALTER TABLE t UPDATE a = 1 WHERE b``."""

    tokens: list[Token]


@dataclass(slots=True)
class NamedQuery:
    """The head of a file of SQLMesh: what the query behind it makes."""

    name: list[Token]
    view: bool


Reading = (
    TableDefinition
    | Movement
    | Copies
    | Stage
    | Transfer
    | ColumnsChange
    | Comment
    | RowType
    | Synonym
    | Removal
    | DefaultChange
    | InnerStatement
    | SchemaDefinition
    | Restated
    | NamedQuery
)
