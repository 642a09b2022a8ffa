"""Reading and writing many rows at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, bindparam, delete, insert, update

__all__ = ["delete_rows", "insert_rows", "select_among", "update_rows"]

_AT_ONCE = 5000
"""Values in one IN list; SQLite takes 32,766 at most."""


def select_among(
    connection: Connection, query: Select[Any], column: ColumnElement[Any], values: Collection[Any]
) -> Iterator[Any]:
    """The rows of a query whose column holds one of the values, however many there are."""
    listed = list(values)
    for at in range(0, len(listed), _AT_ONCE):
        yield from connection.execute(query.where(column.in_(listed[at : at + _AT_ONCE])))


def insert_rows(connection: Connection, table: Table, names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows whose values stand in the order of the names.

    The statement is compiled once and the values go straight to the driver: for hundreds of thousands of rows SQLAlchemy
    would spend more time on looking at each of them than SQLite on storing them. The values are plain already.
    """
    if not rows:
        return
    compiled = insert(table).compile(dialect=connection.dialect, column_keys=list(names))
    if connection.dialect.positional:
        in_order = itemgetter(*[names.index(name) for name in compiled.positiontup or names])
        connection.exec_driver_sql(str(compiled), [in_order(row) for row in rows])
    else:
        connection.exec_driver_sql(str(compiled), [dict(zip(names, row, strict=True)) for row in rows])


def update_rows(connection: Connection, table: Table, keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Set what rows say beside their keys; all rows have the same names."""
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
