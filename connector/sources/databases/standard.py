"""Databases without a specific reader: what SQLAlchemy and the information schema know."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from connector.sources.databases.definitions import Definition, Scope, create_view, is_whole

__all__ = ["SYSTEM", "read_definitions", "read_views", "schema_names"]

_log = logging.getLogger("connector.sources")

SYSTEM = frozenset({"information_schema", "pg_catalog", "sys", "system", "pg_toast", "pg_internal"})

_ROUTINES = "SELECT routine_schema, routine_name, routine_definition FROM information_schema.routines ORDER BY 1, 2"


def read_definitions(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """Views, and the routines whose definitions are complete statements."""
    if scope.views:
        yield from read_views(connection, scope)
    if scope.routines:
        yield from _routines(connection, scope)


def schema_names(connection: Connection, scope: Scope) -> list[str]:
    """The selected schemas, without system schemas."""
    names = sorted(inspect(connection).get_schema_names())
    return [name for name in names if name.lower() not in SYSTEM and scope.has_schema(name)]


def read_views(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """The views of all schemas."""
    inspector = inspect(connection)
    prepare = connection.dialect.identifier_preparer
    for schema in schema_names(connection, scope):
        for name in sorted(inspector.get_view_names(schema)):
            if scope.has(schema, name):
                full = f"{prepare.quote_schema(schema)}.{prepare.quote(name)}"
                yield Definition("view", schema, name, create_view(full, _view(connection, schema, name)))


def _view(connection: Connection, schema: str, name: str) -> str | None:
    try:
        return inspect(connection).get_view_definition(name, schema)
    except NotImplementedError:
        return None


def _routines(connection: Connection, scope: Scope) -> Iterator[Definition]:
    try:
        rows = connection.execute(text(_ROUTINES)).all()
    except SQLAlchemyError:
        _log.warning("%s: this type of database has no information schema for routines", connection.dialect.name)
        connection.rollback()
        return
    for schema, name, definition in rows:
        if schema.lower() in SYSTEM or not scope.has(schema, name):
            continue
        # If only the body is stored, the parameters are unknown, and the lineage would be wrong.
        yield Definition("routine", schema, name, definition if definition and is_whole(definition) else None)
