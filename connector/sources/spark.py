"""Query logs with Spark's readers.

Spark finds, splits and transports the rows. They are interpreted by the same functions as without Spark, in Arrow batches, so that
both ways produce the same statements. Further processing of the statements takes place in the same worker, before they are
transferred: see `Into`.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from pyspark.sql import functions as sf
from pyspark.sql.types import StringType, StructField, StructType

from connector.common.arrow_columns import record_batch, values_of
from connector.sources.addresses import RemoteFile
from connector.sources.logs.binding import Binding
from connector.sources.logs.frames import Decoder, Rows, is_for_driver, raw_frames
from connector.sources.logs.rows import PIECE, LogReader, Passed, canonical, joined, sort_key
from connector.sources.record import FIELDS, Defaults, SourceStatement, arrow_schema, spark_schema

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, Observation, SparkSession

    from connector.sources.logs.layout import LogLayout
    from connector.sources.models import LogSource

Found = SourceStatement | Passed
"""A statement, or the reason why a row has none."""

_ROWS, _CHARACTERS = 2000, 8_000_000
_PASSED = "passed"
"""The column with the reason why a row is skipped, until it is counted."""
_REASONS = ("failed", "hidden", "empty", "old", "unreadable")


class Into(Protocol):
    """Processes the statements that a task reads. It is sent to the workers."""

    @property
    def schema(self) -> StructType:
        """The columns of its result."""

    def __call__(self, found: Iterable[Found]) -> Iterator[pyarrow.RecordBatch]:
        """Batches of rows."""


def plain_frame(
    spark: SparkSession, found: Iterable[Found], into: Into | None = None, partitions: int | None = None
) -> DataFrame:
    """Turns what the driver has read into a DataFrame, of no more partitions than wanted: Spark makes one for each core."""
    import pyarrow as pa

    table = pa.Table.from_batches(_batches(found), schema=_arrow())
    frame = spark.createDataFrame(table, schema=_spark())
    if partitions is not None:
        frame = frame.coalesce(partitions)
    return frame if into is None else frame.mapInArrow(_Again(into), into.schema)


def text_frame(spark: SparkSession, name: str, texts: Sequence[str]) -> DataFrame:
    """A DataFrame with one column of texts. From a list of tuples, Spark would make it with Python workers of their own."""
    import pyarrow as pa

    batch = record_batch([texts], pa.schema([(name, pa.string())]))
    return spark.createDataFrame(pa.Table.from_batches([batch]))


def log_frame(
    spark: SparkSession,
    source: LogSource,
    defaults: Defaults,
    since: datetime | None = None,
    into: Into | None = None,
) -> DataFrame:
    """The statements of a log, and the skipped rows, which `counted` removes."""
    from connector.sources.logs.layout import layout_of
    from connector.sources.logs.locating import is_for_workers
    from connector.sources.logs.plain import read_rows

    if is_for_driver(source):
        return plain_frame(spark, read_rows(source, defaults, since), into)
    into = _AsRows() if into is None else into
    if is_for_workers(source):
        return _fetched_frame(spark, source, defaults, since, into)
    layout = layout_of(source)
    size = layout.pieces.size if layout.pieces else None
    texts = _texts(spark, source, layout, size) if source.texts else None
    frames: list[DataFrame] = []
    for raw in raw_frames(spark, source):
        binding = raw.bind(layout, source)
        reader = LogReader.of(source, layout, binding, defaults, since)
        if since is not None and texts is None:
            raw = raw.later(binding, since, reader.times)
        frame, decoder = raw.decoded(binding)
        if texts is not None:
            frame = frame.mapInArrow(_Keyed(decoder, binding), _KEYED).join(texts, "key", "left")
            frames.append(frame.mapInArrow(_WithTexts(reader, into), into.schema))
        elif binding.in_pieces:
            frame = frame.mapInArrow(_Keyed(decoder, binding), _KEYED)
            frame = frame.repartition("key").sortWithinPartitions("key")
            frames.append(frame.mapInArrow(_InPieces(reader, size, into), into.schema))
        else:
            frames.append(frame.mapInArrow(_Statements(reader, decoder, into), into.schema))
    return _union(frames)


def _fetched_frame(
    spark: SparkSession, source: LogSource, defaults: Defaults, since: datetime | None, into: Into
) -> DataFrame:
    """Files that the workers fetch themselves, each in a task of its own."""
    from connector.sources.logs.locating import fetched_files

    files = fetched_files(source, since)
    names = text_frame(spark, "place", [str(at) for at in range(len(files))])
    spread = names.repartitionByRange(max(len(files), 1), "place")
    return spread.mapInArrow(_Fetched(source, tuple(files), defaults, since, into), into.schema)


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    frame = frames[0]
    for further in frames[1:]:
        frame = frame.unionByName(further)
    return frame


# What is done with them -----------------------------------------------------------------------------------------------

_KEYED = "key string, payload binary"
_TEXTS = "key string, text string, broken boolean"


@dataclass(frozen=True)
class _AsRows:
    """Statements as they are."""

    @property
    def schema(self) -> StructType:
        return _spark()

    def __call__(self, found: Iterable[Found]) -> Iterator[pyarrow.RecordBatch]:
        return _batches(found)


@dataclass(frozen=True)
class _Again:
    """Processes statements that were transferred as rows."""

    into: Into

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return self.into(
            SourceStatement(*values) if passed is None else passed
            for batch in batches
            for *values, passed in zip(*(values_of(column) for column in batch.columns), strict=True)
        )


@dataclass(frozen=True)
class _Fetched:
    """The statements of remote files. A worker copies one file at a time and reads the copy."""

    source: LogSource
    files: tuple[RemoteFile, ...]
    defaults: Defaults
    since: datetime | None
    into: Into

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        from connector.sources.logs.plain import read_fetched

        return self.into(
            found
            for batch in batches
            for place in values_of(batch.column(0))
            for found in read_fetched(self.source, [self.files[int(place)]], self.defaults, self.since)
        )


@dataclass(frozen=True)
class _Statements:
    """Rows to statements."""

    reader: LogReader
    decoder: Decoder
    into: Into

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return self.into(found for batch in batches for found in self.reader.statements(self.decoder(batch)))


@dataclass(frozen=True)
class _Keyed:
    """Rows with the key of their text, so that Spark can group them."""

    decoder: Decoder
    binding: Binding
    pieces_only: bool = False

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        schema = pa.schema([("key", pa.string()), ("payload", pa.binary())])
        for batch in batches:
            keys, payloads = [], []
            for row in self.decoder(batch):
                keys.append("" if row is None else sort_key(row, self.binding))
                kept = canonical(row, self.binding) if self.pieces_only and row is not None else row
                payloads.append(pickle.dumps(kept))
            yield pa.RecordBatch.from_pydict({"key": keys, "payload": payloads}, schema=schema)


@dataclass(frozen=True)
class _InPieces:
    """Rows sorted by key to statements."""

    reader: LogReader
    size: int | None
    into: Into

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return self.into(self.reader.from_pieces(joined(_unpacked(batches), self.reader.binding, self.size)))


@dataclass(frozen=True)
class _WithTexts:
    """Rows with a text from elsewhere to statements."""

    reader: LogReader
    into: Into

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return self.into(self._found(batches))

    def _found(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[Found]:
        for batch in batches:
            columns = batch.to_pydict()
            rows = (pickle.loads(payload) for payload in columns["payload"])
            for row, text, broken in zip(rows, columns["text"], columns["broken"], strict=True):
                yield self.reader.read(row, self.reader.own_text(row) if text is None else text, broken=bool(broken))


@dataclass(frozen=True)
class _PieceTexts:
    """The sorted pieces of a second export to whole texts."""

    size: int | None

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        schema = pa.schema([("key", pa.string()), ("text", pa.string()), ("broken", pa.bool_())])
        for each in joined(_unpacked(batches), PIECE, self.size):
            if each.text is not None:
                columns = {"key": [each.key], "text": [each.text], "broken": [each.broken]}
                yield pa.RecordBatch.from_pydict(columns, schema=schema)


def _unpacked(batches: Iterable[pyarrow.RecordBatch]) -> Rows:
    for batch in batches:
        for payload in batch.column("payload").to_pylist():
            yield pickle.loads(payload)


def _texts(spark: SparkSession, source: LogSource, layout: LogLayout, size: int | None) -> DataFrame:
    frames = []
    for raw in raw_frames(spark, source, source.texts):
        binding = raw.bind_pieces(layout)
        frame, decoder = raw.decoded(binding)
        frames.append(frame.mapInArrow(_Keyed(decoder, binding, pieces_only=True), _KEYED))
    together = _union(frames).repartition("key").sortWithinPartitions("key")
    return together.mapInArrow(_PieceTexts(size), _TEXTS)


# Statements as rows ---------------------------------------------------------------------------------------------------


def _arrow() -> pyarrow.Schema:
    import pyarrow as pa

    return arrow_schema().append(pa.field(_PASSED, pa.string()))


def _spark() -> StructType:
    return StructType([*spark_schema().fields, StructField(_PASSED, StringType())])


def _batches(found: Iterable[Found]) -> Iterator[pyarrow.RecordBatch]:
    """Statements, and the reasons why there is none, as batches of rows."""
    return (_batch(piece) for piece in in_pieces(found))


def in_pieces(found: Iterable[Found]) -> Iterator[list[Found]]:
    """Pieces that a worker may hold: few enough rows, and not too much text."""
    rows: list[Found] = []
    characters = 0
    for each in found:
        rows.append(each)
        characters += 0 if isinstance(each, str) else len(each.text)
        if len(rows) >= _ROWS or characters >= _CHARACTERS:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows


_NOTHING = SourceStatement("", "")


def _batch(found: list[Found]) -> pyarrow.RecordBatch:
    import pyarrow as pa

    statements = [_NOTHING if isinstance(each, str) else each for each in found]
    columns: dict[str, list[Any]] = {name: [getattr(each, name) for each in statements] for name in FIELDS}
    columns[_PASSED] = [each if isinstance(each, str) else None for each in found]
    return pa.RecordBatch.from_pydict(columns, schema=_arrow())


def counted(frame: DataFrame, observation: Observation | None = None) -> DataFrame:
    """Only the statements; skipped rows are counted along the way."""
    passed = sf.col(_PASSED)
    if observation is not None:
        frame = frame.observe(
            observation,
            sf.count(sf.when(passed.isNull(), 1)).alias("read"),
            sf.count(sf.when(passed.isNull() & sf.col("truncated"), 1)).alias("truncated"),
            *(sf.count(sf.when(passed == reason, 1)).alias(reason) for reason in _REASONS),
        )
    return frame.where(passed.isNull()).drop(_PASSED)
