"""Indexes of a table that is initially empty."""

from __future__ import annotations

from sqlalchemy import Connection, Index, Table
from sqlalchemy.schema import CreateIndex, DropIndex

from connector.store.driver import is_empty

__all__ = ["LateIndexes"]

_MANY = 1000
"""Number of rows above which it pays off."""


class LateIndexes:
    """Creates the indexes of a table after its first rows, which takes half the time of maintaining them row by row.

    Only in SQLite, where it is part of the transaction like everything else, and concurrent readers see the previous state. In
    PostgreSQL readers would have to wait. Until the indexes exist, the table is only queried by its primary key.
    """

    def __init__(self, connection: Connection, table: Table) -> None:
        self._connection = connection
        self._table = table
        self.was_empty = is_empty(connection, table)
        """Whether the table had no row before."""
        self._may_wait = self.was_empty and connection.dialect.name == "sqlite"
        self._waiting: list[Index] = []

    def expect(self, rows: int) -> None:
        """Announces the number of rows that follow."""
        if self._may_wait and rows >= _MANY:
            self._may_wait = False
            self._waiting = sorted(self._table.indexes, key=lambda index: str(index.name))
            for index in self._waiting:
                self._connection.execute(DropIndex(index, if_exists=True))

    def make(self) -> None:
        """Call after the last rows."""
        for index in self._waiting:
            self._connection.execute(CreateIndex(index))
        self._waiting = []
