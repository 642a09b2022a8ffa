"""MySQL and MariaDB: views from the information schema, routines, triggers and events as the server would dump them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from connector.sources.databases.definitions import Definition, Scope, create_view, quoted

__all__ = ["SYSTEM", "read_definitions", "schemas_sql"]

SYSTEM = ("information_schema", "mysql", "performance_schema", "sys")

_VIEWS = "SELECT table_schema, table_name, view_definition FROM information_schema.views WHERE {where} ORDER BY 1, 2"
_ROUTINES = (
    "SELECT routine_schema, routine_name, routine_type FROM information_schema.routines WHERE {where} ORDER BY 1, 3, 2"
)
_TRIGGERS = "SELECT trigger_schema, trigger_name FROM information_schema.triggers WHERE {where} ORDER BY 1, 2"
_EVENTS = "SELECT event_schema, event_name FROM information_schema.events WHERE {where} ORDER BY 1, 2"


def schemas_sql(column: str) -> str:
    """The databases to read: the one in the address, otherwise all except system databases."""
    system = ", ".join(f"'{name}'" for name in SYSTEM)
    return f"{column} = coalesce(database(), {column}) AND {column} NOT IN ({system})"


def read_definitions(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """The definitions. Those that the user may not see have no text."""
    if scope.views:
        for schema, name, query in connection.execute(text(_VIEWS.format(where=schemas_sql("table_schema")))).all():
            if scope.has(schema, name):
                yield Definition("view", None, name, create_view(quoted(schema, name, quote="`"), query), schema)
    if not scope.routines:
        return
    for schema, name, kind in connection.execute(text(_ROUTINES.format(where=schemas_sql("routine_schema")))).all():
        if kind in ("PROCEDURE", "FUNCTION") and scope.has(schema, name):
            yield _shown(connection, kind, schema, name, f"Create {kind.capitalize()}")
    for schema, name in connection.execute(text(_TRIGGERS.format(where=schemas_sql("trigger_schema")))).all():
        if scope.has(schema, name):
            yield _shown(connection, "TRIGGER", schema, name, "SQL Original Statement")
    for schema, name in connection.execute(text(_EVENTS.format(where=schemas_sql("event_schema")))).all():
        if scope.has(schema, name):
            yield _shown(connection, "EVENT", schema, name, "Create Event")


def _shown(connection: Connection, kind: str, schema: str, name: str, column: str) -> Definition:
    # Uses the driver directly: a name may contain a colon or a percent sign.
    statement = f"SHOW CREATE {kind} {quoted(schema, name, quote='`')}".replace("%", "%%")
    row = connection.exec_driver_sql(statement).mappings().one()
    definition = row[column]
    return Definition("routine", None, name, f"{definition.rstrip().rstrip(';')}\n" if definition else None, schema)
