"""Definitions of a live database as statements, and its columns as metadata for expanding `*`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.engine.reflection import ObjectKind
from sqlalchemy.exc import CompileError
from sqlalchemy.types import NullType

from connector.errors import UnknownDialectError
from connector.sources.databases.engine import connecting, dialect_of, parse_url
from connector.sources.databases.vendors import (
    DefinitionReader,
    Scope,
    read_mysql,
    read_oracle,
    read_postgresql,
    read_sqlite,
    read_sqlserver,
    read_standard,
    schema_names,
    schemas_sql,
)
from connector.sources.models import DatabaseSource
from connector.sources.record import Defaults, SourceStatement, TableColumns, Tally
from connector.sql.dialects import SqlDialect, get_dialect

_MYSQL = """
SELECT c.table_schema, c.table_name, t.table_type, c.column_name, c.column_type
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
                names = tuple(str(column["name"]) for column in columns)
                types = tuple(_type(column, connection) for column in columns)
                yield TableColumns(database, schema, name, names, name in views, types)


def _type(column: ReflectedColumn, connection: Connection) -> str | None:
    """The type of a column as the database writes it; None for one that SQLAlchemy does not know."""
    try:
        name = column["type"].compile(connection.dialect)
    except CompileError:
        return None
    return None if isinstance(column["type"], NullType) else name


def _mysql(connection: Connection, scope: Scope) -> Iterator[TableColumns]:
    # SQLAlchemy would query each table separately.
    rows = connection.execute(text(_MYSQL.format(where=schemas_sql("c.table_schema"))))
    for (schema, name, kind), group in groupby(rows, lambda row: row[:3]):
        if scope.has(schema, name):
            columns, types = zip(*(row[3:] for row in group), strict=True)
            yield TableColumns(schema, None, name, columns, kind == "VIEW", types)


_READERS: dict[str, DefinitionReader] = {
    "mariadb": read_mysql,
    "mssql": read_sqlserver,
    "mysql": read_mysql,
    "oracle": read_oracle,
    "postgresql": read_postgresql,
    "sqlite": read_sqlite,
}


def read_database(source: DatabaseSource, defaults: Defaults, tally: Tally | None = None) -> Iterator[SourceStatement]:
    """A statement for each view and each routine."""
    url = parse_url(source.url, source.user, source.password)
    dialect = _dialect(source, url, defaults)
    place = defaults.under(source)
    tally = tally if tally is not None else Tally()
    reader = _READERS.get(url.get_backend_name(), read_standard)
    with connecting(url) as connection:
        for sequence, definition in enumerate(reader(connection, Scope.of(source))):
            if definition.text is None:
                tally.hidden += 1
                continue
            tally.read += 1
            full = ".".join(part for part in (definition.schema or definition.database, definition.name) if part)
            yield SourceStatement(
                text=definition.text,
                dialect=dialect.name,
                kind=definition.kind,
                origin=full,
                database=definition.database or place.database or _database(url, dialect),
                schema=source.default_schema or definition.default_schema or definition.schema or defaults.schema,
                sequence=sequence,
                cluster=place.cluster,
                source=source.label,
            )


def database_columns(source: DatabaseSource, defaults: Defaults) -> Iterator[TableColumns]:
    """The columns of the tables and views."""
    url = parse_url(source.url, source.user, source.password)
    dialect = _dialect(source, url, defaults)
    database = defaults.under(source).database or _database(url, dialect)
    with connecting(url) as connection:
        yield from read_columns(connection, Scope.of(source), database)


def _dialect(source: DatabaseSource, url: URL, defaults: Defaults) -> SqlDialect:
    if source.dialect:
        return get_dialect(source.dialect)
    try:
        return get_dialect(dialect_of(url))
    except UnknownDialectError:
        return get_dialect(defaults.dialect)


def _database(url: URL, dialect: SqlDialect) -> str | None:
    """The database in the address, if it is part of qualified names: a file name is not."""
    return url.database if dialect.layers == 3 and url.get_backend_name() not in ("sqlite", "duckdb") else None
