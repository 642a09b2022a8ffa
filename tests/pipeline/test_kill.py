"""A run that is killed anywhere, and run again, ends as one that was left alone."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pipeline_samples import HERE, LONG, good_rows, make_job, session_rows, store_content, table_content, write_log
from processes import python_workers

from connector.pipeline.run import run_job

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds processes in /proc")

SHAPE = {"query_identity": "shape"}
ROWS = [*good_rows(2000 if LONG else 400, 1500 if LONG else 200), *session_rows()]
STAGES = ("start", "identify", "analyse", "commit", "store", "catalogs")
DRIVER_KILLS = 10 if LONG else 1
WORKER_KILLS = 10 if LONG else 1


def prepare(folder: Path) -> None:
    write_log(folder / "log" / "day.jsonl", ROWS)
    (folder / "sql").mkdir(exist_ok=True)
    (folder / "sql" / "v.sql").write_text("create view mart.v as select id from mart.target_1;\n", encoding="utf-8")


@pytest.fixture(scope="module")
def undisturbed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    folder = tmp_path_factory.mktemp("undisturbed")
    prepare(folder)
    run_job(make_job(folder, options=SHAPE), spark=spark)
    return store_content(folder), table_content(folder)


@pytest.mark.parametrize("seed", range(DRIVER_KILLS))
def test_kill_the_driver(spark: SparkSession, undisturbed: tuple[Any, Any], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    prepare(tmp_path)
    stage = chance.choice(STAGES) if LONG else "analyse"
    delay = chance.random() * 2 if LONG else 0.0
    with subprocess.Popen(
        [sys.executable, str(HERE / "killed_driver.py"), str(tmp_path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as driver:
        assert driver.stdout is not None
        for line in driver.stdout:
            if line.strip() == stage:
                break
        else:
            raise AssertionError(f"the driver has never come to {stage}")
        threading.Event().wait(delay)
        driver.kill()
    run_job(make_job(tmp_path, options=SHAPE), spark=spark, wait=60.0)
    assert store_content(tmp_path) == undisturbed[0]
    assert table_content(tmp_path) == undisturbed[1]


@pytest.mark.parametrize("seed", range(WORKER_KILLS))
def test_kill_a_worker(spark: SparkSession, undisturbed: tuple[Any, Any], tmp_path: Path, seed: int) -> None:
    chance = random.Random(1000 + seed)
    prepare(tmp_path)
    over = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        """The next worker that is there after a while; the first time, as soon as there is one."""
        over.wait(chance.random() * 3 if LONG else 0.0)
        while not over.is_set() and not killed:
            for pid in python_workers():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
                killed.append(pid)
                break
            over.wait(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        report = run_job(make_job(tmp_path, options=SHAPE), spark=spark)
    finally:
        over.set()
        killer.join()
    assert report.failed == 0
    assert killed or LONG
    assert store_content(tmp_path) == undisturbed[0]
    assert table_content(tmp_path) == undisturbed[1]


def test_nothing_of_a_killed_run_is_left(spark: SparkSession, tmp_path: Path) -> None:
    """What a run has written and not committed is gone after the next one, and its guards are."""
    prepare(tmp_path)
    orphan = tmp_path / "tables" / "units" / "part-00000001-00000-gone.parquet"
    orphan.parent.mkdir(parents=True)
    orphan.write_bytes(b"half a file")
    run_job(make_job(tmp_path, options=SHAPE), spark=spark)
    assert not orphan.exists()
    began = time.monotonic()
    assert run_job(make_job(tmp_path, options=SHAPE), spark=spark).analysed == 0
    assert time.monotonic() - began < 30
