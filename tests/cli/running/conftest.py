"""A Spark session that the tests of one process share: a run uses the session that is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from connector.cli import app
from connector.pipeline.spark.session import spark_session
from connector.settings import SparkSettings

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    settings = SparkSettings(master="local[2]", partitions=2)
    with spark_session(settings, "tests of running") as session:
        yield session


class Project:
    """A folder with settings and scripts, and the command in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.script("load.sql", "create table core.o as select a, b from raw.t where c > 1;\n")

    def script(self, name: str, text: str) -> None:
        file = self.folder / "sql" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def settings(self, more: str = "", *, whole: str | None = None) -> None:
        text = f"dialect: snowflake\ncluster: demo\nsources:\n  - files: sql/\nspark: {{partitions: 2}}\n{more}"
        (self.folder / "lineage.yaml").write_text(text if whole is None else whole)

    def call(self, name: str, *arguments: str) -> Result:
        return CliRunner().invoke(app, [name, "-c", str(self.folder / "lineage.yaml"), *arguments])

    def __truediv__(self, name: str) -> Path:
        return self.folder / name


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("OPENLINEAGE_URL", "OPENLINEAGE_API_KEY", "OPENLINEAGE_NAMESPACE"):
        monkeypatch.delenv(name, raising=False)
    made = Project(tmp_path)
    made.settings()
    return made
