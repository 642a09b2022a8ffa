"""What only real processes show: the command with Spark behind it, spark-submit, the demo, and two runs at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project

ROOT = Path(__file__).parents[3]
BIN = Path(sys.executable).parent


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    return {**kept, "BIN": str(BIN), **more}


def call(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(argument) for argument in arguments],
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_spark_says_nothing_and_exit_codes_reach_the_shell(project: Project) -> None:
    project.settings("report: report.json\n")
    project.script("bad.sql", "select ( from where ((;\n")
    result = call(BIN / "lineage-connector", "run", "-c", project / "lineage.yaml", "--quiet")
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.startswith("lineage: done, with failures in ")
    assert result.stdout.count("\n") == len(result.stdout.splitlines())
    assert json.loads((project / "report.json").read_text())["jobs"][0]["failed"] == 1
    assert {path.name for path in project.folder.iterdir()} == {
        *("sql", "lineage.yaml", "lineage.db", "lineage-tables", "report.json"),
    }


@pytest.mark.parametrize("started_with", ["default", "ignored"])
def test_an_interrupt_while_spark_works_is_one_line(project: Project, started_with: str) -> None:
    """Ctrl-C reaches all processes of a terminal. One that was started in the background ignores it and goes on."""
    project.script("long.sql", "insert into o select " + "date (" * 30 + "a" + ")" * 30 + " from t;\n")
    # The time limit is long enough to be in the middle of the analysis, and short enough to see one that goes on end.
    limits = "guard: {seconds: 300}\n" if started_with == "default" else "guard: {seconds: 2}\n"
    project.settings(limits)
    handler = signal.SIG_DFL if started_with == "default" else signal.SIG_IGN
    with (project / "stderr").open("wb") as told:
        process = subprocess.Popen(
            [BIN / "lineage-connector", "run", "-c", project / "lineage.yaml"],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=told,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
        )
    try:
        while not any("pyspark.worker" in command for command in session_of(process.pid).values()):
            assert process.poll() is None, (project / "stderr").read_text()
            time.sleep(0.05)  # between two looks at what the machine runs
        os.killpg(process.pid, signal.SIGINT)
        code = process.wait(timeout=600)
    finally:
        for pid in session_of(process.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        process.wait()
    messages = (project / "stderr").read_text()
    assert "Traceback" not in messages
    assert "py4j" not in messages
    if started_with == "default":
        assert code == 130, messages
        assert messages.splitlines()[-1] == "Interrupted."
        assert messages.count("nterrupt") == 1
    else:
        assert code == 1, messages
        assert "Interrupted" not in messages


def session_of(leader: int) -> dict[int, str]:
    """The processes of a session that run, and their commands."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                state, *_, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                command = (folder / "cmdline").read_text().replace("\0", " ")
                if int(session) == leader and state != "Z":
                    found[int(folder.name)] = command
    return found


def test_spark_submit(project: Project) -> None:
    """It joins stderr and stdout of a Python program, so the report goes to a file; the exit code is handed on."""
    import pyspark

    project.script("bad.sql", "select ( from where ((;\n")
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    report = project / "report.json"
    result = call(
        *(ROOT / "examples" / "schedule" / "spark_submit.sh", "-c", project / "lineage.yaml", "--report", report),
        SPARK_SUBMIT=str(submit),
        PYSPARK_PYTHON=sys.executable,
        MASTER="local[1]",
    )
    assert result.returncode == 1, result.stderr
    (job,) = json.loads(report.read_text())["jobs"]
    assert (job["status"], job["analysed"], job["failed"]) == ("failures", 2, 1)
    assert "lineage: done, with failures in " in result.stdout


def test_the_demo_ends_with_what_a_person_wants_to_see(tmp_path: Path) -> None:
    result = call(ROOT / "examples" / "demo.sh", TARGET=str(tmp_path / "demo"), ROWS="1500")
    assert result.returncode == 0, result.stderr
    told = result.stdout
    assert "64 scripts and a query log of 1,500 rows" in told
    assert "quickstart: done" in told
    answers = told.split("\n==> ")[3:]
    assert "staging.order_items" in answers[0]
    assert "core.fact_sales.net_eur" in answers[1]
    assert "mart.monthly_department" in answers[2]
    page = Path(told.strip().splitlines()[-1])
    assert page == tmp_path / "demo" / "lineage.html"
    assert page.read_text().startswith("<!doctype html>")
