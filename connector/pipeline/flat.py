"""The complete model as rows.

The model is a net of objects that point to each other; rows name each other by number. They go through pickles, Arrow
and Parquet at the cost of their values, in any depth of the net, and anybody can read them with SQL. Nothing is lost on
the way: the model that comes back gives the same output on every level.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = [
    "NOWHERE",
    "ArgumentRow",
    "ColumnRow",
    "EntityRow",
    "FlatModel",
    "ProblemRow",
    "ProcedureRow",
    "ProcessRow",
    "RelationRow",
    "ScriptRow",
]

NOWHERE = -1
"""The number of what is not there: a place without a script, a relation without a process."""


class ScriptRow(NamedTuple):
    """A text that places point into."""

    number: int
    name: str
    text: str | None
    """None for a text of the unit itself, which keeps its texts; the text of what the analysis has put together."""
    places: list[int]
    """For such a text where its offsets come from, three numbers for each one in use: offset, line, column."""


class ProcessRow(NamedTuple):
    """A statement."""

    id: int
    type: str
    script: int
    start: int
    end: int
    query_hash_id: str
    procedure_name: str
    identity: str
    approximate: bool
    flows: list[list[int]]
    """For each target its entity's number, -1 for none, and behind it those of the entities read for it."""


class EntityRow(NamedTuple):
    """A table, view, resultset, variable, path or stage."""

    id: int
    listed: bool
    """Whether the model lists it; else only a flow or a relation knows it."""
    kind: str
    name: str
    type: str
    database: str | None
    schema: str | None
    table: str
    alias: str | None
    sub_type: str | None
    uri: str | None
    file_format: str | None
    temporary: bool
    dropped: bool
    script: int
    start: int
    end: int
    occurrences: list[int]
    """Further places, three numbers for each: script, start, end."""
    processes: list[int]
    """Numbers of the processes that write it."""


class ColumnRow(NamedTuple):
    """A column; `key` is its folded name among the entity's columns, None where a relation alone knows it."""

    id: int
    entity: int
    key: str | None
    name: str
    system: bool
    script: int
    start: int
    end: int
    occurrences: list[int]


class RelationRow(NamedTuple):
    """A relation between columns, by their numbers."""

    id: int
    type: str
    target: int
    sources: list[int]
    effect: str | None
    clause: str | None
    process: int
    join_type: str | None
    condition: str | None
    approximate: bool
    expression: list[int]
    """Where its expression stands: script, start, end; empty where there is none."""


class ArgumentRow(NamedTuple):
    """A parameter of a routine."""

    id: int
    name: str
    datatype: str
    inout: str | None
    script: int
    start: int
    end: int


class ProcedureRow(NamedTuple):
    """A routine."""

    id: int
    name: str
    type: str
    script: int
    start: int
    end: int
    arguments: list[ArgumentRow]


class ProblemRow(NamedTuple):
    """Something that could not be read or resolved."""

    type: str
    message: str
    script: int
    start: int
    end: int


@dataclass(slots=True)
class FlatModel:
    """The rows of one model. The number of a process, entity or column is its place in its list."""

    vendor: str
    layers: int
    default_schema: str
    cluster: str
    scripts: list[ScriptRow] = field(default_factory=list)
    processes: list[ProcessRow] = field(default_factory=list)
    entities: list[EntityRow] = field(default_factory=list)
    columns: list[ColumnRow] = field(default_factory=list)
    relations: list[RelationRow] = field(default_factory=list)
    procedures: list[ProcedureRow] = field(default_factory=list)
    problems: list[ProblemRow] = field(default_factory=list)
