"""A scheduled run against a real Atlas: scripts and a log through Spark into the catalog, night after night."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import atlas_server
import pytest
from atlas_reading import atlas_edges

from connector.catalogs.atlas import AtlasSettings
from connector.catalogs.atlas.client import AtlasClient
from connector.pipeline.run import run_job
from connector.pipeline.run_report import CatalogOutcome
from connector.settings.models import Job

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    from connector.pipeline.spark.session import spark_session
    from connector.settings.models import SparkSettings

    with spark_session(SparkSettings(master="local[1]"), "a run into Atlas") as session:
        yield session


@pytest.fixture
def job(settings: AtlasSettings, cluster: str, tmp_path: Path) -> Job:
    (tmp_path / "sql").mkdir()
    atlas = {"type": "atlas", "url": settings.url, "user": atlas_server.USER, "state": str(settings.state)}
    return Job.model_validate(
        {
            "name": f"nightly-{cluster}",
            "dialect": "snowflake",
            "cluster": cluster,
            "sources": [
                {"type": "files", "name": "scripts", "paths": [str(tmp_path / "sql")]},
                {"type": "log", "name": "log", "paths": [str(tmp_path / "*.jsonl")], "columns": {"text": "q"}},
            ],
            "options": {"query_identity": "text"},  # so that a script and a log say one and the same statement
            "store": {"url": str(tmp_path / "lineage.db")},
            "catalogs": [{**atlas, "prune": True}],
        }
    )


def test_the_catalog_has_what_the_sources_have(
    job: Job, client: AtlasClient, spark: SparkSession, cluster: str, tmp_path: Path
) -> None:
    def run() -> CatalogOutcome:
        (outcome,) = run_job(job, spark=spark).catalogs
        assert outcome.error is None
        return outcome

    def columns_into(table: str) -> set[str]:
        """The columns of `s` that feed a table's only column."""
        edges = atlas_edges(client, [("sql_column", f"default.default.{table}.x@{cluster}")], "INPUT")
        return {source.split(".")[3].split("@")[0] for source, _, _ in edges}

    scripts = {table: tmp_path / "sql" / f"{table}.sql" for table in ("changed", "removed", "logged")}
    for table, file in scripts.items():
        file.write_text(f"insert into {table} (x) select a from s", encoding="utf-8")
    logged = ["insert into logged (x) select a from s", "insert into only_logged (x) select a from s"]
    (tmp_path / "day1.jsonl").write_text("".join(json.dumps({"q": text}) + "\n" for text in logged), encoding="utf-8")
    first = run()
    assert first.statements == 4
    tables = ("changed", "removed", "logged", "only_logged")
    assert [columns_into(table) for table in tables] == [{"a"}] * 4

    assert run().summary is None, "nothing new, nothing sent"

    scripts["changed"].write_text("insert into changed (x) select b from s", encoding="utf-8")
    scripts["removed"].unlink()
    scripts["logged"].unlink()
    second = run()
    assert second.summary is not None
    assert second.summary.counts["sql_process"].removed == 2
    # What a log has seen stays, whether a script still says it or not.
    assert [columns_into(table) for table in tables] == [{"b"}, set(), {"a"}, {"a"}]

    scripts["removed"].write_text("insert into removed (x) select a from s", encoding="utf-8")
    run()
    assert columns_into("removed") == {"a"}, "known from before, and back again"
