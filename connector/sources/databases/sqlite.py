"""SQLite: the statements that created its views and triggers, as written."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from connector.sources.databases.definitions import Definition, Scope

__all__ = ["read_definitions"]

_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY type DESC, name"


def read_definitions(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """Views, then triggers. A file has no schemas."""
    for kind, name, statement in connection.execute(text(_OBJECTS)):
        wanted = scope.views if kind == "view" else scope.routines
        if wanted and scope.has(None, name):
            yield Definition("view" if kind == "view" else "routine", None, name, f"{statement.strip()}\n")
