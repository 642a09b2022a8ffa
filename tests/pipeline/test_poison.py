"""The poison set inside good statements, on Spark: each poison is reported, every good statement is analysed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline_samples import LONG, good_statement, log_row, make_job, store_content, write_log

from connector.pipeline.run import run_job

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

GOOD = 10_000 if LONG else 500
LARGE = (50 << 20) if LONG else (6 << 20)


def test_poison_among_good_statements(spark: SparkSession, tmp_path: Path) -> None:
    poison = {
        "endless": "insert into poison.endless select " + "date (" * 40 + "a" + ")" * 40 + " from t",
        "large": "insert into poison.large values " + ",".join([f"({at}, 'x')" for at in range(LARGE // 14)]),
        "deep": "insert into poison.deep select " + "(" * 100_000 + "a" + ")" * 100_000 + " from t",
        "memory": "insert into poison.memory select a" + " + a" * 1_500_000 + " from t",
        "crash": "insert into poison.crash_here select a from t",
    }
    good = [good_statement(number) for number in range(GOOD)]
    texts = list(good)
    for at, text in enumerate(poison.values()):
        texts.insert((at * 2 + 1) * len(good) // 10, text)
    write_log(tmp_path / "log" / "day.jsonl", [log_row(text, second) for second, text in enumerate(texts)])
    report = run_job(make_job(tmp_path, guard={"seconds": 4, "memory_mb": 200}), spark=spark)
    assert report.analysed == len(texts)
    told = {
        failure.text.split()[2] if " " in failure.text else failure.text: failure.reason for failure in report.failures
    }
    # Nesting that is too deep for the grammar is an error of a statement that was read, or a failure of one that was not.
    problems = report.errors.get("AnalyzeError", 0)
    assert report.failed + problems == len(poison), (report.errors, told)
    assert told["poison.endless"] in ("memory", "timeout")
    assert told["poison.memory"] in ("memory", "timeout")
    assert told["poison.large"] in ("memory", "timeout")
    assert told["poison.crash_here"] == "crash"
    stored = {row[3] for row in store_content(tmp_path)["lineage_processes"]}
    assert len(stored) >= GOOD
    again = run_job(make_job(tmp_path, guard={"seconds": 4, "memory_mb": 200}), spark=spark)
    assert again.analysed == 0
