"""Definitions of a live database as statements, and its columns as metadata."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import URL

from connector.errors import UnknownDialectError
from connector.sources.databases import mysql, oracle, postgresql, sqlite, sqlserver, standard
from connector.sources.databases.columns import read_columns
from connector.sources.databases.definitions import DefinitionReader, Scope
from connector.sources.databases.engine import connecting, dialect_of, parse_url
from connector.sources.models import DatabaseSource
from connector.sources.record import Defaults, SourceStatement, TableColumns, Tally
from connector.sql.dialects import SqlDialect, get_dialect

__all__ = ["database_columns", "read_database"]

_READERS: dict[str, DefinitionReader] = {
    "mariadb": mysql.read_definitions,
    "mssql": sqlserver.read_definitions,
    "mysql": mysql.read_definitions,
    "oracle": oracle.read_definitions,
    "postgresql": postgresql.read_definitions,
    "sqlite": sqlite.read_definitions,
}


def read_database(source: DatabaseSource, defaults: Defaults, tally: Tally | None = None) -> Iterator[SourceStatement]:
    """A statement for each view and each routine."""
    url = parse_url(source.url, source.user, source.password)
    dialect = _dialect(source, url, defaults)
    tally = tally if tally is not None else Tally()
    reader = _READERS.get(url.get_backend_name(), standard.read_definitions)
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
                database=definition.database or source.default_database or defaults.database or _database(url, dialect),
                schema=source.default_schema or definition.default_schema or definition.schema or defaults.schema,
                sequence=sequence,
                cluster=source.cluster or defaults.cluster,
                source=source.name or source.place,
            )


def database_columns(source: DatabaseSource, defaults: Defaults) -> Iterator[TableColumns]:
    """The columns of the tables and views."""
    url = parse_url(source.url, source.user, source.password)
    dialect = _dialect(source, url, defaults)
    database = source.default_database or defaults.database or _database(url, dialect)
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
