"""One Spark for all tests of the pipeline."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).parent
LONG = bool(os.environ.get("LINEAGE_LONG"))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    from connector.pipeline.spark.session import spark_session
    from connector.settings.models import SparkSettings

    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE / "poison"), *([before] if before else [])])
    try:
        with spark_session(SparkSettings(master="local[2]"), "tests") as session:
            yield session
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)
