"""The commands that need no server, and how they fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fake_atlas import FakeAtlas
from typer.testing import CliRunner

from connector.catalogs.atlas import AtlasSettings
from connector.catalogs.atlas.fields import FIELDS, KINDS, PARENTS
from connector.catalogs.progress import LogProgress, TerminalProgress
from connector.catalogs.summary import Summary
from connector.cli import app

ROOT = Path(__file__).parents[2]


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
    assert "sql_process 1.0  extends Process" in shown.stdout
    assert "  namespace*: sql_namespace" in shown.stdout
    documents = json.loads(runner.invoke(app, ["typedefs", "show", "--json"]).stdout)
    assert {each["name"] for each in documents["entityDefs"]} >= {"sql_table", "sql_column_lineage"}


def test_dry_run_needs_no_server(runner: CliRunner, script: str) -> None:
    result = runner.invoke(app, ["push", "atlas", script, "--dry-run", "--dialect", "snowflake", "--cluster", "c"])
    assert result.exit_code == 0
    assert "sql_column default.default.o.a@c" in result.stdout.splitlines()


def test_push_and_summary(runner: CliRunner, script: str, fake: FakeAtlas) -> None:
    arguments = ["push", "atlas", script, "--dialect", "snowflake", "--url", fake.url, "--user", "u"]
    result = runner.invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["total"]["created"] == len(fake.entities)
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
    assert "refused: sql_process" in result.stderr
    assert "atlas-dead-letters.jsonl" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Say where Atlas is"),
        (["--url", "http://me:hunter2@x", "--user", "u"], "not in its address"),
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
    assert f"{config}:4: workers: Input should be a valid integer" in result.stderr
    config.write_text("store: x\n")
    assert "there is no section atlas" in runner.invoke(app, ["push", "atlas", script, "-c", str(config)]).stderr


def test_a_plain_installation_says_what_is_missing(script: str) -> None:
    code = "import sys; sys.modules['requests'] = None; from connector.cli import app; app()"
    command = [sys.executable, "-c", code, "push", "atlas", script, "--url", "http://x"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2, result.stderr
    assert "pip install 'lineage-connector[atlas]'" in result.stderr


def test_the_example_configuration_is_right() -> None:
    AtlasSettings.model_validate(yaml.safe_load((ROOT / "examples" / "atlas.yaml").read_text())["atlas"])


def test_the_documentation_lists_all_fields() -> None:
    text = (ROOT / "docs" / "atlas.md").read_text()
    for kind in KINDS:
        fields = ", ".join(f"`{field}`" for field in FIELDS[kind])
        parents = ", ".join(f"`{parent}`" for parent in PARENTS[kind]) or "-"
        assert f"| `{kind}` | {fields} | {parents} |" in text


def test_progress(caplog: pytest.LogCaptureFixture) -> None:
    class Stream:
        text = ""

        def write(self, text: str) -> None:
            self.text += text

        def flush(self) -> None:
            pass

    now = [0.0]
    stream = Stream()
    bar = TerminalProgress(stream, lambda: now[0])  # type: ignore[arg-type]
    bar.begin("Writing", 200)
    now[0] = 10
    bar.advance(50)
    assert "50/200, 5/s, 0:30 left" in stream.text
    bar.end()
    assert stream.text.endswith("\r\x1b[K")
    caplog.set_level("INFO", "connector")
    log = LogProgress(5, lambda: now[0])
    log.begin("Writing", 200)
    now[0] = 12
    log.advance(20)
    assert not caplog.messages
    now[0] = 20
    log.advance(20)
    log.end()
    assert caplog.messages == ["Writing: 40/200, 4/s, 0:40 left", "Writing: 40/200, 4/s, 0:40 left"]


def test_summary_table() -> None:
    summary = Summary()
    summary.of("sql_table").created = 1234
    assert summary.table().splitlines()[1].split() == ["sql_table", "1,234", "-", "-", "-", "-", "-"]
