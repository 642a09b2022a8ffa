"""`analyze --timeout` and `--memory`: what breaks a limit is left out and told, and nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from connector.cli import app

GOOD = "insert into a (x) select y from b;\n"
ENDLESS = (
    "insert into c (x) select "
    + " + ".join(f"(select max(v{i}) from t{i} where k in (select k from u{i}))" for i in range(20_000))
    + " from d;\n"
)
LAST = "insert into e (x) select z from f;\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["analyze", *map(str, arguments), "--dialect", "snowflake"])


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    (tmp_path / "1.sql").write_text(GOOD)
    (tmp_path / "2.sql").write_text("create view v as select x from a;\n\n" + GOOD)
    return tmp_path


def test_within_the_limits_the_result_is_the_same(scripts: Path) -> None:
    for asked in (("-f", "json"), ("-f", "text", "-l", "column")):
        limited = run(scripts, *asked, "--timeout", "60", "--memory", "1000")
        assert (limited.exit_code, limited.stdout) == (0, run(scripts, *asked).stdout)


def test_what_takes_too_long_is_left_out_and_told(scripts: Path) -> None:
    (scripts / "2.sql").write_text(GOOD + ENDLESS + LAST)
    result = run(scripts, "--timeout", "2", "-f", "json", "-l", "table")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert {edge["target"]["table"] for edge in document["relations"]} == {"a", "e"}
    (error,) = document["errors"]
    assert error["errorType"] == "Timeout"
    assert f"{scripts / '2.sql'}:2:1: The time limit of 2 s was exceeded; skipped" in result.stderr


def test_what_takes_too_much_memory_is_left_out_and_told(scripts: Path) -> None:
    (scripts / "2.sql").write_text(GOOD + ENDLESS + LAST)
    result = run(scripts, "--memory", "60", "-f", "json", "-l", "table")
    assert result.exit_code == 1
    assert "2.sql:2:1: The memory limit of 60 MB was exceeded; skipped" in result.stderr
    assert {edge["target"]["table"] for edge in json.loads(result.stdout)["relations"]} == {"a", "e"}


def test_many_scripts_together_may_take_longer(tmp_path: Path) -> None:
    for number in range(20):
        joined = " union all ".join(f"select a{i}, b{i} from t{number}_{i}" for i in range(60))
        (tmp_path / f"{number:02}.sql").write_text(f"create table o{number} as {joined};\n" * 4)
    result = run(tmp_path, "--timeout", "2", "-f", "json", "-l", "table")
    assert result.exit_code == 0, result.stderr
    assert len(json.loads(result.stdout)["statements"]) == 80


def test_a_limit_that_is_none(scripts: Path) -> None:
    assert run(scripts, "--timeout", "0").exit_code == 2
    assert run(scripts, "--memory", "1").exit_code == 2
