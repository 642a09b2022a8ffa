"""The quickstart gives the same tables and the same store on a cluster as on one machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jobs import (
    Content,
    Quickstart,
    differences,
    on_standalone,
    on_this_machine,
    on_yarn,
)
from servers import BUCKET, HadoopServer, S3Server, StandaloneServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")


def test_a_standalone_cluster_with_tables_on_s3_gives_what_one_machine_gives(
    standalone: StandaloneServer, s3: S3Server, environment: Path, expected: Content, tmp_path: Path
) -> None:
    """Two workers whose Python lacks the connector: it is sent to them. Scripts and log are on S3, too."""
    job = Quickstart(tmp_path, on_standalone(standalone, s3, environment))
    job.keep_sources_beside_tables()
    assert "The executors lack the connector: sending them" in job.run()
    assert differences(job.content(), expected) == {}
    assert "Starting Spark" not in job.run_again(), "a second run finds nothing to do"
    assert differences(job.content(), expected) == {}


def test_yarn_with_tables_on_hdfs_gives_what_one_machine_gives(
    hadoop: HadoopServer, environment: Path, expected: Content, tmp_path: Path
) -> None:
    """Two node managers; the Python that the executors are told of does not exist there. Scripts and log are on HDFS, too."""
    job = Quickstart(tmp_path, on_yarn(hadoop, environment))
    job.keep_sources_beside_tables()
    assert "The executors lack the connector: sending them" in job.run()
    assert differences(job.content(), expected) == {}
    job.run_again()  # Spark reads the log on HDFS once more, and no row of it counts twice
    assert differences(job.content(), expected) == {}


@pytest.mark.parametrize("storage", ["s3", "hdfs"])
def test_of_two_drivers_at_once_one_commits(
    storage: str, expected: Content, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = on_this_machine()
    if storage == "s3":
        server: S3Server = request.getfixturevalue("s3")
        place.tables, place.options = f"s3://{BUCKET}/tables", server.environment
    else:
        place.tables = f"{request.getfixturevalue('hadoop').hdfs}/tables"
    one, other = Quickstart(tmp_path / "one", place), Quickstart(tmp_path / "other", place)
    other.use_tables_of(one)
    with one.start() as first, other.start() as second:
        told = [process.communicate(timeout=1500) for process in (first, second)]
    codes = [first.returncode, second.returncode]
    assert sorted(codes) == [1, 3], told
    winner, loser = (one, other) if codes[0] == 1 else (other, one)
    assert "Another run" in told[codes.index(3)][1]
    assert differences(winner.content(), expected) == {}
    loser.run_again()
    assert differences(loser.content(), expected) == {}, "the second store gets all that the tables hold"
