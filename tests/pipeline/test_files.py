"""Results in files, and edges under the names that their units give them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pipeline_samples import good_statement

from connector.guard import Limits
from connector.options import Options
from connector.pipeline.arrow import pack_results, unpack_results
from connector.pipeline.context import AnalysisContext
from connector.pipeline.files import LEVELS, SCHEMAS, column_edges, table_edges, write_results
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.results import UnitResult
from connector.pipeline.storage import Storage
from connector.sources.record import SourceStatement

LIMITS = Limits(20, 300)
TEXTS = [
    "create view mart.v as select a, b from raw.t",
    "insert into mart.o (x, y) select a, count(*) from mart.v join raw.u on v.k = u.k where b > 1 group by a",
    "alter table raw.t add constraint fk foreign key (k) references raw.u (k)",
    "this is no statement (",
    "insert into mart.star select * from raw.t; insert into mart.p select 1",
    *(good_statement(number) for number in range(8)),
]


@pytest.fixture(scope="module")
def results() -> list[UnitResult]:
    context = AnalysisContext(Options(), LIMITS)
    rows = [SourceStatement(text, "snowflake", "query", "log", source="log") for text in TEXTS]
    return list(analyse_plain(collect_units(rows, context, guarded=False).units, context, guarded=False))


def batches(results: list[UnitResult], size: int) -> list[pa.RecordBatch]:
    return [pack_results(results[at : at + size]) for at in range(0, len(results), size)]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_edges_have_the_names_of_their_ends(results: list[UnitResult], size: int) -> None:
    wanted: dict[str, list[dict[str, Any]]] = {"column": [], "table": []}
    for result in results:
        rows = result.levels
        assert rows is not None
        for edge in rows.column_edges:
            source, target = rows.columns[edge.source], rows.columns[edge.target]
            statement = rows.processes[edge.process] if edge.process >= 0 else None
            wanted["column"].append(
                {
                    "key": result.key,
                    "type": edge.type,
                    "source_table": rows.objects[source.object].name,
                    "source": source.name,
                    "target_table": rows.objects[target.object].name,
                    "target": target.name,
                    "effect": edge.effect,
                    "clause": edge.clause,
                    "join_type": edge.join_type,
                    "condition": edge.condition,
                    "expression": edge.expression,
                    "transformation": edge.transformation,
                    "process": None if statement is None else statement.name,
                    "identity": None if statement is None else statement.identity,
                    "text_hash": None if statement is None else statement.text_hash,
                }
            )
        for link in rows.table_edges:
            statement = rows.processes[link.process] if link.process >= 0 else None
            wanted["table"].append(
                {
                    "key": result.key,
                    "type": link.type,
                    "source": rows.objects[link.source].name,
                    "source_kind": rows.objects[link.source].type,
                    "target": rows.objects[link.target].name,
                    "target_kind": rows.objects[link.target].type,
                    "process": None if statement is None else statement.name,
                    "identity": None if statement is None else statement.identity,
                    "text_hash": None if statement is None else statement.text_hash,
                }
            )
    packed = batches(results, size)
    assert [row for batch in packed for row in column_edges(batch).to_pylist()] == wanted["column"]
    assert [row for batch in packed for row in table_edges(batch).to_pylist()] == wanted["table"]
    assert len(wanted["column"]) > 40


def test_a_slice_of_a_batch_has_its_own_edges(results: list[UnitResult]) -> None:
    whole = pack_results(results)
    parts = [column_edges(whole.slice(at, 2)) for at in range(0, whole.num_rows, 2)]
    assert pa.Table.from_batches(parts).equals(pa.Table.from_batches([column_edges(whole)]))


def test_an_attempt_writes_next_to_the_tables(results: list[UnitResult], tmp_path: Path) -> None:
    storage = storage_in(tmp_path)
    assert write_results([], storage, 3, 8, LIMITS) is None
    attempt = write_results(batches(results, 2), storage, 3, 7, LIMITS)
    assert attempt is not None
    assert attempt.units == len(results)
    assert [file.table for file in attempt.files] == ["units", *LEVELS]
    for file in attempt.files:
        path = tmp_path / file.table / file.name
        assert file.name.startswith("part-00000003-00007-")
        assert path.stat().st_size == file.size
        assert pq.read_schema(path).equals(SCHEMAS[file.table])
    stored = pq.read_table(tmp_path / "units" / attempt.files[0].name)
    assert [result.key for result in unpack_results(stored)] == [result.key for result in results]
    assert set(stored.column("limit_seconds").to_pylist()) == {20.0}
    assert set(stored.column("limit_mb").to_pylist()) == {300}
    assert set(stored.column("sequence").to_pylist()) == {3}


def storage_in(folder: Path) -> Storage:
    storage = Storage(str(folder))
    for table in SCHEMAS:
        storage.prepare(table)
    return storage


def test_the_slow_and_the_large_are_told(results: list[UnitResult], tmp_path: Path) -> None:
    for result in results:
        result.seconds = 0.0
    results[0].seconds, results[1].size, results[2].seconds = 2.0, 200_000, 1.0
    written = write_results(batches(results, 3), storage_in(tmp_path), 1, 0, LIMITS)
    assert written is not None
    assert [row["seconds"] for row in written.slow] == [2.0, 1.0]
    assert [(row["size"], row["text"]) for row in written.large] == [(200_000, results[1].texts[0][:200])]
