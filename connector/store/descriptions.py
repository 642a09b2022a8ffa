"""What definitions and metadata say about the objects and columns of a load: data types and comments."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from connector.store.level_rows import LevelRows
from connector.store.objects import StoredObject
from connector.store.rows import insert_rows, read_among, update_rows
from connector.store.summary import Counts
from connector.store.tables import DESCRIPTIONS

OBJECT, COLUMN = "object", "column"
_NAMES = ("kind", "guid", "data_type", "comment")

Key = tuple[str, str]
Said = tuple[str | None, str | None]
"""Data type and comment."""


class Descriptions:
    """Writes what a load says. The latest statement counts, and one that says nothing takes nothing back.

    A statement that merely reads a table knows neither its types nor its comment, so missing values never replace known ones.
    """

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._known: dict[Key, Said] = {}
        """What the store has, for everything that this load describes."""
        self._created: set[Key] = set()
        self._updated: set[Key] = set()

    def save(
        self, models: Sequence[LevelRows], objects: Sequence[Sequence[StoredObject]], columns: Sequence[Sequence[int]]
    ) -> None:
        """Creates and updates the descriptions of some models, given the stored objects and columns of each."""
        wanted: dict[Key, Said] = {}
        for model, stored, numbers in zip(models, objects, columns, strict=True):
            for at, column, data_type, comment in model.descriptions:
                key = (OBJECT, stored[at].guid) if column < 0 else (COLUMN, str(numbers[column]))
                known_type, known_comment = wanted.get(key, (None, None))
                wanted[key] = (data_type or known_type, comment or known_comment)
        if wanted:
            self._write(wanted)

    def _write(self, wanted: dict[Key, Said]) -> None:
        asked = {guid for kind, guid in wanted if (kind, guid) not in self._known}
        for kind, guid, *said in read_among(self._connection, DESCRIPTIONS, _NAMES, "guid", asked):
            if (kind, guid) in wanted:  # an object and a column of a foreign store may have the same guid
                self._known.setdefault((kind, guid), (said[0], said[1]))
        created: dict[Key, Said] = {}
        updated: dict[Key, Said] = {}
        for key, (data_type, comment) in wanted.items():
            known = self._known.get(key)
            if known is None:
                created[key] = self._known[key] = (data_type, comment)
            elif (now := (data_type or known[0], comment or known[1])) != known:
                updated[key] = self._known[key] = now
        insert_rows(self._connection, DESCRIPTIONS, _NAMES, [(*key, *said) for key, said in created.items()])
        rows = [dict(zip(_NAMES, (*key, *said), strict=True)) for key, said in updated.items()]
        update_rows(self._connection, DESCRIPTIONS, ("kind", "guid"), rows)
        self._created |= created.keys()
        self._updated |= updated.keys() - self._created
        self._counts.created = len(self._created)
        self._counts.updated = len(self._updated)
        self._counts.unchanged = len(self._known) - len(self._created) - len(self._updated)
