"""When, how often and by whom statements were run, according to query logs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

from sqlalchemy import Connection, select

from connector.sql.identity import storable
from connector.store.rows import insert_rows, read_among, select_among, update_rows
from connector.store.tables import LOG_HISTORY

_KEYS = ("query_hash_id", "source")
_NAMES = (*_KEYS, "first_seen", "last_seen", "run_count", "users")


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
    insert_rows(connection, LOG_HISTORY, _NAMES, [row for key, row in values.items() if key not in stored])
    changed = [dict(zip(_NAMES, values[key], strict=True)) for key in sorted(stored)]
    update_rows(connection, LOG_HISTORY, _KEYS, changed)


def _add_known(connection: Connection, added: dict[tuple[str, str], LogHistory]) -> set[tuple[str, str]]:
    """Adds the stored values to each row. Returns the rows that the store already has."""
    hashes = {identity for identity, _ in added}
    known = {row[0] for row in read_among(connection, LOG_HISTORY, _KEYS[:1], _KEYS[0], hashes)}
    stored: set[tuple[str, str]] = set()
    for found in select_among(connection, select(LOG_HISTORY), LOG_HISTORY.c.query_hash_id, known):
        key = found.query_hash_id, found.source
        if key in added:
            stored.add(key)
            added[key].add(
                LogHistory(*key, _utc(found.first_seen), _utc(found.last_seen), found.run_count, _users(found.users))
            )
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


def _utc(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=timezone.utc) if moment is not None and moment.tzinfo is None else moment


def _chosen(
    choose: Callable[[datetime, datetime], datetime], one: datetime | None, other: datetime | None
) -> datetime | None:
    if one is None or other is None:
        return one if other is None else other
    return choose(one, other)
