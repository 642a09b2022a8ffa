"""A laboratory: base tables in an engine, DuckDB unless another is asked for, each beside changed versions of itself.

Every version of a table stands in a schema of its own, and is put before the unchanged tables by the search path alone.
What a statement writes is rolled back, so that a run costs little more than the statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import duckdb

from tests.engines.data import Domain, Table, Value, Variants

LIMITS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "memory_limit": "256MB",
    "max_temp_directory_size": "0B",
}
"""A recursion without an end is refused, and does not fill the disk."""

SHUFFLES = 2
"""How often the rows of all tables are put into another order, to see whether a statement depends on it."""


@dataclass(frozen=True)
class Outcome:
    """What stands in the target: for each column its values, sorted, and the number of rows."""

    columns: Mapping[str, tuple[str, ...]]
    rows: int


@dataclass(frozen=True)
class Version:
    """A table with one column changed, and the schema that it stands in."""

    change: str
    table: str
    schema: str
    values: Mapping[str, Sequence[Value]]


class Refused(Exception):  # noqa: N818 - an outcome, not an error of ours
    """The engine does not run the statement."""


class Lab:
    """The tables, filled from one seed."""

    errors: type[Exception] = duckdb.Error
    """What the engine raises for a statement that it does not run."""

    def __init__(self, tables: Iterable[Table], seed: int) -> None:
        self.tables = {table.name: table for table in tables}
        self.versions: dict[tuple[str, str], list[Version]] = {}
        self._made: set[str] = set()
        self._connection = self._connect()
        rng = Random(seed)
        for number in range(SHUFFLES):
            self._connection.execute(f"CREATE SCHEMA shuffled_{number}")
        for table in self.tables.values():
            self._fill(table, rng)

    def _connect(self) -> Any:
        return duckdb.connect(config=LIMITS)

    def close(self) -> None:
        self._connection.close()

    def run(self, statements: Sequence[str], target: str, schema: str = "main") -> Outcome:
        """What the target holds afterwards, with the tables of `schema` before the unchanged ones."""
        connection = self._connection
        connection.execute(self._search(["main"] if schema == "main" else [schema, "main"]))
        connection.execute("BEGIN")
        try:
            for statement in statements:
                connection.execute(statement)
            cursor = connection.execute(f'SELECT * FROM "{target}"')
            names = [str(entry[0]).lower() for entry in cursor.description or ()]
            rows = cursor.fetchall()
        except self.errors as error:
            raise Refused(str(error)) from None
        finally:
            connection.execute("ROLLBACK")
        values = {name: tuple(sorted(_written(row[place]) for row in rows)) for place, name in enumerate(names)}
        return Outcome(values, len(rows))

    def _search(self, schemas: Sequence[str]) -> str:
        return f"SET search_path = '{','.join(schemas)}'"

    def _literal(self, domain: Domain, value: Value) -> str:
        return domain.literal(value)

    def shuffled(self, statements: Sequence[str], target: str) -> list[Outcome]:
        return [self.run(statements, target, f"shuffled_{number}") for number in range(SHUFFLES)]

    def changed(self, statements: Sequence[str], target: str, version: Version) -> Outcome:
        """As `run`, with one column changed; its table is made when it is first asked for."""
        if version.schema not in self._made:
            self._made.add(version.schema)
            self._connection.execute(f'CREATE SCHEMA "{version.schema}"')
            self._create(version.schema, self.tables[version.table], version.values)
        return self.run(statements, target, version.schema)

    def _fill(self, table: Table, rng: Random) -> None:
        values = table.draw(rng)
        self._create("main", table, values)
        for number in range(SHUFFLES):
            order = rng.sample(range(table.rows), table.rows)
            shuffled = {name: [column[place] for place in order] for name, column in values.items()}
            self._create(f"shuffled_{number}", table, shuffled)
        for name, domain in table.columns.items():
            versions = self.versions[table.name, name.lower()] = []
            for number, (change, changed) in enumerate(Variants(domain, values[name], rng)):
                if name == table.key and (None in changed or len(set(map(repr, changed))) < len(changed)):
                    continue
                schema = f"version_{len(self.versions)}_{number}"
                versions.append(Version(change, table.name, schema, {**values, name: changed}))

    def _create(self, schema: str, table: Table, values: Mapping[str, Sequence[Value]]) -> None:
        columns = ", ".join(
            f'"{name}" {domain.type}{" PRIMARY KEY" if name == table.key else ""}'
            for name, domain in table.columns.items()
        )
        written = [[self._literal(domain, value) for value in values[name]] for name, domain in table.columns.items()]
        rows = ", ".join(f"({', '.join(row)})" for row in zip(*written, strict=True))
        self._connection.execute(f'CREATE TABLE "{schema}"."{table.name}" ({columns})')
        self._connection.execute(f'INSERT INTO "{schema}"."{table.name}" VALUES {rows}')


def _written(value: object) -> str:
    """Sums of floating point numbers depend on the order of the rows in their last digits."""
    return repr(round(value, 6)) if isinstance(value, float) else repr(value)
