"""Writes rows of the tables to Parquet files, on the worker that produces them.

A worker writes the results of its task itself, in columns as they come from the analysis; row by row through Java it took
several times as long. The files stand next to the table that they are for, and belong to it once the driver has committed
them. An attempt that fails, or that comes second, leaves files that are never committed, and the next run deletes them.

The levels are tables of their own: one row for each edge of a unit, its ends and its statement by name. Results name them by
numbers within the unit; the names are put in their place for many units at once, column by column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from connector.common.arrow_columns import column_of
from connector.errors import ConfigurationError
from connector.guard import Limits
from connector.pipeline.arrow import STORED_SCHEMA
from connector.pipeline.storage import Storage

_ZERO = column_of([0], pa.int64()).cast(pa.int32())[0]
_NOTHING = pa.nulls(1, pa.int32())[0]


def column_edges(results: pa.RecordBatch) -> pa.RecordBatch:
    """The edges of the column level of some results."""
    edges = _Edges(results, "column_edges")
    columns, objects = edges.elements("object_columns"), edges.elements("objects")
    source, target = columns.rows(edges.field("source")), columns.rows(edges.field("target"))
    return edges.batch(
        {
            "type": edges.field("type"),
            "source_table": objects.field("name", objects.rows(columns.field("object", source))),
            "source": columns.field("name", source),
            "target_table": objects.field("name", objects.rows(columns.field("object", target))),
            "target": columns.field("name", target),
            "effect": edges.field("effect"),
            "clause": edges.field("clause"),
            "join_type": edges.field("join_type"),
            "condition": edges.field("condition"),
            "expression": edges.field("expression"),
            "transformation": edges.field("transformation"),
        }
    )


def table_edges(results: pa.RecordBatch) -> pa.RecordBatch:
    """The edges of the table level of some results."""
    edges = _Edges(results, "table_edges")
    objects = edges.elements("objects")
    source, target = objects.rows(edges.field("source")), objects.rows(edges.field("target"))
    return edges.batch(
        {
            "type": edges.field("type"),
            "source": objects.field("name", source),
            "source_kind": objects.field("type", source),
            "target": objects.field("name", target),
            "target_kind": objects.field("type", target),
        }
    )


class _Elements:
    """A list of each result, as seen from the edges: numbers within the list become places in all lists together."""

    def __init__(self, lists: pa.ListArray, owner: pa.Array) -> None:
        self._values = lists.values
        self._begin = lists.offsets[:-1].take(owner)

    def rows(self, numbers: pa.Array) -> pa.Array:
        """Where the elements with these numbers stand, one for each edge; nothing for a negative number."""
        places = pc.add(numbers, self._begin)
        return pc.if_else(pc.less(numbers, _ZERO), _NOTHING, places)

    def field(self, name: str, rows: pa.Array) -> pa.Array:
        return self._values.field(name).take(rows)


class _Edges:
    """The edges of one level of all results, and of which result each one is."""

    def __init__(self, results: pa.RecordBatch, level: str) -> None:
        self._results = results
        lists = results.column(level)
        self._owner = pc.list_parent_indices(lists)
        self._edges = pc.list_flatten(lists)

    def field(self, name: str) -> pa.Array:
        return self._edges.field(name)

    def elements(self, name: str) -> _Elements:
        return _Elements(self._results.column(name), self._owner)

    def batch(self, columns: dict[str, Any]) -> pa.RecordBatch:
        """A batch of edges: the unit first, the statement last."""
        statements = self.elements("statements")
        rows = statements.rows(self.field("process"))
        return pa.RecordBatch.from_pydict(
            {
                "key": self._results.column("key").take(self._owner),
                **columns,
                "process": statements.field("name", rows),
                "identity": statements.field("identity", rows),
                "text_hash": statements.field("text_hash", rows),
            }
        )


LEVELS = {"column_edges": column_edges, "table_edges": table_edges}
_TIME = pa.timestamp("us", tz="UTC")
_SEQUENCE = pa.field("sequence", pa.int64())
_NO_RESULTS = pa.RecordBatch.from_arrays([pa.nulls(0, each.type) for each in STORED_SCHEMA], schema=STORED_SCHEMA)
SCHEMAS: dict[str, pa.Schema] = {
    "units": pa.schema([_SEQUENCE, *STORED_SCHEMA, ("limit_seconds", pa.float64()), ("limit_mb", pa.int64())]),
    **{name: pa.schema([_SEQUENCE, *edges_of(_NO_RESULTS).schema]) for name, edges_of in LEVELS.items()},
    "statements": pa.schema(
        [
            _SEQUENCE,
            ("source", pa.string()),
            ("identity", pa.string()),
            ("first_seen", _TIME),
            ("last_seen", _TIME),
            ("run_count", pa.int64()),
            ("users", pa.list_(pa.string())),
        ]
    ),
    "rows": pa.schema([_SEQUENCE, ("fingerprint", pa.binary())]),
}
"""The columns of the tables. `sequence` is the commit that a row came with; it comes first, because Delta keeps statistics of the
first 32 columns alone."""

_DAMAGE = re.compile("checksum|corrupt|deserialize|end of stream", re.IGNORECASE)
"""What Arrow says of a file with another content; a storage that does not answer is the same kind of error to it."""
_ROWS, _BYTES = 2000, 32 << 20
"""How much is held before it is written."""
_SLOW_SECONDS = 0.25
_LARGE = 100_000
_SHOWN = ["seconds", "size", "source", "origin", "line", "dialect", "texts"]
_MEASURED = "seconds"


class WrittenFile(NamedTuple):
    """A file that waits to be committed."""

    table: str
    name: str
    """Within the folder of the table."""
    size: int
    rows: int

    def statistics(self, sequence: int) -> str:
        """What readers may know of the file without opening it."""
        known = {"sequence": sequence}
        return json.dumps(
            {"numRecords": self.rows, "minValues": known, "maxValues": known, "nullCount": {"sequence": 0}}
        )


class Attempt(NamedTuple):
    """What one attempt at a task has written."""

    files: list[WrittenFile]
    units: int
    slow: list[dict[str, Any]]
    """Units that took long."""
    large: list[dict[str, Any]]
    """Units with much text."""


def file_name(sequence: int, partition: int) -> str:
    """The name of a new file. No other attempt, of this run or another, has the same."""
    return f"part-{sequence:08}-{partition:05}-{uuid4().hex}.parquet"


def write_batches(
    batches: Iterable[tuple[str, pa.RecordBatch]], storage: Storage, sequence: int, partition: int
) -> list[WrittenFile]:
    """Write batches into one file for each table that they name, in the order in which they come."""
    name = file_name(sequence, partition)
    writers: dict[str, pq.ParquetWriter] = {}
    rows: dict[str, int] = {}
    with ExitStack() as opened:
        for table, batch in batches:
            if table not in writers:
                stream = opened.enter_context(storage.open_output(f"{table}/{name}"))
                writers[table] = opened.enter_context(
                    pq.ParquetWriter(
                        stream, SCHEMAS[table], compression="snappy", write_statistics=["key"], write_page_checksum=True
                    )
                )
            number = constant(sequence, batch.num_rows, np.int64, pa.int64())
            writers[table].write_batch(pa.RecordBatch.from_arrays([number, *batch.columns], schema=SCHEMAS[table]))
            rows[table] = rows.get(table, 0) + batch.num_rows
    return [WrittenFile(table, name, storage.size(f"{table}/{name}"), count) for table, count in rows.items()]


@contextmanager
def read_file(storage: Storage, path: str) -> Iterator[pq.ParquetFile]:
    """A file of a table, open for reading. One that is gone, or holds something else than was written, is an error."""
    try:
        with storage.open_input(path) as stream, pq.ParquetFile(stream, page_checksum_verification=True) as opened:
            yield opened
    except FileNotFoundError:
        raise damaged(storage, f"the file {path} is gone") from None
    except (OSError, pa.ArrowException) as error:
        if not isinstance(error, pa.ArrowInvalid) and not _DAMAGE.search(str(error)):
            raise  # the storage does not give it now
        raise damaged(storage, f"the file {path} cannot be read ({error})") from error


def damaged(storage: Storage, what: str) -> ConfigurationError:
    """The error for tables that lack something that was committed."""
    return ConfigurationError(
        f"The tables at {storage.label} are damaged: {what}. Restore them from a backup, or move them and the store "
        "away and run again: both are rebuilt from the sources."
    )


def write_results(
    batches: Iterable[pa.RecordBatch], storage: Storage, sequence: int, partition: int, limits: Limits
) -> Attempt | None:
    """Write results and the edges of their levels into files of this attempt; None where there are no results."""
    attempt = Attempt([], 0, [], [])
    units = 0

    def tables() -> Iterator[tuple[str, pa.RecordBatch]]:
        nonlocal units
        for batch in _together(batches):
            units += pc.count_distinct(batch.column("key")).as_py()
            _note_worst(batch, attempt)
            rows = batch.num_rows
            stored = batch.drop_columns([_MEASURED])
            stored = stored.append_column("limit_seconds", constant(limits.seconds, rows, np.float64, pa.float64()))
            yield "units", stored.append_column("limit_mb", constant(limits.memory_mb, rows, np.int64, pa.int64()))
            for level, edges_of in LEVELS.items():
                yield level, edges_of(batch)

    files = write_batches(tables(), storage, sequence, partition)
    return attempt._replace(files=files, units=units) if files else None


def constant(value: float, rows: int, number: Any, type_: pa.DataType) -> pa.Array:
    """A column of one value. Arrow's own way to make one loads pandas."""
    return pa.Array.from_buffers(type_, rows, [None, pa.py_buffer(np.full(rows, value, number))])


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


def _note_worst(batch: pa.RecordBatch, attempt: Attempt) -> None:
    for worst, measure, least in ((attempt.slow, _MEASURED, _SLOW_SECONDS), (attempt.large, "size", _LARGE)):
        shown = batch.select(_SHOWN)
        for at, value in enumerate(batch.column(measure).to_pylist()):
            if value >= least:
                (row,) = shown.slice(at, 1).to_pylist()
                texts = row.pop("texts")
                worst.append({**row, "text": texts[0][:200] if texts else ""})
        worst.sort(key=lambda row: row[measure], reverse=True)
        del worst[10:]
