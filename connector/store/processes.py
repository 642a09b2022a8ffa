"""The statements of a load, the record of when they were seen, and the edges they add, change and remove.

Loading a statement again redefines what it writes: with better metadata a `*` has become columns, and the old edge is wrong. The
edges of a statement into a table are therefore replaced as a whole by those of the latest load in which the statement wrote that
table. What the same text wrote elsewhere (under another default schema) is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Table, select

from connector.sql.identity import storable
from connector.store.level_rows import LevelRows
from connector.store.object_rows import number_of
from connector.store.rows import (
    LateIndexes,
    Values,
    delete_rows,
    insert_rows,
    read_among,
    read_keys,
    select_among,
    update_rows,
    utc,
)
from connector.store.summary import Counts
from connector.store.tables import BATCH_PROCESSES, BATCHES, LOG_HISTORY, PROCESSES

_CHANGING = ("id", "type", "approximate")
"""The number, and the values that may change between loads."""
_NAMES = (*_CHANGING, "qualified_name", "query_hash_id", "text_hash_id", "procedure_name", "sql_text")


class Processes:
    """The statements of a load, one row per qualified name.

    The text is that of the first occurrence: under a coarser identity later ones only differ in literals or layout.
    """

    def __init__(self, connection: Connection, counts: Counts) -> None:
        self._connection = connection
        self._counts = counts
        self._indexes = LateIndexes(connection, PROCESSES)
        self.met: set[int] = set()
        self.old: set[int] = set()
        """Those that were in the store before this load."""
        self.returned: set[int] = set()
        """Those of them in the latest part."""
        self.fresh: set[int] = set()
        """Those in the latest part that are new to the store."""

    def save(self, models: Sequence[LevelRows]) -> list[list[int]]:
        """Creates what is missing and updates what has changed. Returns, for each model, the numbers of its statements."""
        met = self.met
        new: dict[int, Values] = {}
        result: list[list[int]] = []
        for model in models:
            numbers: list[int] = []
            for name, type_, approximate, identity, text_hash, procedure, text, *_ in model.processes:
                number = number_of("process", name)
                numbers.append(number)
                if number not in met:
                    met.add(number)
                    new[number] = (number, type_, approximate, name, identity, text_hash, procedure, text)
            result.append(numbers)
        asked = () if self._indexes.was_empty else new
        known = {row[0]: row for row in read_among(self._connection, PROCESSES, _CHANGING, "id", asked)}
        self.returned = set(known)
        self.old |= self.returned
        self.fresh = new.keys() - known.keys()
        self._indexes.expect(len(self.fresh))
        insert_rows(self._connection, PROCESSES, _NAMES, [row for number, row in new.items() if number not in known])
        updated = [
            dict(zip(_CHANGING, new[number], strict=False)) for number, row in known.items() if new[number][:3] != row
        ]
        update_rows(self._connection, PROCESSES, ("id",), updated)
        self._counts.created += len(self.fresh)
        self._counts.updated += len(updated)
        self._counts.unchanged += len(known) - len(updated)
        return result

    def finish(self) -> None:
        """Call after the last statements."""
        self._indexes.make()


def save_batch(connection: Connection, processes: Iterable[int]) -> int:
    """The number of this set of statements; its members are written if the set is new."""
    members = sorted(set(processes))
    batch = number_of("batch", ",".join(map(str, members)))
    if connection.execute(select(BATCHES.c.id).where(BATCHES.c.id == batch)).first() is None:
        insert_rows(connection, BATCHES, ("id", "processes"), [(batch, len(members))])
        insert_rows(connection, BATCH_PROCESSES, ("process_id", "batch_id"), [(number, batch) for number in members])
    return batch


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


_HISTORY_KEYS = ("query_hash_id", "source")
_HISTORY = (*_HISTORY_KEYS, "first_seen", "last_seen", "run_count", "users")


@dataclass(slots=True)
class LogHistory:
    """Runs of one statement in one source."""

    identity: str
    source: str
    first_seen: datetime | None
    last_seen: datetime | None
    run_count: int
    users: tuple[str, ...] = ()

    def add(self, other: LogHistory) -> None:
        """Adds more runs of the same statement."""
        self.first_seen = _chosen(min, self.first_seen, other.first_seen)
        self.last_seen = _chosen(max, self.last_seen, other.last_seen)
        self.run_count += other.run_count
        self.users = tuple(sorted({*self.users, *other.users}))


def add_history(connection: Connection, rows: Iterable[LogHistory]) -> None:
    """Adds runs to those in the store. The caller ensures that each run is added once."""
    added: dict[tuple[str, str], LogHistory] = {}
    for row in rows:
        row.source = storable(row.source)[:200]
        known = added.setdefault((row.identity, row.source), row)
        if known is not row:
            known.add(row)
    stored = _add_known(connection, added)
    users = {each: _text_of(each) for each in {row.users for row in added.values()}}
    values = {key: (*key, row.first_seen, row.last_seen, row.run_count, users[row.users]) for key, row in added.items()}
    insert_rows(connection, LOG_HISTORY, _HISTORY, [row for key, row in values.items() if key not in stored])
    changed = [dict(zip(_HISTORY, values[key], strict=True)) for key in sorted(stored)]
    update_rows(connection, LOG_HISTORY, _HISTORY_KEYS, changed)


def _add_known(connection: Connection, added: dict[tuple[str, str], LogHistory]) -> set[tuple[str, str]]:
    """Adds the stored values to each row. Returns the rows that the store already has."""
    hashes = {identity for identity, _ in added}
    known = {row[0] for row in read_among(connection, LOG_HISTORY, _HISTORY_KEYS[:1], _HISTORY_KEYS[0], hashes)}
    stored: set[tuple[str, str]] = set()
    for found in select_among(connection, select(LOG_HISTORY), LOG_HISTORY.c.query_hash_id, known):
        key = found.query_hash_id, found.source
        if key in added:
            stored.add(key)
            first, last = (None if each is None else utc(each) for each in (found.first_seen, found.last_seen))
            added[key].add(LogHistory(*key, first, last, found.run_count, _users(found.users)))
    return stored


def read_users(connection: Connection) -> dict[str, tuple[str, ...]]:
    """Who has run statements, by their identity."""
    found: dict[str, set[str]] = {}
    table = LOG_HISTORY.c
    for identity, users in connection.execute(select(table.query_hash_id, table.users).where(table.users != "[]")):
        found.setdefault(identity, set()).update(_users(users))
    return {identity: tuple(sorted(users)) for identity, users in found.items()}


def _text_of(users: tuple[str, ...]) -> str:
    return json.dumps([storable(user) for user in users], ensure_ascii=False)


def _users(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _chosen(
    choose: Callable[[datetime, datetime], datetime], one: datetime | None, other: datetime | None
) -> datetime | None:
    if one is None or other is None:
        return one if other is None else other
    return choose(one, other)
