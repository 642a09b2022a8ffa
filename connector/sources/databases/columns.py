"""The columns of a database's tables and views: the metadata for expanding `*`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.engine.reflection import ObjectKind

from connector.sources.databases.definitions import Scope
from connector.sources.databases.mysql import schemas_sql
from connector.sources.databases.standard import schema_names
from connector.sources.record import TableColumns

__all__ = ["read_columns"]

_MYSQL = """
SELECT c.table_schema, c.table_name, t.table_type, c.column_name
FROM information_schema.columns c
JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE {where}
ORDER BY c.table_schema, c.table_name, c.ordinal_position"""


def read_columns(connection: Connection, scope: Scope, database: str | None) -> Iterator[TableColumns]:
    """The tables and views of all selected schemas, sorted."""
    kind = connection.dialect.name
    if kind in ("mysql", "mariadb"):
        yield from _mysql(connection, scope)
        return
    schemas: list[str | None] = [None] if kind == "sqlite" else [*schema_names(connection, scope)]
    inspector = inspect(connection)
    for schema in schemas:
        found = inspector.get_multi_columns(schema=schema, kind=ObjectKind.ANY)
        views = {name for _, name in found} & {
            *inspector.get_view_names(schema),
            *(inspector.get_materialized_view_names(schema) if kind == "postgresql" else ()),
        }
        for (_, name), columns in sorted(found.items(), key=lambda item: item[0][1]):
            if scope.has(schema, name):
                yield TableColumns(database, schema, name, _names(columns), name in views)


def _names(columns: Iterable[ReflectedColumn]) -> tuple[str, ...]:
    return tuple(str(column["name"]) for column in columns)


def _mysql(connection: Connection, scope: Scope) -> Iterator[TableColumns]:
    # SQLAlchemy would query each table separately.
    rows = connection.execute(text(_MYSQL.format(where=schemas_sql("c.table_schema"))))
    for (schema, name, kind), group in groupby(rows, lambda row: row[:3]):
        if scope.has(schema, name):
            yield TableColumns(schema, None, name, tuple(row[3] for row in group), kind == "VIEW")
