"""Statements with a body stay whole, and what follows them is found."""

from __future__ import annotations

import pytest
from sql_reading import texts

BODIES = {
    "plsql procedure": (
        "oracle",
        (
            "create or replace procedure p (a in number) is\n  x number := case when a > 1 then 2 else 3 end;\n"
            "  procedure inner is begin null; end inner;\nbegin\n  if a = 1 then\n    for r in (select * from t) loop\n"
            "      insert into o values (r.id);\n    end loop;\n  elsif a = 2 then null;\n  end if;\n"
            "  case a when 1 then null; else null; end case;\n  begin null; exception when others then null; end;\nend p"
        ),
    ),
    "plsql package": (
        "oracle",
        "create package pk as\n  c constant number := 1;\n  procedure a;\n  function b return number;\nend pk",
    ),
    "plsql package body": (
        "oracle",
        (
            "create or replace package body pk is\n  v number;\n  procedure a is begin v := 1; end;\n"
            "  function b return number as x number; begin return x; end b;\nbegin\n  v := 2;\nend pk"
        ),
    ),
    "plsql block": ("oracle", "declare\n  x number;\nbegin\n  select 1 into x from dual;\nend"),
    "plsql labelled block": ("oracle", "<<outer>>\nbegin\n  null;\nend"),
    "plsql trigger": (
        "oracle",
        "create trigger tr before insert on t for each row\ndeclare x number;\nbegin\n  :new.id := 1;\nend",
    ),
    "plsql compound trigger": (
        "oracle",
        (
            "create trigger tr for update on t compound trigger\n  v number;\n  before statement is begin v := 1; end before statement;\n"
            "  after each row is x number; begin v := 2; end after each row;\nend tr"
        ),
    ),
    "plsql type body": ("oracle", "create type body ty as member function f return number is begin return 1; end; end"),
    "plsql inline function": (
        "oracle",
        "with function f(a number) return number is begin return a; end;\nselect f(id) from t",
    ),
    "mysql procedure": (
        "mysql",
        (
            "create procedure p(in a int)\nbegin\n  declare x int default 0;\n  declare continue handler for not found begin set x = 1; end;\n"
            "  while x < 3 do set x = x + 1; end while;\n  if x = 1 then select 1; else select case x when 1 then 2 end; end if;\nend"
        ),
    ),
    "mysql definer": ("mysql", "create definer=`a`@`%` procedure p() begin select 1; end"),
    "teradata procedure": (
        "teradata",
        "replace procedure p (in a integer)\nbegin\n  declare x integer;\n  set x = 1;\n  insert into t values (:x);\nend",
    ),
    "teradata macro": (
        "teradata",
        "create macro m (a integer) as (\n  insert into t values (:a);\n  select * from t;\n)",
    ),
    "db2 procedure": (
        "db2",
        "create procedure p () language sql\nbegin atomic\n  declare c cursor for select 1 from t;\n  if 1 = 1 then set x = 1; end if;\nend",
    ),
    "snowflake procedure": (
        "snowflake",
        (
            "create or replace procedure p() returns int language sql as\ndeclare\n  x int default 0;\nbegin\n"
            "  let y := 1;\n  for i in 1 to 10 do x := x + i; end for;\n  return x;\nend"
        ),
    ),
    "snowflake block": ("snowflake", "begin\n  insert into t select 1;\n  begin transaction;\n  commit;\nend"),
    "bigquery procedure": (
        "bigquery",
        (
            "create procedure d.p(in a int64)\nbegin\n  declare x int64;\n  begin transaction;\n  insert into t select a;\n"
            "  commit transaction;\nexception when error then rollback transaction;\nend"
        ),
    ),
    "bigquery control": (
        "bigquery",
        "if x > 1 then\n  while y do\n    insert into t select if(a, 1, 2) from u;\n  end while;\nelse\n  select 1;\nend if",
    ),
    "databricks procedure": (
        "databricks",
        "create procedure p() language sql as begin\n  declare x int;\n  set x = 1;\nend",
    ),
    "postgresql atomic": ("postgresql", "create function f() returns int begin atomic\n  select 1;\n  select 2;\nend"),
    "postgresql rule": (
        "postgresql",
        "create rule r as on insert to t do also (insert into a select 1; insert into b select 2)",
    ),
    "postgresql quoted": (
        "postgresql",
        "create function f() returns int as $$ begin return 1; end $$ language plpgsql",
    ),
    "postgresql do": ("postgresql", "do $$ begin perform 1; end $$"),
    "sqlite trigger": (
        "sqlite",
        "create trigger tr after insert on t begin insert into a select 1; delete from b; end",
    ),
    "hana procedure": (
        "hana",
        "create procedure p (in a int) language sqlscript as begin\n  declare x int;\n  x = 1;\nend",
    ),
    "hana block": ("hana", "do begin\n  declare x int;\n  select 1 from dummy;\nend"),
    "netezza procedure": (
        "netezza",
        "create procedure p() returns int language nzplsql as begin_proc\ndeclare x int;\nbegin\n  x := 1;\nend;\nend_proc",
    ),
    "informix procedure": (
        "informix",
        "create procedure p(a int) returning int;\n  define x int;\n  let x = 1;\n  return x;\nend procedure",
    ),
    "trino function": (
        "trino",
        "create function f(a bigint) returns bigint begin declare x bigint; set x = a; return x; end",
    ),
}


@pytest.mark.parametrize(("dialect", "body"), BODIES.values(), ids=list(BODIES))
def test_a_body_is_one_statement(dialect: str, body: str) -> None:
    assert texts(f"select 0 from a;\n{body};\nselect 1 from b;\nselect 2 from c", dialect) == [
        "select 0 from a",
        body,
        "select 1 from b",
        "select 2 from c",
    ]


@pytest.mark.parametrize(
    "dialect", ["postgresql", "snowflake", "bigquery", "mysql", "sqlite", "ansi", "redshift", "teradata"]
)
@pytest.mark.parametrize("begin", ["begin", "begin transaction", "begin work"])
def test_a_transaction_is_no_block(dialect: str, begin: str) -> None:
    script = f"{begin}; insert into t select 1; commit; select case a when 1 then 2 end from u"
    assert len(texts(script, dialect)) == 4


@pytest.mark.parametrize("dialect", ["mysql", "snowflake", "ansi"])
def test_a_begin_that_is_never_closed_ends_at_its_semicolon(dialect: str) -> None:
    assert texts("begin insert into t select 1; select 2; select 3", dialect)[1:] == ["select 2", "select 3"]


def test_a_routine_that_is_never_closed_does_not_swallow_the_next_one() -> None:
    script = "create procedure a is begin if x then null;\nend if;\nselect 1;\ncreate procedure b is begin null; end;"
    assert texts(script, "oracle")[-1] == "create procedure b is begin null; end"


def test_declarations_that_are_statements() -> None:
    assert len(texts("declare x int64 default 1; set x = 2; select x", "bigquery")) == 3
    assert len(texts("declare c cursor for select 1 from t; fetch c; close c", "postgresql")) == 3


def test_begin_and_end_as_names() -> None:
    script = "create view v as select t.begin, t.end from t; select 1"
    assert len(texts(script, "snowflake")) == 2


def test_mysql_delimiter() -> None:
    script = (
        "delimiter //\ncreate procedure p() begin select ';'; select '//'; end//\n"
        "create procedure q() select 1 //\ndelimiter ;\nselect 2;"
    )
    assert texts(script, "mysql") == [
        "create procedure p() begin select ';'; select '//'; end",
        "create procedure q() select 1",
        "select 2",
    ]


def test_mysql_delimiter_of_letters_and_dollars() -> None:
    assert texts(
        "DELIMITER $$\ncreate trigger t before insert on x for each row begin set @a=1; end$$\nDELIMITER ;\n", "mysql"
    ) == ["create trigger t before insert on x for each row begin set @a=1; end"]


def test_mysql_routine_whose_delimiter_command_was_lost() -> None:
    assert texts("create procedure p() begin select 1; end //", "mysql") == ["create procedure p() begin select 1; end"]


def test_db2_terminators() -> None:
    body = "create procedure p() begin declare x int; set x = 1; end"
    assert texts(f"{body}@\nselect 1 from t@\n", "db2") == [body, "select 1 from t"]
    assert texts(f"--#SET TERMINATOR @\n{body}\n@\n--#SET TERMINATOR ;\nselect 1; select 2;", "db2") == [
        body,
        "select 1",
        "select 2",
    ]


def test_exasol_scripts_are_not_read_as_sql() -> None:
    script = "create python3 scalar script s.f(a int) returns int as\ndef run(ctx):\n  return \"it's\"; #'\n/\nselect 1 from t;"
    assert texts(script, "exasol")[1:] == ["select 1 from t"]
