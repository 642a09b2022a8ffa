"""What the scripts of a job define is known to all of them."""

from __future__ import annotations

from pathlib import Path

from connector.guard import Limits
from connector.pipeline.context import load_context, save_context
from connector.pipeline.definitions import definitions_in
from connector.pipeline.plain import analyse_plain, collect_units
from connector.pipeline.reading import context_of, read_scripts
from connector.pipeline.storage import Storage
from connector.settings import Job
from connector.sources.record import Kind, SourceStatement

LIMITS = Limits(seconds=20, memory_mb=300)


HERE = ("snowflake", None)


def script(text: str, kind: Kind = "script", dialect: str = "snowflake") -> SourceStatement:
    return SourceStatement(text=text, dialect=dialect, kind=kind, database="shop", schema="raw")


def test_tables_and_views_of_other_scripts_are_known() -> None:
    found = definitions_in(
        [
            script("create table orders (id int, amount number); insert into orders select * from elsewhere"),
            script("create view core.paid as select * from raw.orders where amount > 0"),
        ],
        LIMITS,
    )[HERE]
    orders = found.describe("shop", "raw", "orders")
    paid = found.describe("shop", "core", "paid")
    assert orders is not None
    assert orders.columns == ("id", "amount")
    assert paid is not None
    assert paid.view
    assert paid.columns == ("id", "amount")


def test_what_does_not_last_is_left_out() -> None:
    found = definitions_in(
        [
            script("create temporary table work (a int)"),
            script("create table gone (a int); drop table gone"),
            script("create procedure p() as begin create table inner_one (a int); end"),
        ],
        LIMITS,
    )
    assert found == {}


def test_log_rows_define_nothing() -> None:
    assert definitions_in([script("create table t (a int)", "query")], LIMITS) == {}


def test_another_dialect_is_another_world() -> None:
    found = definitions_in([script("create table t (a int)"), script("create table t (b int)", dialect="hive")], LIMITS)
    assert {dialect: [info.columns for _, info in tables.entries()] for (dialect, _), tables in found.items()} == {
        "snowflake": [("a",)],
        "hive": [("b",)],
    }


def test_a_script_that_is_too_much_costs_only_itself() -> None:
    bomb = "create table bad as select " + "(" * 400_000 + "1" + ")" * 400_000
    found = definitions_in([script("create table t (a int)"), script(bomb), script("create table u (b int)")], LIMITS)
    assert {parts[-1] for parts, _ in found[HERE].entries()} >= {"t", "u"}


def test_a_star_is_expanded_by_what_another_script_creates(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("create view v as select * from t", encoding="utf-8")
    (tmp_path / "b.sql").write_text("create table t (x int, y int)", encoding="utf-8")
    job = Job.model_validate({"dialect": "snowflake", "sources": [{"files": str(tmp_path)}]})
    rows = [row for rows in read_scripts(job).values() for row in rows]
    context = context_of(job, rows)
    collected = collect_units(rows, context, guarded=False)
    edges = {
        (source.name, target.name)
        for result in analyse_plain(collected.units, context, guarded=False)
        for relation in result.model.relations
        for target in [relation.target]
        for source in relation.sources
        if target.entity.name == "v" and not target.system
    }
    assert {target for _, target in edges} == {"x", "y"}


def test_types_and_comments_of_metadata_and_of_other_scripts_reach_the_rows_for_the_store(tmp_path: Path) -> None:
    (tmp_path / "metadata.json").write_text('{"raw.events": {"day": "date"}}', encoding="utf-8")
    (tmp_path / "a.sql").write_text("insert into t select day, 1 from raw.events", encoding="utf-8")
    (tmp_path / "b.sql").write_text("create table t (x date, y int) comment = 'A day'", encoding="utf-8")
    source = {"files": str(tmp_path / "a.sql")}
    define = {"files": str(tmp_path / "b.sql")}
    metadata = [str(tmp_path / "metadata.json")]
    job = Job.model_validate({"dialect": "snowflake", "sources": [source, define], "metadata": metadata})
    rows = read_scripts(job)
    context = context_of(job, [row for found in rows.values() for row in found])
    storage = Storage(str(tmp_path))
    context = load_context(storage.local_copy(save_context(context, storage)))
    (inserts, *_) = (each for each in rows.values())
    (result,) = analyse_plain(collect_units(inserts, context, guarded=False).units, context, guarded=False)
    levels = result.levels
    assert levels is not None
    described = {
        (levels.objects[row.object].name, row.column < 0 or levels.columns[row.column].bare): row[2:]
        for row in levels.descriptions
    }
    assert described == {
        ("default.default.t@default", True): (None, "A day"),
        ("default.default.t@default", "x"): ("date", None),
        ("default.default.t@default", "y"): ("int", None),
        ("default.raw.events@default", "day"): ("date", None),
    }
