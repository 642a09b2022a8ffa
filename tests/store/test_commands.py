"""`load`, `upstream`, `downstream` and `diff` as people call them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from connector import analyze

OLD = "insert into core.orders (id, total) select order_id, amount from raw.orders where status = 'paid';\n"
NEW = "insert into core.orders (id, total)\n  select order_id, gross\n  from raw.Orders where status = 'paid';\n"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.sql"
    path.write_text(OLD, encoding="utf-8")
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.sql"
    path.write_text(NEW, encoding="utf-8")
    return path


@pytest.fixture
def filled(tmp_path: Path, old: Path, run) -> Path:
    path = tmp_path / "lineage.db"
    result = run("load", old, "--store", path, "-d", "snowflake")
    assert result.exit_code == 0, result.output
    return path


def test_load_says_what_it_did(old, target, run):
    first = run("load", old, "--store", target, "-d", "snowflake", "--format", "json")
    assert first.exit_code == 0
    summary = json.loads(first.stdout)
    assert summary["processes"] == {"created": 1, "updated": 0, "removed": 0, "unchanged": 0}
    assert summary["source"] == str(old)
    second = json.loads(run("load", old, "--store", target, "-d", "snowflake", "--format", "json").stdout)
    assert (second["created"], second["updated"], second["removed"]) == (0, 0, 0)
    assert "column edges" in run("load", old, "--store", target, "-d", "snowflake").stdout


def test_load_takes_exports_too(tmp_path, old, filled, run):
    for form in ("xml", "json"):
        export, other = tmp_path / f"export.{form}", tmp_path / f"{form}.db"
        run("analyze", old, "-d", "snowflake", "-f", form, "-l", "complete", "-o", export)
        assert run("load", export, "--store", other).exit_code == 0
        assert run("diff", filled, other, "--exit-code").exit_code == 0


def test_load_reads_stdin(tmp_path, run):
    result = run("load", "-", "--store", tmp_path / "lineage.db", stdin=OLD)
    assert result.exit_code == 0
    assert run("upstream", "core.orders", "--store", tmp_path / "lineage.db").exit_code == 0


def test_load_lists_failed_statements_and_loads_the_rest(tmp_path, run):
    script = tmp_path / "broken.sql"
    script.write_text(f"{OLD}\nselect a b c d from ((;\n", encoding="utf-8")
    result = run("load", script, "--store", tmp_path / "lineage.db")
    assert result.exit_code == 1
    assert f"{script}:3:" in result.stderr
    assert run("upstream", "core.orders", "--store", tmp_path / "lineage.db").exit_code == 0


def test_load_refuses_what_has_no_model(tmp_path, old, filled, run):
    export = tmp_path / "column.json"
    run("analyze", old, "-f", "json", "-l", "column", "-o", export)
    assert run("load", export, "--store", filled).exit_code == 2
    assert run("load", filled, "--store", tmp_path / "other.db").exit_code == 2


def test_upstream_and_downstream(filled, run):
    up = run("upstream", "core.orders", "--store", filled)
    assert up.stdout == "default.core.orders\n└─ <- default.raw.orders  [Insert]\n"
    down = run("downstream", "orders.status", "--store", filled)
    assert down.stdout == "default.raw.orders.status\n└─ ~> default.core.orders.PseudoRows  [Insert]\n"
    columns = json.loads(run("upstream", "core.orders", "--columns", "--store", filled, "-f", "json").stdout)
    assert columns["level"] == "column"
    for form in ("csv", "mermaid", "dot"):
        assert run("upstream", "core.orders", "--store", filled, "--format", form, "--depth", "1").stdout


def test_the_store_may_be_named_by_the_environment(filled, run, monkeypatch):
    monkeypatch.setenv("LINEAGE_STORE", str(filled))
    assert run("upstream", "core.orders").exit_code == 0


def test_exit_codes(tmp_path, filled, run):
    assert run("upstream", "nobody", "--store", filled).exit_code == 2
    ambiguous = run("upstream", "orders", "--store", filled)
    assert ambiguous.exit_code == 2
    assert "default.core.orders@default, default.raw.orders@default" in ambiguous.stderr
    assert ambiguous.stdout == ""
    assert run("upstream", "orders", "--store", tmp_path / "none.db").exit_code == 3
    assert run("downstream", "orders", "--store", "postgresql://127.0.0.1:1/x").exit_code == 3
    assert run("load", "-", "--store", tmp_path / "no" / "x.db", stdin=OLD).exit_code == 3
    assert run("upstream", "orders", "--store", filled, "--depth", "0").exit_code == 2


# --- diff -----------------------------------------------------------------------------------------------------------


def test_diff_shows_what_is_added_and_removed(old, new, run):
    result = run("diff", old, new, "-d", "snowflake")
    assert result.exit_code == 0
    assert result.stdout == (
        f"- default.raw.orders.amount -> default.core.orders.total  ({old}:1)\n"
        f"+ default.raw.Orders.gross -> default.core.orders.total  ({new}:1)\n"
    )


def test_diff_in_json(old, new, run):
    found = json.loads(run("diff", old, new, "-d", "snowflake", "-f", "json").stdout)
    assert found["level"] == "column"
    assert [edge["source"]["qualifiedName"] for edge in found["added"]] == ["default.raw.Orders.gross@default"]
    assert [edge["source"]["qualifiedName"] for edge in found["removed"]] == ["default.raw.orders.amount@default"]


def test_diff_has_an_exit_code_for_checks(old, new, run):
    assert run("diff", old, new, "-d", "snowflake", "--exit-code").exit_code == 1
    same = run("diff", old, old, "-d", "snowflake", "--exit-code")
    assert (same.exit_code, same.stdout) == (0, "")
    assert run("diff", old, new, "-d", "snowflake", "--exit-code", "--level", "table").exit_code == 0


def test_diff_without_impact(tmp_path, old, run):
    other = tmp_path / "other.sql"
    other.write_text(OLD.replace("status", "state"), encoding="utf-8")
    assert run("diff", old, other, "--exit-code").exit_code == 1
    assert run("diff", old, other, "--exit-code", "--no-impact").exit_code == 0


def test_case_counts_where_the_dialect_says_so(tmp_path, run):
    for name, table in (("one", "t"), ("two", "T")):
        (tmp_path / f"{name}.sql").write_text(f"insert into o (x) select a from {table}", encoding="utf-8")
    asked = ("diff", tmp_path / "one.sql", tmp_path / "two.sql", "--exit-code", "-d")
    assert run(*asked, "snowflake").exit_code == 0
    assert run(*asked, "clickhouse").exit_code == 1


@pytest.fixture
def forms(tmp_path: Path, old: Path, filled: Path, run) -> dict[str, Path]:
    """The same lineage in every form that diff takes."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "load.sql").write_text(OLD, encoding="utf-8")
    found = {"script": old, "folder": folder, "store": filled}
    for name, form, level in (
        ("xml", "xml", "complete"),
        ("complete", "json", "complete"),
        ("column", "json", "column"),
        ("table", "json", "table"),
    ):
        found[name] = tmp_path / f"{name}.out"
        run("analyze", old, "-d", "snowflake", "-f", form, "-l", level, "-o", found[name])
    return found


def test_every_form_can_be_compared_with_every_other(forms, new, run):
    for name, one in forms.items():
        for other_name, other in forms.items():
            result = run("diff", one, other, "-d", "snowflake", "--exit-code")
            if {name, other_name} == {"column", "table"}:
                assert result.exit_code == 2
            else:
                assert (result.exit_code, result.stdout) == (0, ""), (name, other_name)
        changed = 0 if name == "table" else 1
        assert run("diff", one, new, "-d", "snowflake", "--exit-code").exit_code == changed, name
        if name != "column":
            assert run("diff", one, new, "-d", "snowflake", "--exit-code", "-l", "table").exit_code == 0, name


def test_diff_of_stores_in_postgresql(postgres, old, filled, run):
    run("load", old, "--store", postgres, "-d", "snowflake")
    assert run("diff", filled, postgres, "--exit-code").exit_code == 0


def test_diff_reads_stdin_once(old, run):
    assert run("diff", "-", old, "--exit-code", stdin=OLD).exit_code == 0
    assert run("diff", "-", "-", stdin=OLD).exit_code == 2


def test_diff_reports_failed_statements(tmp_path, old, run):
    broken = tmp_path / "broken.sql"
    broken.write_text("select a b c d from ((;", encoding="utf-8")
    result = run("diff", old, broken)
    assert result.exit_code == 1
    assert f"{broken}:1:" in result.stderr


@pytest.mark.parametrize("text", ['{"relations": [1]}', '{"dbobjs": [{}], "relations": []}', "<other/>", "<dlineage>"])
def test_diff_refuses_broken_exports(tmp_path, old, run, text):
    broken = tmp_path / "broken.json"
    broken.write_text(text, encoding="utf-8")
    result = run("diff", old, broken)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_missing(tmp_path, old, run):
    assert run("diff", old, tmp_path / "none.sql").exit_code == 2


def test_python_and_command_agree(filled):
    from connector.store import Store

    with Store.open(filled, create=False) as store:
        assert not store.load(analyze(OLD, "snowflake")).changed


def test_the_command_offers_every_form_of_a_trace():
    from connector.cli.flags import TraceForm
    from connector.store.trace_formats import TRACE_FORMATS

    assert [form.value for form in TraceForm] == list(TRACE_FORMATS)
