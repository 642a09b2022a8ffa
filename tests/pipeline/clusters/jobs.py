"""The quickstart on a cluster, as a program of its own, and what it leaves behind."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import yaml
from servers import BUCKET, HadoopServer, S3Server, StandaloneServer

ROOT = Path(__file__).parents[3]
Content = tuple[Any, Any]
"""What the store and what the tables hold."""
ROWS = 300
STORE_TABLES = (
    *("sqlflow_dbobjects", "sqlflow_columns", "lineage_processes"),
    *("lineage_column_edges", "lineage_table_edges", "lineage_log_history"),
)
_SMALL_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
"""Java that starts soon and leaves the cores to the others. Short runs never get their compilation's worth."""
_CLIENT = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": _SMALL_JAVA,
    "spark.ui.enabled": "false",
}
_EXECUTORS = {
    "spark.executor.memory": "600m",
    "spark.executor.cores": "1",
    "spark.executor.extraJavaOptions": _SMALL_JAVA,
    "spark.sql.shuffle.partitions": "2",
    # What is lost with a machine is missed at once instead of after half a minute of waiting for it.
    "spark.locality.wait": "0",
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "200ms",
}
_SECONDS = 1500
"""More than any run takes on the busiest machine; a run that hangs has to end some time."""


@dataclass
class Place:
    """Where jobs run and where their tables are."""

    spark: dict[str, Any]
    tables: str
    """An address, or a folder for each job where it is empty."""
    options: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)


def on_this_machine() -> Place:
    return Place({"master": "local[2]", "partitions": 2}, "")


def on_standalone(cluster: StandaloneServer, s3: S3Server, environment: Path | None = None) -> Place:
    """A standalone cluster with tables on S3.

    Its own Python lacks the connector: executors get it from the archive, or use the Python of this checkout.
    """
    conf = {**_CLIENT, **_EXECUTORS, "spark.cores.max": "2"}
    spark = {"master": cluster.url, "partitions": 2, "conf": conf, **_python(environment, conf, "python3")}
    return Place(spark, f"s3://{BUCKET}/tables", s3.environment)


def on_yarn(cluster: HadoopServer, environment: Path | None = None) -> Place:
    """YARN with tables on HDFS.

    Executors get their Python from the archive, for the one they are told of is not there, or use that of this checkout.
    """
    import pyspark

    jars = Path(pyspark.__file__).parent / "jars"
    yarn = {"spark.executor.instances": "2", "spark.yarn.am.memory": "512m", "spark.yarn.jars": f"local:{jars}/*"}
    conf = {**_CLIENT, **_EXECUTORS, **yarn}
    spark = {"master": "yarn", "partitions": 2, "conf": conf, **_python(environment, conf, "/nowhere/python")}
    return Place(spark, f"{cluster.hdfs}/tables", {}, {"HADOOP_CONF_DIR": cluster.conf})


def _python(environment: Path | None, conf: dict[str, str], unfit: str) -> dict[str, str]:
    """Let executors use a Python that lacks the connector, with the archive that brings it; or ours without an archive."""
    conf["spark.pyspark.python"] = sys.executable if environment is None else unfit
    return {} if environment is None else {"environment": str(environment)}


class Quickstart:
    """One job over the quickstart's scripts and log, in a folder of its own."""

    def __init__(self, folder: Path, place: Place) -> None:
        self.folder = folder
        self.place = place
        self.tables = f"{place.tables}-{uuid4().hex}" if place.tables else str(folder / "tables")
        self._generate()
        self.settings = yaml.safe_load((folder / "lineage.yaml").read_text())
        self.settings |= {
            "spark": place.spark,
            "store": {"url": "lineage.db", "tables": self.tables, "options": place.options},
        }
        for unneeded in ("html", "report"):
            del self.settings[unneeded]
        self.write()

    def _generate(self) -> None:
        program = ROOT / "examples" / "quickstart" / "generate.py"
        command = [sys.executable, str(program), str(self.folder), "--rows", str(ROWS)]
        subprocess.run(command, capture_output=True, check=True)

    def write(self) -> None:
        (self.folder / "lineage.yaml").write_text(yaml.safe_dump(self.settings), encoding="utf-8")

    def keep_sources_beside_tables(self) -> None:
        """Put scripts and log where the tables are, and remove them from this machine."""
        from connector.pipeline.storage import Storage

        address = f"{self.tables}-sources"
        storage = Storage(address, self.place.options)
        for source in self.settings["sources"]:
            kind = "log" if "log" in source else "files"
            top = self.folder / source[kind]
            for file in [top] if top.is_file() else sorted(top.rglob("*.sql")):
                storage.write(file.relative_to(self.folder).as_posix(), file.read_bytes())
                file.unlink()
            source[kind] = f"{address}/{source[kind]}"
            source["options"] = self.place.options
        self.write()

    def use_tables_of(self, other: Quickstart) -> None:
        self.tables = self.settings["store"]["tables"] = other.tables
        self.write()

    def environment(self) -> dict[str, str]:
        """Ours, without what belongs to another Spark, another Hadoop or another cloud."""
        foreign = ("SPARK_", "PYSPARK_", "HADOOP_", "AWS_", "PYTHON")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return {**kept, **self.place.environment}

    def start(self, command: str = "run", *more: str) -> subprocess.Popen[str]:
        """The command, in a process of its own."""
        return subprocess.Popen(
            [sys.executable, "-m", "connector", command, "-c", str(self.folder / "lineage.yaml"), *more],
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *more: str) -> str:
        """Run the job to its end; what it says on stderr. The log holds statements that fail, so the exit code is 1."""
        with self.start("run", *more) as process:
            out, err = process.communicate(timeout=_SECONDS)
        assert process.returncode == 1, out + err
        return err

    def run_again(self) -> str:
        """Another run after the tables are complete: nothing fails any more, for nothing is analysed."""
        with self.start() as process:
            out, err = process.communicate(timeout=_SECONDS)
        assert process.returncode == 0, out + err
        return err

    def content(self) -> tuple[Any, Any]:
        return self.stored(), self.table_rows()

    def stored(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that the store says, sorted; runs, which hold times, are left out."""
        connection = sqlite3.connect(self.folder / "lineage.db")
        try:
            return {table: sorted(connection.execute(f"select * from {table}"), key=repr) for table in STORE_TABLES}
        finally:
            connection.close()

    def table_rows(self) -> dict[str, list[str]]:
        """All rows of the tables, each as text without the number of its commit, sorted."""
        from connector.pipeline.files import SCHEMAS
        from connector.pipeline.storage import Storage
        from connector.pipeline.tables import LineageTables

        tables = LineageTables(Storage(self.tables, self.place.options))
        rows: dict[str, list[str]] = {}
        for table in SCHEMAS:
            rows[table] = []
            for file in tables.files(table):
                with tables.opened(file) as opened:
                    rows[table].extend(map(repr, opened.read().drop_columns(["sequence"]).to_pylist()))
            rows[table].sort()
        return rows


def differences(found: tuple[Any, Any], expected: tuple[Any, Any]) -> dict[str, str]:
    """Where two contents differ, a few rows of each table: pytest would work for minutes on all of it."""
    told: dict[str, str] = {}
    for mine, theirs in zip(found, expected, strict=True):
        assert mine.keys() == theirs.keys()
        for table in mine:
            if mine[table] != theirs[table]:
                more = [row for row in mine[table] if row not in theirs[table]]
                fewer = [row for row in theirs[table] if row not in mine[table]]
                counts = f"{len(mine[table])} rows instead of {len(theirs[table])}"
                told[table] = f"{counts}; not expected: {str(more[:2])[:1500]}; missing: {str(fewer[:2])[:1500]}"
    return told
