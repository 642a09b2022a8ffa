"""The statements of a load, and the record that they were seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, select

from connector.model import Model, Process
from connector.naming import Namer
from connector.store.identity import number_of, storable
from connector.store.rows import insert_rows, select_among, update_rows
from connector.store.summary import Counts
from connector.store.tables import BATCH_PROCESSES, BATCHES, PROCESSES

__all__ = ["PROCESS_NAMES", "save_batch", "save_processes", "text_of"]

PROCESS_NAMES = (
    "id",
    "type",
    "approximate",
    "qualified_name",
    "query_hash_id",
    "text_hash_id",
    "procedure_name",
    "sql_text",
)
"""The number, what may change from load to load, and what stays."""


def save_processes(
    connection: Connection, model: Model, processes: Iterable[Process], counts: Counts
) -> dict[Process, int]:
    """Make sure the store has the statements, one row for each qualified name; their numbers.

    The text is that of the first time: under a coarser identity the next ones differ in literals or layout alone.
    """
    namer = Namer(model)
    numbers: dict[Process, int] = {}
    rows: dict[int, tuple[Any, ...]] = {}
    for process in processes:
        name = storable(namer.process(process))
        number = numbers[process] = number_of("process", name)
        if number not in rows:
            rows[number] = (
                number,
                process.type,
                process.approximate,
                name,
                process.identity,
                process.query_hash_id,
                storable(process.procedure_name),
                text_of(process),
            )
    query = select(PROCESSES.c.id, PROCESSES.c.type, PROCESSES.c.approximate)
    known = {row.id: tuple(row) for row in select_among(connection, query, PROCESSES.c.id, rows)}
    created = [rows[number] for number in sorted(rows) if number not in known]
    updated = [
        dict(zip(PROCESS_NAMES[:3], row[:3], strict=True))
        for number, row in rows.items()
        if number in known and known[number] != row[:3]
    ]
    insert_rows(connection, PROCESSES, PROCESS_NAMES, created)
    update_rows(connection, PROCESSES, ("id",), updated)
    counts.created += len(created)
    counts.updated += len(updated)
    counts.unchanged += len(rows) - len(created) - len(updated)
    return numbers


def save_batch(connection: Connection, processes: Iterable[int]) -> int:
    """The number of this set of statements; its members are written when the set has not been seen before."""
    members = sorted(set(processes))
    batch = number_of("batch", ",".join(map(str, members)))
    if connection.execute(select(BATCHES.c.id).where(BATCHES.c.id == batch)).first() is None:
        insert_rows(connection, BATCHES, ("id", "processes"), [(batch, len(members))])
        insert_rows(connection, BATCH_PROCESSES, ("process_id", "batch_id"), [(number, batch) for number in members])
    return batch


def text_of(process: Process) -> str | None:
    """The statement without its semicolon; a model that was read from a file has none."""
    script, start, end = process.span
    return storable(script.text[start:end].rstrip("; \t\r\n")) or None
