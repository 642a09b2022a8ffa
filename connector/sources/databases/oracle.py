"""Oracle: views through SQLAlchemy, and the source of routines, which the dictionary keeps line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sqlalchemy import Connection, text

from connector.sources.databases.definitions import Definition, Scope
from connector.sources.databases.standard import read_views

__all__ = ["read_definitions", "routines_of_lines"]

_SOURCE = """
SELECT s.owner, s.name, s.type, s.text
FROM all_source s JOIN all_users u ON u.username = s.owner
WHERE u.oracle_maintained = 'N'
  AND s.type IN ('FUNCTION', 'PROCEDURE', 'PACKAGE', 'PACKAGE BODY', 'TRIGGER', 'TYPE BODY')
ORDER BY s.owner, s.name, s.type, s.line"""


def read_definitions(connection: Connection, scope: Scope) -> Iterator[Definition]:
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
