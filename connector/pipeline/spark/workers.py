"""What Spark's Python workers do with units.

These objects travel to the workers, so they hold names and numbers only: the context of the analysis is read from a file.
A worker serves many tasks, and its guarded child serves as long as the worker.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark import TaskContext

from connector.common.arrow_columns import record_batch
from connector.guard import Limits
from connector.pipeline.arrow import result_bytes
from connector.pipeline.files import Attempt, WrittenFile, read_file, write_batches, write_results
from connector.pipeline.guarded import GuardedAnalysis
from connector.pipeline.spark.deduplication import worker_guard
from connector.pipeline.storage import Storage
from connector.pipeline.units import Unit

WRITTEN_SCHEMA = pa.schema([("written", pa.string())])


@dataclass(frozen=True)
class AnalyseUnits:
    """Analyses the units of a task, sorted by key and precedence, and writes the results into files."""

    context: str
    """The file of the context."""
    limits: Limits
    storage: Storage
    sequence: int
    """The commit that the files are for."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        guard = worker_guard(self.limits.seconds, self.limits.memory_mb)
        context = self.storage.local_copy(self.context)
        analysis: GuardedAnalysis[bytes] = GuardedAnalysis(guard, context, "analyse into Arrow", result_bytes)
        results = _unpacked(analysis.analyse(_chosen(batches)))
        attempt = write_results(results, self.storage, self.sequence, _partition(), self.limits)
        if attempt is not None:
            yield record_batch([[json.dumps(attempt)]], WRITTEN_SCHEMA)


@dataclass(frozen=True)
class WriteRows:
    """Writes the rows of a task into a file for a table; columns come in the table's order."""

    table: str
    storage: Storage
    sequence: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        named = ((self.table, batch) for batch in batches if batch.num_rows)
        files = write_batches(named, self.storage, self.sequence, _partition())
        if files:
            yield record_batch([[json.dumps(Attempt(files, 0, [], []))]], WRITTEN_SCHEMA)


@dataclass(frozen=True)
class ReadRows:
    """Reads some columns of the files of a table. Spark itself may know nothing of the storage."""

    columns: tuple[str, ...]
    storage: Storage

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column("path").to_pylist():
                with read_file(self.storage, path) as opened:
                    yield from opened.iter_batches(columns=list(self.columns))


def read_attempt(told: str) -> Attempt:
    """What a task has told of the files that it has written."""
    files, *rest = json.loads(told)
    return Attempt([WrittenFile(*file) for file in files], *rest)


def _partition() -> int:
    task = TaskContext.get()
    return task.partitionId() if task else 0


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
