"""What is no table, no column and no statement of anybody's does not appear as one."""

from __future__ import annotations

import time

import pytest

from connector import analyze


def names(sql: str, dialect: str = "mssql") -> set[str]:
    """The tables and views of the table level."""
    document = analyze(sql, dialect).to_dict("table")
    ends = [end for statement in document["statements"] for end in (*statement["inputs"], *statement["outputs"])]
    return {end["table"] for end in ends}


@pytest.mark.parametrize(
    "sql",
    [
        "select a into #t from src; insert into o select a from #t",
        "declare @t table (a int); insert into @t select a from src; insert into o select a from @t",
        "with xmlnamespaces ('u' as n), c as (select a from src) insert into o select a from c",
        (
            "declare @p as dbo.list; exec sp_executesql N'insert into o select a from src join @p as p on p.k = src.k', "
            "N'@p dbo.list readonly', @p = @p"
        ),
        "declare @n sysname; exec (N'insert into o select a from src join ' + @n + N' as x on x.k = src.k')",
    ],
)
def test_only_what_lasts_is_shown(sql: str) -> None:
    assert names(sql) == {"src", "o"}


def test_a_temporary_table_that_nobody_reads_is_what_the_script_leaves() -> None:
    assert names("create temporary table x as select a from t", "postgresql") == {"t", "x"}


def test_temporary_tables_are_shown_when_asked_for() -> None:
    sql = "select a into #t from src; insert into o select a from #t"
    statements = analyze(sql, "mssql").to_dict("table", temporaries=True)["statements"]
    assert [[end["table"] for end in each["outputs"]] for each in statements] == [["#t"], ["o"]]


def test_processes_that_only_fill_variables_stay_out_of_the_derived_levels() -> None:
    sql = """
        declare @x int, @n sysname;
        set @x = (select max(a) from t);
        declare c cursor for select name from u;
        open c; fetch next from c into @n;
        insert into o (a, b) values (@x, @n);
    """
    lineage = analyze(sql, "mssql")
    for level in ("column", "table"):
        assert [process["type"] for process in lineage.to_dict(level)["processes"]] == ["Insert"]
    assert len(lineage.model.processes) > 1


def test_a_temporary_table_joined_with_itself_does_not_explode() -> None:
    def cost(count: int) -> float:
        joins = " ".join(f"join #t t{i} on t{i}.id = t{i - 1}.id" for i in range(1, count))
        parts = " union all ".join(f"select id, a from s{i}" for i in range(60))
        sql = f"select id, a into #t from ({parts}) q; " + f"insert into o select t0.a from #t t0 {joins}; " * 20
        lineage = analyze(sql, "mssql")
        started = time.process_time()
        lineage.to_dict("column")
        lineage.to_dict("table")
        return time.process_time() - started

    assert cost(100) < 10 * cost(10) + 1


def test_optional_parts_of_a_text_are_not_multiplied() -> None:
    parts = "".join(f"if @p{i} = 1 set @s += N' and c{i} = 1' " for i in range(40))
    sql = f"declare @s nvarchar(max) = N'insert into o (a) select a from t where 1 = 1' {parts} exec (@s)"
    lineage = analyze(sql, "mssql")
    assert not lineage.problems
    assert [process.type for process in lineage.model.processes].count("Insert") == 1
    columns = {edge["source"]["column"] for edge in lineage.to_dict("column")["relations"]}
    assert columns == {"a", *(f"c{i}" for i in range(40))}


def test_optional_parts_that_exclude_each_other_are_followed_one_by_one() -> None:
    sql = """
        declare @s nvarchar(max) = N'insert into o (a) select top (1) a from t';
        if @by = 1 set @s += N' order by b';
        if @by = 2 set @s += N' order by c';
        exec (@s)
    """
    lineage = analyze(sql, "mssql")
    assert not lineage.problems
    assert {edge["source"]["column"] for edge in lineage.to_dict("column")["relations"]} == {"a", "b", "c"}
