"""What Spark's Python workers do with units.

These objects travel to the workers, so they hold names and numbers only: the context of the analysis is read from a file.
A worker serves many tasks, and its guarded child serves as long as the worker.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import TaskContext

from connector.guard import Limits
from connector.pipeline.files import Written, write_results
from connector.pipeline.groups import precedence
from connector.pipeline.guarded import GuardedAnalysis
from connector.pipeline.spark.marking import worker_guard
from connector.pipeline.spark.tasks import arrow_work, result_bytes
from connector.pipeline.units import SessionStatement, Unit, session_units
from connector.sources.arrow_columns import record_batch

__all__ = ["UNIT_DDL", "WRITTEN_DDL", "AnalyseUnits", "SessionUnits", "read_written"]

UNIT_DDL = "key string, precedence string, size bigint, unit binary"
"""A unit as a row. Of several with one key the first by `precedence` is analysed."""
_UNIT_SCHEMA = pa.schema(
    [("key", pa.string()), ("precedence", pa.string()), ("size", pa.int64()), ("unit", pa.binary())]
)
WRITTEN_DDL = "written string"
_WRITTEN_SCHEMA = pa.schema([("written", pa.string())])


@dataclass(frozen=True)
class SessionUnits:
    """The statements of one session, in order, as units."""

    context: str
    """The digest that is part of the keys."""

    def __call__(self, table: pa.Table) -> pa.Table:
        in_order = table.sort_by([("started_at", "ascending"), ("sequence", "ascending"), ("gid", "ascending")])
        rows: list[dict[str, Any]] = in_order.to_pylist()
        singles: list[Unit] = [pickle.loads(row["unit"]) for row in rows]
        statements = [
            SessionStatement(unit.texts[0], tuple(row["identities"]), bool(row["changes"]))
            for unit, row in zip(singles, rows, strict=True)
        ]
        session = rows[0]["session_id"]
        units = list(session_units(statements, singles[0], self.context))
        columns: list[list[Any]] = [
            [unit.key for unit in units],
            [precedence(unit, f"{session}/{number}") for number, unit in enumerate(units)],
            [unit.size for unit in units],
            [pickle.dumps(unit, pickle.HIGHEST_PROTOCOL) for unit in units],
        ]
        return pa.Table.from_batches([record_batch(columns, _UNIT_SCHEMA)])


@dataclass(frozen=True)
class AnalyseUnits:
    """Analyses the units of a task, sorted by key and precedence, and writes the results into files."""

    context: str
    """The file of the context."""
    limits: Limits
    attempts: str
    """The folder for the files."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        guard = worker_guard(self.limits.seconds, self.limits.memory_mb)
        analysis: GuardedAnalysis[bytes] = GuardedAnalysis(guard, self.context, arrow_work, result_bytes)
        results = _unpacked(analysis.analyse(_chosen(batches)))
        task = TaskContext.get()
        written = write_results(results, Path(self.attempts), task.partitionId() if task else 0, self.limits)
        if written is not None:
            yield record_batch([[json.dumps(written)]], _WRITTEN_SCHEMA)


def read_written(told: str) -> Written:
    """What a task has told of the files that it has written."""
    return Written(*json.loads(told))


def _chosen(batches: Iterable[pa.RecordBatch]) -> Iterator[Unit]:
    """The first unit of each key."""
    before = None
    for batch in batches:
        for key, unit in zip(batch.column("key").to_pylist(), batch.column("unit"), strict=True):
            if key != before:
                before = key
                yield pickle.loads(unit.as_buffer())


def _unpacked(packets: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    for packet in packets:
        with pa.ipc.open_stream(packet) as reader:
            yield from reader
