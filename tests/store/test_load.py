"""What a load writes, and what it leaves alone."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import datetime, timezone
from pathlib import Path

import pytest

from connector import Options, analyze
from connector.model.levels import column_level, table_level
from connector.naming import Namer
from connector.store import Store
from connector.store.level_rows import level_rows

SCRIPT = """
create table raw.orders (id int, amount int, status varchar);
create view stage.paid as select id, amount from raw.orders where status = 'paid';
insert into core.totals (id, total) select id, sum(amount) from stage.paid group by id;
"""


def stored(rows, name):
    return {(row[2], row[3]) for row in rows()[name]}


def column_names(rows):
    return {row[2] for row in rows()["sqlflow_columns"]}


def edge_set(store, level):
    return {(edge.type, edge.source, edge.target) for edge in store.edges(level)}


def test_the_predefined_dialects_have_the_guids_of_the_reference(store, rows):
    guids = {row[2]: row[0] for row in rows()["sqlflow_dbobjects"] if row[3] == "sqldialect"}
    assert len(guids) == 24
    assert guids["hive"] == "108"
    assert guids["redshift"] == "129"
    assert [guids[name] for name in "snowflake sparksql sqlserver sybase teradata vertica".split()] == [
        "130", "131", "132", "133", "134", "135",
    ]  # fmt: skip
    assert {row[1] for row in rows()["sqlflow_dbobjects"]} == {"1"}


def test_objects_hang_together_from_the_dialect_to_the_column(store, rows):
    store.load(analyze("insert into tableA (columnB) select x from sampledb.s", dialect="hive", cluster="primary"))
    by_name = {(row[2], row[3]): row for row in rows()["sqlflow_dbobjects"]}
    cluster = by_name["primary", "cluster"]
    database = by_name["sampledb@primary", "database"]
    table = by_name["sampledb.s@primary", "table"]
    assert cluster[1] == "108"
    assert database[1] == cluster[0]
    assert table[1] == database[0]
    column = next(row for row in rows()["sqlflow_columns"] if row[2] == "sampledb.s.x@primary")
    assert column[1] == table[0]


def test_the_sql_server_family_belongs_to_the_reference_dialect(store, rows):
    store.load(analyze("insert into o select a from t", dialect="mssql"))
    cluster = next(row for row in rows()["sqlflow_dbobjects"] if row[3] == "cluster")
    assert cluster[1] == "132"


def test_a_dialect_that_the_reference_does_not_list_gets_a_row(store, rows):
    store.load(analyze("insert into o select a from t", dialect="duckdb"))
    assert ("duckdb", "sqldialect") in stored(rows, "sqlflow_dbobjects")


def test_the_definition_of_an_object_is_kept(store, rows):
    store.load(analyze(SCRIPT, dialect="snowflake"))
    ddl = {row[2]: (row[4], row[5]) for row in rows()["sqlflow_dbobjects"]}
    text, digest = ddl["default.raw.orders@default"]
    assert text == "create table raw.orders (id int, amount int, status varchar)"
    assert len(digest) == 32
    assert ddl["default.stage.paid@default"][0].startswith("create view stage.paid as select")
    assert ddl["default.core.totals@default"] == (None, None)


@pytest.mark.parametrize("level", ["column", "table"])
def test_the_edges_are_those_of_the_level(store, level):
    lineage = analyze(SCRIPT, dialect="snowflake")
    store.load(lineage)
    namer = Namer(lineage.model)
    if level == "column":
        expected = {
            (edge.type, namer.column(edge.source), namer.column(edge.target)) for edge in column_level(lineage.model)
        }
    else:
        expected = {
            (edge.type, namer.entity(edge.source), namer.entity(edge.target))
            for edge in table_level(lineage.model).relations
        }
    assert edge_set(store, level) == expected


def test_a_second_load_changes_nothing_but_the_runs(store, rows):
    first = store.load(analyze(SCRIPT, dialect="snowflake"))
    before = rows()
    second = store.load(analyze(SCRIPT, dialect="snowflake"))
    after = rows()
    assert first.changed
    assert not second.changed
    assert second.total.unchanged == first.total.created + first.total.unchanged
    assert len(after.pop("lineage_runs")) == len(before.pop("lineage_runs")) + 1
    assert after == before


def test_history_counts_runs_and_keeps_the_first_and_last_time(store):
    store.load(analyze(SCRIPT, dialect="snowflake"), run="monday")
    store.load(analyze("insert into core.totals (id) select 1", dialect="snowflake"), run="tuesday")
    store.load(analyze(SCRIPT, dialect="snowflake"), run="wednesday")
    store.load(analyze(SCRIPT, dialect="snowflake"), run="wednesday")
    runs = store.runs()
    seen = {process.type: process for process in store.processes()}
    assert [run["run"] for run in runs] == ["monday", "tuesday", "wednesday", "wednesday"]
    assert seen["Create View"].run_count == 2
    assert seen["Create View"].first_seen == runs[0]["started_at"]
    assert seen["Create View"].last_seen == runs[3]["started_at"]


def test_two_spellings_of_a_table_are_one_object_where_the_dialect_says_so(store, rows):
    store.load(analyze("insert into core.Orders (Id) select x from s", dialect="snowflake"))
    store.load(analyze("insert into CORE.ORDERS (ID) select y from s", dialect="snowflake"))
    assert ("default.core.Orders@default", "table") in stored(rows, "sqlflow_dbobjects")
    assert ("default.CORE.ORDERS@default", "table") not in stored(rows, "sqlflow_dbobjects")
    assert column_names(rows) >= {"default.core.Orders.Id@default"}
    assert len(store.upstream("core.orders.id").nodes) == 2


def test_quoted_names_stay_apart(store, rows):
    store.load(analyze('insert into "Orders" (a) select x from s', dialect="snowflake"))
    store.load(analyze('insert into "orders" (a) select x from s', dialect="snowflake"))
    names = {name for name, kind in stored(rows, "sqlflow_dbobjects") if kind == "table"}
    assert {"default.default.Orders@default", "default.default.orders@default"} <= names


def test_names_that_come_out_alike_are_one_object(store, rows):
    store.load(analyze('insert into "orders" (a) select x from s; insert into orders (b) select x from s', "snowflake"))
    again = store.load(
        analyze('insert into "orders" (a) select x from s; insert into orders (b) select x from s', "snowflake")
    )
    assert not again.changed
    assert ("default.default.orders@default", "table") in stored(rows, "sqlflow_dbobjects")


def test_case_matters_where_the_dialect_says_so(store, rows):
    store.load(analyze("insert into A.T (c) select c from s.t; insert into A.t (c) select c from s.t", "clickhouse"))
    names = {name for name, kind in stored(rows, "sqlflow_dbobjects") if kind == "table"}
    assert {"A.T@default", "A.t@default"} <= names


def test_a_table_that_turns_out_to_be_a_view_is_one_object(store, rows):
    store.load(analyze("insert into o (a) select a from v"))
    summary = store.load(analyze("create view v as select a from t"))
    assert summary.objects.updated == 1
    assert ("default.default.v@default", "view") in stored(rows, "sqlflow_dbobjects")
    assert ("default.default.v@default", "table") not in stored(rows, "sqlflow_dbobjects")
    assert not store.load(analyze("insert into o (a) select a from v")).changed
    assert [node.qualified_name for node in store.upstream("o").nodes] == [
        "default.default.v@default",
        "default.default.t@default",
    ]


def test_a_view_that_is_made_anew_as_a_table_is_a_table(store, rows):
    store.load(analyze("create view v as select a from t"))
    store.load(analyze("create table v as select a from u"))
    assert ("default.default.v@default", "table") in stored(rows, "sqlflow_dbobjects")


def test_better_metadata_replaces_the_edges_of_a_statement(store):
    sql = "insert into o select * from t"
    store.load(analyze(sql))
    assert any(edge.source.endswith(".*@default") for edge in store.edges("column"))
    summary = store.load(analyze(sql, metadata={"t": ["a", "b"], "o": ["x", "y"]}))
    assert summary.column_edges.removed
    assert {(edge.source, edge.target) for edge in store.edges("column")} == {
        ("default.default.t.a@default", "default.default.o.x@default"),
        ("default.default.t.b@default", "default.default.o.y@default"),
    }


def test_the_same_text_in_another_schema_does_not_replace(store):
    sql = "insert into o (x) select a from t"
    store.load(analyze(sql, default_schema="one"))
    store.load(analyze(sql, default_schema="two"))
    assert {edge.target for edge in store.edges("table")} == {"default.one.o@default", "default.two.o@default"}


def test_comments_of_people_survive(store, target, rows):
    from sqlalchemy import text

    store.load(analyze(SCRIPT))
    with store._database.writing() as connection:
        connection.execute(text("UPDATE sqlflow_dbobjects SET comment = 'ours' WHERE object_type = 'view'"))
    store.load(analyze(SCRIPT.replace("paid'", "due'")))
    assert {row[6] for row in rows()["sqlflow_dbobjects"] if row[3] == "view"} == {"ours"}


def test_table_variables_are_tables_where_they_are_kept(tmp_path):
    sql = "declare @t table (a int); insert into @t select x from dbo.s; insert into dbo.o select a from @t"
    with Store.open(tmp_path / "store.db") as store:
        store.load(analyze(sql, "mssql", options=Options(temporaries=True)), keep_temporaries=True)
        assert {(edge.source, edge.target) for edge in store.edges()} == {
            ("default.dbo.s.x@default", 'default.dbo."@t".a@default'),
            ('default.dbo."@t".a@default', "default.dbo.o.a@default"),
        }


def test_temporary_tables_are_looked_through_unless_they_are_kept(tmp_path):
    sql = "create temporary table tmp as select a from t; insert into o (x) select a from tmp"
    with Store.open(tmp_path / "without.db") as store:
        store.load(analyze(sql, "postgresql"))
        assert [node.qualified_name for node in store.upstream("o").nodes] == ["default.default.t@default"]
    with Store.open(tmp_path / "with.db") as store:
        lineage = analyze(sql, "postgresql", options=Options(temporaries=True))
        store.load(lineage, keep_temporaries=True)
        assert len(store.upstream("o").nodes) == 2


def test_orphan_columns_lie_in_no_table(store, rows):
    store.load(analyze("insert into o (x) select a from t, u"))
    kinds = {kind for name, kind in stored(rows, "sqlflow_dbobjects") if "orphan" in name}
    assert kinds == {"pseudoTable"}


def test_several_models_are_one_load(store):
    first, second = analyze("insert into b select x from a"), analyze("insert into c select x from b")
    store.load([first, second], source="both")
    assert len(store.runs()) == 1
    assert {edge.target for edge in store.edges("table")} == {"default.default.b@default", "default.default.c@default"}


def test_of_several_models_with_the_same_statement_the_last_one_is_right(store):
    sql = "insert into o select * from t"
    vague, exact = analyze(sql), analyze(sql, metadata={"t": ["a", "b"], "o": ["x", "y"]})
    summary = store.load([vague, exact])
    assert summary.column_edges.removed
    assert summary.objects.unchanged > 0
    assert {edge.target for edge in store.edges("column")} == {
        "default.default.o.x@default",
        "default.default.o.y@default",
    }
    assert not store.load(exact).changed


PIECES = [
    "insert into o (x) select a from t where b > 1",
    "insert into o (x) select a from t where b > 1; insert into p (x) select a from o",
    "alter table t add constraint fk foreign key (k) references u (k)",
    "create view v as select a from t",
    "create table c (k int, foreign key (k) references u (k)); create table v as select a from u",
    "insert into o select * from t",
]


@pytest.mark.parametrize("size", [1, 2, 1000])
def test_it_does_not_matter_how_the_models_of_a_load_are_cut_into_pieces(target, rows, tmp_path, monkeypatch, size):
    """Loads of all, of some and of all again, in pieces and, in a store beside it, as a whole."""
    stars = analyze(PIECES[-1], metadata={"t": ["a", "b"]}).model
    models = [level_rows(model) for model in [*(analyze(text).model for text in PIECES), stars]]
    contents, summaries = [], []
    for name, at_once in ((target, size), (str(tmp_path / "whole.db"), 1000)):
        monkeypatch.setattr("connector.store.store._ROWS_AT_ONCE", at_once)
        with Store.open(name) as store:
            for run, part in enumerate([models, models[3:], models[::-1], models]):
                summary = store.load_rows(iter(part), source="", run=str(run), started=datetime.now(timezone.utc))
            summaries.append((summary.objects, summary.columns, summary.processes, summary.changed))
            statements = [(process.qualified_name, process.run_count) for process in store.processes()]
            contents.append(
                ([set(store.edges(level)) for level in ("column", "table")], store.overview().objects, statements)
            )
    assert contents[0] == contents[1]
    assert summaries[0] == summaries[1]


def test_a_large_first_load_has_all_its_indexes_at_the_end(tmp_path):
    with Store.open(tmp_path / "empty.db"):
        pass
    with Store.open(tmp_path / "full.db") as store:
        summary = store.load(analyze(MANY))
        assert summary.column_edges.created > 1000
    assert indexes(tmp_path / "full.db") == indexes(tmp_path / "empty.db")


def indexes(path):
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'"))


MANY = "".join(f"insert into t{n} (a) select a from s{n};" for n in range(1100))


def test_a_load_that_fails_leaves_nothing(store, rows, monkeypatch):
    store.load(analyze("insert into b select x from a"))
    before = rows()
    monkeypatch.setattr("connector.store.loading.save_batch", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.load(analyze(SCRIPT))
    assert rows() == before


LOAD_AND_HANG = """
import sys, time
from connector import analyze
import connector.store.loading as loading
from connector.store import Store

def hang(*_):
    print("written", flush=True)
    time.sleep(60)

loading.save_batch = hang
with Store.open(sys.argv[1]) as store:
    store.load(analyze("".join(f"insert into t{n} (a) select a from s{n};" for n in range(500))))
"""


def test_a_load_that_is_killed_leaves_the_store_as_it_was(store, target, rows):
    store.load(analyze(SCRIPT))
    before = rows()
    process = subprocess.Popen([sys.executable, "-c", LOAD_AND_HANG, target], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"written\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=30)
    process.stdout.close()
    assert rows() == before
    for _ in range(50):  # a server notices only after a moment that its client is gone
        if not store.load(analyze(SCRIPT)).changed:
            break
        time.sleep(0.1)
    else:
        pytest.fail("the store did not recover")


LOAD_MUCH_AND_HANG = """
import sys, time
from connector import analyze
import connector.store.loading as loading
from connector.store import Store

def hang(*_):
    print("written", flush=True)
    time.sleep(60)

loading.Load.finish = hang
with Store.open(sys.argv[1]) as store:
    store.load(analyze(sys.stdin.read()))
"""


def test_a_large_first_load_that_is_killed_leaves_an_empty_store_with_its_indexes(tmp_path):
    path = tmp_path / "lineage.db"
    with Store.open(path) as store:
        before = indexes(path)
        command = [sys.executable, "-c", LOAD_MUCH_AND_HANG, str(path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(MANY.encode())
            process.stdin.close()
            assert process.stdout.readline() == b"written\n"
            assert not store.edges()  # who reads meanwhile is not kept waiting
            process.kill()
        assert indexes(path) == before
        assert not store.edges()
        assert store.load(analyze(MANY)).column_edges.created > 1000
        assert indexes(path) == before


def test_two_programs_load_at_once(target):
    with Store.open(target):
        pass
    program = (
        "import sys; from connector import analyze; from connector.store import Store\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    for n in range(5): store.load(analyze(f'insert into t{n} (a) select a from s'))\n"
    )
    workers = [subprocess.Popen([sys.executable, "-c", program, target]) for _ in range(2)]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0]
    with Store.open(target) as store:
        assert len(store.runs()) == 10
        assert len(list(store.edges("table"))) == 5


def test_paths_and_stages_are_objects(store, rows):
    from connector.model import Column, Entity, Flow, Model, Process, Relation, Script

    script = Script("load data")
    path = Entity(1, "path", "'s3://b/k.csv'", "path", uri="s3://b/k.csv")
    table = Entity(3, "table", "o", "table", table="o")
    source, target = Column(2, "a", path), Column(4, "x", table)
    path.columns["A"], table.columns["X"] = source, target
    process = Process(5, "Load", (script, 0, 9), "f" * 32, "batchQueries", "f" * 32, [Flow(table, {path: None})])
    model = Model("dbvhive", 2, cluster="primary", scripts=[script], processes=[process], entities=[path, table])
    model.relations.append(Relation(6, "fdd", target, [source], "load", process=process))
    store.load(model)
    assert ("s3://b/k.csv@primary", "path") in stored(rows, "sqlflow_dbobjects")
    assert [node.qualified_name for node in store.upstream("default.o").nodes] == ["s3://b/k.csv@primary"]
    assert [node.qualified_name for node in store.upstream("o.x").nodes] == ['"s3://b/k.csv".a@primary']
    assert [node.qualified_name for node in store.downstream("s3://b/k.csv").nodes] == ["default.o@primary"]


def test_the_benchmark_ends_with_its_figures():
    script = Path(__file__).parents[2] / "benchmarks" / "store.py"
    result = subprocess.run(
        [sys.executable, str(script), "--edges", "5000"], capture_output=True, text=True, timeout=120, check=True
    )
    figures = json.loads(result.stdout.splitlines()[-1])
    assert figures.keys() == {"load_seconds", "query_ms"}


def test_text_that_no_database_takes_is_replaced(store):
    sql = 'insert into o ("a\0b") select "\ud800" from t where x = \'\0\''
    store.load(analyze(sql))
    assert not store.load(analyze(sql)).changed
    assert len(store.edges("table")) == 1


GOLDENS = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("dialect", ["ansi", "snowflake", "mssql"])
def test_the_store_holds_what_the_levels_say(tmp_path, dialect):
    for script in sorted((GOLDENS / dialect).glob("*.sql")):
        model = analyze(script.read_text(encoding="utf-8"), dialect).model
        namer = Namer(model)
        with Store.open(tmp_path / f"{script.stem}.db") as store:
            store.load(model)
            assert not store.load(model).changed, script
            assert edge_set(store, "column") == {
                (edge.type, namer.column(edge.source), namer.column(edge.target)) for edge in column_level(model)
            }, script
            assert edge_set(store, "table") == {
                (edge.type, namer.entity(edge.source), namer.entity(edge.target))
                for edge in table_level(model).relations
            }, script
