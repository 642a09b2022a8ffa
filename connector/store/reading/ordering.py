"""Columns in the order that people know.

The store keeps columns without an order, because different statements list them in different orders. The definition of a table has
the right order; without one, a statement that writes the table has an order that people know. Other columns follow by name, and
the row column comes last.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from sqlalchemy import Connection, func, select

from connector.store.reading.records import Column
from connector.store.rows import select_among
from connector.store.tables import NO_PROCESS, OBJECTS, PROCESSES, TABLE_EDGES

__all__ = ["in_order"]

_WORD = re.compile(r"[^\W\d][\w$#]*")
_MOST_OBJECTS = 500
"""Maximum number of objects for which texts are read to determine the order."""


def in_order(connection: Connection, columns: Iterable[Column]) -> list[Column]:
    """The columns object by object, each object's in the order of its definition."""
    listed = list(columns)
    places = _places(connection, {column.owner for column in listed})
    return sorted(listed, key=lambda column: _key(column, places.get(column.owner, {})))


def _key(column: Column, places: dict[str, int]) -> tuple[int, bool, int, str]:
    name = column.name
    return column.owner, column.is_rows, places.get(name.lower(), len(places)), name


def _places(connection: Connection, objects: Collection[int]) -> dict[int, dict[str, int]]:
    """The first positions of the words in the definitions, by object."""
    if len(objects) > _MOST_OBJECTS:
        return {}
    texts = _definitions(connection, objects)
    texts |= _writers(connection, [number for number in objects if number not in texts])
    found: dict[int, dict[str, int]] = {}
    for number, text in texts.items():
        places = found[number] = {}
        for word in _WORD.findall(text.lower()):
            places.setdefault(word, len(places))
    return found


def _definitions(connection: Connection, objects: Collection[int]) -> dict[int, str]:
    query = select(OBJECTS.c.guid, OBJECTS.c.ddl).where(OBJECTS.c.ddl.is_not(None))
    rows = select_among(connection, query, OBJECTS.c.guid, [str(number) for number in objects])
    return {int(guid): text for guid, text in rows}


def _writers(connection: Connection, objects: Collection[int]) -> dict[int, str]:
    """For each object the text of one statement that writes it, the same one every time."""
    edges = TABLE_EDGES.c
    chosen = select(edges.target_id, func.min(edges.process_id)).where(edges.process_id != NO_PROCESS)
    made = {
        row[0]: row[1] for row in select_among(connection, chosen.group_by(edges.target_id), edges.target_id, objects)
    }
    query = select(PROCESSES.c.id, PROCESSES.c.sql_text).where(PROCESSES.c.sql_text.is_not(None))
    texts = {row[0]: row[1] for row in select_among(connection, query, PROCESSES.c.id, set(made.values()))}
    return {number: texts[process] for number, process in made.items() if process in texts}
