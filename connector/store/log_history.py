"""When, how often and by whom statements were run, as query logs tell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timezone

from sqlalchemy import Connection, bindparam, insert, select, update

from connector.store.identity import storable
from connector.store.rows import select_among
from connector.store.tables import LOG_HISTORY

__all__ = ["LogHistory", "add_history", "read_users"]


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
        """Take in more runs of the same statement."""
        self.first_seen = _chosen(min, self.first_seen, other.first_seen)
        self.last_seen = _chosen(max, self.last_seen, other.last_seen)
        self.run_count += other.run_count
        self.users = tuple(sorted({*self.users, *other.users}))


def add_history(connection: Connection, rows: Iterable[LogHistory]) -> None:
    """Add runs to those that the store knows of. The caller sees to it that each is added once."""
    added: dict[tuple[str, str], LogHistory] = {}
    for row in rows:
        row.source = storable(row.source)[:200]
        known = added.setdefault((row.identity, row.source), row)
        if known is not row:
            known.add(row)
    table = LOG_HISTORY.c
    stored: set[tuple[str, str]] = set()
    for found in select_among(connection, select(LOG_HISTORY), table.query_hash_id, {key[0] for key in added}):
        key = found.query_hash_id, found.source
        if key in added:
            stored.add(key)
            added[key].add(
                LogHistory(*key, _utc(found.first_seen), _utc(found.last_seen), found.run_count, _users(found.users))
            )
    created = [_values(added[key]) for key in sorted(added) if key not in stored]
    changed = [{**{f"new_{name}": value for name, value in _values(added[key]).items()}} for key in sorted(stored)]
    if created:
        connection.execute(insert(LOG_HISTORY), created)
    if changed:
        names = ("first_seen", "last_seen", "run_count", "users")
        statement = (
            update(LOG_HISTORY)
            .where(table.query_hash_id == bindparam("new_query_hash_id"), table.source == bindparam("new_source"))
            .values({name: bindparam(f"new_{name}") for name in names})
        )
        connection.execute(statement, changed)


def read_users(connection: Connection) -> dict[str, tuple[str, ...]]:
    """Who has run statements, by their identity."""
    found: dict[str, set[str]] = {}
    table = LOG_HISTORY.c
    for identity, users in connection.execute(select(table.query_hash_id, table.users).where(table.users != "[]")):
        found.setdefault(identity, set()).update(_users(users))
    return {identity: tuple(sorted(users)) for identity, users in found.items()}


def _values(row: LogHistory) -> dict[str, object]:
    return {
        "query_hash_id": row.identity,
        "source": row.source,
        "first_seen": row.first_seen,
        "last_seen": row.last_seen,
        "run_count": row.run_count,
        "users": json.dumps([storable(user) for user in row.users], ensure_ascii=False),
    }


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
