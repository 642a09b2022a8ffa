"""The commands that need no server, and how they fail."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fake_atlas import FakeAtlas
from typer.testing import CliRunner

from connector.catalogs.atlas import AtlasSettings
from connector.catalogs.atlas.mapping import FIELDS, KINDS, PARENTS
from connector.catalogs.summary import Summary
from connector.cli import app

ROOT = Path(__file__).parents[3]


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CliRunner:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return CliRunner()


@pytest.fixture
def script(tmp_path: Path) -> str:
    file = tmp_path / "a.sql"
    file.write_text("insert into o (a) select x from t;\n")
    return str(file)


def test_typedefs_show(runner: CliRunner) -> None:
    shown = runner.invoke(app, ["typedefs", "show"])
    assert shown.exit_code == 0
    assert "sql_process 1.1  extends Process" in shown.stdout
    assert "  namespace*: sql_namespace" in shown.stdout
    documents = json.loads(runner.invoke(app, ["typedefs", "show", "--json"]).stdout)
    assert {each["name"] for each in documents["entityDefs"]} >= {"sql_table", "sql_column_lineage"}


def test_apply_says_what_it_has_done(runner: CliRunner, fake: FakeAtlas) -> None:
    fake.typedefs["entityDefs"] = [each for each in fake.typedefs["entityDefs"] if each["name"] != "sql_stage"]
    login = ["--url", fake.url, "--user", "u"]
    assert "+ sql_stage: is missing" in runner.invoke(app, ["typedefs", "diff", *login]).stdout
    applied = runner.invoke(app, ["typedefs", "apply", *login])
    assert applied.exit_code == 0, applied.output
    assert "+ sql_stage: was missing and has been created" in applied.stdout


def test_dry_run_needs_no_server(runner: CliRunner, script: str) -> None:
    result = runner.invoke(app, ["push", "atlas", script, "--dry-run", "--dialect", "snowflake", "--cluster", "c"])
    assert result.exit_code == 0
    assert "sql_column default.default.o.a@c" in result.stdout.splitlines()


def test_push_and_summary(runner: CliRunner, script: str, fake: FakeAtlas) -> None:
    arguments = ["push", "atlas", script, "--dialect", "snowflake", "--url", fake.url, "--user", "u"]
    result = runner.invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["total"]["created"] == len(fake.lineage)
    again = runner.invoke(app, arguments)
    assert "Nothing has changed" in again.stderr
    assert again.stdout.splitlines()[0].split() == "type created updated unchanged removed missing failed".split()


def test_refused_entities_are_listed_and_exit_code_is_1(runner: CliRunner, script: str, fake: FakeAtlas) -> None:
    fake.fault = lambda request: (
        (400, {"errorMessage": "no"})
        if request.method == "POST" and any(e["typeName"] == "sql_process" for e in request.body["entities"])
        else "pass"
    )
    result = runner.invoke(app, ["push", "atlas", script, "--url", fake.url, "--user", "u"])
    assert result.exit_code == 1
    assert "rejected: sql_process" in result.stderr
    assert "atlas-dead-letters.jsonl" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "The address of Apache Atlas is missing"),
        (["--url", "http://me:hunter2@x", "--user", "u"], "through the environment"),
        (["--url", "http://x", "--user", "u", "--mapping", "nosuch"], "There is no mapping 'nosuch'"),
        (["--url", "http://x", "--user", "u", "--password-file", "/nonexistent/p"], "cannot read the password"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, runner: CliRunner, script: str) -> None:
    result = runner.invoke(app, ["push", "atlas", script, *arguments])
    assert result.exit_code == 2
    assert said in result.stderr
    assert "hunter2" not in result.output


def test_a_mistake_in_the_configuration_has_a_line(runner: CliRunner, script: str, tmp_path: Path) -> None:
    config = tmp_path / "lineage.yaml"
    config.write_text("store: x\natlas:\n  url: http://x\n  workers: many\n")
    result = runner.invoke(app, ["push", "atlas", script, "--config", str(config)])
    assert result.exit_code == 2
    assert f"{config}:4: workers: expected a whole number" in result.stderr
    config.write_text("store: x\n")
    assert (
        f"{config}:1: expected a section atlas"
        in runner.invoke(app, ["push", "atlas", script, "-c", str(config)]).stderr
    )


@pytest.mark.parametrize("library", ["requests", "apache_atlas"])
def test_a_plain_installation_says_what_is_missing(library: str, script: str) -> None:
    code = f"import sys; sys.modules['{library}'] = None; from connector.cli import app; app()"
    command = [sys.executable, "-c", code, "push", "atlas", script, "--url", "http://x"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2, result.stderr
    assert f"The package {library} is missing. Install it with: pip install " in result.stderr


def test_other_catalogs_do_not_need_the_client_of_atlas() -> None:
    code = "import sys; sys.modules['apache_atlas'] = None; import connector.settings.models"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_example_configuration_runs_as_it_stands(
    runner: CliRunner, script: str, fake: FakeAtlas, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATLAS_URL", fake.url)
    config = shutil.copy(ROOT / "examples" / "atlas.yaml", tmp_path)
    result = runner.invoke(app, ["push", "atlas", script, "-d", "snowflake", "-c", str(config)])
    assert result.exit_code == 0, result.output
    assert fake.entities
    assert (tmp_path / "state" / "atlas.db").exists(), "paths are relative to the file"
    text = (ROOT / "examples" / "atlas.yaml").read_text()
    own = AtlasSettings.model_fields.keys() - {"auth", "token_env", "token_file"}
    assert [name for name in own if f"{name}:" not in text] == []


def test_the_documentation_lists_all_fields() -> None:
    text = (ROOT / "docs" / "atlas.md").read_text()
    for kind in KINDS:
        fields = ", ".join(f"`{field}`" for field in FIELDS[kind])
        parents = ", ".join(f"`{parent}`" for parent in PARENTS[kind]) or "-"
        assert f"| `{kind}` | {fields} | {parents} |" in text


def test_summary_table() -> None:
    summary = Summary()
    summary.of("sql_table").created = 1234
    assert summary.table().splitlines()[1].split() == ["sql_table", "1,234", "-", "-", "-", "-", "-"]
