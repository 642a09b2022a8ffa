"""`check` asks the executors of a cluster what they have, without running the job."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jobs import Quickstart, on_standalone
from servers import S3Server, StandaloneServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")


def check(job: Quickstart) -> tuple[int, str]:
    with job.start("check") as process:
        out, err = process.communicate()
    assert not (job.folder / "lineage.db").exists()
    return process.returncode, out + err


def test_executors_that_lack_the_connector(standalone: StandaloneServer, s3: S3Server, tmp_path: Path) -> None:
    place = on_standalone(standalone, s3)
    place.spark["conf"]["spark.pyspark.python"] = "python3"  # that of the workers' PATH, which has no packages
    code, told = check(Quickstart(tmp_path, place))
    assert code == 2, told
    (line,) = (line for line in told.splitlines() if line.startswith("FAILS"))
    assert line.split()[1] == "spark"
    assert "The executors' Python (python3) does not fit: lineage-connector and sqlglot" in line
    assert "lineage-connector pack -o environment.tar.gz" in line


def test_executors_that_get_the_connector(
    standalone: StandaloneServer, s3: S3Server, environment: Path, tmp_path: Path
) -> None:
    code, told = check(Quickstart(tmp_path, on_standalone(standalone, s3, environment)))
    assert code == 0, told
    (line,) = (line for line in told.splitlines() if line.startswith("ok     spark"))
    assert "environment/bin/python" in line, "the worker runs the Python of the archive"
