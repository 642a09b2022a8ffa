"""What USE and SET SCHEMA say ends where the engine ends it."""

from __future__ import annotations

import pytest

from connector import analyze, analyze_scripts
from connector.lineage import Lineage
from connector.model import Script


def written(lineage: Lineage) -> list[str]:
    statements = lineage.to_dict("table")["statements"]
    return [
        ".".join(filter(None, (end["database"], end["schema"], end["table"])))
        for statement in statements
        for end in statement["outputs"]
        if not statement["type"].startswith("Create ")
    ]


@pytest.mark.parametrize(
    ("dialect", "setting"),
    [
        ("mssql", "USE master"),
        ("mysql", "USE other"),
        ("hive", "USE other"),
        ("snowflake", "USE SCHEMA other.s"),
        ("postgresql", "SET search_path TO other"),
        ("db2", "SET SCHEMA other"),
        ("oracle", "ALTER SESSION SET CURRENT_SCHEMA = other"),
    ],
)
def test_a_script_of_a_folder_does_not_set_the_defaults_of_the_next(dialect: str, setting: str) -> None:
    scripts = [
        Script(f"{setting};\ninsert into o select a from t;", 0, "a.sql"),
        Script("insert into o select a from t;", 1, "b.sql"),
    ]
    first, second = written(analyze_scripts(scripts, dialect))
    assert first.endswith(".o")
    assert second == "o"


def test_the_given_defaults_hold_for_every_script() -> None:
    scripts = [Script("USE master\ninsert into o select a from t", 0), Script("insert into o select a from t", 1)]
    assert written(analyze_scripts(scripts, "mssql", default_database="sales")) == ["master.o", "sales.o"]


def test_a_text_that_runs_in_another_database_leaves_the_session_where_it_is() -> None:
    sql = """
        USE sales;
        EXEC('USE master; insert into x select a from y');
        EXEC msdb.sys.sp_executesql N'insert into x select a from y';
        DECLARE @run nvarchar(200) = 'tempdb.sys.sp_executesql';
        EXEC @run N'insert into x select a from y';
        insert into o select a from t;
    """
    assert written(analyze(sql, "mssql")) == ["master.x", "msdb.x", "tempdb.x", "sales.o"]


def test_temporary_tables_are_in_no_database() -> None:
    sql = "USE sales; select a into #t from x; USE other; insert into o select a from #t"
    (edge,) = analyze(sql, "mssql").to_dict("column")["relations"]
    assert (edge["source"]["database"], edge["target"]["database"]) == ("sales", "other")


def test_a_database_that_only_the_run_knows_gets_no_name() -> None:
    sql = "DECLARE @s nvarchar(max) = N'USE ' + QUOTENAME(@db) + N'; insert into o select a from t'; EXEC(@s)"
    lineage = analyze(sql, "mssql", default_database="sales")
    assert written(lineage) == ["o"]
    assert not [entity for entity in lineage.model.entities if "unknown_part" in entity.name]
