"""PostgreSQL's record of the columns that a view uses, and the analyser's own.

``pg_depend`` holds, for each view, every column that its query names, wherever it names it. Two things are not in there:
attributes of composite values, and the columns behind a whole-row reference (``f(t.*)``), of which it only knows the table.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import psycopg

from connector import analyze
from tests.engines.reported import ROWS, folded

Connection = psycopg.Connection[tuple[Any, ...]]
Column = tuple[str, str]
"""A table with its schema, and a column."""

Metadata = dict[str, list[str]]

DEPENDENCIES = b"""
SELECT DISTINCT view_schema.nspname || '.' || view.relname, used_schema.nspname || '.' || used.relname, attribute.attname
FROM pg_depend AS dependency
JOIN pg_rewrite AS rule ON dependency.classid = 'pg_rewrite'::regclass AND rule.oid = dependency.objid
JOIN pg_class AS view ON view.oid = rule.ev_class AND view.relkind IN ('v', 'm')
JOIN pg_namespace AS view_schema ON view_schema.oid = view.relnamespace
JOIN pg_class AS used ON dependency.refclassid = 'pg_class'::regclass AND used.oid = dependency.refobjid
    AND used.oid <> view.oid AND used.relkind <> 'c'
JOIN pg_namespace AS used_schema ON used_schema.oid = used.relnamespace
JOIN pg_attribute AS attribute ON attribute.attrelid = used.oid AND attribute.attnum = dependency.refobjsubid
"""

COLUMNS = b"""
SELECT namespace.nspname || '.' || class.relname, array_agg(attribute.attname::text ORDER BY attribute.attnum)
FROM pg_class AS class
JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attnum > 0 AND NOT attribute.attisdropped
WHERE class.relkind IN ('r', 'v', 'm', 'p', 'f') AND namespace.nspname = %s
GROUP BY 1
"""

VIEWS = b"""
SELECT namespace.nspname || '.' || class.relname, pg_get_viewdef(class.oid)
FROM pg_class AS class
JOIN pg_namespace AS namespace ON namespace.oid = class.relnamespace
WHERE class.relkind IN ('v', 'm') AND namespace.nspname = %s
ORDER BY class.oid
"""


def dependencies(connection: Connection) -> dict[str, set[Column]]:
    """For each view the columns it uses, as the server says."""
    found: dict[str, set[Column]] = defaultdict(set)
    for view, table, column in connection.execute(DEPENDENCIES):
        found[view].add((table, column))
    return found


def columns(connection: Connection, schema: str) -> Metadata:
    return dict(connection.execute(COLUMNS, (schema,)).fetchall())


def definitions(connection: Connection, schema: str) -> dict[str, str]:
    """The text that the server prints for its views, oldest first, every name qualified."""
    connection.execute("SET search_path = ''")
    found: dict[str, str] = dict(connection.execute(VIEWS, (schema,)).fetchall())
    connection.execute("RESET search_path")
    return found


@dataclass
class Used:
    """What the analyser says a view uses."""

    named: set[Column] = field(default_factory=set)
    """Complete level: columns of tables that any step reads."""
    reaching: set[Column] = field(default_factory=set)
    """Those of them from which the relations of the complete level lead to the view."""
    reported: set[Column] = field(default_factory=set)
    """Column level: the ends of its relations."""
    edges: set[tuple[Column, str, str]] = field(default_factory=set)
    """Column level: source, kind, column of the view."""
    errors: list[str] = field(default_factory=list)


def used(text: str, view: str, metadata: Mapping[str, list[str]], schema: str) -> Used:
    """`view` is its name with the schema; `schema` that of unqualified names."""
    known = {table: names for table, names in metadata.items() if table != view}
    lineage = analyze(text, dialect="postgresql", metadata=known, default_schema=schema)
    result = Used()
    column_level = lineage.to_dict(level="column")
    result.errors = [f"{error['errorType']}: {error['errorMessage']}" for error in column_level["errors"]]
    for relation in column_level["relations"]:
        ends = [relation["source"], relation["target"]] if relation["type"] == "join" else [relation["source"]]
        result.reported |= {end for end in (_end(end, schema) for end in ends) if end[1] != ROWS}
        if relation["type"] != "join":
            result.edges.add((_end(relation["source"], schema), relation["type"], folded(relation["target"]["column"])))
    _read_complete(lineage.to_dict(level="complete"), view, schema, result)
    return result


def _end(end: Mapping[str, Any], schema: str) -> Column:
    return f"{_bare(end['schema']) or schema}.{_bare(end['table'])}", _column(end["column"])


def _column(name: str) -> str:
    return ROWS if folded(name) == ROWS else _bare(name)


def _bare(name: str | None) -> str:
    return (name or "").strip('"')


def _read_complete(complete: Mapping[str, Any], view: str, schema: str, result: Used) -> None:
    onward: dict[str, set[str]] = defaultdict(set)
    names: dict[str, Column] = {}
    for entity in complete["dbobjs"]:
        ids = {column["id"]: _column(column["name"]) for column in entity.get("columns", ())}
        rows = [id_ for id_, name in ids.items() if name == ROWS]
        for id_ in rows:
            onward[id_] |= ids.keys()
        if entity["type"] in ("table", "view"):
            table = f"{_bare(entity.get('schema')) or schema}.{_bare(entity['name'].rsplit('.', 1)[-1])}"
            names.update({id_: (table, name) for id_, name in ids.items()})
    joined: set[str] = set()
    for relation in complete["relations"]:
        sources = {source["id"] for source in relation["sources"]}
        if relation["type"] == "join":
            joined |= sources | {relation["target"]["id"]}
        else:
            for source in sources:
                onward[source].add(relation["target"]["id"])
    read = {id_ for id_, following in onward.items() if following} | joined
    result.named = {names[id_] for id_ in read if id_ in names and names[id_][1] != ROWS and names[id_][0] != view}
    for id_, name in names.items():
        if name in result.named and _reaches(id_, onward, names, view):
            result.reaching.add(name)


def _reaches(start: str, onward: Mapping[str, set[str]], names: Mapping[str, Column], view: str) -> bool:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        id_ = waiting.pop()
        if id_ in seen:
            continue
        seen.add(id_)
        if id_ != start and id_ in names and names[id_][0] == view:
            return True
        waiting += onward.get(id_, ())
    return False


@dataclass(frozen=True)
class Difference:
    """Where the server and the analyser disagree about one view."""

    view: str
    missing: frozenset[Column]
    extra: frozenset[Column]
    dropped: frozenset[Column]
    """Reach the view at the complete level, and are not reported at the column level."""
    errors: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.dropped or self.errors)

    def __str__(self) -> str:
        parts = [f"== {self.view}"]
        for word in ("missing", "extra", "dropped"):
            found: frozenset[Column] = getattr(self, word)
            if found:
                parts.append(f"   {word}: {', '.join(sorted('.'.join(column) for column in found))}")
        return "\n".join([*parts, *(f"   error: {error}" for error in self.errors)])


def difference(view: str, wanted: Iterable[Column], ours: Used, metadata: Mapping[str, list[str]]) -> Difference:
    """Compare, leaving out what ``pg_depend`` cannot know: columns of functions, and those behind a whole row."""
    wanted = set(wanted)
    whole = {table for table, names in metadata.items() if {(table, name) for name in names} <= ours.named}
    extra = {column for column in ours.named | ours.reported if column not in wanted and column[0] not in whole}
    extra = {column for column in extra if column[0] in metadata or column[0].endswith("orphan_column")}
    return Difference(
        view,
        frozenset(wanted - ours.named - ours.reported),
        frozenset(extra),
        frozenset(column for column in ours.reaching - ours.reported if column[0] in metadata),
        tuple(ours.errors),
    )


def copy_catalogs(connection: Connection, schema: str) -> dict[str, str]:
    """Make the built-in views anew, over copies of the catalogs: of the originals, which are pinned, nothing is recorded.

    Returns the definitions that were used, by the name of the view.
    """
    connection.execute("SET search_path = information_schema")
    tables = connection.execute(
        """
        SELECT class.relname, string_agg(
            quote_ident(attribute.attname) || ' ' || format_type(attribute.atttypid, attribute.atttypmod), ', '
            ORDER BY attribute.attnum)
        FROM pg_class AS class JOIN pg_attribute AS attribute ON attribute.attrelid = class.oid AND attribute.attnum > 0
        WHERE class.relkind = 'r' AND class.relnamespace IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        GROUP BY 1
        """
    ).fetchall()
    views = [
        view
        for origin in ("pg_catalog", "information_schema")
        for view in connection.execute(VIEWS, (origin,)).fetchall()
    ]
    of_rows = connection.execute(
        """
        SELECT proname, pg_get_function_identity_arguments(oid), format_type(prorettype, NULL)
        FROM pg_proc WHERE pronamespace = 'information_schema'::regnamespace AND EXISTS (
            SELECT FROM unnest(proargtypes) AS argument(type) JOIN pg_type ON pg_type.oid = argument.type
            WHERE pg_type.typtype = 'c')
        """
    ).fetchall()
    connection.execute(f"CREATE SCHEMA {schema}".encode())
    connection.execute(f"SET search_path = {schema}, information_schema, pg_catalog".encode())
    for table, names in tables:
        connection.execute(f"CREATE TABLE {schema}.{table} ({_storable(names)})".encode())
    for function, arguments, result in of_rows:
        signature = f"{schema}.{function}({arguments}) RETURNS {result}"
        connection.execute(f"CREATE FUNCTION {signature} LANGUAGE sql AS 'SELECT NULL::{result}'".encode())
    made: dict[str, str] = {}
    for view, definition in views:
        name = f"{schema}.{view.split('.')[1]}"
        made[name] = _storable(definition)
        connection.execute(f"CREATE VIEW {name} AS {made[name]}".encode())
    connection.execute("RESET search_path")
    return made


def _storable(text: str) -> str:
    """A column of a plain table cannot be of the type anyarray."""
    return re.sub(r"\banyarray\b", "text[]", text)
