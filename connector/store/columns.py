"""The columns of a load, found or made under the objects they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, select

from connector.model import Column, Entity, Model
from connector.naming import Namer, join_name, parse_name, unquote
from connector.store.identity import Folder, number_of, storable
from connector.store.objects import StoredObject
from connector.store.rows import insert_rows, select_among
from connector.store.summary import Counts
from connector.store.tables import COLUMNS

__all__ = ["StoredColumns", "save_columns"]


class StoredColumns:
    """The numbers of the columns of a load, and of which object each column of those objects is."""

    __slots__ = ("number", "owner")

    def __init__(self) -> None:
        self.number: dict[Column, int] = {}
        self.owner: dict[int, int] = {}


def save_columns(
    connection: Connection,
    model: Model,
    objects: Mapping[Entity, StoredObject],
    columns: Iterable[Column],
    counts: Counts,
) -> StoredColumns:
    """Make sure the store has the columns, each called by the name of its object in the store."""
    result = StoredColumns()
    by_parent: dict[str, dict[str, str]] = {stored.guid: {} for stored in objects.values()}
    query = select(COLUMNS.c.guid, COLUMNS.c.parent_id, COLUMNS.c.qualified_name)
    for guid, parent, name in select_among(connection, query, COLUMNS.c.parent_id, by_parent):
        if guid.isdecimal():
            by_parent[parent][name] = guid
            result.owner[int(guid)] = int(parent)
    created: list[tuple[str, str, str]] = []
    met: set[int] = set()
    namer = Namer(model)
    folder = Folder(model, namer)
    own_names = {entity: namer.entity(entity) == stored.name for entity, stored in objects.items()}
    for column in columns:
        entity = column.entity
        stored = objects[entity]
        number = number_of("column", stored.guid, folder.column(column))
        if number not in result.owner:
            name = storable(namer.column(column) if own_names[entity] else _column_name(stored, column))
            siblings = by_parent[stored.guid]
            guid = siblings.get(name)
            if guid is None:
                siblings[name] = guid = str(number)
                created.append((guid, stored.guid, name))
                result.owner[number] = stored.number
            number = int(guid)
        result.number[column] = number
        met.add(number)
    created.sort()
    insert_rows(connection, COLUMNS, ("guid", "parent_id", "qualified_name"), created)
    counts.created += len(created)
    counts.unchanged += len(met) - len(created)
    return result


def _column_name(stored: StoredObject, column: Column) -> str:
    """The name under an object that the store spells otherwise than this load does."""
    parts, cluster = parse_name(stored.name)
    return join_name([*parts, unquote(column.name)], cluster)
