"""The job on Spark: the same store whatever the partitions, nothing twice, nothing lost."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pipeline_samples import (
    LONG,
    START,
    good_rows,
    good_statement,
    log_row,
    make_job,
    session_rows,
    store_content,
    table_content,
    tables_of,
    write_log,
)

from connector.errors import UnavailableError
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.reading import context_of
from connector.pipeline.run import run_job
from connector.pipeline.spark.analysis import SparkAnalysis
from connector.pipeline.stored import history_in, results_in
from connector.pipeline.tables import LineageTables
from connector.sources import read_plain
from connector.store import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHAPE = {"query_identity": "shape"}


def prepare(folder: Path, rows: list[dict[str, Any]]) -> None:
    write_log(folder / "log" / "day1.jsonl", rows)
    sql = folder / "sql"
    sql.mkdir()
    (sql / "load.sql").write_text(
        "create temporary table stage_it as select a, b from raw.input;\n"
        "insert into mart.output (a, b) select a, b from stage_it;\n"
        "insert into mart.broken (a select from;\n",
        encoding="utf-8",
    )
    (sql / "view.sql").write_text("create view mart.v as select * from mart.output;\n", encoding="utf-8")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [*good_rows(300, 60), *session_rows(), log_row("-- only a comment", 7)]


@pytest.fixture(scope="module")
def first(spark: SparkSession, rows: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a job has run once."""
    folder = tmp_path_factory.mktemp("first")
    prepare(folder, rows)
    report = run_job(make_job(folder, options=SHAPE, spark={"partitions": 1}), spark=spark)
    (folder / "report.json").write_text(json.dumps(report.to_dict()), encoding="utf-8")
    return folder


def test_the_report_counts(first: Path) -> None:
    report = json.loads((first / "report.json").read_text())
    assert {source["name"]: source["rows"] for source in report["sources"]} == {"log": 307, "scripts": 2}
    assert report["rows"] == 309
    # Sixty shapes, two sessions, two statements of a session that changes nothing, and two scripts.
    assert report["units"] == report["analysed"] == 66
    assert (report["known"], report["failed"]) == (0, 1)
    assert report["errors"]["SyntaxError"] == 1
    assert report["stored"]["processes"]["created"] > 60
    assert report["column_edges"] > 0


@pytest.mark.parametrize("partitions", [None, 64 if LONG else 9])
def test_one_task_or_many_partitions_and_any_order_give_the_same(
    first: Path,
    spark: SparkSession,
    rows: list[dict[str, Any]],
    partitions: int | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nobody asks for partitions, so little is read by one task, without the queries of a large input."""
    if partitions is None:
        monkeypatch.delattr(SparkAnalysis, "_read")
    shuffled = list(rows)
    random.Random(3).shuffle(shuffled)
    prepare(tmp_path, [])
    write_log(tmp_path / "log" / "day1.jsonl", shuffled[:120])
    write_log(tmp_path / "log" / "day1b.jsonl", shuffled[120:])
    run_job(make_job(tmp_path, options=SHAPE, spark={"partitions": partitions}), spark=spark)
    assert store_content(tmp_path) == store_content(first)
    assert table_content(tmp_path) == table_content(first)


def test_a_damaged_log_is_told_apart_from_the_scripts_that_one_task_would_read_with_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    prepare(tmp_path, [log_row(good_statement(0), 0)])
    with (tmp_path / "log" / "day1.jsonl").open("ab") as log:
        log.write(b'{"query_text": "select \xfc"}\n')
    report = run_job(make_job(tmp_path, options=SHAPE), spark=spark)
    assert {source.name: source.rows for source in report.sources} == {"log": 0, "scripts": 2}
    assert report.units == 2


def test_without_spark_the_results_are_the_same(first: Path) -> None:
    job = make_job(first, options=SHAPE)
    context = context_of(job)
    statements = [statement for source in job.sources for statement in read_plain(source, job.defaults)]
    collected = collect_units(statements, context, guarded=False)
    results = list(analyse_plain(collected.units, context, guarded=False))
    tables = tables_of(first)
    found = list(results_in(tables, tables.commits()))
    for result in results:
        result.seconds = 0.0
    assert found == results
    history = sorted(history_in(tables, tables.commits()), key=lambda row: (row.source, row.identity))
    assert history == collected.history


def test_the_store_knows_sessions_and_history(first: Path) -> None:
    with Store.open(first / "lineage.db") as store:
        edges = {(edge.source, edge.target) for edge in store.edges("table")}
        processes = store.processes()
    assert ("dwh.raw.first_source@default", "dwh.mart.result@default") in edges
    assert ("dwh.other.there@default", "dwh.other.here@default") in edges
    assert ("default.raw.input@default", "default.mart.output@default") in edges
    often = [process for process in processes if process.users == ("user0", "user1", "user2")]
    assert often
    assert all(process.run_count == 5 for process in often)
    assert min(process.first_seen for process in often) == START
    assert max(process.last_seen for process in often) == START + timedelta(seconds=299)


def test_a_second_run_does_nothing_and_more_rows_are_added(
    first: Path, spark: SparkSession, rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    prepare(tmp_path, rows[:200])
    job = make_job(tmp_path, options=SHAPE)
    run_job(job, spark=spark)
    before = store_content(tmp_path)
    again = run_job(job, spark=_not_needed)
    assert (again.rows, again.units, again.analysed) == (0, 0, 0)
    assert all(source.skipped for source in again.sources)
    assert store_content(tmp_path) == before
    # The same rows in another export, and those that were missing: nothing is counted twice, and the end is the same.
    write_log(tmp_path / "log" / "day2.jsonl", rows[150:])
    third = run_job(job, spark=spark)
    assert third.rows == len(rows) - 200
    assert third.analysed < third.units
    assert _comparable(store_content(tmp_path)) == _comparable(store_content(first))


def _comparable(content: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    """Without the texts and text hashes of statements, which are those of the first time that one was seen."""
    return {**content, "lineage_processes": [row[:4] for row in content["lineage_processes"]]}


def test_full_analyses_again_and_counts_nothing_twice(first: Path, spark: SparkSession) -> None:
    before = store_content(first)
    report = run_job(make_job(first, options=SHAPE), spark=spark, full=True)
    assert report.analysed == report.units == 66
    assert report.rows == 2
    assert store_content(first) == before


def test_other_metadata_is_another_analysis(spark: SparkSession, tmp_path: Path) -> None:
    write_log(tmp_path / "log" / "a.jsonl", [log_row("insert into mart.all_of_it select * from raw.known")])
    run_job(make_job(tmp_path), spark=spark)
    metadata = tmp_path / "metadata.json"
    metadata.write_text(json.dumps({"raw.known": ["a", "b"]}), encoding="utf-8")
    report = run_job(make_job(tmp_path, metadata=[str(metadata)]), spark=spark)
    assert report.analysed == 1
    with Store.open(tmp_path / "lineage.db") as store:
        columns = {edge.target.rsplit(".", 1)[1] for edge in store.edges("column") if edge.type == "fdd"}
        assert columns == {"a@default", "b@default"}
        assert [process.run_count for process in store.processes()] == [1]


def test_a_table_of_the_catalog_is_read_from_where_it_was(spark: SparkSession, tmp_path: Path) -> None:
    def rows(*hours: float) -> None:
        frame = spark.createDataFrame(
            [(good_statement(int(hour * 10)), START + timedelta(hours=hour)) for hour in hours],
            "query_text string, start_time timestamp",
        )
        frame.write.mode("append").saveAsTable("history")

    def runs_in_store() -> int:
        with Store.open(tmp_path / "lineage.db") as store:
            return sum(process.run_count for process in store.processes())

    columns = {"text": "query_text", "started_at": "start_time"}
    source = {"type": "log", "name": "history", "table": "history", "columns": columns, "lookback_hours": 2}
    job = make_job(tmp_path, sources=[source])
    spark.sql("DROP TABLE IF EXISTS history")
    rows(1, 10)
    assert run_job(job, spark=spark).rows == 2
    again = run_job(job, spark=spark)
    assert (again.rows, again.units, again.analysed) == (0, 1, 0), "one row is within the time that is looked back"
    rows(9, 11, 3)  # one comes late, one is new, one comes too late
    assert run_job(job, spark=spark).rows == 2
    assert LineageTables.of(job).commits()[-1].sources["history"]["until"] == "2024-01-01T11:00:00+00:00"
    assert runs_in_store() == 4
    assert run_job(job, spark=spark, full=True).rows == 1
    assert runs_in_store() == 5
    spark.sql("DROP TABLE history")


def test_two_runs_at_once_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    write_log(tmp_path / "log" / "a.jsonl", [log_row(good_statement(1))])
    job = make_job(tmp_path)
    with (
        LineageTables.of(job).only_run(),
        pytest.raises(UnavailableError, match=r"Another run is using .*process \d+"),
    ):
        run_job(job, spark=_not_needed)


def _not_needed() -> SparkSession:
    raise AssertionError("Spark was started for nothing")
