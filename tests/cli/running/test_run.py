"""`lineage-connector run` on a real Spark: what it prints, writes and answers."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import jsonschema
import pytest
from typer.testing import CliRunner

from connector.cli import app
from connector.pipeline.run_report import report_schema
from connector.pipeline.storage import Storage
from connector.pipeline.tables import LineageTables

if TYPE_CHECKING:
    from conftest import Project

pytestmark = pytest.mark.usefixtures("spark")

OUTPUTS = "html: out/lineage.html\nreport: out/report.json\nprometheus: out/lineage.prom\n"


def test_a_run_fills_the_store_and_a_second_one_has_nothing_to_do(project: Project) -> None:
    project.settings(OUTPUTS + "catalogs:\n  - type: openlineage\n    file: events.jsonl\n")
    first = project.call("run")
    assert first.exit_code == 0, first.output
    assert first.stdout.startswith("lineage: done in ")
    assert "│ source sql/" in first.stdout
    assert "Analysing: 1, " in first.stderr
    document = json.loads((project / "out/report.json").read_text())
    jsonschema.validate(document, report_schema())
    (job,) = document["jobs"]
    assert (job["status"], job["analysed"], job["failed"], job["table_edges"]) == ("done", 1, 0, 1)
    assert 'lineage_run_success{lineage_job="lineage"} 1' in (project / "out/lineage.prom").read_text()
    page = (project / "out/lineage.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "raw.t" in page
    traced = CliRunner().invoke(app, ["upstream", "core.o", "--store", str(project / "lineage.db")])
    assert "raw.t" in traced.stdout
    states = [json.loads(line)["eventType"] for line in (project / "events.jsonl").read_text().splitlines()]
    assert states == ["START", "COMPLETE", "COMPLETE"], "the run begins, a statement, the run ends"

    second = project.call("run")
    assert second.exit_code == 0, second.output
    (job,) = json.loads((project / "out/report.json").read_text())["jobs"]
    assert job["analysed"] == 0
    assert len((project / "events.jsonl").read_text().splitlines()) == 5, "only of the run itself"

    project.script("more.sql", "insert into core.p (x) select a from core.o;\n")
    third = project.call("run", "--report", "-", "--quiet")
    assert (third.exit_code, third.stderr) == (0, "")
    assert json.loads(third.stdout)["jobs"][0]["analysed"] == 1


def test_what_fails_is_listed_and_the_code_is_1(project: Project) -> None:
    project.script("bad.sql", "insert into core.p (x) select a from core.o;\n\nselect ( from where ((;\n")
    result = project.call("run")
    assert result.exit_code == 1, result.output
    assert "done, with failures" in result.stdout
    assert "bad.sql:3" in result.stderr
    assert "SyntaxError" in result.stderr


def test_jobs_stand_on_their_own(project: Project) -> None:
    project.settings(
        whole="defaults:\n  dialect: snowflake\n  prometheus: both.prom\njobs:\n"
        "  - name: broken\n    sources:\n      - files: nowhere/\n    store: broken.db\n"
        "  - name: good\n    sources:\n      - files: sql/\n    store: good.db\n"
    )
    result = project.call("run", "--report", str(project / "r.json"))
    assert result.exit_code == 2
    assert result.stderr.count("broken: ") == 1
    assert "good: done" in result.stdout
    jobs = json.loads((project / "r.json").read_text())["jobs"]
    assert [(job["job"], job["status"]) for job in jobs] == [("broken", "error"), ("good", "done")]
    figures = (project / "both.prom").read_text()
    assert 'lineage_run_success{lineage_job="broken"} 0' in figures
    assert 'lineage_run_success{lineage_job="good"} 1' in figures
    assert project.call("run", "--job", "good").exit_code == 0
    unknown = project.call("run", "--job", "nobody")
    assert unknown.exit_code == 2
    assert "unknown job 'nobody'; the file defines broken, good" in unknown.stderr


def test_a_catalog_that_does_not_answer_gets_it_next_time(project: Project) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens, and nobody else gets the port
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}"
        project.settings(f"catalogs:\n  - {{type: openlineage, url: '{closed}', attempts: 1}}\n")
        result = project.call("run")
    assert result.exit_code == 3, result.output
    assert "did not respond" in result.stderr
    assert "lineage found" in result.stdout, "the store has it all the same"
    project.settings("catalogs:\n  - {type: openlineage, file: events.jsonl, runs: false}\n")
    assert project.call("run").exit_code == 0
    assert len((project / "events.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("stor: x\n", "lineage.yaml:6: stor"),
        ("store: ${env:NOT_SET}\n", "lineage.yaml:6"),
        ("catalogs:\n  - {type: nosuch}\n", "lineage.yaml:7"),
    ],
)
def test_mistakes_in_the_settings_have_a_line(more: str, said: str, project: Project) -> None:
    project.settings(more)
    result = project.call("run")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_file_that_is_not_there(project: Project) -> None:
    (project / "lineage.yaml").unlink()
    result = project.call("run")
    assert result.exit_code == 2
    assert "lineage.yaml" in result.stderr


def test_a_second_run_at_the_same_time_is_refused(project: Project) -> None:
    with LineageTables(Storage(str(project / "lineage-tables"))).only_run():
        result = project.call("run")
    assert result.exit_code == 3, result.output
    assert "lineage-tables" in result.stderr
    assert result.stdout == ""


def test_a_plain_installation_says_what_is_missing(project: Project) -> None:
    code = "import sys; sys.modules['yaml'] = None; from connector.cli import app; app()"
    for command in ("run", "check"):
        called = [sys.executable, "-c", code, command, "-c", str(project / "lineage.yaml")]
        result = subprocess.run(called, capture_output=True, text=True, timeout=120, check=False)
        assert result.returncode == 2, result.stderr
        assert result.stderr.startswith("The package yaml is missing. Install it with: pip install ")
        assert "'pyyaml>=6'" in result.stderr
