"""What Spark's Python workers do with batches of rows.

These objects travel to the workers, so they hold names and numbers only: the context of the analysis is read from a file.
A worker serves many tasks, and its guarded child serves as long as the worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa

from connector.guard import Guard, Limits
from connector.options import QueryIdentity
from connector.pipeline.arrow import result_bytes
from connector.pipeline.guarded import GuardedAnalysis, GuardedIdentification, Performing
from connector.pipeline.identify import Identified, Question
from connector.pipeline.spark.tasks import arrow_work, perform
from connector.pipeline.units import SessionStatement, Unit, UnitText, session_pieces, unit_key
from connector.sql.identity import text_hash

__all__ = ["IDENTIFIED", "UNIT_DDL", "UNIT_SCHEMA", "AnalyseUnits", "IdentifyTexts", "SessionUnits"]

IDENTIFIED = (
    "identities array<string>, changes boolean, key string, statements int, size bigint, reason string, message string"
)
"""What identifying adds to a row."""

_TEXT = pa.struct([("text", pa.string()), ("name", pa.string()), ("database", pa.string()), ("schema", pa.string())])
UNIT_SCHEMA = pa.schema(
    [
        ("gid", pa.string()),
        ("key", pa.string()),
        ("chosen_by", pa.string()),
        ("dialect", pa.string()),
        ("cluster", pa.string()),
        ("source", pa.string()),
        ("line", pa.int64()),
        ("statements", pa.int32()),
        ("size", pa.int64()),
        ("reason", pa.string()),
        ("message", pa.string()),
        ("texts", pa.list_(_TEXT)),
    ]
)
"""A unit as a row. Of several with one key the first by `chosen_by` is analysed."""
UNIT_DDL = (
    "gid string, key string, chosen_by string, dialect string, cluster string, source string, line bigint, statements int, "
    "size bigint, reason string, message string, "
    "texts array<struct<text: string, name: string, database: string, schema: string>>"
)


@lru_cache(maxsize=1)
def _guard(seconds: float, memory_mb: int) -> Performing:
    """The guard of this worker process. It lives as long as the process, over all tasks that Spark gives it."""
    return Guard(perform, Limits(seconds, memory_mb))


@dataclass(frozen=True)
class IdentifyTexts:
    """Adds to each row what its text holds, and the key of the unit that it would be for itself."""

    context: str
    """The digest that is part of the keys."""
    mode: QueryIdentity
    seconds: float
    memory_mb: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        identification = GuardedIdentification(_guard(self.seconds, self.memory_mb))
        for batch in batches:
            texts = batch.column("text").to_pylist()
            dialects = batch.column("dialect").to_pylist()
            questions = [Question(text, dialect, self.mode) for text, dialect in zip(texts, dialects, strict=True)]
            found = list(identification.identify(questions))
            keys = [
                unit_key(self.context, dialect, cluster, [(database, schema, each.identities)])
                for dialect, cluster, database, schema, each in zip(
                    dialects,
                    batch.column("cluster").to_pylist(),
                    batch.column("database").to_pylist(),
                    batch.column("schema").to_pylist(),
                    found,
                    strict=True,
                )
            ]
            yield _with_columns(batch, found, keys, texts)


def _with_columns(batch: pa.RecordBatch, found: list[Identified], keys: list[str], texts: list[str]) -> pa.RecordBatch:
    added = {
        "identities": pa.array([each.identities for each in found], pa.list_(pa.string())),
        "changes": pa.array([each.changes_state for each in found], pa.bool_()),
        "key": pa.array(keys, pa.string()),
        "statements": pa.array([len(each.identities) for each in found], pa.int32()),
        "size": pa.array([len(text) for text in texts], pa.int64()),
        "reason": pa.array([each.reason for each in found], pa.string()),
        "message": pa.array([each.message for each in found], pa.string()),
    }
    names = [*batch.schema.names, *added]
    return pa.RecordBatch.from_arrays([*batch.columns, *added.values()], names=names)


@dataclass(frozen=True)
class SessionUnits:
    """The statements of one session, in order, as units."""

    context: str

    def __call__(self, table: pa.Table) -> pa.Table:
        rows = table.sort_by([("started_at", "ascending"), ("sequence", "ascending"), ("gid", "ascending")]).to_pylist()
        statements = [
            SessionStatement(
                UnitText(row["text"], row["origin"], row["database"], row["schema"]),
                tuple(row["identities"]),
                bool(row["changes"]),
            )
            for row in rows
            if row["identities"]
        ]
        units: list[dict[str, Any]] = []
        for piece in session_pieces(statements):
            parts = [(each.text.database, each.text.schema, each.identities) for each in piece]
            texts = [each.text for each in piece]
            units.append(
                {
                    "gid": f"{rows[0]['session_id']}/{len(units)}",
                    "key": unit_key(self.context, rows[0]["dialect"], rows[0]["cluster"], parts),
                    "chosen_by": text_hash("\0".join(text.text for text in texts)),
                    "dialect": rows[0]["dialect"],
                    "cluster": rows[0]["cluster"],
                    "source": rows[0]["source"],
                    "line": 1,
                    "statements": sum(len(each.identities) for each in piece),
                    "size": sum(len(text.text) for text in texts),
                    "reason": None,
                    "message": None,
                    "texts": [text._asdict() for text in texts],
                }
            )
        return pa.Table.from_pylist(units, schema=UNIT_SCHEMA)


@dataclass(frozen=True)
class AnalyseUnits:
    """From rows of units to rows of results."""

    context: str
    """The file of the context."""
    seconds: float
    memory_mb: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        analysis: GuardedAnalysis[bytes] = GuardedAnalysis(
            _guard(self.seconds, self.memory_mb), self.context, arrow_work, result_bytes
        )
        for packet in analysis.analyse(_units(batches)):
            with pa.ipc.open_stream(packet) as reader:
                yield from reader


def _units(batches: Iterable[pa.RecordBatch]) -> Iterator[Unit]:
    for batch in batches:
        texts: list[list[dict[str, Any]]] = batch.column("texts").to_pylist()
        names = ("key", "dialect", "cluster", "source", "line", "statements", "reason", "message")
        for each, *values in zip(texts, *(batch.column(name).to_pylist() for name in names), strict=True):
            key, dialect, cluster, source, line, statements, reason, message = values
            yield Unit(
                key,
                dialect,
                cluster,
                tuple(UnitText(**text) for text in each),
                source,
                line,
                statements,
                reason,
                message,
            )
