"""How each database keeps the definitions of its views and routines.

SQLite, SQL Server and PostgreSQL print complete statements. MySQL and MariaDB show them as a dump would. Oracle keeps the source
of routines line by line. All other databases offer what SQLAlchemy and the information schema know."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Literal

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from connector.sources.models import DatabaseSource


@dataclass(frozen=True, slots=True)
class Definition:
    """A view or a routine with the statement that creates it."""

    kind: Literal["view", "routine"]
    schema: str | None
    name: str
    text: str | None
    """None if the database does not show it to this user."""
    database: str | None = None
    default_schema: str | None = None
    """The schema in which its names are resolved, if it is not its own."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which objects to read."""

    schemas: tuple[str, ...]
    exclude: tuple[str, ...]
    views: bool
    routines: bool

    @classmethod
    def of(cls, source: DatabaseSource) -> Scope:
        return cls(source.schemas, source.exclude, source.views, source.routines)

    def has_schema(self, name: str | None) -> bool:
        return not self.schemas or any(fnmatchcase((name or "").lower(), pattern.lower()) for pattern in self.schemas)

    def has(self, schema: str | None, name: str) -> bool:
        full = f"{schema}.{name}" if schema else name
        return self.has_schema(schema) and not any(
            fnmatchcase(candidate.lower(), pattern.lower()) for pattern in self.exclude for candidate in (full, name)
        )


DefinitionReader = Callable[[Connection, Scope], Iterator[Definition]]

_CREATE = re.compile(r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(?:create|replace|alter)\b", re.I | re.S)


def quoted(*parts: str | None, quote: str = '"') -> str:
    """A qualified name with each part quoted."""
    return ".".join(f"{quote}{part.replace(quote, quote * 2)}{quote}" for part in parts if part)


def create_view(name: str, definition: str | None, *, kind: str = "view") -> str | None:
    """The statement that creates a view, for databases that only keep the query."""
    if definition is None or not definition.strip():
        return None
    text = definition.strip().rstrip(";").rstrip()
    return f"{text}\n" if is_whole(text) else f"create {kind} {name} as\n{text}\n"


def is_whole(definition: str) -> bool:
    """Whether a definition is a complete CREATE statement rather than only the query or body."""
    return _CREATE.match(definition) is not None


_log = logging.getLogger("connector.sources")

_SYSTEM = frozenset({"information_schema", "pg_catalog", "sys", "system", "pg_toast", "pg_internal"})

_STANDARD_ROUTINES = (
    "SELECT routine_schema, routine_name, routine_definition FROM information_schema.routines ORDER BY 1, 2"
)


def read_standard(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """Views, and the routines whose definitions are complete statements."""
    if scope.views:
        yield from read_views(connection, scope)
    if scope.routines:
        yield from _routines(connection, scope)


def schema_names(connection: Connection, scope: Scope) -> list[str]:
    """The selected schemas, without system schemas."""
    names = sorted(inspect(connection).get_schema_names())
    return [name for name in names if name.lower() not in _SYSTEM and scope.has_schema(name)]


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
        rows = connection.execute(text(_STANDARD_ROUTINES)).all()
    except SQLAlchemyError:
        _log.warning("%s: this type of database has no information schema for routines", connection.dialect.name)
        connection.rollback()
        return
    for schema, name, definition in rows:
        if schema.lower() in _SYSTEM or not scope.has(schema, name):
            continue
        # If only the body is stored, the parameters are unknown, and the lineage would be wrong.
        yield Definition("routine", schema, name, definition if definition and is_whole(definition) else None)


_POSTGRES_SYSTEM = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%'"
_NO_EXTENSION = """NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_depend d
    WHERE d.objid = {object} AND d.classid = '{catalog}'::regclass AND d.deptype = 'e')"""

_POSTGRESQL_VIEWS = f"""
SELECT n.nspname, c.relname, c.relkind::text, pg_catalog.pg_get_viewdef(c.oid)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm') AND {_POSTGRES_SYSTEM} AND {_NO_EXTENSION.format(object="c.oid", catalog="pg_catalog.pg_class")}
ORDER BY n.nspname, c.relname"""

_POSTGRESQL_ROUTINES = f"""
SELECT n.nspname, p.proname, p.oid, pg_catalog.pg_get_functiondef(p.oid)
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE p.prokind IN ('f', 'p') AND l.lanname IN ('sql', 'plpgsql') AND {_POSTGRES_SYSTEM}
  AND {_NO_EXTENSION.format(object="p.oid", catalog="pg_catalog.pg_proc")}
ORDER BY n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)"""

_POSTGRESQL_TRIGGERS = """
SELECT t.tgfoid, pg_catalog.pg_get_triggerdef(t.oid)
FROM pg_catalog.pg_trigger t
WHERE NOT t.tgisinternal
ORDER BY t.tgname, t.tgrelid"""


def read_postgresql(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """The definitions, with every name qualified as far as PostgreSQL knows it."""
    database, schema = connection.execute(text("SELECT current_database(), current_schema()")).one()
    # PostgreSQL omits the schemas of the search path when it prints a definition.
    connection.execute(text("SELECT pg_catalog.set_config('search_path', '', false)"))
    if scope.views:
        for owner, name, kind, query in connection.execute(text(_escaped(_POSTGRESQL_VIEWS))):
            if scope.has(owner, name):
                made = "materialized view" if kind == "m" else "view"
                yield Definition("view", owner, name, create_view(quoted(owner, name), query, kind=made), database)
    if scope.routines:
        triggers: dict[int, list[str]] = {}
        for function, definition in connection.execute(text(_escaped(_POSTGRESQL_TRIGGERS))):
            triggers.setdefault(function, []).append(definition)
        for owner, name, oid, definition in connection.execute(text(_escaped(_POSTGRESQL_ROUTINES))):
            if scope.has(owner, name):
                # A trigger's function defines what is done, and the trigger on which table: neither is useful on its own.
                parts = [definition.rstrip().rstrip(";"), *triggers.get(oid, [])]
                yield Definition("routine", owner, name, ";\n".join(parts) + ";\n", database, schema)


def _escaped(query: str) -> str:
    """Escapes double colons: they are casts, but SQLAlchemy would see parameters."""
    return query.replace("::", "\\:\\:")


_MYSQL_SYSTEM = ("information_schema", "mysql", "performance_schema", "sys")

_MYSQL_VIEWS = (
    "SELECT table_schema, table_name, view_definition FROM information_schema.views WHERE {where} ORDER BY 1, 2"
)
_MYSQL_ROUTINES = (
    "SELECT routine_schema, routine_name, routine_type FROM information_schema.routines WHERE {where} ORDER BY 1, 3, 2"
)
_MYSQL_OTHERS = "SELECT {kind}_schema, {kind}_name FROM information_schema.{kind}s WHERE {where} ORDER BY 1, 2"


def schemas_sql(column: str) -> str:
    """The databases to read: the one in the address, otherwise all except system databases."""
    system = ", ".join(f"'{name}'" for name in _MYSQL_SYSTEM)
    return f"{column} = coalesce(database(), {column}) AND {column} NOT IN ({system})"


def read_mysql(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """The definitions. Those that the user may not see have no text."""
    if scope.views:
        for schema, name, query in connection.execute(
            text(_MYSQL_VIEWS.format(where=schemas_sql("table_schema")))
        ).all():
            if scope.has(schema, name):
                yield Definition("view", None, name, create_view(quoted(schema, name, quote="`"), query), schema)
    if not scope.routines:
        return
    for schema, name, kind in connection.execute(
        text(_MYSQL_ROUTINES.format(where=schemas_sql("routine_schema")))
    ).all():
        if kind in ("PROCEDURE", "FUNCTION") and scope.has(schema, name):
            yield _shown(connection, kind, schema, name, f"Create {kind.capitalize()}")
    for kind, column in (("TRIGGER", "SQL Original Statement"), ("EVENT", "Create Event")):
        query = _MYSQL_OTHERS.format(kind=kind.lower(), where=schemas_sql(f"{kind.lower()}_schema"))
        for schema, name in connection.execute(text(query)).all():
            if scope.has(schema, name):
                yield _shown(connection, kind, schema, name, column)


def _shown(connection: Connection, kind: str, schema: str, name: str, column: str) -> Definition:
    # Uses the driver directly: a name may contain a colon or a percent sign.
    statement = f"SHOW CREATE {kind} {quoted(schema, name, quote='`')}".replace("%", "%%")
    row = connection.exec_driver_sql(statement).mappings().one()
    definition = row[column]
    return Definition("routine", None, name, f"{definition.rstrip().rstrip(';')}\n" if definition else None, schema)


_SOURCE = """
SELECT s.owner, s.name, s.type, s.text
FROM all_source s JOIN all_users u ON u.username = s.owner
WHERE u.oracle_maintained = 'N'
  AND s.type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE', 'PACKAGE BODY', 'TRIGGER', 'TYPE BODY')
ORDER BY s.owner, s.name, s.type, s.line"""


def read_oracle(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """Views, then routines."""
    if scope.views:
        yield from read_views(connection, scope)
    if scope.routines:
        lines = ((owner, name, type_, line) for owner, name, type_, line in connection.execute(text(_SOURCE)))
        yield from routines_of_lines(lines, scope)


def routines_of_lines(lines: Iterable[tuple[str, str, str, str | None]], scope: Scope) -> Iterator[Definition]:
    """Assembles routines from sorted lines. A package and its body become one text, because the body uses what the package declares."""
    for (owner, name), group in groupby(lines, lambda line: line[:2]):
        if not scope.has(owner, name):
            continue
        parts = [
            "create or replace " + "".join(line[3] or "" for line in part).rstrip() + "\n/\n"
            for _, part in groupby(group, lambda line: line[2])
        ]
        yield Definition("routine", owner, name, "".join(parts))


_MODULES = """
SELECT DB_NAME(), s.name, o.name, o.type, m.definition
FROM sys.sql_modules m
JOIN sys.objects o ON o.object_id = m.object_id
JOIN sys.schemas s ON s.schema_id = o.schema_id
WHERE o.is_ms_shipped = 0
ORDER BY s.name, o.name"""


def read_sqlserver(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """One definition per module; an encrypted one has no text."""
    for database, schema, name, type_, definition in connection.execute(text(_MODULES)):
        view = type_.strip() == "V"
        if (scope.views if view else scope.routines) and scope.has(schema, name):
            yield Definition("view" if view else "routine", schema, name, definition, database)


_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('view', 'trigger') ORDER BY type DESC, name"


def read_sqlite(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """Views, then triggers. A file has no schemas."""
    for kind, name, statement in connection.execute(text(_OBJECTS)):
        wanted = scope.views if kind == "view" else scope.routines
        if wanted and scope.has(None, name):
            yield Definition("view" if kind == "view" else "routine", None, name, f"{statement.strip()}\n")
