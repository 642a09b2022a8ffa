"""One load: models go into the store, in the caller's transaction.

What the store has is read first, the difference is worked out in memory, and only the difference is written. The write
lock makes that safe, and it makes a load that brings nothing new a matter of reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timezone

from sqlalchemy import Connection, insert

from connector.model import Column, Entity, Model, Process
from connector.model.levels import ColumnEdge, TableEdge, column_level, table_level
from connector.store.columns import save_columns
from connector.store.definitions import find_definitions
from connector.store.edges import Key, column_edge_rows, save_edges, table_edge_rows
from connector.store.objects import save_objects
from connector.store.processes import save_batch, save_processes
from connector.store.summary import LoadSummary
from connector.store.tables import COLUMN_EDGES, NO_PROCESS, RUNS, TABLE_EDGES
from connector.store.wanted import WantedObjects

__all__ = ["Levels", "load_levels"]

_LINKS = frozenset({"join", "er"})


class Levels:
    """The derived levels of a model, and what of the model they speak of. Worked out before the store is locked."""

    def __init__(self, model: Model, *, keep_temporaries: bool = False) -> None:
        self.model = model
        self.columns: list[ColumnEdge] = column_level(model, keep_temporaries=keep_temporaries)
        flows = [edge for edge in self.columns if edge.type not in _LINKS]
        self.tables: list[TableEdge] = table_level(model, keep_temporaries=keep_temporaries, edges=flows).relations
        self.entities: list[Entity] = [
            entity for entity in model.entities if entity.permanent and (keep_temporaries or not entity.temporary)
        ]
        used = {column for edge in self.columns for column in (edge.source, edge.target)}
        self.stored_columns: list[Column] = [
            column
            for entity in self.entities
            for column in entity.columns.values()
            if not column.system or column in used
        ]
        self.definitions = find_definitions(model)
        makers = {edge.process for edge in self.columns}
        self.processes: list[Process] = [
            process for process in model.processes if not process.bare_select or process in makers
        ]


def load_levels(
    connection: Connection, loaded: Sequence[Levels], *, source: str, run: str, started: datetime
) -> LoadSummary:
    """Write what is new and record the run."""
    summary = LoadSummary(run, source)
    processes: set[int] = set()
    for levels in loaded:
        processes.update(_write(connection, levels, summary))
    connection.execute(
        insert(RUNS),
        {
            "run": run,
            "source": source,
            "batch_id": save_batch(connection, processes),
            "started_at": started,
            "finished_at": datetime.now(timezone.utc),
            "problems": sum(len(levels.model.problems) for levels in loaded),
            "created": summary.created,
            "updated": summary.updated,
            "removed": summary.removed,
            "unchanged": summary.unchanged,
        },
    )
    return summary


def _write(connection: Connection, levels: Levels, summary: LoadSummary) -> Iterable[int]:
    """Write one model; the numbers of its statements."""
    model = levels.model
    wanted = WantedObjects(model, levels.entities, levels.definitions)
    stored = save_objects(connection, wanted, summary.objects)
    objects = {entity: stored[wish] for entity, wish in wanted.by_entity.items()}
    numbers = {entity: known.number for entity, known in objects.items()}
    columns = save_columns(connection, model, objects, levels.stored_columns, summary.columns)
    processes = save_processes(connection, model, levels.processes, summary.processes)

    column_rows = column_edge_rows(levels.columns, columns.number, processes)
    table_rows = table_edge_rows(levels.tables, numbers, processes)
    written = {(process, columns.owner[target]) for target, _, process, kind in column_rows if kind not in _LINKS}
    written.update((process, target) for target, _, process in table_rows)
    for process, number in processes.items():
        written.update((number, numbers[flow.target]) for flow in process.flows if flow.target in numbers)

    def stale_column_edge(key: Key) -> bool:
        target, _, process, kind = key
        owner = columns.owner.get(target)
        if owner is None or process == NO_PROCESS:
            return False
        return kind in _LINKS or (process, owner) in written

    def stale_table_edge(key: Key) -> bool:
        target, _, process = key
        return process != NO_PROCESS and (process, target) in written

    concerned = {*processes.values(), *(process for _, _, process, _ in column_rows)}
    concerned.update(process for _, _, process in table_rows)
    save_edges(connection, COLUMN_EDGES, column_rows, concerned, stale_column_edge, summary.column_edges)
    save_edges(connection, TABLE_EDGES, table_rows, concerned, stale_table_edge, summary.table_edges)
    return processes.values()
