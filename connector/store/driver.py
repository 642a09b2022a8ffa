"""Reads and writes the rows of a load directly through the database driver.

They are plain values, and there may be hundreds of thousands of them: SQLAlchemy would spend more time on processing each of them
than the database on finding or storing it. Everything happens in the transaction of the connection.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, DateTime, Table

__all__ = ["Values", "insert_rows", "is_empty", "read_among", "read_first", "read_keys"]

_AT_ONCE = 5000
"""Values per query; SQLite accepts at most 32,766."""

Values = tuple[Any, ...]


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
