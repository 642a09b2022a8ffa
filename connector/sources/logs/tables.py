"""Logs as tables of rows, without Spark: CSV, JSON, Parquet, ORC, Delta and databases."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

from connector.common.failures import first_line
from connector.errors import ConfigurationError, SourceError
from connector.sources.logs.locating import FileFormat
from connector.sources.logs.times import TimeReader

if TYPE_CHECKING:
    from connector.sources.models import LogSource

Rows = Iterator[Sequence[Any] | None]
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table whose columns are known before its rows are read."""

    label: str
    columns: Sequence[str]
    rows: Callable[[Sequence[str]], Rows]
    """The rows, with the values of the given columns in that order."""
    loose: bool = False
    """Rows have no fixed columns: `columns` are those of the first rows, but any can be requested."""
    later: Callable[[str, datetime, TimeReader], RawTable] | None = None
    """The table without rows from before a time, if the underlying source can filter them by a column of times."""


def open_file(path: Path, format_: FileFormat, source: LogSource) -> RawTable:
    """A file of a log as a table."""
    opener = _OPENERS[format_]
    try:
        return opener(path, source)
    except (OSError, *_DAMAGED) as error:
        raise _unreadable(path, error) from error


_DAMAGED = (EOFError, zlib.error, lzma.LZMAError)
"""What the packed formats raise for a file that is cut off or damaged."""


def _unreadable(path: Path, error: BaseException) -> SourceError:
    if isinstance(error, _DAMAGED) or (isinstance(error, OSError) and error.strerror is None):
        return SourceError(f"{path}: the file is damaged: {str(error).rstrip('.') or type(error).__name__}")
    return SourceError(f"{path}: {getattr(error, 'strerror', None) or error}")


def _unpack(path: Path) -> IO[bytes]:
    openers: dict[str, Callable[[Path], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
    opener = openers.get(path.suffix.lower())
    return cast("IO[bytes]", opener(path)) if opener else path.open("rb")


@contextmanager
def _lines(path: Path, encoding: str) -> Iterator[IO[str]]:
    """The decompressed text of a file, without a byte order mark."""
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8"):
        encoding = "utf-8-sig"
    with _unpack(path) as packed, io.TextIOWrapper(packed, encoding=encoding, newline="") as text:
        yield text


def _guarded(path: Path, rows: Iterable[_Row]) -> Iterator[_Row]:
    """The rows, with read errors converted to ours."""
    try:
        yield from rows
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not valid {error.encoding}: {error.reason}; set encoding") from error
    except csv.Error as error:
        raise SourceError(f"{path}: not valid CSV: {error}") from error
    except (OSError, *_DAMAGED) as error:
        raise _unreadable(path, error) from error


# CSV ------------------------------------------------------------------------------------------------------------------


def csv_format(name: str, source: LogSource) -> dict[str, Any]:
    """The arguments for Python's CSV reader."""
    tabs = ".tsv" in name.lower() and "delimiter" not in source.model_fields_set
    return {
        "delimiter": "\t" if tabs else source.delimiter,
        "quotechar": source.quote,
        "doublequote": source.escape in (None, source.quote),
        "escapechar": None if source.escape == source.quote else source.escape,
        "strict": False,
    }


def csv_columns(path: Path, source: LogSource) -> list[str]:
    """The names in the first line, or those of the settings."""
    if source.header:
        return list(source.header)
    with _lines(path, source.encoding) as text:
        first = next(_guarded(path, csv.reader(text, **csv_format(path.name, source))), None)
    if first is None:
        raise SourceError(f"{path}: the file is empty")
    return [name.strip() for name in first]


@dataclass(frozen=True, slots=True)
class _CsvRows:
    """The rows of a CSV file. An object and no function of a function, so that it can be sent to other processes."""

    path: Path
    columns: Sequence[str]
    encoding: str
    format: Mapping[str, Any]
    has_header: bool

    def __call__(self, wanted: Sequence[str]) -> Rows:
        places = [self.columns.index(name) for name in wanted]
        # A statement may exceed the reader's default limit of 128 KiB per field.
        csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        with _lines(self.path, self.encoding) as text:
            reader = csv.reader(text, **self.format)
            if self.has_header:
                next(reader, None)
            for row in _guarded(self.path, reader):
                if row:
                    yield [row[place] if place < len(row) else None for place in places]


def _open_csv(path: Path, source: LogSource) -> RawTable:
    columns = csv_columns(path, source)
    rows = _CsvRows(path, columns, source.encoding, csv_format(path.name, source), not source.header)
    return RawTable(str(path), columns, rows)


# JSON -----------------------------------------------------------------------------------------------------------------


_ENVELOPE = 5
_LOOKED_AT = 100


def json_objects(text: str) -> Iterator[dict[str, Any] | None]:
    """The objects of a JSON document: a list, an object that contains a list, or one object per line; None for a malformed line."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):  # no document, or one that is nested beyond all reason
        yield from _per_line(text.splitlines())
        return
    if isinstance(document, dict):
        # The response of an API has few keys besides its list; a row of a log that happens to contain a list has many.
        lists = [
            value for value in document.values() if isinstance(value, list) and value and isinstance(value[0], dict)
        ]
        document = lists[0] if len(lists) == 1 and len(document) <= _ENVELOPE else [document]
    if isinstance(document, list):
        yield from (each if isinstance(each, dict) else None for each in document)


def object_columns(objects: Iterable[dict[str, Any] | None], log: str) -> list[str]:
    """The combined keys of the first objects: each of them may lack some."""
    first = list(islice(objects, _LOOKED_AT))
    columns = list(dict.fromkeys(key for value in first if value is not None for key in value))
    if not columns:
        raise SourceError(f"{log}: {'its rows are not valid JSON objects' if first else 'the log has no rows'}")
    return columns


def parse_object(line: str) -> dict[str, Any] | None:
    """The object in a line; None if it is malformed: the last line of a log may still be incomplete."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _per_line(lines: Iterable[str]) -> Iterator[dict[str, Any] | None]:
    return (parse_object(line) for line in lines if line.strip())


def row_of_object(value: dict[str, Any], wanted: Sequence[str]) -> list[Any]:
    """The values of some keys, given in lower case."""
    lowered = {key.lower(): inner for key, inner in value.items()}
    return [lowered.get(name) for name in wanted]


@dataclass(frozen=True, slots=True)
class _ObjectRows:
    """The rows of a file of JSON objects, which can be sent to other processes as well."""

    path: Path
    per_line: bool

    def objects(self) -> Iterator[dict[str, Any] | None]:
        return _guarded(self.path, self._objects())

    def _objects(self) -> Iterator[dict[str, Any] | None]:
        with _lines(self.path, "utf-8") as text:
            yield from _per_line(text) if self.per_line else json_objects(text.read())

    def __call__(self, wanted: Sequence[str]) -> Rows:
        return (None if value is None else row_of_object(value, wanted) for value in self.objects())


def _open_jsonl(path: Path, source: LogSource) -> RawTable:
    return _of_objects(_ObjectRows(path, per_line=True))


def _open_json(path: Path, source: LogSource) -> RawTable:
    return _of_objects(_ObjectRows(path, per_line=False))


def _of_objects(rows: _ObjectRows) -> RawTable:
    label = str(rows.path)
    return RawTable(label, object_columns(rows.objects(), label), rows, loose=True)


# Columns --------------------------------------------------------------------------------------------------------------


def _needs_arrow(path: Path) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ConfigurationError(f"{path}: this format needs pyarrow: pip install pyarrow") from None


def _open_parquet(path: Path, source: LogSource) -> RawTable:
    _needs_arrow(path)
    import pyarrow as pa
    from pyarrow import parquet

    try:
        columns = parquet.read_schema(path).names
    except pa.ArrowInvalid as error:
        raise SourceError(f"{path}: not a valid Parquet file: {first_line(error)}") from error

    def rows(wanted: Sequence[str]) -> Rows:
        try:
            with parquet.ParquetFile(path) as file:
                for batch in file.iter_batches(columns=list(wanted)):
                    yield from _rows_of_batch(batch, wanted)
        except (pa.ArrowException, OSError) as error:
            raise SourceError(f"{path}: the file is damaged: {first_line(error)}") from error

    return RawTable(str(path), columns, rows)


def _open_orc(path: Path, source: LogSource) -> RawTable:
    _needs_arrow(path)
    import pyarrow as pa
    from pyarrow import orc

    try:
        file = orc.ORCFile(path)
    except FileNotFoundError:
        raise
    except (pa.ArrowInvalid, OSError) as error:
        raise SourceError(f"{path}: not a valid ORC file: {first_line(error)}") from error

    def rows(wanted: Sequence[str]) -> Rows:
        try:
            for index in range(file.nstripes):
                yield from _rows_of_batch(file.read_stripe(index, columns=list(wanted)), wanted)
        except (pa.ArrowException, OSError) as error:
            raise SourceError(f"{path}: the file is damaged: {first_line(error)}") from error

    return RawTable(str(path), file.schema.names, rows)


def _open_delta(path: Path, source: LogSource) -> RawTable:
    try:
        from deltalake import DeltaTable
    except ImportError:
        raise ConfigurationError(
            f"{path}: reading a Delta table requires Spark or deltalake: pip install deltalake"
        ) from None
    dataset = DeltaTable(str(path)).to_pyarrow_dataset()

    def rows(wanted: Sequence[str]) -> Rows:
        for batch in dataset.to_batches(columns=list(wanted)):
            yield from _rows_of_batch(batch, wanted)

    return RawTable(str(path), dataset.schema.names, rows)


def _rows_of_batch(batch: Any, wanted: Sequence[str]) -> Rows:
    columns = batch.to_pydict()
    return zip(*(columns[name] for name in wanted), strict=True)


_OPENERS: dict[FileFormat, Callable[[Path, LogSource], RawTable]] = {
    "csv": _open_csv,
    "jsonl": _open_jsonl,
    "json": _open_json,
    "parquet": _open_parquet,
    "orc": _open_orc,
    "delta": _open_delta,
}
