"""Reading results back from the tables, in the order of their keys, with little memory.

Every file is sorted by key, so that all of them together are read in order by merging. The latest commit that holds a unit
is the one that counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from connector.pipeline.arrow import LEVEL_COLUMNS, unpack_levels, unpack_results
from connector.pipeline.results import UnitResult
from connector.pipeline.tables import Commit, TableFolder
from connector.sources.arrow_columns import values_of
from connector.store.log_history import LogHistory
from connector.store.portable import StoreRows

__all__ = ["FailureRow", "count_rows", "failures_in", "history_in", "levels_in", "problem_classes", "results_in"]

Item = TypeVar("Item")

_TIME = pa.timestamp("us", tz="UTC")
_HISTORY = ["identity", "source", "first_seen", "last_seen", "run_count", "users"]
_AT_ONCE = 256
"""Rows of one file that are unpacked together."""


def results_in(tables: TableFolder, commits: Sequence[Commit]) -> Iterator[UnitResult]:
    """The results of some commits that have a model, those of a unit only once, by key."""

    def unpack(batch: pa.RecordBatch) -> Iterable[UnitResult]:
        return unpack_results(batch)

    latest = latest_commits(tables, commits)
    for _, result in _merged(tables, commits, None, unpack, latest):
        if result.flat is not None:
            yield result


def levels_in(tables: TableFolder, commits: Sequence[Commit]) -> Iterator[StoreRows]:
    """The levels of the results of some commits, those of a unit only once, by key."""

    def unpack(batch: pa.RecordBatch) -> Iterable[StoreRows | None]:
        found = unpack_levels(batch)
        return [next(found) if vendor is not None else None for vendor in batch.column("vendor").to_pylist()]

    latest = latest_commits(tables, commits)
    for _, rows in _merged(tables, commits, LEVEL_COLUMNS, unpack, latest):
        if rows is not None:
            yield rows


def count_rows(tables: TableFolder, table: str, commits: Sequence[Commit]) -> int:
    """How many rows of a table some commits hold."""
    return sum(pq.read_metadata(file).num_rows for folder in tables.folders(table, commits) for file in _files(folder))


def latest_commits(tables: TableFolder, commits: Sequence[Commit]) -> dict[str, int] | None:
    """For each unit that several commits hold the last of them; None where that cannot be."""
    chosen = [commit for commit in commits if "units" in commit.folders]
    if len(chosen) < 2:
        return None
    latest: dict[str, int] = {}
    for commit in chosen:
        for file in _files(tables.folder / commit.folders["units"]):
            for key in pq.read_table(file, columns=["key"]).column(0).to_pylist():
                latest[key] = commit.sequence
    return latest


def _merged(
    tables: TableFolder,
    commits: Sequence[Commit],
    columns: list[str] | None,
    unpack: Callable[[pa.RecordBatch], Iterable[Item]],
    latest: dict[str, int] | None,
) -> Iterator[tuple[tuple[str, int], Item]]:
    streams = [
        _rows(file, columns, unpack, commit.sequence if latest is not None else None, latest or {})
        for commit in commits
        if "units" in commit.folders
        for file in _files(tables.folder / commit.folders["units"])
    ]
    return heapq.merge(*streams, key=lambda row: row[0])


def _rows(
    file: Path,
    columns: list[str] | None,
    unpack: Callable[[pa.RecordBatch], Iterable[Item]],
    sequence: int | None,
    latest: dict[str, int],
) -> Iterator[tuple[tuple[str, int], Item]]:
    with pq.ParquetFile(file) as opened:
        for batch in opened.iter_batches(_AT_ONCE, columns=columns):
            keys = zip(batch.column("key").to_pylist(), batch.column("part").to_pylist(), strict=True)
            for key, item in zip(keys, unpack(batch), strict=True):
                if sequence is None or latest[key[0]] == sequence:
                    yield key, item


def history_in(tables: TableFolder, commits: Sequence[Commit]) -> Iterator[LogHistory]:
    """What the log has told of statements, commit by commit."""
    for folder in tables.folders("statements", commits):
        for file in _files(folder):
            with pq.ParquetFile(file) as opened:
                for batch in opened.iter_batches(columns=_HISTORY):
                    # Spark may write times in an older form, without their zone, which is UTC.
                    first, last = (batch.column(name).cast(_TIME, safe=False) for name in ("first_seen", "last_seen"))
                    columns = [batch.column("identity"), batch.column("source"), first, last]
                    columns += [batch.column("run_count"), batch.column("users")]
                    for identity, source, began, ended, count, users in zip(*map(values_of, columns), strict=True):
                        yield LogHistory(identity, source, began, ended, count, tuple(users))


class FailureRow(NamedTuple):
    """A result without a model."""

    reason: str
    message: str
    source: str
    origin: str
    line: int
    size: int
    dialect: str
    texts: list[str]


def failures_in(tables: TableFolder, commits: Sequence[Commit], most: int) -> Iterator[FailureRow]:
    """The first failures, by key."""
    found: list[tuple[str, int, FailureRow]] = []
    names = list(FailureRow._fields)
    for folder in tables.folders("units", commits):
        for file in _files(folder):
            table = pq.read_table(file, columns=["key", "part", *names], filters=[("status", "=", "failed")])
            found.extend(
                (row["key"], row["part"], FailureRow(*(row[name] for name in names))) for row in table.to_pylist()
            )
    found.sort(key=lambda each: each[:2])
    for _, _, row in found[:most]:
        yield row


def problem_classes(tables: TableFolder, commits: Sequence[Commit]) -> tuple[dict[str, int], int, int]:
    """How often each class of failure and problem occurs; how many failures and how many problems there are."""
    classes: dict[str, int] = {}
    failed = problems = 0
    for folder in tables.folders("units", commits):
        for file in _files(folder):
            table = pq.read_table(file, columns=["reason", "problems"])
            for reason in table.column("reason").drop_null().to_pylist():
                classes[reason] = classes.get(reason, 0) + 1
                failed += 1
            lists: Any = table.column("problems").combine_chunks()
            if len(table):
                for kind in lists.flatten().field("type").to_pylist():
                    classes[kind] = classes.get(kind, 0) + 1
                    problems += 1
    return dict(sorted(classes.items(), key=lambda item: (-item[1], item[0]))), failed, problems


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))
