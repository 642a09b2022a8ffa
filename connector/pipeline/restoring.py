"""From rows back to the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from connector.model import (
    Argument,
    Column,
    Entity,
    EntityKind,
    Flow,
    Model,
    Problem,
    Procedure,
    Process,
    Relation,
    Script,
    Span,
)
from connector.pipeline.flat import NOWHERE, ColumnRow, EntityRow, FlatModel, ProcedureRow, ProcessRow, ScriptRow

__all__ = ["restore"]


def restore(flat: FlatModel, texts: Sequence[str]) -> Model:
    """The model of some rows and of the texts that it was made from."""
    return _Restoring(flat, texts).model


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


class _Restoring:
    def __init__(self, flat: FlatModel, texts: Sequence[str]) -> None:
        own = iter(texts)
        self._scripts = [
            Script(next(own), row.number, row.name) if row.text is None else _MadeScript(row) for row in flat.scripts
        ]
        self.model = Model(
            flat.vendor,
            flat.layers,
            flat.default_schema,
            flat.cluster,
            [script for script, row in zip(self._scripts, flat.scripts, strict=True) if row.text is None],
        )
        entities = [self._entity(row) for row in flat.entities]
        columns = [self._column(row, entities) for row in flat.columns]
        processes = [self._process(row, entities) for row in flat.processes]
        for entity, row in zip(entities, flat.entities, strict=True):
            entity.processes = [processes[number] for number in row.processes]
        self.model.entities = [entity for entity, row in zip(entities, flat.entities, strict=True) if row.listed]
        self.model.processes = processes
        self.model.relations = [
            Relation(
                row.id,
                row.type,
                columns[row.target],
                [columns[source] for source in row.sources],
                row.effect,
                row.clause,
                None if row.process == NOWHERE else processes[row.process],
                row.join_type,
                row.condition,
                row.approximate,
                self._span(*row.expression) if row.expression else None,
            )
            for row in flat.relations
        ]
        self.model.procedures = [self._procedure(row) for row in flat.procedures]
        self.model.problems = [
            Problem(row.type, row.message, (self._scripts[row.script], row.start, row.end)) for row in flat.problems
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
            row.type,
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
