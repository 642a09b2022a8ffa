"""The tables as other engines read them: the programs of docs/pipeline.md, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pipeline_samples import make_job, table_content

from connector.pipeline.run import run_job

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = Path(__file__).parents[2] / "docs" / "pipeline.md"
SQL = "insert into core.daily_revenue (day, revenue) select o.order_date, sum(o.amount) from raw.orders o group by 1;\n"


@pytest.fixture(scope="module")
def folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of two runs, the second of which has analysed everything again."""
    folder = tmp_path_factory.mktemp("engines")
    (folder / "sql").mkdir()
    (folder / "sql" / "load.sql").write_text(SQL, encoding="utf-8")
    job = make_job(folder)
    run_job(job, spark=spark)
    run_job(job, spark=spark, full=True)
    (folder / "lineage-tables").symlink_to(folder / "tables")
    return folder


def programs() -> dict[str, str]:
    """The programs of the page, by the engine that they use."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    engines = ("duckdb", "spark.read", "to_pandas")
    return {engine: block for engine in engines for block in blocks if engine in block}


@pytest.mark.parametrize("engine", ["to_pandas", "duckdb", "spark.read"])
def test_the_page_shows_how_to_read_the_tables(
    engine: str, spark: SparkSession, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    exec(programs()[engine], {"spark": spark})
    shown = capsys.readouterr().out
    assert "daily_revenue" in shown
    if engine == "duckdb":
        edges = len(table_content(folder)["column_edges"])
        assert f"{edges // 2} rows" in shown or shown.count("raw.orders") == edges // 2
