"""The columns of a load, found or created under their objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from connector.naming import join_name, parse_name
from connector.sql.identity import storable
from connector.store.identity import number_of
from connector.store.level_rows import DATASETS, LevelRows
from connector.store.objects import StoredObject
from connector.store.rows import LateIndexes, insert_rows, read_among
from connector.store.summary import Counts
from connector.store.tables import COLUMNS

__all__ = ["Columns"]

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
            for at, key, bare, name in model.columns:
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
