"""What moves no data is known by its verb or its object; whatever else nobody understands is an error."""

from __future__ import annotations

import pytest

from connector import analyze

HARMLESS = [
    (
        "mysql",
        "binlog 'x'; change master to master_host = 'h'; restart; xa start 'x'; cache index t in c; load index into cache t",
    ),
    ("mysql", "alter event e rename to f; drop user u; flush tables; handler t open; kill 5"),
    ("oracle", "administer key management set key identified by x; flashback table t to before drop; purge recyclebin"),
    (
        "oracle",
        "create materialized view log on t; alter materialized view v compile; associate statistics with columns t.a using x",
    ),
    (
        "oracle",
        "alter procedure p compile; alter package p compile body; create dimension d level l is (t.a); audit select on t",
    ),
    ("mssql", "create partition function pf (int) as range left for values (1, 100)"),
    (
        "mssql",
        "create partition scheme ps as partition pf all to ([primary]); alter partition function pf () split range (5)",
    ),
    ("mssql", "dbcc checkdb; setuser 'u'; alter table t enable trigger r"),
    (
        "postgresql",
        "load 'auto_explain'; listen c; alter function f(int) rename to g; alter function f(int) owner to u",
    ),
    (
        "postgresql",
        "security label on table t is 'x'; reassign owned by a to b; create extension x; create operator + (leftarg = a)",
    ),
    ("duckdb", "load httpfs; install httpfs; pragma x; checkpoint; force checkpoint"),
    ("hive", "repl dump d; msck repair table t; reload functions; show tables"),
    ("impala", "compute stats t; invalidate metadata t; summary; profile"),
    ("sparksql", "clear cache; refresh table t; add jar x; fsck repair table t; optimize t"),
    ("clickhouse", "exists table t; watch v; system flush logs; optimize table t; undrop table t"),
    (
        "db2",
        "rebind package p; quiesce database; reorgchk update statistics on table t; free locator x; label on table t is 'x'",
    ),
    ("teradata", "echo x; give u to v; modify user u as password = x; revalidate references for t"),
    ("exasol", "recompress table t; reorganize table t; preload table t; impersonate u"),
    (
        "snowflake",
        "alter task t resume; alter stream s set comment = 'x'; alter warehouse w suspend; list @s; undrop table t",
    ),
    (
        "postgresql",
        "create publication p for table t, u; alter routine p owner to q; alter large object 5 owner to u",
    ),
    (
        "postgresql",
        "create operator = (procedure = f, commutator = =, join = eqjoinsel); create cast (a as b) with function f(a)",
    ),
    (
        "mssql",
        "create external data source s with (location = 'x'); create event session s on server add event sqlserver.x",
    ),
    ("bigquery", "alter project `p` set options (x = 1); alter bi_capacity `p.r.default` set options (size_gb = 250)"),
    (
        "snowflake",
        "create streamlit s; create dbt project p; create notebook n; alter procedure p(float) execute as caller",
    ),
    ("exasol", "create python scalar script f (x int) returns int as return 1"),
    ("exasol", "create or replace lua script s.hello as return 'hello'"),
    ("teradata", "set query_band = 'a=b;'\nupdate for session;\nset query_band = 'c=d;' update for transaction"),
    ("ansi", "commit; rollback to savepoint x; grant select on t to u; set x = 1"),
]


@pytest.mark.parametrize(("dialect", "text"), HARMLESS, ids=[text[:30] for _, text in HARMLESS])
def test_it_is_passed_over(dialect: str, text: str) -> None:
    lineage = analyze(text, dialect)
    assert [problem.message for problem in lineage.problems] == []
    assert lineage.model.processes == []


@pytest.mark.parametrize(
    "text",
    ["frobnicate t", "create gizmo g on t", "alter gizmo g set x = 1", "transmogrify o with t", "selct a fro t"],
)
def test_what_nobody_knows_is_an_error(text: str) -> None:
    lineage = analyze(f"insert into o select a from t; {text}; insert into p select a from t")
    assert [problem.type for problem in lineage.problems] == ["SyntaxError"]
    assert {str(name) for name in lineage.targets} >= {"o", "p"}


def test_an_unknown_object_without_a_word_for_data_is_a_note() -> None:
    lineage = analyze("create gizmo g size 3; create gizmo h (a int) as select a from t", "redshift")
    assert [problem.type for problem in lineage.problems] == ["Note", "SyntaxError"]
