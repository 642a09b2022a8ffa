"""The objects of a load and their columns, found in the store or created, and what definitions and metadata say about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from connector.errors import ConfigurationError
from connector.naming import join_name, parse_name
from connector.sql.identity import storable
from connector.store.level_rows import LevelRows
from connector.store.object_rows import DATASETS, ObjectRow, number_of
from connector.store.rows import LateIndexes, Values, insert_rows, read_among, read_first, update_rows
from connector.store.summary import Counts
from connector.store.tables import COLUMN, COLUMNS, DESCRIPTIONS, OBJECT, OBJECTS

_DIALECT_PARENT = "1"
_CREATED = ("guid", "parent_id", "qualified_name", "object_type", "ddl", "ddl_hashId")
_KNOWN = ("guid", "qualified_name", "object_type", "ddl_hashId")
_FEW = 1000
"""Maximum number of objects in a store for reading all of them at once."""


@dataclass(slots=True, eq=False)
class StoredObject:
    """An object in the store. The first load that mentions it determines its spelling."""

    guid: str
    name: str
    type: str
    ddl_hash: str | None
    new: bool = False
    """Whether this load created it: then the store has nothing else about it."""

    @property
    def number(self) -> int:
        """Its number in edges."""
        if not self.guid.isdecimal():
            raise ConfigurationError(
                f"The object {self.name} has the guid {self.guid!r} in the store; guids must be numbers."
            )
        return int(self.guid)


class Objects:
    """The objects of a load, by the guids in its models. Comments belong to the users and are never changed."""

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._known = _Known(connection)
        self._wishes: dict[str, ObjectRow] = {}
        self._stored: dict[str, StoredObject] = {}
        self._changed: set[str] = set()
        self.met: list[StoredObject] = []
        """Those that the latest part was the first to mention."""

    def save(self, models: Sequence[LevelRows]) -> list[list[StoredObject]]:
        """Creates what is missing and updates what has changed. Returns, for each model, its objects in its order."""
        wishes = self._wishes
        asked: dict[str, ObjectRow] = {}
        named: list[list[str]] = []
        for model in models:
            for row in model.objects:
                if row.guid not in wishes or row.ddl_hash is not None or row.type == "view":
                    self._want(row, asked)
            named.append([row.guid for row in model.objects])
        self.met = []
        if asked:
            self._write(asked.values())
        stored = self._stored
        return [[stored[guid] for guid in guids] for guids in named]

    def _want(self, row: ObjectRow, asked: dict[str, ObjectRow]) -> None:
        """Merges what one model states about an object, and looks the object up if it is new."""
        known = self._wishes.get(row.guid)
        if known is None:
            known = row
        elif row.ddl_hash is not None and (row.ddl_hash, row.type) != (known.ddl_hash, known.type):
            known = known._replace(type=row.type, ddl=row.ddl, ddl_hash=row.ddl_hash)
        elif row.type == "view" and known.type != "view" and known.ddl_hash is None:
            known = known._replace(type="view")
        else:
            return
        asked[row.guid] = self._wishes[row.guid] = known

    def _write(self, asked: Collection[ObjectRow]) -> None:
        self._known.ask([wish for wish in asked if wish.guid not in self._stored])
        created: list[Values] = []
        retyped: list[dict[str, Any]] = []
        redefined: list[dict[str, Any]] = []
        for wish in asked:
            stored = self._stored.get(wish.guid)
            if stored is None:
                stored = self._known.find(wish)
                if stored is None:
                    stored = self._create(wish, created)
                self._stored[wish.guid] = stored
                self.met.append(stored)
            if _changes_type(wish, stored) and self._known.is_free(stored.name, wish.type):
                self._known.change_type(stored, wish.type)
                retyped.append({"guid": stored.guid, "object_type": stored.type})
            if wish.ddl_hash is not None and wish.ddl_hash != stored.ddl_hash:
                stored.ddl_hash = wish.ddl_hash
                redefined.append({"guid": stored.guid, "ddl": wish.ddl, "ddl_hashId": wish.ddl_hash})
        changed = {row["guid"] for row in (*retyped, *redefined)}
        self._changed.update(guid for guid in changed if not self._known.is_new(guid))
        insert_rows(self._connection, OBJECTS, _CREATED, created)
        update_rows(self._connection, OBJECTS, ("guid",), retyped)
        update_rows(self._connection, OBJECTS, ("guid",), redefined)
        self._counts.created += len(created)
        self._counts.updated = len(self._changed)
        self._counts.unchanged = len(self._stored) - self._counts.created - self._counts.updated

    def _create(self, wish: ObjectRow, created: list[Values]) -> StoredObject:
        parent = _DIALECT_PARENT if wish.parent is None else self._stored[wish.parent].guid
        stored = StoredObject(wish.guid, wish.name, wish.type, wish.ddl_hash, new=True)
        self._known.add(stored)
        created.append((stored.guid, parent, stored.name, stored.type, wish.ddl, wish.ddl_hash))
        return stored


def _changes_type(wish: ObjectRow, stored: StoredObject) -> bool:
    """A statement that only reads a view treats it as a table. A definition knows the type, and so does anything that calls it a view."""
    if wish.type == stored.type:
        return False
    return wish.ddl_hash is not None or wish.type == "view"


class _Known:
    """The requested objects that the store has, by guid and by name."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._by_guid: dict[str, StoredObject] = {}
        self._by_name: dict[tuple[str, str], StoredObject] = {}
        self._all_read = self._read_few()

    def _read_few(self) -> bool:
        """Reads all objects if there are few, so that no lookups are needed later."""
        rows = read_first(self._connection, OBJECTS, _KNOWN, _FEW + 1)
        few = len(rows) <= _FEW
        if few:
            self._take_in(rows)
        return few

    def ask(self, wanted: Sequence[ObjectRow]) -> None:
        """Looks up objects that have not been requested before."""
        if self._all_read:
            return
        guids = {wish.guid for wish in wanted}
        self._take_in(read_among(self._connection, OBJECTS, _KNOWN, "guid", guids))
        # Two spellings that the dialect tells apart may come out as one name (orders and "orders"), and a row may have
        # been created by another program, with its own guid: then the name decides, as it does in every export.
        names = {wish.name for wish in wanted if wish.guid not in self._by_guid}
        self._take_in(read_among(self._connection, OBJECTS, _KNOWN, "qualified_name", names))

    def _take_in(self, rows: Iterable[Values]) -> None:
        for guid, name, type_, ddl_hash in rows:
            if guid not in self._by_guid:
                self.add(StoredObject(guid, name, type_, ddl_hash))

    def add(self, stored: StoredObject) -> None:
        self._by_guid[stored.guid] = stored
        self._by_name[stored.name, stored.type] = stored

    def is_new(self, guid: str) -> bool:
        return self._by_guid[guid].new

    def find(self, wish: ObjectRow) -> StoredObject | None:
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

    def change_type(self, stored: StoredObject, type_: str) -> None:
        del self._by_name[stored.name, stored.type]
        stored.type = type_
        self.add(stored)


_NAMES = ("guid", "parent_id", "qualified_name")


class Columns:
    """The numbers of the columns of a load."""

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._indexes = LateIndexes(connection, COLUMNS)
        self._numbers: dict[str, dict[str, int]] = {}
        """By the guid of the object and the folded name."""
        self._by_name: dict[str, dict[str, int]] = {}
        """By the guid of the object and the qualified name: two folded names may produce the same one."""
        self.owner: dict[int, int] = {}
        """The objects of columns that were in the store before this load."""
        self._met: set[int] = set()
        """Those of them that this load mentions."""

    def save(
        self, models: Sequence[LevelRows], objects: Sequence[Sequence[StoredObject]], met: Iterable[StoredObject]
    ) -> list[list[int]]:
        """Creates what is missing. Returns, for each model, the numbers of its columns in its order.

        `met` are the objects that have not occurred before.
        """
        self._meet(met)
        numbers = self._numbers
        created: list[tuple[str, str, str]] = []
        result: list[list[int]] = []
        for model, each in zip(models, objects, strict=True):
            found: list[int] = []
            for at, key, bare, name, _ in model.columns:
                stored = each[at]
                number = numbers[stored.guid].get(key)
                if number is None:
                    _, _, own_name, *_ = model.objects[at]
                    called = name if own_name == stored.name else _column_name(stored, bare)
                    number = self._number(stored.guid, key, called, created)
                found.append(number)
            result.append(found)
        self._indexes.expect(len(created))
        insert_rows(self._connection, COLUMNS, _NAMES, created)
        self._counts.created += len(created)
        self._counts.unchanged = len(self._met)
        return result

    def finish(self) -> None:
        """Call after the last columns."""
        self._indexes.make()

    def _meet(self, objects: Iterable[StoredObject]) -> None:
        asked: dict[str, int] = {}
        for stored in objects:
            if stored.type in DATASETS and stored.guid not in self._numbers:
                self._numbers[stored.guid] = {}
                self._by_name[stored.guid] = {}
                number = stored.number
                if not stored.new and not self._indexes.was_empty:
                    asked[stored.guid] = number
        for guid, parent, name in read_among(self._connection, COLUMNS, _NAMES, "parent_id", asked):
            if guid.isdecimal():
                number = int(guid)
                self._by_name[parent][name] = number
                self.owner[number] = asked[parent]

    def _number(self, parent: str, key: str, name: str, created: list[tuple[str, str, str]]) -> int:
        number = number_of("column", parent, key)
        if number not in self.owner:
            siblings = self._by_name[parent]
            if name in siblings:
                number = siblings[name]
            else:
                siblings[name] = number
                created.append((str(number), parent, name))
        if number in self.owner:
            self._met.add(number)
        self._numbers[parent][key] = number
        return number


def _column_name(stored: StoredObject, bare: str) -> str:
    """The qualified name under an object that the store spells differently than the model."""
    parts, cluster = parse_name(stored.name)
    return storable(join_name([*parts, bare], cluster))


_DESCRIPTION = ("kind", "guid", "data_type", "comment")

_Key = tuple[str, str]
_Said = tuple[str | None, str | None]
"""Data type and comment."""


class Descriptions:
    """Writes what a load says. The latest statement counts, and one that says nothing takes nothing back.

    A statement that merely reads a table knows neither its types nor its comment, so missing values never replace known ones.
    """

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._known: dict[_Key, _Said] = {}
        """What the store has, for everything that this load describes."""
        self._created: set[_Key] = set()
        self._updated: set[_Key] = set()

    def save(
        self, models: Sequence[LevelRows], objects: Sequence[Sequence[StoredObject]], columns: Sequence[Sequence[int]]
    ) -> None:
        """Creates and updates the descriptions of some models, given the stored objects and columns of each."""
        wanted: dict[_Key, _Said] = {}
        for model, stored, numbers in zip(models, objects, columns, strict=True):
            for at, column, data_type, comment in model.descriptions:
                key = (OBJECT, stored[at].guid) if column < 0 else (COLUMN, str(numbers[column]))
                known_type, known_comment = wanted.get(key, (None, None))
                wanted[key] = (data_type or known_type, comment or known_comment)
        if wanted:
            self._write(wanted)

    def _write(self, wanted: dict[_Key, _Said]) -> None:
        asked = {guid for kind, guid in wanted if (kind, guid) not in self._known}
        for kind, guid, *said in read_among(self._connection, DESCRIPTIONS, _DESCRIPTION, "guid", asked):
            if (kind, guid) in wanted:  # an object and a column of a foreign store may have the same guid
                self._known.setdefault((kind, guid), (said[0], said[1]))
        created: dict[_Key, _Said] = {}
        updated: dict[_Key, _Said] = {}
        for key, (data_type, comment) in wanted.items():
            known = self._known.get(key)
            if known is None:
                created[key] = self._known[key] = (data_type, comment)
            elif (now := (data_type or known[0], comment or known[1])) != known:
                updated[key] = self._known[key] = now
        insert_rows(self._connection, DESCRIPTIONS, _DESCRIPTION, [(*key, *said) for key, said in created.items()])
        rows = [dict(zip(_DESCRIPTION, (*key, *said), strict=True)) for key, said in updated.items()]
        update_rows(self._connection, DESCRIPTIONS, ("kind", "guid"), rows)
        self._created |= created.keys()
        self._updated |= updated.keys() - self._created
        self._counts.created = len(self._created)
        self._counts.updated = len(self._updated)
        self._counts.unchanged = len(self._known) - len(self._created) - len(self._updated)
