"""PostgreSQL: views, materialized views, functions, procedures and triggers from its catalog."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from connector.sources.databases.definitions import Definition, Scope, create_view, quoted

__all__ = ["read_definitions"]

_SYSTEM = "n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_toast%' AND n.nspname NOT LIKE 'pg\\_temp%'"
_NO_EXTENSION = """NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_depend d
    WHERE d.objid = {object} AND d.classid = '{catalog}'::regclass AND d.deptype = 'e')"""

_VIEWS = f"""
SELECT n.nspname, c.relname, c.relkind::text, pg_catalog.pg_get_viewdef(c.oid)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('v', 'm') AND {_SYSTEM} AND {_NO_EXTENSION.format(object="c.oid", catalog="pg_catalog.pg_class")}
ORDER BY n.nspname, c.relname"""

_ROUTINES = f"""
SELECT n.nspname, p.proname, p.oid, pg_catalog.pg_get_functiondef(p.oid)
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE p.prokind IN ('f', 'p') AND l.lanname IN ('sql', 'plpgsql') AND {_SYSTEM}
  AND {_NO_EXTENSION.format(object="p.oid", catalog="pg_catalog.pg_proc")}
ORDER BY n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)"""

_TRIGGERS = """
SELECT t.tgfoid, pg_catalog.pg_get_triggerdef(t.oid)
FROM pg_catalog.pg_trigger t
WHERE NOT t.tgisinternal
ORDER BY t.tgname, t.tgrelid"""


def read_definitions(connection: Connection, scope: Scope) -> Iterator[Definition]:
    """The definitions, with every name qualified as far as PostgreSQL knows it."""
    database, schema = connection.execute(text("SELECT current_database(), current_schema()")).one()
    # PostgreSQL omits the schemas of the search path when it prints a definition.
    connection.execute(text("SELECT pg_catalog.set_config('search_path', '', false)"))
    if scope.views:
        for owner, name, kind, query in connection.execute(text(_escaped(_VIEWS))):
            if scope.has(owner, name):
                made = "materialized view" if kind == "m" else "view"
                yield Definition("view", owner, name, create_view(quoted(owner, name), query, kind=made), database)
    if scope.routines:
        triggers: dict[int, list[str]] = {}
        for function, definition in connection.execute(text(_escaped(_TRIGGERS))):
            triggers.setdefault(function, []).append(definition)
        for owner, name, oid, definition in connection.execute(text(_escaped(_ROUTINES))):
            if scope.has(owner, name):
                # A trigger's function defines what is done, and the trigger on which table: neither is useful on its own.
                parts = [definition.rstrip().rstrip(";"), *triggers.get(oid, [])]
                yield Definition("routine", owner, name, ";\n".join(parts) + ";\n", database, schema)


def _escaped(query: str) -> str:
    """Escapes double colons: they are casts, but SQLAlchemy would see parameters."""
    return query.replace("::", "\\:\\:")
