"""A run on a cluster survives the loss of an executor and of a machine, and the next run makes up for the loss of the driver.

Every kill happens when the run itself has reported that a stage is over. After that of deduplication the executors hold
cached rows, which are lost with them, and the analysis is under way.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cluster_fixtures import refresh, remember
from filelock import FileLock
from jobs import Content, Place, Quickstart, differences, on_standalone, on_yarn
from servers import HadoopServer, S3Server, StandaloneServer, is_running, processes

from connector.pipeline.run_report import STAGES
from tests.support.machine import free_port

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")

EXECUTOR = "CoarseGrainedExecutorBackend"


@dataclass
class Cluster:
    """A cluster with two machines that can be killed."""

    server: StandaloneServer | HadoopServer
    machines: tuple[str, str]
    place: Place

    def __post_init__(self) -> None:
        self._port = free_port()
        self.place.spark["conf"]["spark.driver.port"] = str(self._port)

    def executors(self) -> dict[int, str]:
        """The executors of the job that are running, with the machine of each."""
        return {
            pid: machine
            for machine in self.machines
            for pid, command in processes(self.server.kept[machine])
            if EXECUTOR in command and f":{self._port} " in command and command.split(" ", 1)[0].endswith("java")
        }


@pytest.fixture(params=["standalone and S3", "YARN and HDFS"])
def cluster(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    """The executors use the Python of this checkout: what is sent to them is the subject of other tests."""
    server: StandaloneServer | HadoopServer
    if request.param == "standalone and S3":
        s3: S3Server = request.getfixturevalue("s3")
        server = request.getfixturevalue("standalone")
        machines, place = ("worker-1", "worker-2"), on_standalone(server, s3)
    else:
        server = request.getfixturevalue("hadoop")
        machines, place = ("node-1", "node-2"), on_yarn(server)
    with FileLock(f"{server.home}.kill.lock"):  # one killer at a time
        refresh(server)
        yield Cluster(server, machines, place)
        server.complete()
        remember(server)


def test_a_run_survives_the_loss_of_an_executor_and_of_a_machine(
    cluster: Cluster, expected: Content, tmp_path: Path
) -> None:
    """An executor while statements are deduplicated; then, with the analysis, a machine and everything that it runs: a worker
    of the standalone cluster, or a node manager of YARN."""
    job = Quickstart(tmp_path, cluster.place)

    def kill_executor(_: subprocess.Popen[str]) -> None:
        os.kill(next(iter(cluster.executors())), signal.SIGKILL)

    def kill_machine(_: subprocess.Popen[str]) -> None:
        cluster.server.kill(next(iter(cluster.executors().values())))

    code = disturbed(job, {STAGES["start"]: kill_executor, STAGES["identify"]: kill_machine})
    assert code == 1, "the log holds statements that fail"
    assert differences(job.content(), expected) == {}
    assert STAGES["start"] not in job.run_again(), "the next run finds nothing to do"
    assert differences(job.content(), expected) == {}


def test_the_run_after_a_driver_was_killed_ends_in_the_same_state(
    cluster: Cluster, expected: Content, tmp_path: Path
) -> None:
    job = Quickstart(tmp_path, cluster.place)
    java: list[int] = []

    def kill(driver: subprocess.Popen[str]) -> None:
        java.extend(pid for pid, _ in processes(driver.pid))
        driver.kill()

    assert disturbed(job, {STAGES["identify"]: kill}) == -signal.SIGKILL
    assert not (tmp_path / "lineage.db").exists()
    job.run()
    assert differences(job.content(), expected) == {}
    assert [pid for pid in java if is_running(pid)] == [], "what the killed driver had started has ended"


def disturbed(job: Quickstart, disturb: dict[str, Callable[[subprocess.Popen[str]], None]]) -> int:
    """Run a job and disturb it each time when it reports that one of these stages is over; its exit code."""
    told: list[str] = []
    with job.start() as process:
        assert process.stderr is not None
        for line in process.stderr:
            told.append(line)
            stage = line.partition(":")[0]
            if stage in disturb:
                assert process.poll() is None
                disturb.pop(stage)(process)
    assert not disturb, "".join(told)
    return process.returncode
