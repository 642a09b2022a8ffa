"""The tables in a second format, for those who read Delta.

The pipeline keeps its own books in Parquet files and commits, which every Spark reads. What is finished is appended to tables
of the other format, one finished run at a time. A Delta table remembers the last number that an application has written and
passes over one that comes again, so that a run that is killed in between adds nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from connector.errors import ConfigurationError
from connector.pipeline.tables import TABLES, Commit, TableFolder, final_groups

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["mirror_tables"]

_APPLICATION = "lineage-connector"


def mirror_tables(spark: SparkSession, tables: TableFolder, format: str) -> int:
    """Append what the tables of this format do not have yet; how many finished runs that were."""
    receiver = f"{format} tables"
    known = tables.delivered(receiver)
    done = 0
    for group in final_groups(tables.commits()):
        if group[-1].name not in known:
            for table in TABLES:
                _append(spark, tables, table, group, tables.folder / format / table, format)
            tables.mark_delivered(receiver, group)
            done += 1
    return done


def _append(
    spark: SparkSession, tables: TableFolder, table: str, group: Sequence[Commit], target: Path, format: str
) -> None:
    folders = tables.folders(table, group)
    if not folders:
        return
    rows = spark.read.parquet(*(folder.as_uri() for folder in folders))
    writer = rows.write.format(format).mode("append")
    writer = writer.option("txnAppId", _APPLICATION).option("txnVersion", group[-1].sequence)
    try:
        writer.option("mergeSchema", "true").save(target.as_uri())
    except (PySparkException, Py4JError) as error:
        if "DATA_SOURCE_NOT_FOUND" in str(error) or "ClassNotFoundException" in str(error):
            raise ConfigurationError(
                f"Spark does not know the format {format}. Delta needs its package: pip install delta-spark, of the release "
                "for this Spark, and spark.conf with its extension; or leave store.format at parquet."
            ) from error
        raise
