"""Small logs of every vendor, one Spark session, and real database servers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from mariadb_server import running_mariadb

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A small local session; in the long tests its catalog is Hive's, which takes a while to start."""
    from connector.pipeline.spark.session import close_spark, open_spark
    from connector.settings import SparkSettings

    folder = tmp_path_factory.mktemp("spark")
    conf = {
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "hive" if os.environ.get("LINEAGE_LONG") == "1" else "in-memory",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder / 'metastore'};create=true",
        "spark.driver.extraJavaOptions": f"-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dderby.system.home={folder}",
    }
    session = open_spark(SparkSettings(master="local[2]", conf=conf), "tests of the sources")
    yield session
    close_spark(session)


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[str]:
    """The URL of a MariaDB, without a database."""
    with running_mariadb() as url:
        yield url
