"""What edges and names a script gives, before any server is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from connector import analyze
from connector.catalogs.openmetadata.mapping import load_mapping
from connector.catalogs.openmetadata.plan import Plan
from connector.catalogs.openmetadata.planning import make_plan

MakePlan = Callable[..., Plan]


def edges(plan: Plan) -> list[str]:
    return [edge.name for edge in plan.edges.values()]


def columns(plan: Plan, name: str | None = None) -> dict[str, tuple[list[str], list[str]]]:
    edge = next(edge for edge in plan.edges.values() if name in (None, edge.name))
    return {
        target.text: ([source.text for source in made_of.sources], sorted(made_of.functions))
        for target, made_of in edge.direct.items()
    }


# --- one edge for each pair -------------------------------------------------------------------------------------------


def test_all_statements_of_a_pair_are_one_edge(planned: MakePlan) -> None:
    plan = planned("insert into o (x) select a from t; insert into o (x, y) select b, upper(c) from t where d = 'z';")
    assert edges(plan) == ["wh.*.*.T -> wh.*.*.O"]
    edge = next(iter(plan.edges.values()))
    assert len(edge.statements) == 2
    assert columns(plan) == {"X": (["A", "B"], []), "Y": (["C"], ["upper(c)"])}


def test_models_together_make_one_plan() -> None:
    mapping, _ = load_mapping("openmetadata")
    one = analyze("insert into o (x) select a from t", dialect="snowflake")
    two = analyze("insert into O (y) select b from T", dialect="snowflake")
    plan = make_plan([one, two], mapping, "nightly", "wh")
    assert edges(plan) == ["wh.*.*.T -> wh.*.*.O"]
    assert columns(plan) == {"X": (["A"], []), "Y": (["B"], [])}


def test_literals_do_not_leave_the_machine(planned: MakePlan) -> None:
    plan = planned("insert into o (x) select case when a = 'secret' then 4711 else a end from t where b = 'hidden'")
    text = repr(plan)
    assert "case when a = ? then ? else a end" in text
    assert not any(word in text for word in ("secret", "4711", "hidden"))


def test_text_that_no_database_takes_is_made_harmless(planned: MakePlan) -> None:
    plan = planned('insert into o (x) select "a\ud800" || "b\0" from t')
    text = next(iter(next(iter(plan.edges.values())).statements)).text
    assert text is not None
    assert text.encode("utf-8").decode() == text
    assert "\0" not in text


def test_a_temporary_table_is_looked_through(planned: MakePlan) -> None:
    plan = planned("select a into #x from t; insert into o (b) select upper(a) from #x", "tsql")
    assert edges(plan) == ["wh.*.dbo.t -> wh.*.dbo.o"]
    assert columns(plan) == {"b": (["a"], ["upper(a)"])}


def test_a_table_that_is_filled_from_itself(planned: MakePlan) -> None:
    sql = "insert into t (a) select b from t"
    assert edges(planned(sql)) == ["wh.*.*.T -> wh.*.*.T"]
    assert edges(planned(sql, self_edges=False)) == []


def test_own_columns_in_set_are_no_edge(planned: MakePlan) -> None:
    assert edges(planned("update t set a = a + 1 where b = 2")) == []


def test_foreign_keys_can_be_left_out(planned: MakePlan) -> None:
    sql = "create table a (id int); create table b (id int, foreign key (id) references a (id));"
    assert edges(planned(sql)) == ["wh.*.*.A -> wh.*.*.B"]
    assert edges(planned(sql, foreign_keys=False)) == []


def test_impact_makes_an_edge_and_columns_only_when_asked(planned: MakePlan) -> None:
    sql = "insert into o (x) select max(a) from t where exists (select 1 from f where f.k = t.k) group by g"
    plan = planned(sql)
    assert edges(plan) == ["wh.*.*.T -> wh.*.*.O", "wh.*.*.F -> wh.*.*.O"]
    assert not any(edge.indirect for edge in plan.edges.values())
    assert edges(planned(sql, relations=["fdd"])) == ["wh.*.*.T -> wh.*.*.O"]
    impact = next(iter(planned(sql, columns=["fdd", "fdr"]).edges.values())).indirect
    assert {target.text: ([s.text for s in m.sources], m.functions) for target, m in impact.items()} == {
        "X": (["G"], {"groupBy"})
    }


def test_the_rows_of_a_table_function_are_no_table(planned: MakePlan) -> None:
    assert edges(planned("create table o as select x from table(result_scan(last_query_id()))")) == []


def test_a_star_is_said_and_not_guessed(planned: MakePlan) -> None:
    edge = next(iter(planned("insert into o select * from t").edges.values()))
    assert edge.stars
    assert not edge.direct


@pytest.mark.parametrize(
    ("sql", "dialect", "made"),
    [
        ("create view v as select a from t", "snowflake", "ViewLineage"),
        ("insert into o (x) select a from t", "snowflake", "QueryLineage"),
        ("create external table d.x (a int) location 's3://b/k'", "hive", "ExternalTableLineage"),
        (
            "create procedure p as begin insert into o (x) select a from t end",
            "tsql",
            "PipelineLineage",
        ),
        ("insert into v (a) select a from t; create view v as select a from t", "snowflake", "ViewLineage"),
    ],
)
def test_what_made_an_edge(planned: MakePlan, sql: str, dialect: str, made: str) -> None:
    assert [edge.made for edge in planned(sql, dialect).edges.values()] == [made]


# --- functions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "dialect", "function"),
    [
        ("insert into o (x) select a from t", "snowflake", []),
        ("insert into o (x) select t.a as x from t", "snowflake", []),
        ("insert into o (x) select a b from t", "snowflake", []),
        ("insert into o (x) select sum(a) as s from t", "snowflake", ["sum(a)"]),
        ("insert into o (x) select a || '-' || a k from t", "snowflake", ["a || ? || a"]),
        ("with c as (select sum(a) s from t) insert into o (x) select s + 1 from c", "tsql", ["sum(a) → s + ?"]),
        ("update o set x = coalesce(t.a, 0), y = 1 from t where t.k = o.k", "snowflake", ["coalesce(t.a, ?)"]),
        (
            "merge into o using t on o.k = t.k when matched then update set x = case when t.b > 1 then t.a end",
            "snowflake",
            ["case when t.b > ? then t.a end"],
        ),
        (
            "merge into o using t on o.k = t.k when not matched then insert (x) values (lower(t.a))",
            "snowflake",
            ["lower(t.a)"],
        ),
        ("select x = upper(a) into o from t", "tsql", ["upper(a)"]),
    ],
)
def test_function_is_the_text_of_the_expression(planned: MakePlan, sql: str, dialect: str, function: list[str]) -> None:
    found = columns(planned(sql, dialect))
    assert found[next(name for name in found if name.lower() == "x")][1] == function


def test_fields_inside_of_a_column_are_named_by_their_path(planned: MakePlan) -> None:
    plan = planned("insert into p.d.o (x, y) select rec.a, upper(t.rec.b.c) from p.d.t", "bigquery")
    assert columns(plan) == {"x": (["rec.a"], []), "y": (["rec.b.c"], ["upper(t.rec.b.c)"])}


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "dialect", "names"),
    [
        ('insert into Db.Sch.O select a from "db".sch.T', "snowflake", ["wh.db.SCH.T", "wh.DB.SCH.O"]),
        ('insert into Sch.O select a from "Sch"."T"', "postgres", ["wh.*.Sch.T", "wh.*.sch.o"]),
        ("insert into Db.O select a from T", "hive", ["wh.default.*.T", "wh.default.Db.O"]),
        ("insert into `P.d.O` select a from p.`d`.T", "bigquery", ["wh.p.d.T", "wh.P.d.O"]),
        ("insert into o select a from t", "mssql", ["wh.*.dbo.t", "wh.*.dbo.o"]),
        ('create table "a.b" as select x from "c>d"', "postgres", ["wh.*.*.c__reserved__arrow__d", 'wh.*.*."a.b"']),
    ],
)
def test_names(planned: MakePlan, sql: str, dialect: str, names: list[str]) -> None:
    edge = next(iter(planned(sql, dialect).edges.values()))
    assert [edge.source[1], edge.target[1]] == names


def test_services_by_cluster_and_dialect(planned: MakePlan) -> None:
    services: list[dict[str, Any]] = [
        {
            "when": {"cluster": "prod*"},
            "service": "snow_{cluster|lower}",
            "case": "lower",
            "database": "{database|default:dwh}",
        },
        {"service": "rest"},
    ]
    sql = "insert into S.O select a from S.T"
    plan = planned(sql, services=services, analysis={"cluster": "PROD1"})
    assert edges(plan) == ["snow_prod1.dwh.s.t -> snow_prod1.dwh.s.o"]
    assert edges(planned(sql, services=services)) == ["rest.*.S.T -> rest.*.S.O"]


def test_skipped_objects_are_not_planned(planned: MakePlan) -> None:
    sql = "insert into o select a from s.tmp_x; insert into o select a from t"
    assert edges(planned(sql, skip=["*.tmp_*"])) == ["wh.*.*.T -> wh.*.*.O"]


def test_paths_and_stages_are_containers(planned: MakePlan) -> None:
    plan = planned("copy into t from 's3://lake/in/2024/x.csv'; copy into t from @db.sch.stg/y")
    assert edges(plan) == ['s3.lake."in/2024/x.csv" -> wh.*.*.T', 'stages."db.sch.stg" -> wh.*.*.T']
    assert [each.uri for each in plan.objects.values() if each.type == "container"] == ["s3://lake/in/2024/x.csv", None]


def test_a_place_without_a_rule_is_noted(planned: MakePlan) -> None:
    plan = planned("copy into t from 's3://lake/in'", storage=[])
    assert edges(plan) == []
    assert plan.notes == ["s3://lake/in@default: no rule of the mapping's storage fits it"]


def test_routines(planned: MakePlan) -> None:
    plan = planned("create procedure dw.load as begin insert into dw.o (x) select a from dw.t end", "tsql")
    assert next(iter(plan.edges.values())).routines == [("storedProcedure", "wh.*.dw.load")]
    assert not next(iter(planned("insert into o select a from t").edges.values())).routines


def test_a_routine_in_a_package_is_its_package(planned: MakePlan) -> None:
    sql = (
        "create or replace package body dw.pk as procedure p1 is begin insert into dw.o (x) select b from dw.t; end; "
        "end;\n/\n"
    )
    plan = planned(sql, "oracle")
    assert next(iter(plan.edges.values())).routines == [("storedProcedure", "wh.*.DW.PK")]
    assert plan.objects["storedProcedure", "wh.*.DW.PK"].sub_type == "StoredPackage"
