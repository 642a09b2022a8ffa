"""Finds what would fail before a run: examines each source without analysing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Literal

from connector.addresses import safe_url
from connector.common.failures import first_line, raise_if_interrupted
from connector.errors import ConfigurationError, ConnectorError, UnavailableError
from connector.sources.addresses import is_address
from connector.sources.dbt import load_manifest, not_compiled_text
from connector.sources.files import list_files
from connector.sources.models import DatabaseSource, DbtSource, FilesSource, LogSource, Source
from connector.sources.record import Defaults

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Level = Literal["ok", "warning", "error", "unavailable"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    level: Level
    """`error` has to be fixed in the settings or the input; `unavailable` is a server that does not respond, and may later;
    `warning` is perhaps not what was meant."""
    message: str
    """What was found, or what is wrong and what to do."""

    @property
    def failed(self) -> bool:
        return self.level in ("error", "unavailable")

    @classmethod
    def of_error(cls, error: ConnectorError) -> Finding:
        return cls("unavailable" if isinstance(error, UnavailableError) else "error", str(error))


def check_source(
    source: Source, defaults: Defaults | None = None, *, spark: SparkSession | None = None
) -> list[Finding]:
    """Reports what exists and what would fail, as at least one finding. With `spark`, also checks what only Spark can read."""
    try:
        return list(_findings(source, defaults or Defaults(), spark))
    except ConnectorError as error:
        return [Finding.of_error(error)]


def _findings(source: Source, defaults: Defaults, spark: SparkSession | None) -> Iterator[Finding]:
    if isinstance(source, FilesSource):
        files = list_files(source)
        yield Finding("ok", f"{source.place}: {_count(len(files), 'SQL file')}")
    elif isinstance(source, DbtSource):
        yield from _dbt(source)
    elif isinstance(source, DatabaseSource):
        yield from _database(source, defaults)
    else:
        yield from _log(source, defaults, spark)


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _dbt(source: DbtSource) -> Iterator[Finding]:
    manifest = load_manifest(source)
    if not manifest.nodes:
        yield Finding("error", f"{manifest.file}: it contains no model, seed or snapshot")
        return
    yield Finding(
        "ok", f"{manifest.file}: {_count(len(manifest.nodes), 'node')}, {manifest.dialect or 'unknown adapter'}"
    )
    if manifest.dialect is None and source.dialect is None:
        yield Finding("warning", f"{manifest.file}: unknown adapter; using the job's dialect")
    if manifest.not_compiled:
        yield Finding("warning", not_compiled_text(manifest))


def _database(source: DatabaseSource, defaults: Defaults) -> Iterator[Finding]:
    from connector.sources.databases.reading import read_database
    from connector.sources.record import Tally

    tally = Tally()
    for _ in read_database(source, defaults, tally):
        pass
    yield Finding("ok", f"{source.place}: {_count(tally.read, 'definition')}")
    if tally.hidden:
        hidden = _count(tally.hidden, "definition")
        yield Finding(
            "warning",
            f"{source.place}: {hidden} skipped because this user cannot see them or they are not stored as SQL",
        )


def _log(source: LogSource, defaults: Defaults, spark: SparkSession | None) -> Iterator[Finding]:
    remote = any(is_address(path) and not path.startswith("file:") for path in (*source.paths, *source.texts))
    catalog = not source.paths and (source.url is None or source.url.startswith("jdbc:"))
    if remote or catalog:
        if spark is None:
            yield Finding("warning", f"{source.place}: not checked because only Spark can read this log")
            return
        yield from _with_spark(source, defaults, spark)
        return
    from connector.sources.logs.binding import bind_pieces
    from connector.sources.logs.layout import layout_of
    from connector.sources.logs.locating import local_files
    from connector.sources.logs.plain import bind_table, open_tables
    from connector.sources.logs.rows import LogReader, asked_columns
    from connector.sources.logs.tables import open_file

    layout = layout_of(source)
    for table in open_tables(source):
        binding = bind_table(table, layout, source)
        reader = LogReader.of(source, layout, binding, defaults)
        rows = list(islice(table.rows(binding.columns), 1000))
        if not rows:
            yield Finding("warning", f"{table.label}: the log has no rows")
            continue
        known = [name.rstrip("_") for name, getter in binding.fields.items() if getter]
        yield Finding("ok", f"{table.label}: columns for {', '.join(known) or 'pieces of text'}")
        whole = not (binding.in_pieces or source.texts)
        if whole and not any(not isinstance(found, str) for found in reader.statements(rows)):
            yield Finding(
                "warning",
                f"{table.label}: none of the first {len(rows)} rows is selected; check only, without and preset",
            )
        for name in sorted(asked_columns(source)):
            if all(row is None or binding.fields[name].get(row) is None for row in rows):
                where = f"none of the first {len(rows)} rows has a value for {name.rstrip('_')}"
                yield Finding("warning", f"{table.label}: {where} ({' or '.join(getattr(layout.columns, name))})")
        times = binding.fields["started_at"]
        written = [value for row in rows if row is not None and (value := times.get(row)) is not None]
        if written and all(reader.times.read(value) is None for value in written):
            yield Finding("error", f"{table.label}: cannot parse the times; set time_formats")
    for path, format_ in local_files(source, source.texts) if source.texts else ():
        table = open_file(path, format_, source)
        bind_pieces(layout, table.columns, log=table.label)
        yield Finding("ok", f"{table.label}: pieces of text")


def _with_spark(source: LogSource, defaults: Defaults, spark: SparkSession) -> Iterator[Finding]:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    from connector.sources.spark import counted, log_frame

    try:
        rows = counted(log_frame(spark, source, defaults)).limit(1).count()
    except (PySparkException, Py4JError) as error:
        raise_if_interrupted(error)
        reason = first_line(error)
        if source.url is not None:
            reason = reason.replace(source.url, safe_url(source.url))
        raise ConfigurationError(f"{source.place}: Spark cannot read it: {reason}") from None
    yield Finding("ok" if rows else "warning", f"{source.place}: {'read by Spark' if rows else 'the log has no rows'}")
