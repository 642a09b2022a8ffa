"""Query logs as read by Spark, before their rows are interpreted."""

from __future__ import annotations

from codecs import lookup
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from pyspark.sql import functions as sf
from pyspark.sql.types import StringType, StructField, StructType, TimestampNTZType, TimestampType

from connector.common.arrow_columns import values_of
from connector.sources.logs.binding import Binding, bind, bind_loose, bind_pieces, wanted_names
from connector.sources.logs.locating import FileFormat, SparkPath, spark_paths
from connector.sources.logs.rows import asked_columns
from connector.sources.logs.tables import (
    csv_columns,
    csv_format,
    json_objects,
    object_columns,
    parse_object,
    row_of_object,
)
from connector.sources.logs.times import TimeReader

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

    from connector.sources.logs.layout import LogLayout
    from connector.sources.models import LogSource

Rows = Iterator[Sequence[Any] | None]

_ENCODINGS = {
    "utf-8": "UTF-8",
    "ascii": "US-ASCII",
    "iso8859-1": "ISO-8859-1",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16LE",
    "utf-16-be": "UTF-16BE",
}
"""The encodings that Spark's CSV reader supports, by their Python names."""


def is_for_driver(source: LogSource) -> bool:
    """Whether Spark's readers do not support the log: an SQLAlchemy URL, an unusual file."""
    from connector.sources.logs.locating import is_for_workers

    if source.url is not None:
        return not source.url.startswith("jdbc:")
    if not source.paths or is_for_workers(source):
        return False
    unusual = lookup(source.encoding).name not in _ENCODINGS
    return any(path.lower().endswith(".xz") for path in source.paths) or (unusual and "csv" in spark_paths(source))


class Decoder(Protocol):
    """Extracts rows from a batch."""

    def __call__(self, batch: pyarrow.RecordBatch) -> Rows: ...


@dataclass(frozen=True)
class _Table:
    """A batch whose columns are the required ones."""

    def __call__(self, batch: pyarrow.RecordBatch) -> Rows:
        return zip(*(values_of(column) for column in batch.columns), strict=True)


@dataclass(frozen=True)
class _Objects:
    """A batch with one JSON object per row, or with a complete JSON document."""

    wanted: tuple[str, ...]
    documents: bool

    def __call__(self, batch: pyarrow.RecordBatch) -> Rows:
        for text in batch.column(0).to_pylist():
            if text and text.strip():
                for value in json_objects(text) if self.documents else (parse_object(text),):
                    yield None if value is None else row_of_object(value, self.wanted)


@dataclass(frozen=True)
class RawFrame:
    """What Spark has read, before it is interpreted. Its columns are named by position: c0, c1, …"""

    frame: DataFrame
    label: str
    columns: Sequence[str]
    json: FileFormat | None = None

    def bind(self, layout: LogLayout, source: LogSource) -> Binding:
        apart = bool(source.texts)
        if self.json is not None:
            return bind_loose(layout, self.columns, log=self.label, texts_apart=apart)
        return bind(layout, self.columns, log=self.label, asked=asked_columns(source), texts_apart=apart)

    def bind_pieces(self, layout: LogLayout) -> Binding:
        binding = bind_pieces(layout, self.columns, log=self.label)
        return binding if self.json is None else bind_pieces(layout, wanted_names(layout), log=self.label)

    def decoded(self, binding: Binding) -> tuple[DataFrame, Decoder]:
        if self.json is not None:
            return self.frame, _Objects(binding.columns, documents=self.json == "json")
        return self.frame.select(*(self._place(name) for name in binding.columns)), _Table()

    def later(self, binding: Binding, since: datetime, times: TimeReader) -> RawFrame:
        """Without rows from before a time, if Spark or the database can filter them: the column has a timestamp type."""
        if self.json is not None or binding.time_column is None:
            return self
        place = self._place(binding.time_column)
        time, kind = sf.col(place), self.frame.schema[place].dataType
        if isinstance(kind, TimestampType):
            bound = sf.lit(since)
        elif isinstance(kind, TimestampNTZType):
            bound = sf.lit(times.written(since, datetime.min).isoformat()).cast(kind)
        else:
            return self
        return replace(self, frame=self.frame.where(time.isNull() | (time >= bound)))

    def _place(self, name: str) -> str:
        """The column of the frame; the first one if several have the same name."""
        return f"c{list(self.columns).index(name)}"


def raw_frames(spark: SparkSession, source: LogSource, paths: tuple[str, ...] | None = None) -> Iterator[RawFrame]:
    if not source.paths and paths is None:
        yield _numbered(_catalog_or_jdbc(spark, source), source.place)
        return
    for format_, found in spark_paths(source, paths).items():
        if format_ == "csv":
            yield from _csv_frames(spark, source, found)
        elif format_ in ("jsonl", "json"):
            yield _json_frame(spark, format_, found)
        else:
            reader = spark.read.format(format_).options(**source.reader_options)
            names = [path.text for path in found]
            # A Delta table is one path, and other files are read together.
            for group in [[name] for name in names] if format_ == "delta" else [names]:
                yield _numbered(reader.load(group[0] if format_ == "delta" else group), ", ".join(group))


def _numbered(frame: DataFrame, label: str) -> RawFrame:
    columns = frame.columns
    return RawFrame(frame.toDF(*(f"c{index}" for index in range(len(columns)))), label, columns)


def _catalog_or_jdbc(spark: SparkSession, source: LogSource) -> DataFrame:
    if source.url is None:
        return spark.sql(source.query) if source.query else spark.read.table(source.table or "")
    from connector.sources.logs.databases import log_query  # it imports SQLAlchemy, and workers import this module

    options = {"url": source.url, "query": log_query(source), **source.reader_options}
    if "dbtable" in options or "partitionColumn" in options:
        # Spark can partition a table, but not a query.
        options.setdefault("dbtable", f"({options['query']}) lineage_log")
        del options["query"]
    if source.user is not None:
        options["user"] = source.user
    if source.password is not None:
        options["password"] = source.password.get_secret_value()
    return spark.read.format("jdbc").options(**options).load()


def _csv_frames(spark: SparkSession, source: LogSource, paths: list[SparkPath]) -> Iterator[RawFrame]:
    """Groups local files by their header lines: Spark uses the header of the first file for all of them."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for path in paths:
        columns = tuple(csv_columns(path.local, source)) if path.local else source.header
        groups.setdefault((csv_format(path.text, source)["delimiter"], columns), []).append(path.text)
    for (delimiter, columns), members in groups.items():
        reader = spark.read.options(
            sep=delimiter,
            quote=source.quote,
            escape=source.escape or source.quote,
            encoding=_ENCODINGS[lookup(source.encoding).name],
            header=not source.header,
            multiLine=True,
            # With an explicit line separator, Spark leaves line breaks inside statements as they are.
            lineSep="\n",
            enforceSchema=bool(columns),
            **source.reader_options,
        )
        if columns:
            schema = StructType([StructField(f"c{index}", StringType()) for index in range(len(columns))])
            raw = RawFrame(reader.schema(schema).csv(members), ", ".join(members), columns)
        else:
            raw = _numbered(reader.csv(members), ", ".join(members))
        last = f"c{len(raw.columns) - 1}"
        yield replace(raw, frame=raw.frame.withColumn(last, sf.regexp_replace(last, "\r$", "")))


def _json_frame(spark: SparkSession, format_: FileFormat, paths: list[SparkPath]) -> RawFrame:
    names = [path.text for path in paths]
    frame = spark.read.text(names, wholetext=format_ == "json")
    label = ", ".join(names)
    if format_ == "jsonl":
        objects = (parse_object(row[0]) for row in frame.limit(100).collect() if row[0].strip())
    else:
        objects = (value for row in frame.toLocalIterator() for value in json_objects(row[0]))
    return RawFrame(frame, label, object_columns(objects, label), format_)
