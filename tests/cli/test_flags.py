"""Every switch of the package has a flag of the same name, and the flag arrives."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
import typer

from connector import Script, __version__
from connector.cli import app
from connector.lineage import Lineage
from connector.options import Options
from connector.request import AnalysisRequest


def _parameters() -> dict[str, Any]:
    command: Any = typer.main.get_command(app)
    return {parameter.name: parameter for parameter in command.commands["analyze"].params}


def _other(field: dataclasses.Field[Any], kind: Any) -> tuple[str, Any]:
    """A flag that sets a switch to another value than its default, and that value."""
    flag = field.name.replace("_", "-")
    if isinstance(field.default, bool):
        return (f"--no-{flag}" if field.default else f"--{flag}"), not field.default
    choices = [choice for choice in (kind, *get_args(kind)) if get_origin(choice) is Literal]
    named = get_args(choices[0]) if choices else ["something else"]
    value = next(value for value in named if value != field.default)
    return f"--{flag}={value}", value


@pytest.mark.parametrize("field", dataclasses.fields(Options), ids=lambda field: field.name)
def test_every_option_is_a_flag(run, load, monkeypatch, field):
    seen: list[Options] = []
    genuine = AnalysisRequest.analyze

    def watched(request: AnalysisRequest, scripts: Sequence[Script]) -> Lineage:
        seen.append(request.options)
        return genuine(request, scripts)

    monkeypatch.setattr(AnalysisRequest, "analyze", watched)
    assert run("analyze", load).exit_code == 0
    flag, value = _other(field, get_type_hints(Options)[field.name])
    assert run("analyze", load, flag).exit_code == 0
    assert seen == [Options(), dataclasses.replace(Options(), **{field.name: value})]


def test_every_command_that_analyses_takes_ddl_as_metadata_and_has_limits(run, tmp_path):
    """`push` does as well: test_push.py."""
    script, columns, store = tmp_path / "a.sql", tmp_path / "columns.sql", tmp_path / "lineage.db"
    script.write_text("insert into o select * from t;\n")
    columns.write_text("create table t (a int, b int); create table o (x int, y int);")
    shared = ["--metadata", columns, "--timeout", "60", "--memory", "900"]
    assert "t;b;default;default;o;y" in run("analyze", script, "-f", "csv", "-l", "column", *shared).stdout
    assert "t.b -> " in run("diff", "/dev/null", script, *shared).stdout
    assert run("load", script, "--store", store, *shared).exit_code == 0
    assert "t.b" in run("upstream", "o.y", "--columns", "--store", store).stdout


def test_help_describes_every_flag(run):
    for parameter in _parameters().values():
        assert parameter.help, parameter.name
    assert run("analyze", "--help").exit_code == 0


def test_version(run):
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"lineage-connector {__version__}\n"


def test_dialects_lists_names_that_analyze_takes(run, load):
    names = run("dialects").stdout.split()
    assert names == sorted(set(names))
    assert {"ansi", "bigquery", "mssql", "oracle", "postgresql", "snowflake", "teradata"} <= set(names)
    for name in names:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert run("analyze", load, "-d", name, "-f", "json").exit_code in (0, 1), name  # 1: prql is no SQL
