"""Reading, changing and deleting many rows at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, bindparam, delete, update

__all__ = ["delete_rows", "select_among", "update_rows"]

_AT_ONCE = 5000
"""Values in one IN list; SQLite accepts at most 32,766."""


def select_among(
    connection: Connection, query: Select[Any], column: ColumnElement[Any], values: Collection[Any]
) -> Iterator[Any]:
    """The rows of a query whose column has one of the values, however many values there are."""
    listed = list(values)
    for at in range(0, len(listed), _AT_ONCE):
        yield from connection.execute(query.where(column.in_(listed[at : at + _AT_ONCE]))).all()


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
