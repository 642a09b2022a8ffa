"""What workers make of statements comes to the same units as one thread, however the rows fall to tasks."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any, cast

import pyarrow as pa
import pytest

from connector.errors import SourceError
from connector.guard import Limits
from connector.options import Options
from connector.pipeline.context import AnalysisContext
from connector.pipeline.plain import collect_units
from connector.pipeline.spark import deduplication
from connector.pipeline.spark.deduplication import RUN, TALLY, TEXT, Deduplicate
from connector.pipeline.spark.sessions import OF_SESSIONS, SessionUnits, SplitSessions
from connector.pipeline.spark.small import FIGURE, UNIT, SmallInput, SmallLog
from connector.sources.logs.rows import BoundTable
from connector.sources.record import SourceStatement

START = datetime(2024, 1, 1, tzinfo=timezone.utc)
CONTEXT = AnalysisContext(Options(query_identity="shape"), Limits())
TEXTS = [
    "insert into mart.a (x) select y from raw.a",
    "insert into mart.b (x) select y from raw.b where z = 1",
    "insert into mart.b (x) select y from raw.b where z = 2",
    "create temporary table work as select y from raw.c",
    "use schema other",
    "alter session set timezone = 'UTC'",
    "-- only a comment",
]


def statement(text: str, second: int, session: str | None) -> SourceStatement:
    started = None if second % 17 == 0 else START + timedelta(seconds=second)
    return SourceStatement(
        text,
        "snowflake",
        kind="query",
        source="log",
        session_id=session,
        started_at=started,
        sequence=second,
    )


@pytest.fixture(scope="module", autouse=True)
def guard() -> Iterator[None]:
    """A worker ends with its guarded child; this process goes on."""
    yield
    deduplication.worker_guard(CONTEXT.limits.seconds, CONTEXT.limits.memory_mb).close()
    deduplication.worker_guard.cache_clear()
    deduplication._identifying.cache_clear()


@pytest.fixture(scope="module")
def rows() -> list[SourceStatement]:
    """Texts within sessions that change state, within others, and outside of any."""
    choice = random.Random(1)
    found = []
    for second in range(400):
        session = choice.choice([None, *(f"quiet {at}" for at in range(5)), *(f"busy {at}" for at in range(5))])
        known = TEXTS if session is not None and session.startswith("busy") else [*TEXTS[:3], *TEXTS[5:]]
        found.append(statement(choice.choice(known), second, session))
    return found


def rows_of(batches: Iterable[pa.RecordBatch]) -> Iterator[dict[str, Any]]:
    for batch in batches:
        yield from batch.to_pylist()


def units_of(rows: Iterable[dict[str, Any]]) -> dict[str, bytes]:
    """Of several units with one key the first."""
    found: dict[str, tuple[str, bytes]] = {}
    for row in rows:
        chosen = row["precedence"], row["unit"]
        found[row["key"]] = min(found.get(row["key"], chosen), chosen)
    return {key: unit for key, (_, unit) in found.items()}


@pytest.mark.parametrize(("tasks", "held"), [(1, 25_000), (1, 7), (4, 25_000), (9, 3)])
def test_any_number_of_tasks(
    rows: list[SourceStatement], tasks: int, held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deduplication, "_HELD_ROWS", held)
    monkeypatch.setattr("connector.sources.spark._ROWS", 50)
    work = Deduplicate("log", CONTEXT.digest, "shape", CONTEXT.limits.seconds, CONTEXT.limits.memory_mb)
    distinct = [row for at in range(tasks) for row in rows_of(work(rows[at::tasks]))]
    tallies = [row for row in distinct if row["kind"] == TALLY]
    assert sum(row["runs"] for row in tallies if row["key"] == "read") == len(rows)
    stateful = frozenset((row["source"], session) for row in tallies for session in row["sessions"] or ())
    assert {session for _, session in stateful} == {f"busy {at}" for at in range(5)}
    runs = [row for row in distinct if row["kind"] != TALLY and row["runs"]]
    assert sum(row["runs"] for row in runs) == sum(len(row["fingerprints"]) for row in runs) == len(rows)

    texts = [row for row in distinct if row["kind"] == TEXT]
    columns = {name: deduplication.DEDUPLICATED.field(name).type for name in OF_SESSIONS}
    in_sessions = [{name: row[name] for name in OF_SESSIONS} for row in texts if not row["alone"]]
    table = pa.Table.from_pylist(in_sessions, pa.schema(list(columns.items())))
    members = pa.Table.from_batches(SplitSessions(stateful)(table.to_batches(max_chunksize=5))).sort_by("place")
    units = list(rows_of(SessionUnits(CONTEXT.digest)(members.to_batches(max_chunksize=5))))

    found = units_of([*units, *(row for row in texts if row["alone"])])
    expected = {unit.key: unit._replace(row="") for unit in collect_units(rows, CONTEXT, guarded=False).units}
    assert {key: pickle.loads(unit)._replace(row="") for key, unit in found.items()} == expected


class Table(list[SourceStatement]):
    """What a task reads of a log, without a file."""


class Damaged(Table):
    def __iter__(self) -> Iterator[SourceStatement]:
        raise SourceError("log.csv: not valid utf-8")


def small_input(table: Table) -> SmallInput:
    work = Deduplicate("log", CONTEXT.digest, "shape", CONTEXT.limits.seconds, CONTEXT.limits.memory_mb)
    log = SmallLog((cast("BoundTable", table),), work)
    return SmallInput((), work, (log,), giant=60)


def test_a_small_input_comes_to_the_same_units_and_runs(rows: list[SourceStatement]) -> None:
    found = small_input(Table(rows)).read().to_pylist()
    expected = {unit.key: unit._replace(row="") for unit in collect_units(rows, CONTEXT, guarded=False).units}
    units = [row for row in found if row["kind"] == UNIT]
    assert {row["key"]: pickle.loads(row["unit"])._replace(row="") for row in units} == expected
    assert len(units) == len(expected)
    sizes = [unit.size for unit in expected.values()]
    assert {row["key"]: row["runs"] for row in found if row["kind"] == FIGURE} == {
        "units": len(sizes),
        "letters": sum(sizes),
        "giants": sum(size > 60 for size in sizes),
    }
    runs = [row for row in found if row["kind"] in (TEXT, RUN)]
    assert sum(row["runs"] or 0 for row in runs) == len(rows)


def test_the_driver_keeps_no_child_after_a_small_input(rows: list[SourceStatement]) -> None:
    small_input(Table(rows)).read()
    guard = deduplication.worker_guard(CONTEXT.limits.seconds, CONTEXT.limits.memory_mb)
    assert guard._child is None
    with pytest.raises(SourceError, match=r"log\.csv: not valid utf-8"):
        small_input(Damaged(rows)).read()
    assert guard._child is None
