"""The ways into a cluster other than a driver of our own: spark-submit and Spark Connect."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
import sqlglot
from jobs import ROOT, Content, Place, Quickstart, differences, on_standalone, on_yarn
from servers import ConnectServer, HadoopServer, S3Server, StandaloneServer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the packed environment is for Linux")


def submit(job: Quickstart, *options: str, settings: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a job as an application of spark-submit. The master and the configuration of its place go on the command line."""
    spark = job.settings.pop("spark")
    job.write()
    own = ("spark.pyspark.", "spark.driver.host", "spark.driver.bind") if settings else ("spark.pyspark.",)
    conf = {name: value for name, value in spark["conf"].items() if not name.startswith(own)}
    spark_home = Path(pyspark.__file__).parent
    command = [str(spark_home / "bin" / "spark-submit"), "--master", spark["master"], *options]
    for name, value in conf.items():
        command += ["--conf", f"{name}={value}"]
    program = ROOT / "examples" / "schedule" / "lineage_job.py"
    command += [str(program), "run", "-c", settings or str(job.folder / "lineage.yaml")]
    environment = {**job.environment(), "SPARK_HOME": str(spark_home)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def python_without_us(tmp_path: Path) -> Path:
    """A Python that has what the connector depends on, and not the connector: it does not follow editable installations."""
    folder = tmp_path / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/*/site-packages")
    (packages / "dependencies.pth").write_text(f"{Path(sqlglot.__file__).parents[1]}\n")
    python = folder / "bin" / "python"
    tried = subprocess.run(
        [str(python), "-I", "-c", "import sqlglot, connector"], cwd="/", capture_output=True, text=True
    )
    assert "No module named 'connector'" in tried.stderr
    return python


def test_spark_submit_on_a_standalone_cluster_with_py_files(
    standalone: StandaloneServer, s3: S3Server, python_without_us: Path, expected: Content, tmp_path: Path
) -> None:
    """The connector comes as an archive of modules; what it depends on is installed on the workers."""
    modules = shutil.make_archive(str(tmp_path / "modules"), "zip", ROOT, "connector")
    job = Quickstart(tmp_path / "job", on_standalone(standalone, s3))
    conf = {"spark.pyspark.python": str(python_without_us), "spark.pyspark.driver.python": sys.executable}
    done = submit(job, "--py-files", modules, *(f"--conf={name}={value}" for name, value in conf.items()))
    assert done.returncode == 1, done.stdout + done.stderr
    assert differences(job.content(), expected) == {}


def test_spark_submit_in_cluster_mode_on_yarn(
    hadoop: HadoopServer, environment: Path, expected: Content, tmp_path: Path
) -> None:
    """The driver runs in the application master, with the Python of the archive; scripts, log and tables are on HDFS."""
    job = Quickstart(tmp_path, on_yarn(hadoop, environment))
    job.keep_sources_beside_tables()
    job.settings["store"]["url"] = str(tmp_path / "lineage.db")  # a store that every machine of the cluster can reach
    conf = {
        "spark.yarn.appMasterEnv.PYSPARK_PYTHON": "./environment/bin/python",
        "spark.pyspark.python": "./environment/bin/python",
        "spark.yarn.maxAppAttempts": "1",
        "spark.driver.memory": "512m",
    }
    done = submit(
        job,
        "--deploy-mode=cluster",
        f"--archives={environment}#environment",
        f"--files={tmp_path}/lineage.yaml",
        *(f"--conf={name}={value}" for name, value in conf.items()),
        settings="lineage.yaml",
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert differences(job.content(), expected) == {}


def test_spark_connect(connect: ConnectServer, environment: Path, expected: Content, tmp_path: Path) -> None:
    """The server's Python has no packages at all; the archive is sent as an artifact of the session.

    Nobody asks for partitions here, so one task reads everything.
    """
    place = Place({"remote": connect.url, "environment": str(environment)}, "")
    job = Quickstart(tmp_path, place)
    assert "The executors lack the connector: sending them" in job.run()
    assert differences(job.content(), expected) == {}
