"""When statements were seen, how often, by whom and where.

Query logs know who ran a statement and how often; for other statements, only the loads are known. Only the rows of the requested
statements are read: a store may contain a million others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone

from sqlalchemy import Connection, select

from connector.store.rows import select_among
from connector.store.tables import BATCH_PROCESSES, LOG_HISTORY, RUNS

__all__ = ["History", "read_histories"]


@dataclass(slots=True)
class History:
    """What is known about a statement."""

    first_seen: datetime | None = None
    last_seen: datetime | None = None
    count: int = 0
    users: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)

    def add(self, first: datetime | None, last: datetime | None, origin: str) -> None:
        first, last = _utc(first), _utc(last)
        if first is not None and (self.first_seen is None or first < self.first_seen):
            self.first_seen = first
        if last is not None and (self.last_seen is None or last > self.last_seen):
            self.last_seen = last
        if origin:
            self.origins.add(origin)


def read_histories(connection: Connection, hashes: Mapping[int, str]) -> dict[int, History]:
    """The histories of statements, whose hashes are given by number."""
    logged = _logged(connection, set(hashes.values()))
    loaded = _loaded(connection, [number for number, identity in hashes.items() if identity not in logged])
    return {number: logged.get(identity) or loaded.get(number) or History() for number, identity in hashes.items()}


def _logged(connection: Connection, hashes: set[str]) -> dict[str, History]:
    found: dict[str, History] = {}
    for row in select_among(connection, select(LOG_HISTORY), LOG_HISTORY.c.query_hash_id, hashes):
        history = found.setdefault(row.query_hash_id, History())
        history.add(row.first_seen, row.last_seen, row.source)
        history.count += row.run_count
        history.users.update(json.loads(row.users))
    return found


def _loaded(connection: Connection, numbers: list[int]) -> dict[int, History]:
    members = BATCH_PROCESSES.c
    batches: dict[int, list[int]] = {}
    held = select(members.process_id, members.batch_id)
    for number, batch in select_among(connection, held, members.process_id, numbers):
        batches.setdefault(batch, []).append(number)
    runs: dict[int, set[str]] = {}
    found: dict[int, History] = {}
    happened = select(RUNS.c.batch_id, RUNS.c.run, RUNS.c.source, RUNS.c.started_at)
    for batch, run, source, started in select_among(connection, happened, RUNS.c.batch_id, batches):
        for number in batches[batch]:
            found.setdefault(number, History()).add(started, started, source)
            runs.setdefault(number, set()).add(run)
    for number, history in found.items():
        history.count = len(runs[number])
    return found


def _utc(moment: datetime | None) -> datetime | None:
    """SQLite stores no time zone; the store writes UTC."""
    if moment is None:
        return None
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)
