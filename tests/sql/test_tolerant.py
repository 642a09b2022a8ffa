from __future__ import annotations

import pytest
from sql_reading import statement

from connector.sql.dialects import get_dialect
from connector.sql.harmless import moves_no_data
from connector.sql.tolerant import read_tables

READINGS: list[tuple[str, str, str, list[str], list[str]]] = [
    (
        "ansi",
        "select a from t join s.u as x on 1 = 1, w y left join (z) on 2 = 2",
        "Select",
        ["t", "s.u", "w", "z"],
        [],
    ),
    ("ansi", "select a into o from t", "Select Into", ["t"], ["o"]),
    ("ansi", "insert into o (a, b) odd clause select a from t", "Insert", ["t"], ["o"]),
    ("hive", "insert overwrite table o partition (d = 'x') odd select * from t", "Insert", ["t"], ["o"]),
    ("hive", "from s insert overwrite table a select 1 insert into table b select 2", "Insert", ["s"], ["a", "b"]),
    (
        "oracle",
        "insert all when x then into a values (1) into b values (2) select * from c@link",
        "Insert",
        ["c@link"],
        ["a", "b"],
    ),
    ("mssql", "insert [dbo].[o] odd select * from #tmp cross apply dbo.f(1) g", "Insert", ["#tmp"], ["dbo.o"]),
    ("mssql", "update u set a = 1 odd from dbo.t u join s on s.a = u.a", "Update", ["s"], ["dbo.t"]),
    ("mysql", "update t join s on 1 = 1 set a = (select max(b) from r) odd", "Update", ["s", "r"], ["t"]),
    ("sqlite", "update or ignore t set a = 1", "Update", [], ["t"]),
    ("ansi", "delete from t odd where a in (select a from s)", "Delete", ["s"], ["t"]),
    ("postgresql", "delete from t using s, r where odd odd", "Delete", ["s", "r"], ["t"]),
    (
        "bigquery",
        (
            "merge into my-proj.d.t odd using (select * from `p.d.s`) s on s.a = t.a when matched then update set a = 1 "
            "when not matched then insert row"
        ),
        "Merge",
        ["p.d.s"],
        ["my-proj.d.t"],
    ),
    ("ansi", "create or replace temporary table o odd as select * from t", "Create Table", ["t"], ["o"]),
    ("ansi", "create table if not exists s.o as select * from t", "Create Table", ["t"], ["s.o"]),
    ("ansi", "create view v (a, b) odd as select * from t", "Create View", ["t"], ["v"]),
    ("oracle", "create materialized view v odd as select * from t", "Create Materialized View", ["t"], ["v"]),
    ("snowflake", "create table a.b odd clone c.d", "Create Table Clone", ["c.d"], ["a.b"]),
    ("ansi", "create table a like b odd", "Create Table Like", ["b"], ["a"]),
    ("ansi", "alter table a odd rename to b", "Alter Table", ["a"], ["b"]),
    (
        "ansi",
        "with c as (select * from t), d as (select * from c) insert into o select * from d odd",
        "Insert",
        ["t"],
        ["o"],
    ),
    ("ansi", "with t as (select * from t) select * from t odd", "Select", ["t"], []),
    ("ansi", "with recursive r as (select 1 union all select * from r) select * from r, x odd", "Select", ["x"], []),
    (
        "ansi",
        "select extract(day from d), trim(both 'x' from e), substring(f from 1 for 2) from t where a is not distinct from b",
        "Select",
        ["t"],
        [],
    ),
    ("ansi", "select * from f(1), unnest(a), lateral g(2), t odd odd", "Select", ["t"], []),
    ("ansi", "select 'from x join y' from t for update of a", "Select", ["t"], []),
    ("mysql", "insert into o select * from t on duplicate key update a = 1 odd", "Insert", ["t"], ["o"]),
    (
        "postgresql",
        "insert into o select * from t on conflict (a) do update set a = excluded.a odd",
        "Insert",
        ["t"],
        ["o"],
    ),
    ("mssql", "bulk insert dbo.o from 'f.csv'", "Insert", [], ["dbo.o"]),
    ("snowflake", "copy into o from @stage odd", "Copy", [], ["o"]),
    ("mssql", "select * from db..t odd", "Select", ["db..t"], []),
    ("hive", "select * from t lateral view odd explode(x) y as a, b", "Select", ["t"], []),
]


@pytest.mark.parametrize(
    ("dialect", "text", "kind", "inputs", "outputs"), READINGS, ids=[reading[1][:50] for reading in READINGS]
)
def test_tables(dialect: str, text: str, kind: str, inputs: list[str], outputs: list[str]) -> None:
    found = read_tables(statement(text, dialect), get_dialect(dialect))
    assert found is not None
    assert found.type == kind
    assert [".".join(part for part, _ in ref.parts) for ref in found.inputs] == inputs
    assert [".".join(part for part, _ in ref.parts) for ref in found.outputs] == outputs


def test_names_have_their_place_and_say_what_was_quoted() -> None:
    text = 'select odd odd odd from "S p".t x'
    found = read_tables(statement(text), get_dialect("ansi"))
    assert found is not None
    (ref,) = found.inputs
    assert ref.parts == [("S p", True), ("t", False)]
    assert text[ref.start : ref.end] == '"S p".t'


HARMLESS = [
    "grant select on t to u",
    "revoke all on t from u",
    "set a = b",
    "analyze table t compute statistics",
    "comment on table t is 'x'",
    "vacuum t",
    "commit",
    "rollback to savepoint a",
    "begin transaction",
    "explain select * from t",
    "show tables",
    "describe t",
    "use db",
    "drop table t",
    "truncate table t",
    "create role r",
    "create index i on t (a)",
    "create schema s",
    "alter session set a = b",
    "alter table t add column a int",
    "lock table t in share mode",
    "refresh materialized view v",
    "msck repair table t",
    "call p(1)",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_statements_without_data_are_passed_over(text: str) -> None:
    assert moves_no_data(statement(text))
    assert read_tables(statement(text), get_dialect("ansi")) is None


@pytest.mark.parametrize(
    "text",
    [
        "insert into t select 1",
        "create table t as select 1 from u",
        "create view v as select 1",
        "alter table a rename to b",
        "create procedure p as select 1",
        "merge into t using s on 1 = 1 when matched then delete",
        "select 1",
        "delete",
    ],
)
def test_statements_with_data_are_not(text: str) -> None:
    assert not moves_no_data(statement(text))


def test_a_definition_without_a_query_moves_nothing() -> None:
    assert read_tables(statement("create table t (a int odd odd)"), get_dialect("ansi")) is None
