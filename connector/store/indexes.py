"""Indexes of a table that is filled from nothing."""

from __future__ import annotations

from sqlalchemy import Connection, Index, Table
from sqlalchemy.schema import CreateIndex, DropIndex

from connector.store.driver import is_empty

__all__ = ["LateIndexes"]

_MANY = 1000
"""Rows from which on it is worth it."""


class LateIndexes:
    """Makes the indexes of a table behind its first rows, which is half the work of keeping them row by row.

    Only in SQLite: there it belongs to the transaction like everything else, and who reads meanwhile sees the state before.
    In PostgreSQL readers would have to wait. Until the indexes are made the table is asked by its primary key alone.
    """

    def __init__(self, connection: Connection, table: Table) -> None:
        self._connection = connection
        self._table = table
        self.was_empty = is_empty(connection, table)
        """Whether the table had no row before."""
        self._may_wait = self.was_empty and connection.dialect.name == "sqlite"
        self._waiting: list[Index] = []

    def expect(self, rows: int) -> None:
        """So many rows come next."""
        if self._may_wait and rows >= _MANY:
            self._may_wait = False
            self._waiting = sorted(self._table.indexes, key=lambda index: str(index.name))
            for index in self._waiting:
                self._connection.execute(DropIndex(index, if_exists=True))

    def make(self) -> None:
        """All rows are there."""
        for index in self._waiting:
            self._connection.execute(CreateIndex(index))
        self._waiting = []
