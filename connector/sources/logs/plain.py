"""Query logs without Spark."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from connector.errors import ConfigurationError
from connector.sources.addresses import RemoteFile
from connector.sources.logs.binding import Binding, bind, bind_loose, bind_pieces, wanted_names
from connector.sources.logs.layout import LogLayout, layout_of
from connector.sources.logs.locating import FileFormat, local_files
from connector.sources.logs.rows import (
    PIECE,
    BoundTable,
    LogReader,
    Passed,
    Row,
    asked_columns,
    canonical,
    joined,
    sort_key,
)
from connector.sources.logs.tables import RawTable, open_file
from connector.sources.models import LogSource
from connector.sources.record import Defaults, SourceStatement, Tally

_OF_TEXT = frozenset({"csv", "jsonl", "json"})
"""Formats whose tables can be sent to other processes."""


def read_log(
    source: LogSource, defaults: Defaults, since: datetime | None = None, tally: Tally | None = None
) -> Iterator[SourceStatement]:
    """The statements of a log. Skipped rows are counted."""
    tally = tally if tally is not None else Tally()
    for found in read_rows(source, defaults, since):
        if isinstance(found, str):
            setattr(tally, found, getattr(tally, found) + 1)
            continue
        tally.read += 1
        tally.truncated += found.truncated
        yield found


def read_rows(
    source: LogSource, defaults: Defaults, since: datetime | None = None
) -> Iterator[SourceStatement | Passed]:
    """For each row, or group of pieces, the statement or the reason why there is none."""
    layout = layout_of(source)
    size = layout.pieces.size if layout.pieces else None
    texts = _texts(source, layout, size) if source.texts else None
    for table in open_tables(source):
        binding = bind_table(table, layout, source)
        reader = LogReader.of(source, layout, binding, defaults, since)
        if since is not None and table.later is not None and binding.time_column is not None and texts is None:
            table = table.later(binding.time_column, since, reader.times)
        if texts is not None:
            yield from _with_texts(reader, table.rows(binding.columns), texts)
        else:
            yield from BoundTable(reader, table.rows, size)


def bound_files(source: LogSource, defaults: Defaults) -> tuple[BoundTable, ...] | None:
    """The files of a log for a process that sees them but need not load the settings; None for a log that consists of more
    than text files, or needs Spark's own readers."""
    if source.texts or source.reader_options or not source.paths:
        return None
    files = local_files(source)
    if any(format_ not in _OF_TEXT for _, format_ in files):
        return None
    layout = layout_of(source)
    size = layout.pieces.size if layout.pieces else None
    tables = [open_file(path.absolute(), format_, source) for path, format_ in files]
    readers = [LogReader.of(source, layout, bind_table(table, layout, source), defaults) for table in tables]
    if any(reader.binding.in_pieces for reader in readers):
        return None  # the pieces of a text may be in several files
    return tuple(BoundTable(reader, table.rows, size) for reader, table in zip(readers, tables, strict=True))


def open_tables(source: LogSource) -> Iterator[RawTable]:
    """The tables of a log: its files, or the result of a database query."""
    if source.paths:
        for path, format_ in local_files(source):
            yield open_file(path, format_, source)
    elif source.url is not None:
        # SQLAlchemy is slow to import, and only databases need it.
        from connector.sources.logs.databases import open_query

        yield open_query(source)
    else:
        raise ConfigurationError(
            f"{source.place}: a table or query without a url is read from Spark's catalog, which requires Spark"
        )


def bind_table(table: RawTable, layout: LogLayout, source: LogSource) -> Binding:
    """Where the values are in the rows of a table. Rows with varying columns may lack any column except the statement."""
    apart = bool(source.texts)
    if table.loose:
        return bind_loose(layout, table.columns, log=table.label, texts_apart=apart)
    return bind(layout, table.columns, log=table.label, asked=asked_columns(source), texts_apart=apart)


def _texts(source: LogSource, layout: LogLayout, size: int | None) -> dict[str, tuple[str, bool]]:
    """The texts of a second export, by key."""
    pieces = [
        piece for path, format_ in local_files(source, source.texts) for piece in _pieces(path, format_, source, layout)
    ]
    pieces.sort(key=lambda row: sort_key(row, PIECE))
    return {each.key: (each.text, each.broken) for each in joined(pieces, PIECE, size) if each.text is not None}


def _pieces(path: Path, format_: FileFormat, source: LogSource, layout: LogLayout) -> Iterator[Sequence[Any]]:
    table = open_file(path, format_, source)
    binding = bind_pieces(layout, table.columns, log=table.label)
    if table.loose:
        binding = bind_pieces(layout, wanted_names(layout), log=table.label)
    return (canonical(row, binding) for row in table.rows(binding.columns) if row is not None)


def _with_texts(
    reader: LogReader, rows: Iterable[Row], texts: dict[str, tuple[str, bool]]
) -> Iterator[SourceStatement | Passed]:
    for row in rows:
        text, broken = texts.get(sort_key(row, reader.binding), (None, False))
        yield reader.read(row, reader.own_text(row) if text is None else text, broken=broken)


def read_fetched(
    source: LogSource, files: Sequence[RemoteFile], defaults: Defaults, since: datetime | None = None
) -> Iterator[SourceStatement | Passed]:
    """The rows of some files of a log that have to be fetched."""
    with tempfile.TemporaryDirectory(prefix="lineage-connector-log-") as folder:
        for file in files:
            copy = Path(folder) / file.name.rpartition("/")[2]
            copy.write_bytes(file.read_bytes())
            local = source.model_copy(update={"paths": (str(copy),), "name": source.label})
            yield from read_rows(local, defaults, since)
            copy.unlink()
