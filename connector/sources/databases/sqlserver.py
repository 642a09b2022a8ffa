"""SQL Server: the texts of views, procedures, functions and triggers, which it stores unchanged."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from connector.sources.databases.definitions import Definition, Scope

__all__ = ["read_definitions"]

_MODULES = """
SELECT DB_NAME(), s.name, o.name, o.type, m.definition
FROM sys.sql_modules m
JOIN sys.objects o ON o.object_id = m.object_id
JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.is_ms_shipped = 0
ORDER BY s.name, o.name"""


def read_definitions(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """One definition per module; an encrypted one has no text."""
    for database, schema, name, type_, definition in connection.execute(text(_MODULES)):
        view = type_.strip() == "V"
        if (scope.views if view else scope.routines) and scope.has(schema, name):
            yield Definition("view" if view else "routine", schema, name, definition, database)
