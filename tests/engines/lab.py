"""A laboratory: base tables in an engine, DuckDB unless another is asked for, each beside changed versions of itself.

Every version of a table stands in a schema of its own, and is put before the unchanged tables by the search path alone.
What a statement writes is rolled back, so that a run costs little more than the statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random
from typing import Any

import duckdb

from tests.engines.data import Domain, Table, Value, Variants

LIMITS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,
    "memory_limit": "1GB",
    "max_temp_directory_size": "0B",
}
"""A recursion without an end is refused, and does not fill the disk."""

DATABASES = map("lab_{}".format, count())

SHUFFLES = 2
"""How often the rows of all tables are put into another order, to see whether a statement depends on it."""


@dataclass(frozen=True)
class Outcome:
    """What stands in the target: for each column its values, sorted, and the number of rows."""

    columns: Mapping[str, tuple[str, ...]]
    rows: int


@dataclass(frozen=True)
class Version:
    """Tables with one column changed, or several, and the schema that they stand in."""

    change: str
    schema: str
    tables: Mapping[str, Mapping[str, Sequence[Value]]]


class Refused(Exception):  # noqa: N818 - an outcome, not an error of ours
    """The engine does not run the statement."""


@cache
def engine() -> duckdb.DuckDBPyConnection:
    """The engine of all laboratories: to start one takes twenty times as long as to attach a database."""
    return duckdb.connect(config=LIMITS)


class Lab:
    """The tables, filled from one seed."""

    errors: type[Exception] = duckdb.Error
    """What the engine raises for a statement that it does not run."""

    def __init__(self, tables: Iterable[Table], seed: int, targets: Sequence[str] = ()) -> None:
        """`targets` are looked at whenever one of them is: the statements run once for all of them."""
        self.tables = {table.name: table for table in tables}
        self._targets = targets
        self._seen: dict[tuple[Sequence[str], str], dict[str, Outcome]] = {}
        self.versions: dict[tuple[str, str], list[Version]] = {}
        self._made: set[str] = set()
        self._connection = self._connect()
        rng = Random(seed)
        for number in range(SHUFFLES):
            self._connection.execute(f"CREATE SCHEMA shuffled_{number}")
        for table in self.tables.values():
            self._fill(table, rng)

    def _connect(self) -> Any:
        self._database = next(DATABASES)
        connection = engine().cursor()
        connection.execute(f"ATTACH ':memory:' AS {self._database}; USE {self._database}")
        return connection

    def close(self) -> None:
        self._connection.execute(f"USE memory; DETACH {self._database}")
        self._connection.close()

    def run(self, statements: Sequence[str], target: str, schema: str = "main") -> Outcome:
        """What the target holds afterwards, with the tables of `schema` before the unchanged ones."""
        if target not in self._targets:
            return self._run(statements, [target], schema)[target]
        seen = self._seen.get((statements, schema))
        if seen is None:
            seen = self._seen[statements, schema] = self._run(statements, self._targets, schema)
        return seen[target]

    def _run(self, statements: Sequence[str], targets: Sequence[str], schema: str) -> dict[str, Outcome]:
        connection = self._connection
        connection.execute(self._search(["main"] if schema == "main" else [schema, "main"]))
        connection.execute("BEGIN")
        try:
            for statement in statements:
                connection.execute(statement)
            return {target: self._read(target) for target in targets}
        except self.errors as error:
            raise Refused(str(error)) from None
        finally:
            connection.execute("ROLLBACK")

    def _read(self, target: str) -> Outcome:
        cursor = self._connection.execute(f'SELECT * FROM "{target}"')
        names = [str(entry[0]).lower() for entry in cursor.description or ()]
        rows = cursor.fetchall()
        values = {name: tuple(sorted(_written(row[place]) for row in rows)) for place, name in enumerate(names)}
        return Outcome(values, len(rows))

    def _search(self, schemas: Sequence[str]) -> str:
        return f"SET search_path = '{','.join(f'{self._database}.{schema}' for schema in schemas)}'"

    def _literal(self, domain: Domain, value: Value) -> str:
        return domain.literal(value)

    def shuffled(self, statements: Sequence[str], target: str) -> list[Outcome]:
        return [self.run(statements, target, f"shuffled_{number}") for number in range(SHUFFLES)]

    def changed(self, statements: Sequence[str], target: str, version: Version) -> Outcome:
        """As `run`, with columns changed; their tables are made when they are first asked for."""
        if version.schema not in self._made:
            self._made.add(version.schema)
            self._connection.execute(f'CREATE SCHEMA "{version.schema}"')
            for table, values in version.tables.items():
                self._create(version.schema, self.tables[table], values)
        return self.run(statements, target, version.schema)

    def together(self, columns: Sequence[tuple[str, str]]) -> Iterator[Version]:
        """Versions with all of the columns changed, each as in a version of its own; what was made for one is dropped."""
        changes: dict[str, dict[str, dict[str, Sequence[Value]]]] = {}
        for table, name in columns:
            for version in self.versions[table, name]:
                values = version.tables[table]
                changed = changes.setdefault(version.change, {}).setdefault(table, dict(values))
                changed.update((own, values[own]) for own in values if own.lower() == name)
        for change, tables in changes.items():
            version = Version(change, f"together_{len(self._made)}", tables)
            try:
                yield version
            finally:
                self._connection.execute(f'DROP SCHEMA IF EXISTS "{version.schema}" CASCADE')

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
                versions.append(Version(change, schema, {table.name: {**values, name: changed}}))

    def _create(self, schema: str, table: Table, values: Mapping[str, Sequence[Value]]) -> None:
        columns = ", ".join(
            f'"{name}" {domain.type}{" PRIMARY KEY" if name == table.key else ""}'
            for name, domain in table.columns.items()
        )
        written = [[self._literal(domain, value) for value in values[name]] for name, domain in table.columns.items()]
        rows = ", ".join(f"({', '.join(row)})" for row in zip(*written, strict=True))
        name = f'"{schema}"."{table.name}"'
        self._connection.execute(f"CREATE TABLE {name} ({columns}); INSERT INTO {name} VALUES {rows}")


def _written(value: object) -> str:
    """Sums of floating point numbers depend on the order of the rows in their last digits."""
    return repr(round(value, 6)) if isinstance(value, float) else repr(value)
