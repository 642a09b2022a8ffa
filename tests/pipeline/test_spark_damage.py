"""What is damaged or lost while Spark works is an error that says so; never a smaller result."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from pipeline_samples import good_rows, good_statement, log_row, make_job, write_log

from connector.errors import ConfigurationError, ConnectorError, UnavailableError
from connector.pipeline.files import Attempt
from connector.pipeline.run import run_job
from connector.pipeline.spark import steps
from connector.pipeline.tables import LineageTables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_fingerprints_with_another_content(spark: SparkSession, tmp_path: Path) -> None:
    """Workers read them, and a run that went on would count rows twice."""
    write_log(tmp_path / "log" / "a.jsonl", [log_row(good_statement(1))])
    job = make_job(tmp_path)
    run_job(job, spark=spark)
    (file,) = LineageTables.of(job).files("rows")
    place = Path(job.tables) / file.path
    content = bytearray(place.read_bytes())
    content[content.index(pq.read_table(place)["fingerprint"][0].as_py())] ^= 1
    place.write_bytes(content)
    write_log(tmp_path / "log" / "b.jsonl", [log_row(good_statement(2))])
    with pytest.raises(
        ConfigurationError, match=r"are damaged: the file rows/.* cannot be read.*rebuilt from the sources"
    ):
        run_job(job, spark=spark)


def test_a_session_that_passes_over_damaged_files(spark: SparkSession, tmp_path: Path) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in good_rows(3000, 3000))
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode())[:-4000])
    setting = "spark.sql.files.ignoreCorruptFiles"
    spark.conf.set(setting, "true")
    try:
        with pytest.raises(ConnectorError, match=r"a\.jsonl\.gz"):
            run_job(make_job(tmp_path), spark=spark)
        assert spark.conf.get(setting) == "true"
    finally:
        spark.conf.unset(setting)


def test_a_task_whose_units_are_missing(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_log(tmp_path / "log" / "a.jsonl", good_rows(20, 20))
    read_attempt = steps.read_attempt

    def forgetful(told: str) -> Attempt:
        attempt = read_attempt(told)
        return attempt._replace(units=attempt.units - 1)

    monkeypatch.setattr(steps, "read_attempt", forgetful)
    with pytest.raises(UnavailableError, match=r"Of 20 units, 19 were analysed.*The next run reads them again"):
        run_job(make_job(tmp_path, spark={"partitions": 1}), spark=spark)
    monkeypatch.undo()
    assert run_job(make_job(tmp_path), spark=spark).units == 20
