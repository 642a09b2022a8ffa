"""What `analyze` writes, and where."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest


def edges(text: str) -> set[tuple[str, str, str]]:
    """Type, source and target of the column level's relations, as table.column."""
    return {(edge["type"], name(edge["source"]), name(edge["target"])) for edge in json.loads(text)["relations"]}


def name(end: dict[str, Any]) -> str:
    return f"{end['table']}.{end['column']}"


def test_stdout_carries_the_result_and_stderr_nothing_when_all_is_well(run, load):
    result = run("analyze", load, "--dialect", "snowflake", "--level", "column", "--format", "json")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert {("fdd", "orders.order_id", "orders.id"), ("fdd", "orders.amount", "orders.total")} <= edges(result.stdout)
    assert result.stdout.endswith("\n")


def test_complete_is_the_level_unless_another_is_asked_for(run, load):
    document = json.loads(run("analyze", load, "--format", "json").stdout)
    assert {"dbvendor", "dbobjs", "relations", "processes", "errors"} <= document.keys()


def test_a_format_without_the_complete_level_gives_its_most_detailed_one(run, load):
    rows = list(csv.reader(io.StringIO(run("analyze", load, "--format", "csv").stdout), delimiter=";"))
    assert "source_column" in rows[0]
    assert len(rows) > 1


def test_xml_is_well_formed(run, load):
    document = ElementTree.fromstring(run("analyze", load, "--format", "xml").stdout)
    assert document.tag == "dlineage"


@pytest.mark.parametrize("level", ["complete", "column", "table"])
@pytest.mark.parametrize("format_", ["json", "xml"])
def test_every_level_has_json_and_xml(run, load, format_, level):
    result = run("analyze", load, "--level", level, "--format", format_)
    assert result.exit_code == 0
    assert result.stdout.strip()


def test_stdin_gives_what_the_file_gives(run, load):
    wanted = ("--level", "column", "--format", "json")
    by_file = run("analyze", load, *wanted).stdout
    by_dash = run("analyze", "-", *wanted, stdin=load.read_bytes())
    by_pipe = run("analyze", *wanted, stdin=load.read_bytes())
    assert edges(by_dash.stdout) == edges(by_pipe.stdout) == edges(by_file)


def test_a_folder_makes_one_model_of_all_its_scripts(run, tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "1.sql").write_text("create table mid as select a, b from src", encoding="utf-8")
    (tmp_path / "deep" / "er" / "2.sql").write_text("create table goal as select * from mid", encoding="utf-8")
    (tmp_path / "notes.md").write_text("insert into wrong select x from notes", encoding="utf-8")
    found = edges(run("analyze", tmp_path, "--level", "column", "--format", "json").stdout)
    assert ("fdd", "src.a", "mid.a") in found
    assert {("fdd", "mid.a", "goal.a"), ("fdd", "mid.b", "goal.b")} <= found, "a star knows an earlier script's table"
    assert not any("notes" in source for _, source, _ in found)


def test_out_writes_a_file_and_leaves_stdout_empty(run, load, tmp_path):
    out = tmp_path / "lineage.json"
    result = run("analyze", load, "--format", "json", "-o", out)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert out.read_text(encoding="utf-8") == run("analyze", load, "--format", "json").stdout


def test_out_dash_is_stdout(run, load):
    assert run("analyze", load, "-f", "json", "-o", "-").stdout == run("analyze", load, "-f", "json").stdout


def test_out_replaces_a_file_whole_and_leaves_nothing_beside_it(run, load, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / "lineage.xml"
    out.write_text("x" * 1_000_000, encoding="utf-8")
    out.chmod(0o640)
    assert run("analyze", load, "-f", "xml", "-o", out).exit_code == 0
    ElementTree.parse(out)
    assert out.stat().st_mode & 0o777 == 0o640
    assert list(folder.iterdir()) == [out]


def test_names_beyond_ascii_arrive_as_utf8(run):
    result = run("analyze", "-", "-f", "json", stdin="create table größe as select länge from maße")
    assert result.exit_code == 0
    assert "größe" in json.dumps(json.loads(result.stdout_bytes.decode("utf-8")), ensure_ascii=False)


def test_a_text_for_people_is_the_default(run, load):
    result = run("analyze", load)
    assert result.exit_code == 0
    assert "orders" in result.stdout
    assert "\x1b" not in result.stdout


def test_an_empty_script_is_an_empty_result(run):
    result = run("analyze", "-", "-f", "json", stdin="-- nothing yet\n")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["relations"] == []


def test_metadata_files_expand_stars(run, tmp_path):
    orders, customers = tmp_path / "orders.json", tmp_path / "customers.json"
    orders.write_text(json.dumps({"raw.orders": ["id", "total"]}), encoding="utf-8")
    customers.write_text(json.dumps({"raw.customers": {"id": "int", "name": "text"}}), encoding="utf-8")
    sql = "create table o as select * from raw.orders; create table c as select * from raw.customers;"
    result = run(
        *("analyze", "-", "-f", "json", "-l", "column", "--metadata", orders, "--metadata", customers), stdin=sql
    )
    assert edges(result.stdout) == {
        ("fdd", "orders.id", "o.id"),
        ("fdd", "orders.total", "o.total"),
        ("fdd", "customers.id", "c.id"),
        ("fdd", "customers.name", "c.name"),
    }


def test_defaults_and_cluster_complete_the_names(run):
    arguments = ("--default-database", "shop", "--default-schema", "sales", "--cluster", "eu1", "-d", "snowflake")
    result = run("analyze", "-", "-f", "json", "-l", "table", *arguments, stdin="insert into o (a) select a from raw.t")
    (edge,) = json.loads(result.stdout)["relations"]
    assert edge["source"]["qualifiedName"].lower() == "shop.raw.t@eu1"
    assert edge["target"]["qualifiedName"].lower() == "shop.sales.o@eu1"


def test_no_impact_leaves_direct_lineage(run, load):
    asked = ("analyze", load, "-f", "json", "-l", "column")
    assert {"fdd", "fdr"} <= {kind for kind, _, _ in edges(run(*asked).stdout)}
    assert "fdr" not in {kind for kind, _, _ in edges(run(*asked, "--no-impact").stdout)}


def test_top_select_makes_targets_of_a_bare_select(run):
    asked = ("analyze", "-", "-f", "json", "-l", "column")
    assert json.loads(run(*asked, stdin="select a from t").stdout)["relations"] == []
    (edge,) = json.loads(run(*asked, "--top-select", stdin="select a from t").stdout)["relations"]
    assert edge["target"]["column"] == "a"
    assert edge["target"]["table"] is None


def test_the_order_of_the_files_is_the_order_of_the_scripts(run, tmp_path):
    first, second = tmp_path / "z.sql", tmp_path / "a.sql"
    first.write_text("create table m as select a from s", encoding="utf-8")
    second.write_text("create table t as select * from m", encoding="utf-8")
    found = edges(run("analyze", first, second, "-f", "json", "-l", "column").stdout)
    assert ("fdd", "m.a", "t.a") in found
    assert Path(first).name > Path(second).name
