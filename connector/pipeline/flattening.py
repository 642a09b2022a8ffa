"""From a model to its rows."""

from __future__ import annotations

from collections.abc import Iterable

from connector.model import Column, Entity, Model, Process, Relation, Script, Span
from connector.pipeline.flat import (
    NOWHERE,
    ArgumentRow,
    ColumnRow,
    EntityRow,
    FlatModel,
    ProblemRow,
    ProcedureRow,
    ProcessRow,
    RelationRow,
    ScriptRow,
)

__all__ = ["flatten"]

_Place = tuple[int, int, int]
_NO_PLACE: _Place = (NOWHERE, 0, 0)


def flatten(model: Model) -> FlatModel:
    """The rows of a model."""
    return _Flattening(model).flat


class _Flattening:
    def __init__(self, model: Model) -> None:
        self.flat = FlatModel(model.vendor, model.layers, model.default_schema, model.cluster)
        self._scripts: dict[Script, int] = {script: at for at, script in enumerate(model.scripts)}
        self._made: dict[Script, set[int]] = {}
        self._own = len(model.scripts)
        self.flat.scripts = [ScriptRow(script.index, script.name, None, []) for script in model.scripts]
        self._processes: dict[Process | None, int] = {process: at for at, process in enumerate(model.processes)}
        self._processes[None] = NOWHERE
        self._entities: dict[Entity, int] = {entity: at for at, entity in enumerate(model.entities)}
        self._others: list[Entity] = []
        self._columns: dict[Column, int] = {}
        self._flatten(model)

    def _flatten(self, model: Model) -> None:
        flat = self.flat
        flat.processes = [self._process(process) for process in model.processes]
        for entity in model.entities:
            self._add_columns(entity)
        flat.relations = [self._relation(relation) for relation in model.relations]
        flat.entities = [self._entity(entity, True) for entity in model.entities]
        done = 0
        while done < len(self._others):  # what only a flow or a relation knows may bring more of its kind
            flat.entities.append(self._entity(self._others[done], False))
            done += 1
        flat.procedures = [
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
        flat.problems = [
            ProblemRow(problem.type, problem.message, *self._place(problem.span)) for problem in model.problems
        ]
        for script, offsets in self._made.items():
            places = [number for offset in sorted(offsets) for number in (offset, *script.position(offset))]
            flat.scripts.append(ScriptRow(script.index, script.name, script.text, places))

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
        self.flat.columns.append(
            ColumnRow(
                column.id,
                entity,
                key,
                column.name,
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
