"""What only real processes show: the command with Spark behind it, spark-submit, the demo, and two runs at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Project

ROOT = Path(__file__).parents[2]
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
