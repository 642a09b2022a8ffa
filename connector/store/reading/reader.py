"""Read-only access to a store for many threads, with a time limit for each query."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text

from connector.errors import UnavailableError
from connector.sql.identity import storable
from connector.store.engine import Database
from connector.store.reading.details import read_object, read_statement
from connector.store.reading.graph import Way, read_graph
from connector.store.reading.impact import read_impact
from connector.store.reading.overview import read_overview
from connector.store.reading.records import Found, Graph, Impact, ObjectPage, Overview, StatementPage
from connector.store.reading.search import search
from connector.store.reading.texts import read_texts
from connector.store.store import Store

__all__ = ["StoreReader", "TooSlowError"]

_STEPS = 20_000
"""Number of SQLite virtual machine instructions between two checks of the clock."""


class TooSlowError(UnavailableError):
    """The store did not respond within the time limit."""


class StoreReader:
    """Opens a connection for each query; can be used from any thread."""

    def __init__(self, target: str | Path, *, seconds: float = 20.0) -> None:
        # Opening it once checks that it exists, and upgrades an older one as every command does.
        Store.open(target, create=False).close()
        self._database = Database(target)
        self._seconds = seconds

    @property
    def label(self) -> str:
        """The name of the store in messages, without its password."""
        return self._database.label

    def close(self) -> None:
        self._database.close()

    def search(self, wanted: str = "", kind: str | None = None, *, page: int = 1, size: int = 50) -> Found:
        """Objects whose names are like `wanted`, best first; with the kind `column`, columns."""
        with self._reading() as connection:
            return search(connection, storable(wanted), kind, page=page, size=size)

    def object(self, reference: str) -> ObjectPage:
        """The details of an object, by its number, its name or the end of its name."""
        with self._reading() as connection:
            return read_object(connection, storable(reference))

    def statement(self, reference: str) -> StatementPage:
        """The details of a statement, by its hash or number."""
        with self._reading() as connection:
            return read_statement(connection, storable(reference))

    def graph(
        self, reference: str, way: Way = "both", *, depth: int | None = None, columns: bool = True, most: int = 3000
    ) -> Graph:
        """The lineage around an object or column."""
        with self._reading() as connection:
            return read_graph(connection, storable(reference), way, depth=depth, columns=columns, most=most)

    def impact(self, reference: str, *, most: int = 3000) -> Impact:
        """What a change to an object or column affects."""
        with self._reading() as connection:
            return read_impact(connection, storable(reference), most=most)

    def overview(self, *, most: int = 5000) -> Overview:
        """All objects with the edges between them, as far as `most` objects go."""
        with self._reading() as connection:
            return read_overview(connection, most=most)

    def texts(self, numbers: set[int]) -> dict[int, tuple[str, str]]:
        """The text of statements with the dialect each is written in."""
        with self._reading() as connection:
            return read_texts(connection, numbers)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """A consistent, read-only snapshot of the store, with a time limit."""
        deadline = time.monotonic() + self._seconds
        try:
            with self._database.reading() as connection:
                if self._database.path is None:
                    connection.execute(text("SET TRANSACTION READ ONLY"))
                    connection.execute(text(f"SET LOCAL statement_timeout = {int(self._seconds * 1000)}"))
                else:
                    connection.execute(text("PRAGMA query_only = ON"))
                    driver: Any = connection.connection.driver_connection
                    driver.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
                yield connection
        except UnavailableError as error:
            if time.monotonic() > deadline:
                raise TooSlowError(f"The store did not respond within {self._seconds:g} seconds.") from error
            raise
