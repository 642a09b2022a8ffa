"""What a change to a table or column affects: its downstream objects, nearest first, and whom to ask."""

from __future__ import annotations

from sqlalchemy import Connection

from connector.store.reading.graph import Walk, walk
from connector.store.reading.records import (
    Column,
    Impact,
    ImpactedColumn,
    ImpactedObject,
    Relation,
    StoredStatement,
    StoreObject,
)
from connector.store.reading.resolving import columns_of, read_columns, read_objects, read_statements, resolve
from connector.store.tables import COLUMN_EDGES, TABLE_EDGES


def read_impact(connection: Connection, reference: str, *, most: int) -> Impact:
    """Follows columns; for a table also where only tables are known, because a statement could not be resolved."""
    start, start_column = resolve(connection, reference)
    starts = [start_column] if start_column is not None else columns_of(connection, [start.number])
    by_column = walk(
        connection, COLUMN_EDGES, [each.number for each in starts], "downstream", depth=None, most=most * 4
    )
    by_table = Walk({}, set())
    if start_column is None:
        by_table = walk(connection, TABLE_EDGES, [start.number], "downstream", depth=None, most=most)
    columns = read_columns(connection, by_column.distance)
    touched = _Touched(by_column, by_table, columns)
    touched.statements = read_statements(connection, touched.made_by())
    begun = set() if start_column is not None else {start.number}
    numbers = touched.objects() - begun
    objects = read_objects(connection, numbers)
    impacted = [touched.describe(objects[number]) for number in numbers if number in objects]
    impacted = [each for each in impacted if each.columns or each.object.number in by_table.distance]
    impacted.sort(key=lambda each: (each.distance, each.object.qualified_name))
    truncated = by_column.truncated or by_table.truncated or len(impacted) > most
    return Impact(start, start_column, impacted[:most], truncated)


class _Touched:
    """Combines two walks by object."""

    def __init__(self, by_column: Walk, by_table: Walk, columns: dict[int, Column]) -> None:
        self._by_column = by_column
        self._by_table = by_table
        self.statements: dict[int, StoredStatement] = {}
        self._columns: dict[int, list[Column]] = {}
        for number, distance in by_column.distance.items():
            if distance and number in columns:
                self._columns.setdefault(columns[number].owner, []).append(columns[number])
        self._processes: dict[int, set[int]] = {}
        for edge in by_column.edges:
            if edge.target in columns:
                self._processes.setdefault(columns[edge.target].owner, set()).add(edge.process)
        for edge in by_table.edges:
            self._processes.setdefault(edge.target, set()).add(edge.process)

    def objects(self) -> set[int]:
        return {*self._columns, *self._by_table.distance}

    def made_by(self) -> set[int]:
        return {number for numbers in self._processes.values() for number in numbers}

    def describe(self, found: StoreObject) -> ImpactedObject:
        """An object with its affected columns and the statements that affect them."""
        by_column, by_table = self._by_column, self._by_table
        columns = [
            ImpactedColumn(column, _relation(column.number, by_column), by_column.distance[column.number])
            for column in self._columns.get(found.number, [])
        ]
        columns.sort(key=lambda each: (each.column.is_rows, each.distance, each.column.name))
        distances = [each.distance for each in columns]
        if found.number in by_table.distance:
            distances.append(by_table.distance[found.number])
        direct = any(each.relation == "direct" for each in columns) or found.number in by_table.direct
        numbers = self._processes.get(found.number, set())
        statements = sorted(
            [self.statements[number] for number in numbers if number in self.statements],
            key=lambda each: each.qualified_name,
        )
        return ImpactedObject(
            found,
            "direct" if direct else "indirect",
            min(distances, default=0),
            columns,
            statements,
            sorted({user for each in statements for user in each.users}),
        )


def _relation(number: int, walked: Walk) -> Relation:
    return "direct" if number in walked.direct else "indirect"
