"""One Spark for all tests of the pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """Of the module: the tests of other folders want other sessions, and one process has one at a time."""
    from connector.pipeline.spark.session import spark_session
    from connector.settings.models import SparkSettings

    conf = {
        "spark.executorEnv.PYTHONPATH": str(HERE / "poison"),
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    with spark_session(SparkSettings(master="local[2]", conf=conf), "tests") as session:
        yield session
