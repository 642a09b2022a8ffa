"""The statements of a load, and the record of when they were seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from connector.store.identity import number_of
from connector.store.level_rows import LevelRows
from connector.store.rows import LateIndexes, Values, insert_rows, read_among, update_rows
from connector.store.summary import Counts
from connector.store.tables import BATCH_PROCESSES, BATCHES, PROCESSES

__all__ = ["Processes", "save_batch"]

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
            for name, type_, approximate, identity, text_hash, procedure, text, _ in model.processes:
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
