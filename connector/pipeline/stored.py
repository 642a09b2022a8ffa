"""Reading the tables back, in the order of keys, with little memory.

Workers write every file sorted by key, and combining files leaves such stretches one behind the other. All stretches
together are read in order by merging. The latest commit that holds a unit is the one that counts.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from connector.common.arrow_columns import values_of
from connector.pipeline.arrow import LEVEL_COLUMNS, unpack_levels, unpack_results
from connector.pipeline.commits import Commit
from connector.pipeline.results import UnitResult
from connector.pipeline.tables import LineageTables, TableFile
from connector.store.level_rows import LevelRows
from connector.store.processes import LogHistory

Item = TypeVar("Item")

_HISTORY = ["identity", "source", "first_seen", "last_seen", "run_count", "users"]
_AT_ONCE = 256
"""Rows of one stretch that are unpacked together."""


def results_in(tables: LineageTables, commits: Sequence[Commit]) -> Iterator[UnitResult]:
    """The results of some commits that have a model, those of a unit only once, by key."""
    for result in _merged(tables, commits, None, unpack_results):
        if result.complete is not None:
            yield result


def levels_in(tables: LineageTables, commits: Sequence[Commit]) -> Iterator[LevelRows]:
    """The levels of the results of some commits, those of a unit only once, by key."""
    for rows in _merged(tables, commits, LEVEL_COLUMNS, unpack_levels):
        if rows is not None:
            yield rows


def batches_in(
    tables: LineageTables, table: str, commits: Sequence[Commit], columns: Sequence[str], at_once: int = 1 << 16
) -> Iterator[pa.RecordBatch]:
    """Some columns of the rows that some commits have added to a table, in no order."""
    wanted = pa.array([commit.sequence for commit in commits], pa.int64())
    for file in tables.files(table, commits):
        with tables.opened(file) as opened:
            for batch in opened.iter_batches(at_once, columns=[*columns, "sequence"]):
                yield batch.filter(pc.is_in(batch.column("sequence"), wanted)).select(columns)


# --- units in order -------------------------------------------------------------------------------------------------


class _Stretch(NamedTuple):
    """Rows of a file whose keys ascend."""

    file: TableFile
    start: int
    stop: int


def _merged(
    tables: LineageTables,
    commits: Sequence[Commit],
    columns: list[str] | None,
    unpack: Callable[[pa.RecordBatch], Iterable[Item]],
) -> Iterator[Item]:
    stretches: list[_Stretch] = []
    latest: dict[str, int] = {}
    wanted = {commit.sequence for commit in commits}
    for file in tables.files("units", commits):
        with tables.opened(file) as opened:
            index = opened.read(columns=["key", "sequence"])
        stretches.extend(_stretches(file, index.column("key").combine_chunks()))
        if len(wanted) > 1:
            for key, sequence in zip(*(column.to_pylist() for column in index.columns), strict=True):
                if sequence in wanted and sequence > latest.get(key, 0):
                    latest[key] = sequence
    counts = None if len(wanted) > 1 else next(iter(wanted), 0)
    streams = [_rows(tables, stretch, columns, unpack, latest, counts) for stretch in stretches]
    for _, item in heapq.merge(*streams, key=lambda row: row[0]):
        yield item


def _stretches(file: TableFile, keys: pa.Array) -> Iterator[_Stretch]:
    descents = pc.indices_nonzero(pc.less(keys.slice(1), keys.slice(0, len(keys) - 1))) if len(keys) > 1 else ()
    start = 0
    for at in (*(each.as_py() + 1 for each in descents), len(keys)):
        yield _Stretch(file, start, at)
        start = at


def _rows(
    tables: LineageTables,
    stretch: _Stretch,
    columns: list[str] | None,
    unpack: Callable[[pa.RecordBatch], Iterable[Item]],
    latest: dict[str, int],
    only: int | None,
) -> Iterator[tuple[tuple[str, int], Item]]:
    """The rows of a stretch that count: those of the latest commit that has the unit, or of the only one."""
    with tables.opened(stretch.file) as opened:
        asked = None if columns is None else [*columns, "sequence"]
        at = 0
        groups: list[int] = []
        first = 0
        for number in range(opened.num_row_groups):
            rows = opened.metadata.row_group(number).num_rows
            if at + rows > stretch.start and at < stretch.stop:
                first = first if groups else at
                groups.append(number)
            at += rows
        at = first
        for batch in opened.iter_batches(_AT_ONCE, row_groups=groups, columns=asked):
            begin, end = max(stretch.start - at, 0), min(stretch.stop - at, batch.num_rows)
            at += batch.num_rows
            if begin >= end:
                continue
            chosen = batch.slice(begin, end - begin)
            keys = chosen.column("key").to_pylist()
            sequences = chosen.column("sequence").to_pylist()
            counted = [
                sequence == (latest.get(key) if only is None else only)
                for key, sequence in zip(keys, sequences, strict=True)
            ]
            if not all(counted):
                chosen = chosen.filter(pa.array(counted))
                keys = chosen.column("key").to_pylist()
            yield from zip(zip(keys, chosen.column("part").to_pylist(), strict=True), unpack(chosen), strict=True)


# --- logs -----------------------------------------------------------------------------------------------------------


def history_in(tables: LineageTables, commits: Sequence[Commit]) -> Iterator[LogHistory]:
    """What the log has told of statements, commit by commit."""
    for commit in commits:
        for batch in batches_in(tables, "statements", [commit], _HISTORY):
            for identity, source, began, ended, count, users in zip(*map(values_of, batch.columns), strict=True):
                yield LogHistory(identity, source, began, ended, count, tuple(users))
