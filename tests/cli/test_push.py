"""What every `push` has in common: the flags of the analysis, and its limits."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from connector.catalogs import catalog_names
from connector.cli import app
from connector.options import Options, Switches

GOOD = "insert into a (x) select y from b;\n"
ENDLESS = (
    "insert into c (x) select "
    + " + ".join(f"(select max(v{i}) from t{i} where k in (select k from u{i}))" for i in range(20_000))
    + " from d;\n"
)
ANALYSIS = {field.name for field in dataclasses.fields(Options)} - {
    field.name for field in dataclasses.fields(Switches)
}


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("OPENMETADATA_TOKEN", "a.b.c")
    return CliRunner()


@pytest.mark.parametrize("name", catalog_names())
def test_every_push_takes_the_flags_of_the_analysis(name: str) -> None:
    root: Any = typer.main.get_command(app)
    group = root.commands["push"]
    command = group.get_command(None, name)
    found = {parameter.name: parameter for parameter in command.params}
    shared = {"inputs", "dialect", "metadata", "default_database", "default_schema", "cluster", "timeout", "memory"}
    assert found.keys() >= {*ANALYSIS, *shared, "dry_run", "verify", "source", "config", "quiet", "verbose"}
    assert all(parameter.help for parameter in found.values())


@pytest.mark.parametrize("name", catalog_names())
def test_flags_reach_the_analysis(name: str, runner: CliRunner, tmp_path: Path) -> None:
    script, columns = tmp_path / "a.sql", tmp_path / "columns.sql"
    script.write_text("insert into o select * from t;\n")
    columns.write_text("create table t (a int, b int); create table o (x int, y int);")
    arguments = ["push", name, str(script), "--dry-run", "--cluster", "here", "--metadata", str(columns)]
    free = runner.invoke(app, arguments)
    assert free.exit_code == 0, free.output
    assert "here" in free.stdout
    limited = runner.invoke(app, [*arguments, "--timeout", "60", "--memory", "1000"])
    assert (limited.exit_code, limited.stdout) == (0, free.stdout)


def test_what_takes_too_long_is_left_out(runner: CliRunner, tmp_path: Path) -> None:
    script = tmp_path / "a.sql"
    script.write_text(GOOD + ENDLESS)
    result = runner.invoke(app, ["push", "openlineage", str(script), "--timeout", "2", "--file", str(tmp_path / "e")])
    assert result.exit_code == 1
    assert f"{script}:2:1: The time limit of 2 s was exceeded; skipped" in result.stderr
    assert len((tmp_path / "e").read_text().splitlines()) == 1


def test_a_name_that_is_no_catalog(runner: CliRunner) -> None:
    assert runner.invoke(app, ["push", "stone", "a.sql"]).exit_code == 2


def test_a_file_of_settings_serves_push_too(runner: CliRunner, tmp_path: Path) -> None:
    """An entry of `catalogs` is read as the scheduled run reads it: references resolved, paths from the file."""
    (tmp_path / "etc").mkdir()
    config = tmp_path / "etc" / "lineage.yaml"
    config.write_text(
        "defaults:\n  catalogs:\n    - type: openlineage\n      file: events.jsonl\n      namespace: ${env:SPACE:-shop}\n"
        "jobs:\n  - {name: one, sources: [{files: sql/}]}\n"
    )
    script = tmp_path / "a.sql"
    script.write_text(GOOD)
    result = runner.invoke(app, ["push", "openlineage", str(script), "-c", str(config)])
    assert result.exit_code == 0, result.output
    assert '"namespace": "shop"' in (tmp_path / "etc" / "events.jsonl").read_text()
