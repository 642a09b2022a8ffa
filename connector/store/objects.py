"""Which of the wanted objects the store knows already, and what a load has to say about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from connector.errors import ConfigurationError
from connector.store.identity import storable
from connector.store.rows import insert_rows, select_among, update_rows
from connector.store.summary import Counts
from connector.store.tables import OBJECTS
from connector.store.wanted import WantedObject

__all__ = ["StoredObject", "save_objects"]

_DIALECT_PARENT = "1"
_CREATED = ("guid", "parent_id", "qualified_name", "object_type", "ddl", "ddl_hashId")


@dataclass(slots=True, eq=False)
class StoredObject:
    """An object as the store has it. The first load that names it decides how it is spelt."""

    guid: str
    name: str
    type: str
    ddl_hash: str | None

    @property
    def number(self) -> int:
        """How edges name it."""
        if not self.guid.isdecimal():
            raise ConfigurationError(
                f"The object {self.name} has the guid {self.guid!r} in the store; lineage needs guids that are numbers."
            )
        return int(self.guid)


def save_objects(
    connection: Connection, wanted: Iterable[WantedObject], counts: Counts
) -> dict[WantedObject, StoredObject]:
    """Create what is missing and correct what has changed. Comments are people's own and never touched."""
    asked = list(wanted)
    known = _Known(connection, asked)
    created: list[tuple[str | None, ...]] = []
    retyped: list[dict[str, Any]] = []
    redefined: list[dict[str, Any]] = []
    changed: set[str] = set()
    found: dict[WantedObject, StoredObject] = {}
    for wish in asked:
        stored = known.find(wish)
        definition = wish.definition
        if stored is None:
            stored = StoredObject(wish.guid, wish.name, wish.type, definition.hash if definition else None)
            known.add(stored)
            created.append(
                (
                    stored.guid,
                    found[wish.parent].guid if wish.parent is not None else _DIALECT_PARENT,
                    stored.name,
                    stored.type,
                    storable(definition.text) if definition else None,
                    stored.ddl_hash,
                )
            )
        else:
            if _changes_type(wish, stored) and known.is_free(stored.name, wish.type):
                stored.type = wish.type
                known.add(stored)
                retyped.append({"guid": stored.guid, "object_type": stored.type})
                changed.add(stored.guid)
            if definition is not None and definition.hash != stored.ddl_hash:
                stored.ddl_hash = definition.hash
                redefined.append({"guid": stored.guid, "ddl": storable(definition.text), "ddl_hashId": definition.hash})
                changed.add(stored.guid)
        found[wish] = stored
    insert_rows(connection, OBJECTS, _CREATED, created)
    update_rows(connection, OBJECTS, ("guid",), retyped)
    update_rows(connection, OBJECTS, ("guid",), redefined)
    counts.created += len(created)
    counts.updated += len(changed)
    counts.unchanged += len(asked) - len(created) - len(changed)
    return found


def _changes_type(wish: WantedObject, stored: StoredObject) -> bool:
    """A statement that only reads a view takes it for a table. Who defines it knows, and who says view does."""
    if wish.type == stored.type:
        return False
    return wish.definition is not None or wish.type == "view"


class _Known:
    """What the store has of the wanted objects, by guid and by name."""

    def __init__(self, connection: Connection, wanted: list[WantedObject]) -> None:
        self._by_guid: dict[str, StoredObject] = {}
        self._by_name: dict[tuple[str, str], StoredObject] = {}
        query = select(OBJECTS.c.guid, OBJECTS.c.qualified_name, OBJECTS.c.object_type, OBJECTS.c.ddl_hashId)
        for row in select_among(connection, query, OBJECTS.c.guid, {wish.guid for wish in wanted}):
            self.add(_stored(row))
        # Two spellings that the dialect tells apart may come out as one name (orders and "orders"), and a row may have
        # been made by somebody else, with a guid of its own: then the name decides, as it does in every export.
        unknown = {wish.name for wish in wanted if wish.guid not in self._by_guid}
        for row in select_among(connection, query, OBJECTS.c.qualified_name, unknown):
            if row.guid not in self._by_guid:
                self.add(_stored(row))

    def add(self, stored: StoredObject) -> None:
        self._by_guid[stored.guid] = stored
        self._by_name[stored.name, stored.type] = stored

    def find(self, wish: WantedObject) -> StoredObject | None:
        stored = self._by_guid.get(wish.guid)
        if stored is not None:
            return stored
        for type_ in (wish.type, *wish.alike):
            stored = self._by_name.get((wish.name, type_))
            if stored is not None:
                return stored
        return None

    def is_free(self, name: str, type_: str) -> bool:
        return (name, type_) not in self._by_name


def _stored(row: Row[Any]) -> StoredObject:
    return StoredObject(row.guid, row.qualified_name, row.object_type, row.ddl_hashId)
