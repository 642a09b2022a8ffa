"""The complete model as rows, and back.

The model is a net of objects that point to each other; rows name each other by number. They go through pickles, Arrow
and Parquet at the cost of their values, in any depth of the net, and they can be queried with SQL. Nothing is lost on
the way: the model that comes back gives the same output on every level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from connector.model import (
    Argument,
    ClauseType,
    Column,
    EffectType,
    Entity,
    EntityKind,
    Flow,
    Model,
    Problem,
    ProblemType,
    Procedure,
    Process,
    ProcessType,
    Relation,
    RelationType,
    Script,
    Span,
)

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
    masked: str | None
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
class ModelRows:
    """The rows of one model. The number of a process, entity, column or relation is its place in its list.

    Processes, entities and relations are listed as in the model, followed by entities that it does not list. Columns begin with
    those that `listed_columns` gives.
    """

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


def listed_columns(model: Model) -> list[Column]:
    """The columns of the entities that a model lists, in the order of their numbers."""
    return list(dict.fromkeys([column for entity in model.entities for column in entity.columns.values()]))


# --- from a model to rows -----------------------------------------------------------------------------------------------

_Place = tuple[int, int, int]
_NO_PLACE: _Place = (NOWHERE, 0, 0)


def rows_of(model: Model) -> ModelRows:
    """The rows of a model."""
    return _Numbering(model).rows


class _Numbering:
    def __init__(self, model: Model) -> None:
        self.rows = ModelRows(model.vendor, model.layers, model.default_schema, model.cluster)
        self._scripts: dict[Script, int] = {script: at for at, script in enumerate(model.scripts)}
        self._made: dict[Script, set[int]] = {}
        self._own = len(model.scripts)
        self.rows.scripts = [ScriptRow(script.index, script.name, None, []) for script in model.scripts]
        self._processes: dict[Process | None, int] = {process: at for at, process in enumerate(model.processes)}
        self._processes[None] = NOWHERE
        self._entities: dict[Entity, int] = {entity: at for at, entity in enumerate(model.entities)}
        self._others: list[Entity] = []
        self._columns: dict[Column, int] = {}
        self._read(model)

    def _read(self, model: Model) -> None:
        rows = self.rows
        for entity in model.entities:
            self._add_columns(entity)
        rows.processes = [self._process(process) for process in model.processes]
        rows.relations = [self._relation(relation) for relation in model.relations]
        rows.entities = [self._entity(entity, True) for entity in model.entities]
        done = 0
        while done < len(self._others):  # what only a flow or a relation knows may bring more of its kind
            rows.entities.append(self._entity(self._others[done], False))
            done += 1
        rows.procedures = [
            ProcedureRow(
                procedure.id,
                procedure.name,
                procedure.type,
                *self._place(procedure.span),
                [
                    ArgumentRow(each.id, each.name, each.datatype, each.inout, *self._place(each.span))
                    for each in procedure.arguments
                ],
            )
            for procedure in model.procedures
        ]
        rows.problems = [
            ProblemRow(problem.type, problem.message, *self._place(problem.span)) for problem in model.problems
        ]
        for script, offsets in self._made.items():
            places = [number for offset in sorted(offsets) for number in (offset, *script.position(offset))]
            rows.scripts.append(ScriptRow(script.index, script.name, script.text, places))

    def _place(self, span: Span | None) -> _Place:
        if span is None:
            return _NO_PLACE
        script, start, end = span
        number = self._scripts.get(script)
        if number is None:
            number = self._scripts[script] = len(self._scripts)
            self._made[script] = set()
        if number >= self._own:
            self._made[script].update((start, end))
        return number, start, end

    def _places(self, spans: Iterable[Span] | None) -> list[int]:
        return [number for span in spans for number in self._place(span)] if spans else []

    def _entity_number(self, entity: Entity) -> int:
        number = self._entities.get(entity)
        if number is None:
            number = self._entities[entity] = len(self._entities)
            self._others.append(entity)
            self._add_columns(entity)
        return number

    def _add_columns(self, entity: Entity) -> None:
        number = self._entities[entity]
        for key, column in entity.columns.items():
            if column not in self._columns:
                self._add_column(column, number, key)

    def _add_column(self, column: Column, entity: int, key: str | None) -> int:
        number = self._columns[column] = len(self._columns)
        self.rows.columns.append(
            ColumnRow(
                column.id,
                entity,
                key,
                column.name,
                column.masked,
                column.system,
                *self._place(column.span),
                self._places(column.occurrences),
            )
        )
        return number

    def _column_number(self, column: Column) -> int:
        number = self._columns.get(column)
        if number is None:
            entity = self._entity_number(column.entity)
            number = self._columns.get(column)
            if number is None:
                number = self._add_column(column, entity, None)
        return number

    def _process(self, process: Process) -> ProcessRow:
        return ProcessRow(
            process.id,
            process.type,
            *self._place(process.span),
            process.query_hash_id,
            process.procedure_name,
            process.identity,
            process.approximate,
            [
                [
                    NOWHERE if flow.target is None else self._entity_number(flow.target),
                    *[self._entity_number(source) for source in flow.sources],
                ]
                for flow in process.flows
            ],
        )

    def _entity(self, entity: Entity, listed: bool) -> EntityRow:
        return EntityRow(
            entity.id,
            listed,
            entity.kind,
            entity.name,
            entity.type,
            entity.database,
            entity.schema,
            entity.table,
            entity.alias,
            entity.sub_type,
            entity.uri,
            entity.file_format,
            entity.temporary,
            entity.dropped,
            *self._place(entity.span),
            self._places(entity.occurrences),
            [self._processes[process] for process in entity.processes if process in self._processes],
        )

    def _relation(self, relation: Relation) -> RelationRow:
        numbers = self._columns
        return RelationRow(
            relation.id,
            relation.type,
            self._column_number(relation.target),
            [numbers[source] if source in numbers else self._column_number(source) for source in relation.sources],
            relation.effect,
            relation.clause,
            self._processes.get(relation.process, NOWHERE),
            relation.join_type,
            relation.condition,
            relation.approximate,
            [] if relation.expression is None else list(self._place(relation.expression)),
        )


# --- and back -----------------------------------------------------------------------------------------------------------


def model_of(rows: ModelRows, texts: Sequence[str]) -> Model:
    """The model of some rows and of the texts that it was made from."""
    return _Restored(rows, texts).model


class _MadeScript(Script):
    """A text that the analysis has put together; its places are places elsewhere."""

    __slots__ = ("_places",)

    def __init__(self, row: ScriptRow) -> None:
        super().__init__(row.text or "", row.number, row.name)
        numbers = row.places
        self._places = {numbers[at]: (numbers[at + 1], numbers[at + 2]) for at in range(0, len(numbers), 3)}

    def position(self, offset: int) -> tuple[int, int]:
        known = self._places.get(offset)
        return super().position(offset) if known is None else known


class _Restored:
    def __init__(self, rows: ModelRows, texts: Sequence[str]) -> None:
        own = iter(texts)
        self._scripts = [
            Script(next(own), row.number, row.name) if row.text is None else _MadeScript(row) for row in rows.scripts
        ]
        self.model = Model(
            rows.vendor,
            rows.layers,
            rows.default_schema,
            rows.cluster,
            [script for script, row in zip(self._scripts, rows.scripts, strict=True) if row.text is None],
        )
        entities = [self._entity(row) for row in rows.entities]
        columns = [self._column(row, entities) for row in rows.columns]
        processes = [self._process(row, entities) for row in rows.processes]
        for entity, row in zip(entities, rows.entities, strict=True):
            entity.processes = [processes[number] for number in row.processes]
        self.model.entities = [entity for entity, row in zip(entities, rows.entities, strict=True) if row.listed]
        self.model.processes = processes
        self.model.relations = [
            Relation(
                row.id,
                cast(RelationType, row.type),
                columns[row.target],
                [columns[source] for source in row.sources],
                cast("EffectType | None", row.effect),
                cast("ClauseType | None", row.clause),
                None if row.process == NOWHERE else processes[row.process],
                row.join_type,
                row.condition,
                row.approximate,
                self._span(*row.expression) if row.expression else None,
            )
            for row in rows.relations
        ]
        self.model.procedures = [self._procedure(row) for row in rows.procedures]
        self.model.problems = [
            Problem(cast(ProblemType, row.type), row.message, (self._scripts[row.script], row.start, row.end))
            for row in rows.problems
        ]

    def _span(self, script: int, start: int, end: int) -> Span | None:
        return None if script == NOWHERE else (self._scripts[script], start, end)

    def _spans(self, numbers: Sequence[int]) -> list[Span] | None:
        if not numbers:
            return None
        return [(self._scripts[numbers[at]], numbers[at + 1], numbers[at + 2]) for at in range(0, len(numbers), 3)]

    def _entity(self, row: EntityRow) -> Entity:
        return Entity(
            row.id,
            cast(EntityKind, row.kind),
            row.name,
            row.type,
            {},
            row.database,
            row.schema,
            row.table,
            row.alias,
            row.sub_type,
            row.uri,
            row.file_format,
            row.temporary,
            row.dropped,
            self._span(row.script, row.start, row.end),
            self._spans(row.occurrences),
        )

    def _column(self, row: ColumnRow, entities: list[Entity]) -> Column:
        entity = entities[row.entity]
        column = Column(
            row.id,
            row.name,
            entity,
            self._span(row.script, row.start, row.end),
            row.system,
            self._spans(row.occurrences),
            row.masked,
        )
        if row.key is not None:
            entity.columns[row.key] = column
        return column

    def _process(self, row: ProcessRow, entities: list[Entity]) -> Process:
        flows = [
            Flow(
                None if numbers[0] == NOWHERE else entities[numbers[0]],
                {entities[number]: None for number in numbers[1:]},
            )
            for numbers in row.flows
        ]
        return Process(
            row.id,
            cast(ProcessType, row.type),
            (self._scripts[row.script], row.start, row.end),
            row.query_hash_id,
            row.procedure_name,
            row.identity,
            flows,
            row.approximate,
        )

    def _procedure(self, row: ProcedureRow) -> Procedure:
        arguments: list[Any] = [
            Argument(each.id, each.name, each.datatype, each.inout, self._span(each.script, each.start, each.end))
            for each in row.arguments
        ]
        return Procedure(row.id, row.name, row.type, arguments, self._span(row.script, row.start, row.end))
