"""T-SQL without semicolons."""

from __future__ import annotations

import pytest
from sql_reading import read, texts

SEQUENCES = [
    ["select 1 as a", "select 2 as b"],
    ["insert into t (a) select a from s", "update t set a = 1 from t join s on s.a = t.a", "delete from t where a = 1"],
    ["insert into t values (1)", "select * from t"],
    ["insert t exec p @a = 1", "exec q"],
    ["with c as (select 1 as a) insert into t select a from c", "with d (x, y) as (select 1, 2) select * from d"],
    ["create view v with schemabinding as select a from dbo.t"],
    ["create table x as with c as (select 1 as a) select a from c", "drop table x"],
    ["select a from t union all select b from u except select c from w", "print 'x'"],
    [
        (
            "merge into t using s on t.id = s.id when matched then update set t.a = s.a when not matched then insert (id) values (s.id) "
            "when not matched by source then delete"
        ),
        "select 1",
    ],
    ["if exists (select 1 from t) select 2 as b else select 3 as c", "select 4"],
    ["if @a = 1 begin insert into t select 1 update t set a = 2 end else begin delete from t end", "select 4"],
    ["while @i < 10 begin set @i = @i + 1 if @i = 5 break end", "select 1"],
    ["begin try insert into t select 1 end try begin catch throw end catch", "select 1"],
    ["begin transaction", "insert into t select 1", "commit transaction"],
    ["declare @a int = 1, @b int", "set @a = 2", "select @a = max(x) from t"],
    [
        "declare c cursor for select a from t for update of a",
        "open c",
        "fetch next from c into @a",
        "close c",
        "deallocate c",
    ],
    ["update statistics dbo.t", "select 1"],
    ["alter table t alter column a int", "alter table t drop column b", "alter table t add c int", "drop table t"],
    [
        "alter table t add constraint f foreign key (a) references u (a) on delete set null on update cascade",
        "select 1",
    ],
    ["grant select, insert, update on t to u with grant option", "select 1"],
    ["select a from t order by a offset 10 rows fetch next 5 rows only", "select 1"],
    [
        "select * from t with (nolock) inner merge join u with (index(1)) on t.a = u.a option (merge join)",
        "truncate table t",
    ],
    ["drop table if exists a", "if object_id('b') is not null drop table b", "create table b (a int)"],
    ["select case when a = 1 then 2 else 3 end as x from t", "select 5"],
    ["bulk insert t from 'f.csv' with (fieldterminator = ',')", "select 1"],
    ["set nocount on", "use db", "select 1"],
    ["set identity_insert t on", "insert into t (a) select 1", "set nocount on", "update t set a = 1"],
    ["alter database d set single_user with rollback immediate", "select 1"],
    ["insert into t (a) output inserted.a into @x (a) select a from s", "select 1"],
]


@pytest.mark.parametrize("joint", ["\n", ";\n", "\ngo\n"], ids=["newline", "semicolon", "go"])
@pytest.mark.parametrize("statements", SEQUENCES, ids=[sequence[0][:40] for sequence in SEQUENCES])
def test_statements_are_found_without_semicolons(statements: list[str], joint: str) -> None:
    assert texts(joint.join(statements), "mssql") == statements


@pytest.mark.parametrize("kind", ["procedure", "proc", "function", "trigger"])
def test_a_routine_runs_to_the_end_of_its_batch(kind: str) -> None:
    routine = f"create {kind} p as\nselect 1;\ninsert into t select 2\nif @a = 1 select 3\nupdate t set a = 1"
    assert texts(f"{routine}\nGO\nselect 4", "mssql") == [routine, "select 4"]


def test_a_trigger_for_insert_and_update() -> None:
    trigger = "create trigger tr on t for insert, update as if update(a) insert into log select * from inserted"
    assert texts(f"{trigger}\ngo\nselect 1", "mssql") == [trigger, "select 1"]


def test_the_next_routine_ends_one_without_go() -> None:
    assert texts("create proc a as select 1\ncreate or alter proc b as select 2", "mssql") == [
        "create proc a as select 1",
        "create or alter proc b as select 2",
    ]


def test_go_with_a_count_and_go_as_a_name() -> None:
    assert texts("select 1\nGO 5\nselect go from t\nGo\nselect 2", "azuresql") == [
        "select 1",
        "select go from t",
        "select 2",
    ]


def test_an_unclosed_parenthesis_costs_one_statement() -> None:
    assert texts("select (1 from t;\nselect 2\nselect 3", "mssql")[-2:] == ["select 2", "select 3"]


def test_deep_nesting_ends() -> None:
    assert read("begin " * 5000, "mssql").statements
