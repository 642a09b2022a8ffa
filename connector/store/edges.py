"""Compares the edges of a load with those in the store: what is added, changed and removed.

Loading a statement again redefines what it writes: with better metadata a `*` has become columns, and the old edge is wrong. The
edges of a statement into a table are therefore replaced as a whole by those of the latest load in which the statement wrote that
table. What the same text wrote elsewhere (under another default schema) is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set

from sqlalchemy import Connection, Table

from connector.store.rows import LateIndexes, Values, delete_rows, insert_rows, read_among, read_keys, update_rows
from connector.store.summary import Counts

__all__ = ["EdgeRows", "Edges", "Key"]

Key = Values
EdgeRows = dict[Key, Values]
"""The remaining values of a table of edges, by primary key. The third value of a key is the statement."""

_PROCESS = 2


class Edges:
    """The edges of one level. `wins` decides between two values for the same edge in one load."""

    def __init__(
        self, connection: Connection, table: Table, counts: Counts, wins: Callable[[Values, Values], bool]
    ) -> None:
        self._connection = connection
        self._table = table
        self._counts = counts
        self._wins = wins
        self._keys = [column.name for column in table.primary_key]
        self._names = [*self._keys, *[column.name for column in table.c if not column.primary_key]]
        self._indexes = LateIndexes(connection, table)
        self._unsaid: EdgeRows = {}
        """Earlier edges in the store of statements in this load that the load has not mentioned so far."""

    def save(self, rows: EdgeRows, fresh: Set[int], returned: Set[int]) -> None:
        """Writes some edges. Their statements are either `fresh` in the store or have `returned` to it.

        Values from an earlier part of this load are compared with these; values from an earlier load are replaced.
        """
        unsaid = self._unsaid
        asked = () if self._indexes.was_empty else returned
        unsaid.update(self._split(read_among(self._connection, self._table, self._names, "process_id", asked)))
        created: list[Values] = []
        updated: list[Key] = []
        doubtful: list[Key] = []
        for key, values in rows.items():
            process = key[_PROCESS]
            if process in fresh:
                created.append(key + values)
            elif key in unsaid:
                if unsaid.pop(key) != values:
                    updated.append(key)
            elif process in returned:
                created.append(key + values)
            else:
                doubtful.append(key)
        known = self._split(read_keys(self._connection, self._table, self._names, self._keys, doubtful))
        for key in doubtful:
            if key not in known:
                created.append(key + rows[key])
            elif self._wins(rows[key], known[key]):
                updated.append(key)
        self._indexes.expect(len(created))
        insert_rows(self._connection, self._table, self._names, created)
        changes = [dict(zip(self._names, key + rows[key], strict=True)) for key in updated]
        update_rows(self._connection, self._table, self._keys, changes)
        self._counts.created += len(created)
        self._counts.updated += len(updated)
        self._counts.unchanged += len(rows) - len(created) - len(updated)

    def finish(self, stale: Callable[[Key], bool]) -> None:
        """Removes the edges that are missing from this load."""
        removed = [key for key in self._unsaid if stale(key)]
        delete_rows(self._connection, self._table, self._keys, removed)
        self._counts.removed += len(removed)
        self._indexes.make()

    def _split(self, rows: Iterable[Values]) -> EdgeRows:
        width = len(self._keys)
        return {row[:width]: row[width:] for row in rows}
