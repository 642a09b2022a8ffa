"""The ledger: a local record of what was written to a catalog, so that a run without changes needs almost no requests.

A SQLite file. It is a memory and not a truth: a record is made only after the catalog has taken the entity, a killed run
leaves records that are true, and a caller that does not trust it can discard it and read the catalog instead.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from connector.errors import ConfigurationError

_SCHEMA = """
create table if not exists written (
    catalog text not null, type text not null, name text not null, guid text not null, digest text not null,
    primary key (catalog, type, name)
) without rowid;
create table if not exists claims (
    catalog text not null, source text not null, type text not null, name text not null,
    primary key (catalog, source, type, name)
) without rowid;
create table if not exists rescued (
    catalog text not null, type text not null, name text not null, content text not null,
    primary key (catalog, type, name)
) without rowid;
"""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One entity that the catalog has."""

    type: str
    name: str
    guid: str
    digest: str


class Ledger:
    """The records of one catalog."""

    def __init__(self, file: Path | None, catalog: str) -> None:
        """Open or make the file; without one the records live as long as this object."""
        self._catalog = catalog
        try:
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(str(file) if file else ":memory:", timeout=60, isolation_level=None)
            version = self._connection.execute("pragma user_version").fetchone()[0]
            if version not in (0, _VERSION):
                raise ConfigurationError(
                    f"{file} was written by a newer version of the connector; use another state file."
                )
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = normal")
            self._connection.executescript(_SCHEMA)
            self._connection.execute(f"pragma user_version = {_VERSION}")
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(f"The state file {file} cannot be used: {error}") from error

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def records(self) -> dict[tuple[str, str], Record]:
        """All records, by type and name."""
        rows = self._connection.execute(
            "select type, name, guid, digest from written where catalog = ?", (self._catalog,)
        )
        return {(row[0], row[1]): Record(*row) for row in rows}

    def claims(self, source: str) -> set[tuple[str, str]]:
        """Types and names of the processes that a source has written."""
        rows = self._connection.execute(
            "select type, name from claims where catalog = ? and source = ?", (self._catalog, source)
        )
        return {(row[0], row[1]) for row in rows}

    def claimed_by_others(self, source: str) -> set[tuple[str, str]]:
        """Types and names of the processes that other sources have written."""
        rows = self._connection.execute(
            "select distinct type, name from claims where catalog = ? and source <> ?", (self._catalog, source)
        )
        return {(row[0], row[1]) for row in rows}

    def save(self, records: Iterable[Record], claims: Iterable[tuple[str, str]] = (), source: str = "") -> None:
        """Keep what the catalog has taken, all or nothing."""
        with _transaction(self._connection):
            self._connection.executemany(
                "insert or replace into written values (?, ?, ?, ?, ?)",
                [(self._catalog, each.type, each.name, each.guid, each.digest) for each in records],
            )
            self._connection.executemany(
                "insert or ignore into claims values (?, ?, ?, ?)",
                [(self._catalog, source, kind, name) for kind, name in claims],
            )

    def forget(self, keys: Iterable[tuple[str, str]]) -> None:
        """Drop the records of some entities; they will be read from the catalog next time."""
        with _transaction(self._connection):
            self._connection.executemany(
                "delete from written where catalog = ? and type = ? and name = ?",
                [(self._catalog, *key) for key in keys],
            )

    def disclaim(self, keys: Iterable[tuple[str, str]], source: str) -> None:
        """A source no longer has these processes."""
        with _transaction(self._connection):
            self._connection.executemany(
                "delete from claims where catalog = ? and source = ? and type = ? and name = ?",
                [(self._catalog, source, *key) for key in keys],
            )

    def forget_all(self) -> None:
        """Drop every record of the catalog. Claims stay: they say what sources had, not what the catalog has."""
        with _transaction(self._connection):
            self._connection.execute("delete from written where catalog = ?", (self._catalog,))

    def rescue(self, contents: dict[tuple[str, str], dict[str, Any]]) -> None:
        """Keep what others have added to entities that are about to be replaced."""
        with _transaction(self._connection):
            self._connection.executemany(
                "insert or replace into rescued values (?, ?, ?, ?)",
                [(self._catalog, *key, json.dumps(content)) for key, content in contents.items()],
            )

    def rescued(self) -> dict[tuple[str, str], dict[str, Any]]:
        """What was kept and is not back in the catalog yet."""
        rows = self._connection.execute("select type, name, content from rescued where catalog = ?", (self._catalog,))
        return {(row[0], row[1]): json.loads(row[2]) for row in rows}

    def restored(self, keys: Iterable[tuple[str, str]]) -> None:
        """The kept parts of these entities are in the catalog again."""
        with _transaction(self._connection):
            self._connection.executemany(
                "delete from rescued where catalog = ? and type = ? and name = ?",
                [(self._catalog, *key) for key in keys],
            )


class _transaction:  # noqa: N801 - used like a function
    """All or nothing. Taking the write lock at once avoids a deadlock between two runs that both want it later."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("begin immediate")

    def __exit__(self, kind: object, *_: object) -> None:
        self._connection.execute("commit" if kind is None else "rollback")
