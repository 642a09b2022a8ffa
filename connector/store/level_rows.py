"""The derived levels of a model as rows: what the store keeps, and what travels to it through pickles and tables.

Deriving the levels and naming their ends is most of the work of a load. It does not need the store, so the processes that analyse
do it for their own models, and the writer only compares and writes rows. Rows refer to each other by their positions in the lists
of the same model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from connector.model import Column, Entity, Model, Process
from connector.model.levels import (
    ColumnEdge,
    Levels,
    StatementFacts,
    TableEdge,
    Ways,
    column_level,
    table_level,
    ways_of,
)
from connector.model.levels.walk import end_entities
from connector.model.rows import listed_columns
from connector.naming import Namer, unquote
from connector.sql.identity import storable
from connector.store.object_rows import Folder, ObjectRow, ObjectRows, without_credentials

LINKS = frozenset({"join", "er"})
"""Edges between columns that belong together; no data flows along them."""
_NONE = -1
"""The position that stands for no statement, or for no column."""


class ObjectColumnRow(NamedTuple):
    """A column of an object."""

    object: int
    key: str
    """Its folded name."""
    bare: str
    name: str
    column: int
    """Its number in the complete model."""


class StatementRow(NamedTuple):
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
    process: int
    """Its number in the complete model."""


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
    times: int
    """How many statements with the same identity make it."""
    approximate: bool
    """Whether it comes from a part of a statement that could not be parsed."""


class TableEdgeRow(NamedTuple):
    """An edge of the table level."""

    type: str
    source: int
    target: int
    process: int
    times: int
    source_entity: int
    target_entity: int
    """The numbers of both in the complete model, in which two spellings of an object may be two entities."""


class DescriptionRow(NamedTuple):
    """What a definition or metadata says about an object, or about one of its columns."""

    object: int
    column: int
    """-1 for the object itself."""
    data_type: str | None
    comment: str | None


class WayRow(NamedTuple):
    """A path from one column to another; all numbers are those of the complete model."""

    process: int
    source: int
    target: int
    transformation: str
    steps: list[int]
    """The relations along the path."""


class FactsRow(NamedTuple):
    """What a statement reads and writes; all numbers are those of the complete model."""

    process: int
    inputs: list[int]
    outputs: list[int]


class CollapsedRow(NamedTuple):
    """The levels with temporary tables looked through, beside those that keep them."""

    column_edges: list[ColumnEdgeRow]
    table_edges: list[TableEdgeRow]
    ways: list[WayRow]
    facts: list[FactsRow]


@dataclass(slots=True)
class LevelRows:
    """The rows of one model. What only catalogs need is left out if there are none."""

    objects: list[ObjectRow] = field(default_factory=list)
    columns: list[ObjectColumnRow] = field(default_factory=list)
    processes: list[StatementRow] = field(default_factory=list)
    column_edges: list[ColumnEdgeRow] = field(default_factory=list)
    table_edges: list[TableEdgeRow] = field(default_factory=list)
    descriptions: list[DescriptionRow] = field(default_factory=list)
    ways: list[WayRow] = field(default_factory=list)
    facts: list[FactsRow] = field(default_factory=list)
    collapsed: list[CollapsedRow] = field(default_factory=list)
    """One row if temporary tables are kept and the model has any, else none."""


def level_rows(model: Model, *, keep_temporaries: bool = False, for_catalogs: bool = False) -> LevelRows:
    """The rows of a model, its levels derived. With `for_catalogs`, :mod:`connector.store.known_levels` can read them back."""
    edges = column_level(model, keep_temporaries=keep_temporaries)
    flows = [edge for edge in edges if edge.type not in LINKS]
    tables = table_level(model, keep_temporaries=keep_temporaries, edges=flows)
    through = Levels.of(model) if for_catalogs and keep_temporaries and _has_temporaries(model) else None
    ends = end_entities(model.entities, keep_temporaries=keep_temporaries)
    entities = [entity for entity in model.entities if entity in ends]
    used = {column for edge in edges for column in (edge.source, edge.target)}
    if through is not None:
        used.update(column for edge in through.columns for column in (edge.source, edge.target))
    makers = {edge.process for edge in edges}
    namer = Namer(model, masked=True)
    folder = Folder(model, namer)
    named = ObjectRows(model, namer, folder, entities)
    objects = named.by_entity
    stored = (
        column for entity in entities for column in entity.columns.values() if not column.system or column in used
    )
    columns = {column: at for at, column in enumerate(stored)}
    made = (process for process in model.processes if not process.bare_select or process in makers)
    processes = {process: at for at, process in enumerate(made)}
    numbers = _Numbers(model)
    edge_rows = _EdgeRows(numbers, objects, columns, processes)
    rows = LevelRows(named.rows)
    rows.columns = [
        ObjectColumnRow(
            objects[column.entity],
            folder.column(column),
            storable(unquote(column.public_name)),
            storable(namer.column(column)),
            numbers.columns[column],
        )
        for column in columns
    ]
    rows.processes = [
        StatementRow(
            storable(namer.process(process)),
            process.type,
            process.approximate,
            process.identity,
            process.query_hash_id,
            storable(process.procedure_name),
            _text_of(process, model.vendor),
            list(dict.fromkeys([objects[flow.target] for flow in process.flows if flow.target in objects])),
            numbers.processes[process],
        )
        for process in processes
    ]
    rows.column_edges = edge_rows.columns(edges)
    rows.table_edges = edge_rows.tables(tables.relations)
    rows.descriptions = [row for entity in entities for row in _descriptions(entity, objects[entity], columns)]
    if for_catalogs:
        rows.ways = numbers.ways(ways_of(model, edges, keep_temporaries=keep_temporaries))
        rows.facts = numbers.facts(tables.statements)
    if through is not None:
        rows.collapsed = [
            CollapsedRow(
                edge_rows.columns(through.columns),
                edge_rows.tables(through.tables.relations),
                numbers.ways(through.ways),
                numbers.facts(through.tables.statements),
            )
        ]
    return rows


def _has_temporaries(model: Model) -> bool:
    return any(entity.temporary for entity in model.entities)


class _Numbers:
    """The numbers that the parts of a model have in its rows."""

    def __init__(self, model: Model) -> None:
        self.columns = {column: at for at, column in enumerate(listed_columns(model))}
        self.entities = {entity: at for at, entity in enumerate(model.entities)}
        self.processes: dict[Process | None, int] = {process: at for at, process in enumerate(model.processes)}
        self.processes[None] = _NONE
        self._model = model

    def ways(self, ways: Ways) -> list[WayRow]:
        processes, columns = self.processes, self.columns
        # By id, because the relations of a temporary table that is created twice are copies.
        relations = {relation.id: at for at, relation in enumerate(self._model.relations)}
        return [
            WayRow(processes[process], columns[source], columns[target], kind, [relations[step.id] for step in steps])
            for process, source, target, kind, steps in ways.taken()
        ]

    def facts(self, statements: Iterable[StatementFacts]) -> list[FactsRow]:
        entities = self.entities
        return [
            FactsRow(
                self.processes[each.process],
                [entities[entity] for entity in each.inputs],
                [entities[entity] for entity in each.outputs],
            )
            for each in statements
        ]


class _EdgeRows:
    """Edges as rows, their ends by their places among the rows of the same model."""

    def __init__(
        self,
        numbers: _Numbers,
        objects: Mapping[Entity, int],
        columns: Mapping[Column, int],
        processes: Mapping[Process, int],
    ) -> None:
        self._entities = numbers.entities
        self._objects = objects
        self._columns = columns
        self._processes: dict[Process | None, int] = {None: _NONE}
        self._processes |= processes.items()

    def columns(self, edges: Iterable[ColumnEdge]) -> list[ColumnEdgeRow]:
        columns, processes = self._columns, self._processes
        return [
            ColumnEdgeRow(
                edge.type,
                columns[edge.source],
                columns[edge.target],
                processes[edge.process],
                edge.effect,
                edge.clause,
                edge.join_type,
                edge.condition and storable(edge.condition),
                how.expression and storable(how.expression),
                how.transformation,
                edge.count,
                edge.approximate,
            )
            for edge in edges
            if edge.process in processes  # a macro that is read for one call has no statement of its own
            for how in (edge.how,)
        ]

    def tables(self, edges: Iterable[TableEdge]) -> list[TableEdgeRow]:
        objects, entities, processes = self._objects, self._entities, self._processes
        return [
            TableEdgeRow(
                edge.type,
                objects[edge.source],
                objects[edge.target],
                processes[edge.process],
                edge.count,
                entities[edge.source],
                entities[edge.target],
            )
            for edge in edges
        ]


def _descriptions(entity: Entity, at: int, columns: Mapping[Column, int]) -> Iterator[DescriptionRow]:
    said = entity.description
    if said is None:
        return
    if said.comment:
        yield DescriptionRow(at, _NONE, None, storable(said.comment))
    for key, column in entity.columns.items():
        data_type, comment = said.types.get(key), said.comments.get(key)
        if column in columns and (data_type or comment):
            yield DescriptionRow(at, columns[column], data_type and storable(data_type), comment and storable(comment))


def _text_of(process: Process, vendor: str) -> str | None:
    """The statement without its credentials; a model read from a file has none."""
    return storable(without_credentials(process.text, vendor)) or None
