"""The schema version of a store, and the migration of older versions to the latest.

Version 1 is what the model's specification describes: the two `sqlflow_` tables with the predefined dialects and nothing else,
whoever created them. Version 2 adds lineage, version 3 the history from query logs, version 4 how columns are computed, version 5
comments and data types. A change to the tables is a further step in `_STEPS`. A step is never edited after its release, so a step
that uses a table of :mod:`connector.store.tables` gets its own copy of the definition when that table changes.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, insert, inspect, select, text, update

from connector.errors import ConfigurationError
from connector.store.object_rows import DIALECT_ROWS
from connector.store.tables import (
    COLUMN_EDGES,
    DELIVERIES,
    DESCRIPTIONS,
    FIRST_PROCESS_HISTORY_DDL,
    LINEAGE,
    LOG_HISTORY,
    OBJECTS,
    PROCESS_HISTORY_DDL,
    REFERENCE,
    VERSION,
)

_ROOT = "1"
"""The parent of the predefined dialects; the specification has no row for it."""


def _add_reference(connection: Connection) -> None:
    REFERENCE.create_all(connection)
    connection.execute(
        insert(OBJECTS),
        [
            {"guid": guid, "parent_id": _ROOT, "object_type": "sqldialect", "qualified_name": name}
            for name, guid in DIALECT_ROWS.items()
        ],
    )


def _add_lineage(connection: Connection) -> None:
    later = (LOG_HISTORY, DELIVERIES, DESCRIPTIONS)
    LINEAGE.create_all(connection, tables=[table for table in LINEAGE.sorted_tables if table not in later])
    connection.execute(text(FIRST_PROCESS_HISTORY_DDL))
    connection.execute(insert(VERSION), {"version": 2})


def _add_history(connection: Connection) -> None:
    LINEAGE.create_all(connection, tables=[LOG_HISTORY, DELIVERIES])
    connection.execute(text("DROP VIEW lineage_process_history"))
    connection.execute(text(PROCESS_HISTORY_DDL))


def _add_expressions(connection: Connection) -> None:
    """Adds how columns are computed. It remains unknown for earlier loads until they are repeated."""
    known = {column["name"] for column in inspect(connection).get_columns(COLUMN_EDGES.name)}
    for column in (COLUMN_EDGES.c.expression, COLUMN_EDGES.c.transformation):
        if column.name not in known:
            kind = column.type.compile(connection.dialect)
            connection.execute(text(f"ALTER TABLE {COLUMN_EDGES.name} ADD COLUMN {column.name} {kind}"))


def _add_descriptions(connection: Connection) -> None:
    LINEAGE.create_all(connection, tables=[DESCRIPTIONS])


_STEPS: tuple[Callable[[Connection], None], ...] = (
    _add_reference,
    _add_lineage,
    _add_history,
    _add_expressions,
    _add_descriptions,
)
"""Step n, counted from 0, migrates version n to version n + 1."""

LATEST = len(_STEPS)


def read_version(connection: Connection) -> int:
    """The version of a store; 0 if the database does not contain one."""
    tables = inspect(connection)
    if tables.has_table(VERSION.name):
        version = connection.execute(select(VERSION.c.version)).scalars().first()
        if version is None:
            raise ConfigurationError(
                f"The table {VERSION.name} of the store is empty, so its version is unknown. Restore the store from "
                "a backup, or remove it and run with --full."
            )
        return int(version)
    return 1 if tables.has_table(OBJECTS.name) else 0


def refuse_newer(version: int, label: str) -> None:
    """An older program must neither write nor misread what it does not understand."""
    if version > LATEST:
        raise ConfigurationError(
            f"The store {label} has schema version {version}, written by a newer lineage-connector; this one supports "
            f"versions up to {LATEST}. Upgrade lineage-connector, or use another store."
        )


def bring_up_to_date(connection: Connection, label: str) -> None:
    """Creates a store in an empty database, or upgrades an older one. The caller holds the write lock."""
    version = read_version(connection)
    refuse_newer(version, label)
    for step in _STEPS[version:]:
        step(connection)
    if version < LATEST:
        connection.execute(update(VERSION).values(version=LATEST))
