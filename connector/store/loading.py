"""A load: writes the rows of models to the store, in the caller's transaction.

The load first reads what the store has, computes the difference in memory, and writes only the difference. The write lock makes
this safe, and a load without anything new only reads. Many models are compared together, and query results are kept until the
end, so that a hundred thousand small models cost little more than their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import asdict
from datetime import datetime, timezone

from sqlalchemy import Connection, insert

from connector.common.collector import collector_paused
from connector.store.level_rows import LINKS, LevelRows
from connector.store.objects import Columns, Descriptions, Objects, StoredObject
from connector.store.processes import EdgeRows, Edges, Key, Processes, save_batch
from connector.store.rows import Values
from connector.store.summary import LoadSummary
from connector.store.tables import COLUMN_EDGES, NO_PROCESS, RUNS, TABLE_EDGES

_DATA = "fdd"


class Load:
    """Models that are loaded together: `add` them in parts, then `finish`.

    The result does not depend on how they are divided: the edges of a statement are those of all models that contain it, and
    earlier edges beyond these are removed at the end.
    """

    def __init__(self, connection: Connection, *, source: str, run: str) -> None:
        self._summary = summary = LoadSummary(run, source)
        self._objects = Objects(connection, summary.objects)
        self._columns = Columns(connection, summary.columns)
        self._processes = Processes(connection, summary.processes)
        self._column_edges = Edges(connection, COLUMN_EDGES, summary.column_edges, _is_smaller)
        self._table_edges = Edges(connection, TABLE_EDGES, summary.table_edges, _is_data)
        self._descriptions = Descriptions(connection, summary.descriptions)
        self._written: set[tuple[int, int]] = set()
        """Statement and object, for statements that were already in the store."""

    @collector_paused()
    def add(self, models: Sequence[LevelRows]) -> None:
        """Write the rows of some models."""
        objects = self._objects.save(models)
        columns = self._columns.save(models, objects, self._objects.met)
        self._descriptions.save(models, objects, columns)
        processes = self._processes.save(models)
        column_rows: EdgeRows = {}
        table_rows: EdgeRows = {}
        for model, stored, numbers, ids in zip(models, objects, columns, processes, strict=True):
            if not self._processes.old.isdisjoint(ids):
                self._note_written(model, stored, ids)
            ids.append(NO_PROCESS)  # an edge without a statement has the position -1
            for kind, source, target, at, *said, _, _ in model.column_edges:
                key: Key = (numbers[target], numbers[source], ids[at], kind)
                values: Values = tuple(said)
                known = column_rows.setdefault(key, values)
                if known is not values and _is_smaller(values, known):
                    column_rows[key] = values
            for kind, source, target, at, *_ in model.table_edges:
                key = (stored[target].number, stored[source].number, ids[at])
                if key not in table_rows or kind == _DATA:
                    table_rows[key] = (kind,)
        fresh, returned = self._processes.fresh, self._processes.returned
        self._column_edges.save(column_rows, fresh, returned)
        self._table_edges.save(table_rows, fresh, returned)

    def _note_written(self, model: LevelRows, stored: Sequence[StoredObject], ids: Sequence[int]) -> None:
        """Records what statements that were already in the store write now."""
        owners = [owner for owner, *_ in model.columns]
        written = [(at, owners[target]) for kind, _, target, at, *_ in model.column_edges if kind not in LINKS]
        written += [(at, target) for _, _, target, at, *_ in model.table_edges]
        written += [(at, target) for at, (*_, writes, _) in enumerate(model.processes) for target in writes]
        for at, target in set(written):
            if at >= 0 and ids[at] in self._processes.old:
                self._written.add((ids[at], stored[target].number))

    def finish(self) -> LoadSummary:
        """Removes the edges that statements no longer have."""
        owner, written = self._columns.owner, self._written

        def stale_column_edge(key: Key) -> bool:
            target, _, process, kind = key
            return target in owner and (kind in LINKS or (process, owner[target]) in written)

        def stale_table_edge(key: Key) -> bool:
            target, _, process = key
            return (process, target) in written

        self._columns.finish()
        self._processes.finish()
        self._column_edges.finish(stale_column_edge)
        self._table_edges.finish(stale_table_edge)
        return self._summary

    @property
    def processes(self) -> Set[int]:
        """The statements of the models."""
        return self._processes.met


def record_run(
    connection: Connection, summary: LoadSummary, processes: Iterable[int], *, started: datetime, problems: int
) -> None:
    """Records the load and its statements."""
    connection.execute(
        insert(RUNS),
        {
            "run": summary.run,
            "source": summary.source,
            "batch_id": save_batch(connection, processes),
            "started_at": started,
            "finished_at": datetime.now(timezone.utc),
            "problems": problems,
            **asdict(summary.total),
        },
    )


def _is_smaller(values: Values, known: Values) -> bool:
    """Of two values for an edge between columns the smaller one is kept, regardless of their order."""
    return _order(values) < _order(known)


def _order(values: Values) -> list[tuple[bool, str]]:
    return [(value is None, value or "") for value in values]


def _is_data(values: Values, known: Values) -> bool:
    """If one of several edges between two tables is data flow, the result is data flow."""
    return values != known and values == (_DATA,)
