"""What a model has to say to the store, as rows that travel: between processes, through tables, to the store's one writer.

Deriving the levels and naming their ends is most of the work of a load. It needs nothing of the store, so the processes
that analyse do it, each for its own models, and the writer is left with comparing and writing rows. Rows name each other by
their places in the lists of the same model.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from connector.model import Model, Process
from connector.naming import Namer, unquote
from connector.sql.identity import storable
from connector.store.identity import Folder
from connector.store.levels import Levels
from connector.store.wanted import WantedObjects

__all__ = [
    "ColumnEdgeRow",
    "ObjectRow",
    "StoreColumnRow",
    "StoreProcessRow",
    "StoreRows",
    "TableEdgeRow",
    "store_rows",
]

_NONE = -1
"""The place of a parent or a statement that there is not."""


class ObjectRow(NamedTuple):
    """A dialect, cluster, database, table, view, path, stage or routine; parents stand before children."""

    guid: str
    parent: int
    name: str
    type: str
    table_like: bool
    """Whether somebody else may have taken it for a table where it is a view."""
    ddl: str | None
    ddl_hash: str | None


class StoreColumnRow(NamedTuple):
    """A column of an object."""

    object: int
    key: str
    """Its folded name."""
    bare: str
    name: str


class StoreProcessRow(NamedTuple):
    """A statement."""

    name: str
    type: str
    approximate: bool
    identity: str
    text_hash: str
    procedure: str
    text: str | None
    writes: list[int]
    """The objects it writes."""


class ColumnEdgeRow(NamedTuple):
    """An edge of the column level."""

    type: str
    source: int
    target: int
    process: int
    effect: str | None
    clause: str | None
    join_type: str | None
    condition: str | None
    expression: str | None
    transformation: str


class TableEdgeRow(NamedTuple):
    """An edge of the table level."""

    type: str
    source: int
    target: int
    process: int


@dataclass(slots=True)
class StoreRows:
    """The rows of one model."""

    objects: list[ObjectRow] = field(default_factory=list)
    columns: list[StoreColumnRow] = field(default_factory=list)
    processes: list[StoreProcessRow] = field(default_factory=list)
    column_edges: list[ColumnEdgeRow] = field(default_factory=list)
    table_edges: list[TableEdgeRow] = field(default_factory=list)


def store_rows(model: Model, *, keep_temporaries: bool = False) -> StoreRows:
    """The rows of a model, its levels derived."""
    levels = Levels(model, keep_temporaries=keep_temporaries)
    wanted = WantedObjects(model, levels.entities, levels.definitions)
    places = {wish: at for at, wish in enumerate(wanted)}
    objects = {entity: places[wish] for entity, wish in wanted.by_entity.items()}
    namer = Namer(model)
    folder = Folder(model, namer)
    columns = {column: at for at, column in enumerate(levels.stored_columns)}
    processes = {process: at for at, process in enumerate(levels.processes)}
    rows = StoreRows()
    rows.objects = [
        ObjectRow(
            wish.guid,
            _NONE if wish.parent is None else places[wish.parent],
            wish.name,
            wish.type,
            len(wish.alike) > 1,
            None if wish.definition is None else storable(wish.definition.text),
            None if wish.definition is None else wish.definition.hash,
        )
        for wish in wanted
    ]
    rows.columns = [
        StoreColumnRow(
            objects[column.entity],
            folder.column(column),
            storable(unquote(column.name)),
            storable(namer.column(column)),
        )
        for column in columns
    ]
    rows.processes = [
        StoreProcessRow(
            storable(namer.process(process)),
            process.type,
            process.approximate,
            process.identity,
            process.query_hash_id,
            storable(process.procedure_name),
            _text_of(process),
            list(dict.fromkeys([objects[flow.target] for flow in process.flows if flow.target in objects])),
        )
        for process in processes
    ]
    rows.column_edges = [
        ColumnEdgeRow(
            edge.type,
            columns[edge.source],
            columns[edge.target],
            _NONE if edge.process is None else processes[edge.process],
            edge.effect,
            edge.clause,
            edge.join_type,
            edge.condition and storable(edge.condition),
            how.expression and storable(how.expression),
            how.transformation,
        )
        for edge in levels.columns
        for how in (edge.how,)
    ]
    rows.table_edges = [
        TableEdgeRow(
            edge.type,
            objects[edge.source],
            objects[edge.target],
            _NONE if edge.process is None else processes[edge.process],
        )
        for edge in levels.tables
    ]
    return rows


def _text_of(process: Process) -> str | None:
    """The statement without its semicolon; a model that was read from a file has none."""
    script, start, end = process.span
    return storable(script.text[start:end].rstrip("; \t\r\n")) or None
