"""`lineage-connector check`: everything that would fail is told at once, with what to do."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project


def states(output: str) -> dict[str, str]:
    """The state of each part."""
    return {line[7:29].strip(): line[:6].strip() for line in output.splitlines() if line[:6].strip()}


@pytest.mark.usefixtures("spark")
def test_a_job_that_is_right(project: Project) -> None:
    project.settings("catalogs:\n  - {type: openlineage, file: events.jsonl}\nhtml: out/x.html\n")
    result = project.call("check")
    assert result.exit_code == 0, result.output
    found = states(result.stdout)
    assert set(found.values()) == {"ok"}
    assert found.keys() == {"settings", "java", "spark", "source sql/", "store", "tables", "openlineage", "html"}
    assert "Spark 4." in result.stdout
    assert not (project / "lineage.db").exists(), "nothing is changed"
    assert not (project / "events.jsonl").exists()


def test_everything_that_fails_is_told_at_once(project: Project) -> None:
    (project / "out").write_text("a file")
    project.settings(
        "metadata: columns.json\nstore: sql/\nhtml: out/lineage.html\n"
        "catalogs:\n  - {type: atlas, url: 'http://127.0.0.1:9', user: u, mapping: nosuch}\n"
    )
    (project / "sql" / "load.sql").unlink()
    result = project.call("check", "--no-spark")
    assert result.exit_code == 2
    found = states(result.stdout)
    assert {part for part, state in found.items() if state == "FAILS"} == {
        "metadata columns.json",
        "source sql/",
        "store",
        "atlas",
        "html",
    }
    assert "spark" not in found
    assert "columns.json does not exist" in result.stdout
    assert "There is no mapping 'nosuch'" in result.stdout
    assert f"{project / 'out'} is a file, but a directory is needed" in result.stdout


def test_somebody_who_does_not_answer_is_code_3(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_PASSWORD", "hunter2")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{taken.getsockname()[1]}"
        project.settings(
            f"catalogs:\n  - {{type: atlas, url: '{closed}', user: u}}\n  - {{type: openlineage, url: '{closed}'}}\n"
        )
        result = project.call("check", "--no-spark")
    assert result.exit_code == 3, result.output
    assert result.stdout.count("did not respond") == 2
    assert "hunter2" not in result.output


def test_of_several_jobs_each_has_a_heading(project: Project) -> None:
    project.settings(
        whole="defaults: {dialect: snowflake}\njobs:\n"
        "  - {name: one, sources: [{files: sql/}], store: one.db}\n  - {name: two, sources: [{files: sql/}], store: two.db}\n"
    )
    result = project.call("check", "--no-spark")
    assert result.exit_code == 0
    assert "\none\n" in result.stdout
    assert "\ntwo\n" in result.stdout
    only = project.call("check", "--no-spark", "--job", "two")
    assert "\none\n" not in only.stdout
