"""Entities, columns, relations and processes of the complete model.

Instances are created in the innermost loop of the analysis, thousands for each large statement, so the classes use slots and
hold offsets and references rather than text. Exporters compute whatever can be derived from them.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate

from connector.model.vocabulary import ClauseType, EffectType, EntityKind, ProblemType, ProcessType, RelationType

_with_its_end = (1).__add__
"""The length of a line including its line break. A built-in, because it is called for each line of each script."""


class Script:
    """One text of the input, a file or a string. The model keeps offsets; lines and columns are computed on demand."""

    __slots__ = ("index", "line_starts", "name", "text")

    def __init__(self, text: str, index: int = 0, name: str = "") -> None:
        self.text = text if text.isascii() else _whole_characters(text)
        self.index = index
        self.name = name
        self.line_starts: list[int] | None = None
        """The result of :meth:`find_lines`, if it was called."""

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both starting at 1; a tab is one column."""
        starts = self.line_starts or self.find_lines()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def extent(self, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Start and end of a piece of the text.

        SQL that is concatenated from several strings may end with one that is written further up. Such a piece has no extent in
        the script, so only its start is returned, as an empty range.
        """
        first, last = self.position(start), self.position(end)
        return first, max(first, last)

    def find_lines(self) -> list[int]:
        """The offsets at which lines start, followed by a sentinel that no offset reaches, so that every line has an end."""
        starts = self.line_starts = [0, *accumulate(map(_with_its_end, map(len, self.text.split("\n"))))]
        starts[-1] = sys.maxsize
        return starts


def _whole_characters(text: str) -> str:
    """The text with a question mark for each lone surrogate, which could not be encoded in any output.

    JSON and Python strings can contain them. The length, and with it every offset, stays the same.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


class PositionScript(Script):
    """A script without its text (a model read from a file): its offsets are packed positions."""

    __slots__ = ()
    _COLUMN_BITS = 24

    def position(self, offset: int) -> tuple[int, int]:
        return offset >> self._COLUMN_BITS, offset & ((1 << self._COLUMN_BITS) - 1)

    @classmethod
    def pack(cls, line: int, column: int) -> int:
        return line << cls._COLUMN_BITS | column


Span = tuple[Script, int, int]
"""Script, first offset, and the offset after the last character."""


@dataclass(slots=True, eq=False, repr=False)
class Column:
    """A column of an entity; a `system` column represents the entity's rows."""

    id: int
    name: str
    """As written at its first occurrence, including quotes."""
    entity: Entity
    span: Span | None = None
    system: bool = False
    occurrences: list[Span] | None = None
    """Further occurrences in the text, in addition to `span`."""
    masked: str | None = None
    """The name without literals, if the engine derived the name from an expression that contains some."""

    @property
    def public_name(self) -> str:
        """The name as it may leave the machine: literals are masked, as they are in the text of statements."""
        return self.name if self.masked is None else self.masked

    def note(self, span: Span) -> None:
        """Records a further occurrence of the column in the text."""
        first = self.span
        if first is None:
            self.span = span
            return
        if span[1] < first[1] and span[0] is first[0] and self.entity.kind != "resultset":
            # FROM is analysed before the select list, but the first occurrence in the text comes first.
            self.span, span = span, first
        if self.occurrences is None:
            self.occurrences = [span]
        else:
            self.occurrences.append(span)

    def __repr__(self) -> str:
        return f"{self.entity.name}.{self.name}"


@dataclass(slots=True, eq=False)
class Description:
    """What definitions and metadata state about a table besides the names of its columns, for display."""

    comment: str | None = None
    types: dict[str, str] = field(default_factory=dict)
    """The columns' types as written, by folded name."""
    comments: dict[str, str] = field(default_factory=dict)
    """The columns' comments, by folded name."""


@dataclass(slots=True, eq=False, repr=False)
class Entity:
    """Something that has columns: table, view, resultset, variable, path or stage."""

    id: int
    kind: EntityKind
    name: str
    """The name as written, with its qualifiers (`scott.emp`) and quotes; for a resultset, RS-1 and so on."""
    type: str
    """`table`, `pseudoTable`, `view`, `variable`, `path`, `stage`, or the resultset's type (`select_list`, …)."""
    columns: dict[str, Column] = field(default_factory=dict)
    """By folded name, in order of first occurrence. The row column has the key ``""``."""
    database: str | None = None
    """The qualifiers and the bare name without quotes, as far as they are written or set by USE or a default."""
    schema: str | None = None
    table: str = ""
    alias: str | None = None
    sub_type: str | None = None
    uri: str | None = None
    file_format: str | None = None
    temporary: bool = False
    dropped: bool = False
    """Created and dropped by the scripts: a work table that exists neither before nor after."""
    span: Span | None = None
    occurrences: list[Span] | None = None
    processes: list[Process] = field(default_factory=list)
    """The processes that write this entity."""
    description: Description | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"

    @property
    def permanent(self) -> bool:
        """Whether end-to-end lineage starts and ends here (the levels decide about temporary tables)."""
        return self.kind in PERMANENT


PERMANENT: frozenset[str] = frozenset({"table", "view", "path", "stage"})
"""The kinds of entities at which end-to-end lineage starts and ends."""


@dataclass(slots=True, eq=False)
class Relation:
    """Data flow or impact from one or more source columns to one target column, created by one process."""

    id: int
    type: RelationType
    target: Column
    sources: list[Column]
    effect: EffectType | None = None
    clause: ClauseType | None = None
    """For `fdr`: the clause that contains all the sources."""
    process: Process | None = None
    join_type: str | None = None
    condition: str | None = None
    """Text of a join condition."""
    approximate: bool = False
    """Derived from a part of the statement that could not be parsed: its names are known, but not what it does."""
    expression: Span | None = None
    """Location of the expression that computes the target, up to its alias; None if a column is passed through."""


@dataclass(slots=True, eq=False)
class Flow:
    """One target of a process with everything that was read for it: the basis of the table level."""

    target: Entity | None
    sources: dict[Entity, None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Process:
    """A statement that reads or writes data."""

    id: int
    type: ProcessType
    span: Span
    query_hash_id: str
    procedure_name: str
    identity: str
    """The hash according to the configured query identity; equal to `query_hash_id` for the identity `text`."""
    flows: list[Flow] = field(default_factory=list)
    approximate: bool = False
    """Read by the tolerant reader: the tables are known, the columns are not."""

    @property
    def name(self) -> str:
        return f"Query {self.type}"

    @property
    def bare_select(self) -> bool:
        """A SELECT that writes nothing; the complete model shows its resultset but no process."""
        return self.type == "Select"

    @property
    def text(self) -> str:
        """The statement as written, without what ends it; empty if the model was read from a file."""
        script, start, end = self.span
        return script.text[start:end].rstrip("; \t\r\n")


@dataclass(slots=True, eq=False)
class Argument:
    """A parameter of a routine."""

    id: int
    name: str
    datatype: str
    inout: str | None = None
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Procedure:
    """A stored routine."""

    id: int
    name: str
    type: str
    """`createprocedure`, `createfunction`, `createtrigger`, `createpackage`."""
    arguments: list[Argument] = field(default_factory=list)
    span: Span | None = None


@dataclass(slots=True, eq=False)
class Problem:
    """Something that could not be parsed or resolved. The rest of the script is analysed regardless."""

    type: ProblemType
    message: str
    span: Span


@dataclass(slots=True, eq=False)
class Model:
    """Everything found in a set of scripts, in order of first occurrence."""

    vendor: str
    """The specification's name of the dialect, such as `dbvoracle`."""
    layers: int = 3
    """The number of parts of a table name in this dialect: 2 for database.table, 3 for database.schema.table."""
    default_schema: str = "default"
    """The name of a missing schema: `dbo` in the SQL Server family."""
    cluster: str = "default"
    scripts: list[Script] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
