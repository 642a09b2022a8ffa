"""Many rows at once: reading, inserting, changing and deleting them, and the indexes of a table that is initially empty.

The rows of a load are plain values, and there may be hundreds of thousands of them. They are read and inserted directly through
the database driver, because SQLAlchemy would spend more time on each of them than the database on finding or storing it.
Everything happens in the transaction of the connection.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from sqlalchemy import ColumnElement, Connection, DateTime, Index, Select, Table, bindparam, delete, update
from sqlalchemy.schema import CreateIndex, DropIndex

_AT_ONCE = 5000
"""Values in one IN list; SQLite accepts at most 32,766."""


def select_among(
    connection: Connection, query: Select[Any], column: ColumnElement[Any], values: Collection[Any]
) -> Iterator[Any]:
    """The rows of a query whose column has one of the values, however many values there are."""
    for part in _parts(values, _AT_ONCE):
        yield from connection.execute(query.where(column.in_(part))).all()


def update_rows(connection: Connection, table: Table, keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Updates the non-key columns of rows; all rows have the same names."""
    if rows:
        changed = [name for name in rows[0] if name not in keys]
        statement = _matching(update(table), table, keys).values({name: bindparam(f"new_{name}") for name in changed})
        connection.execute(
            statement,
            [{f"key_{key}": row[key] for key in keys} | {f"new_{name}": row[name] for name in changed} for row in rows],
        )


def delete_rows(connection: Connection, table: Table, keys: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Delete the rows with these keys."""
    if rows:
        named = [{f"key_{key}": value for key, value in zip(keys, row, strict=True)} for row in rows]
        connection.execute(_matching(delete(table), table, keys), named)


def _matching(statement: Any, table: Table, keys: Sequence[str]) -> Any:
    for key in keys:
        statement = statement.where(table.c[key] == bindparam(f"key_{key}"))
    return statement


_MANY = 1000
"""Number of rows above which it pays off."""


class LateIndexes:
    """Creates the indexes of a table after its first rows, which takes half the time of maintaining them row by row.

    Only in SQLite, where it is part of the transaction like everything else, and concurrent readers see the previous state. In
    PostgreSQL readers would have to wait. Until the indexes exist, the table is only queried by its primary key.
    """

    def __init__(self, connection: Connection, table: Table) -> None:
        self._connection = connection
        self._table = table
        self.was_empty = is_empty(connection, table)
        """Whether the table had no row before."""
        self._may_wait = self.was_empty and connection.dialect.name == "sqlite"
        self._waiting: list[Index] = []

    def expect(self, rows: int) -> None:
        """Announces the number of rows that follow."""
        if self._may_wait and rows >= _MANY:
            self._may_wait = False
            self._waiting = sorted(self._table.indexes, key=lambda index: str(index.name))
            for index in self._waiting:
                self._connection.execute(DropIndex(index, if_exists=True))

    def make(self) -> None:
        """Call after the last rows."""
        for index in self._waiting:
            self._connection.execute(CreateIndex(index))
        self._waiting = []


Values = tuple[Any, ...]


def utc(moment: datetime) -> datetime:
    """A time from the store. SQLite stores no time zone; the store writes UTC."""
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)


def is_empty(connection: Connection, table: Table) -> bool:
    """Whether a table has no row."""
    return not read_first(connection, table, [table.columns[0].name], 1)


def read_first(connection: Connection, table: Table, names: Sequence[str], most: int) -> list[Values]:
    """Some columns of a given number of arbitrary rows of a table."""
    return _read(connection, f"{_select(connection, table, names)} LIMIT {most}", ())


def read_among(
    connection: Connection, table: Table, names: Sequence[str], among: str, values: Collection[Any]
) -> Iterator[Values]:
    """Some columns of the rows whose column `among` has one of the values."""
    said = f"{_select(connection, table, names)} WHERE {_quoted(connection, [among])}"
    for part in _parts(values, _AT_ONCE):
        if _is_postgresql(connection):
            yield from _read(connection, f"{said} = ANY(%s)", [part])
        else:
            yield from _read(connection, f"{said} IN ({_marks(connection, len(part))})", part)


def read_keys(
    connection: Connection, table: Table, names: Sequence[str], keys: Sequence[str], wanted: Collection[Values]
) -> Iterator[Values]:
    """Some columns of the rows whose columns `keys` match one of the tuples."""
    said = ", ".join([f"key_{at}" for at in range(len(keys))])
    matching = " AND ".join([f"{_quoted(connection, [key])} = key_{at}" for at, key in enumerate(keys)])
    query = f"SELECT {_quoted(connection, names)} FROM asked CROSS JOIN {_quoted(connection, [table.name])}"
    one = f"({_marks(connection, len(keys))})"
    for part in _parts(wanted, _AT_ONCE // len(keys)):
        # Looks every key up in the primary key; with IN and a list of keys, SQLite would read the whole table.
        listed = f"WITH asked ({said}) AS (VALUES {', '.join([one] * len(part))})"
        yield from _read(connection, f"{listed} {query} WHERE {matching}", [value for key in part for value in key])


def insert_rows(connection: Connection, table: Table, names: Sequence[str], rows: Sequence[Values]) -> None:
    """Inserts rows whose values are in the order of the names."""
    if not rows:
        return
    into = f"{_quoted(connection, [table.name])} ({_quoted(connection, names)})"
    driver: Any = connection.connection.driver_connection
    if _is_postgresql(connection):
        with driver.cursor() as cursor, cursor.copy(f"COPY {into} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    else:
        moments = _moments(table, names)
        driver.executemany(
            f"INSERT INTO {into} VALUES ({_marks(connection, len(names))})",
            [_as_text(row, moments) for row in rows] if moments else rows,
        )


def _read(connection: Connection, query: str, values: Sequence[Any]) -> list[Values]:
    driver: Any = connection.connection.driver_connection
    found: list[Values] = driver.execute(query, values).fetchall()
    return found


def _is_postgresql(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


def _select(connection: Connection, table: Table, names: Sequence[str]) -> str:
    return f"SELECT {_quoted(connection, names)} FROM {_quoted(connection, [table.name])}"


def _quoted(connection: Connection, names: Sequence[str]) -> str:
    quote = connection.dialect.identifier_preparer.quote
    return ", ".join([quote(name) for name in names])


def _marks(connection: Connection, count: int) -> str:
    return ", ".join(["%s" if _is_postgresql(connection) else "?"] * count)


def _parts(values: Collection[Any], size: int) -> Iterator[list[Any]]:
    listed = list(values)
    for at in range(0, len(listed), size):
        yield listed[at : at + size]


def _moments(table: Table, names: Sequence[str]) -> list[int]:
    """The positions of timestamps in a row."""
    return [at for at, name in enumerate(names) if isinstance(table.c[name].type, DateTime)]


def _as_text(row: Values, moments: Sequence[int]) -> Values:
    """SQLite has no timestamp type. SQLAlchemy, which reads them, expects UTC without a time zone."""
    values = list(row)
    for at in moments:
        if values[at] is not None:
            values[at] = values[at].replace(tzinfo=None).isoformat(" ", "microseconds")
    return tuple(values)
