"""Results into files, where they are made.

A worker writes the results of its task itself, in columns as they come from the analysis; row by row through Java it took
several times as long. Nothing counts before the driver has said so: a task writes to a place of its own, and the driver
moves the files of the attempts that have succeeded to where they are read. What an attempt leaves that failed, or that came
second, is thrown away with that place.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from connector.guard import Limits
from connector.pipeline.edges import column_edges, table_edges

__all__ = ["LEVELS", "Written", "move_written", "write_results"]

LEVELS = {"column_edges": column_edges, "table_edges": table_edges}
_ROWS, _BYTES = 2000, 32 << 20
"""How much is held before it is written."""
_SLOW_SECONDS = 0.25
_LARGE = 100_000
_SHOWN = ["seconds", "size", "source", "origin", "line", "dialect", "texts"]
_MEASURED = "seconds"
_LIMITS = {"limit_seconds": pa.float64(), "limit_mb": pa.int32()}


class Written(NamedTuple):
    """What one attempt at a task has written."""

    partition: int
    name: str
    """Of its files."""
    units: int
    slow: list[dict[str, Any]]
    """Units that took long."""
    large: list[dict[str, Any]]
    """Units with much text."""


def write_results(batches: Iterable[pa.RecordBatch], attempts: Path, partition: int, limits: Limits) -> Written | None:
    """Write results and the edges of their levels into files of this attempt; None where there are no results."""
    name = f"{partition:05}-{uuid4().hex}"
    written = Written(partition, name, 0, [], [])
    writers: dict[str, pq.ParquetWriter] = {}
    units = 0
    try:
        for batch in _together(batches):
            units += pc.count_distinct(batch.column("key")).as_py()
            _note_worst(batch, written)
            for table, rows in _tables(batch, limits):
                if table not in writers:
                    attempts.mkdir(parents=True, exist_ok=True)
                    writers[table] = pq.ParquetWriter(
                        _file(attempts, name, table), rows.schema, compression="snappy", write_statistics=["key"]
                    )
                writers[table].write_batch(rows)
    finally:
        for writer in writers.values():
            writer.close()
    return written._replace(units=units) if writers else None


def move_written(written: Sequence[Written], attempts: Path, folders: Mapping[str, Path]) -> None:
    """Put the files of successful attempts where they are read, and throw the others away."""
    for table, folder in folders.items():
        folder.mkdir(parents=True, exist_ok=True)
        for each in written:
            _file(attempts, each.name, table).replace(folder / f"part-{each.partition:05}.parquet")
    shutil.rmtree(attempts, ignore_errors=True)  # an attempt that nobody waits for may still write


def _file(attempts: Path, name: str, table: str) -> Path:
    return attempts / f"{name}.{table}.parquet"


def _together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Small batches as fewer, larger ones. The results of one unit come in one batch."""
    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        held.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
        if rows >= _ROWS or size >= _BYTES:
            yield pa.concat_batches(held)
            held, rows, size = [], 0, 0
    if held:
        yield pa.concat_batches(held)


def _tables(batch: pa.RecordBatch, limits: Limits) -> Iterator[tuple[str, pa.RecordBatch]]:
    stored = batch.drop_columns([_MEASURED])
    for name, value in (("limit_seconds", np.float64(limits.seconds)), ("limit_mb", np.int32(limits.memory_mb))):
        same = pa.py_buffer(np.full(batch.num_rows, value))
        stored = stored.append_column(name, pa.Array.from_buffers(_LIMITS[name], batch.num_rows, [None, same]))
    yield "units", stored
    for level, edges_of in LEVELS.items():
        yield level, edges_of(batch)


def _note_worst(batch: pa.RecordBatch, written: Written) -> None:
    for worst, measure, least in ((written.slow, _MEASURED, _SLOW_SECONDS), (written.large, "size", _LARGE)):
        shown = batch.select(_SHOWN)
        for at, value in enumerate(batch.column(measure).to_pylist()):
            if value >= least:
                (row,) = shown.slice(at, 1).to_pylist()
                texts = row.pop("texts")
                worst.append({**row, "text": texts[0][:200] if texts else ""})
        worst.sort(key=lambda row: row[measure], reverse=True)
        del worst[10:]
