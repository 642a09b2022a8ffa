"""The statements of any source, with Spark and without."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from connector.sources.dbt import dbt_columns, read_dbt
from connector.sources.files import read_files
from connector.sources.models import DatabaseSource, DbtSource, FilesSource, Source
from connector.sources.record import Defaults, SourceStatement, TableColumns, Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Observation, SparkSession

_DEFAULTS = Defaults()


def table_columns(source: Source, defaults: Defaults = _DEFAULTS) -> tuple[TableColumns, ...]:
    """The tables and views whose columns a source knows: a database's own, and those of a dbt project's catalog.

    ``metadata_of(tables)`` turns them into a provider for the analyser.
    """
    if isinstance(source, DatabaseSource) and source.columns:
        from connector.sources.databases.reading import database_columns

        return tuple(database_columns(source, defaults))
    return dbt_columns(source) if isinstance(source, DbtSource) else ()


def read_plain(
    source: Source, defaults: Defaults = _DEFAULTS, *, since: datetime | None = None, tally: Tally | None = None
) -> Iterator[SourceStatement]:
    """The statements of a source in this process.

    `defaults` are the job's (`Job.defaults`). With `since`, rows of a log that started earlier are skipped; rows without a time
    are not. `tally` counts what was read and what was skipped.
    """
    if isinstance(source, FilesSource):
        return _counted(read_files(source, defaults), tally)
    if isinstance(source, DbtSource):
        return read_dbt(source, defaults, tally)
    if isinstance(source, DatabaseSource):
        # SQLAlchemy is slow to import, and only databases need it.
        from connector.sources.databases.reading import read_database

        return read_database(source, defaults, tally)
    from connector.sources.logs.plain import read_log

    return read_log(source, defaults, since, tally)


def _counted(statements: Iterator[SourceStatement], tally: Tally | None) -> Iterator[SourceStatement]:
    for statement in statements:
        if tally is not None:
            tally.read += 1
        yield statement


def read_spark(
    spark: SparkSession,
    source: Source,
    defaults: Defaults = _DEFAULTS,
    *,
    since: datetime | None = None,
    observation: Observation | None = None,
) -> DataFrame:
    """The same statements as a DataFrame of `spark_schema()`.

    Logs are read by Spark itself; files, dbt projects and the definitions of databases are small and are read by the
    driver. After an action on the result, `Tally.of(observation.get)` returns the counts.
    """
    from connector.sources.spark import counted, log_frame, plain_frame

    if isinstance(source, (FilesSource, DbtSource, DatabaseSource)):
        frame = plain_frame(spark, read_plain(source, defaults))
    else:
        frame = log_frame(spark, source, defaults, since)
    return counted(frame, observation)
