"""The levels of a model from the rows that were made of them, without deriving anything again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from connector.model import ClauseType, EffectType, Model, RelationType
from connector.model.levels import (
    ColumnEdge,
    Levels,
    StatementFacts,
    TableEdge,
    TableLevel,
    TakenWay,
    Transformation,
    Ways,
)
from connector.model.rows import listed_columns
from connector.store.level_rows import LINKS, ColumnEdgeRow, FactsRow, LevelRows, TableEdgeRow, WayRow


def known_levels(rows: LevelRows, model: Model) -> Mapping[bool, Levels]:
    """The levels without and with temporary tables, as far as the run that has made the rows tells them apart.

    The rows are those that `level_rows` gives for catalogs, and the model has come back from its own rows.
    """
    reader = _Reader(rows, model)
    kept = reader.levels(rows.column_edges, rows.table_edges, rows.ways, rows.facts)
    if not rows.collapsed:
        return {False: kept, True: kept}
    return {False: reader.levels(*rows.collapsed[0]), True: kept}


class _Reader:
    def __init__(self, rows: LevelRows, model: Model) -> None:
        self._model = model
        self._listed = listed_columns(model)
        self._columns = [self._listed[row.column] for row in rows.columns]
        # What has no process has the number -1.
        self._made = [*(model.processes[row.process] for row in rows.processes), None]
        self._all = [*model.processes, None]

    def levels(
        self,
        columns: Iterable[ColumnEdgeRow],
        tables: Iterable[TableEdgeRow],
        taken: Iterable[WayRow],
        facts: Iterable[FactsRow],
    ) -> Levels:
        ways = self._ways(taken)
        entities, processes, made = self._model.entities, self._model.processes, self._made
        relations = [
            TableEdge(
                cast(RelationType, row.type),
                entities[row.source_entity],
                entities[row.target_entity],
                made[row.process],
                row.times,
            )
            for row in tables
        ]
        statements = [
            StatementFacts(
                processes[row.process],
                [entities[number] for number in row.inputs],
                [entities[number] for number in row.outputs],
            )
            for row in facts
        ]
        return Levels(self._edges(columns, ways), TableLevel(relations, statements), ways)

    def _edges(self, rows: Iterable[ColumnEdgeRow], ways: Ways) -> list[ColumnEdge]:
        columns, made = self._columns, self._made
        return [
            ColumnEdge(
                cast(RelationType, row.type),
                columns[row.source],
                columns[row.target],
                cast("EffectType | None", row.effect),
                cast("ClauseType | None", row.clause),
                made[row.process],
                ways,
                row.times,
                approximate=row.approximate,
            )
            for row in rows
            if row.type not in LINKS
        ]

    def _ways(self, rows: Iterable[WayRow]) -> Ways:
        processes, columns, relations = self._all, self._listed, self._model.relations
        return Ways.known(
            TakenWay(
                processes[row.process],
                columns[row.source],
                columns[row.target],
                cast(Transformation, row.transformation),
                tuple([relations[number] for number in row.steps]),
            )
            for row in rows
        )
