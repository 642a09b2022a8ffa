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
        rows = table.rows(binding.columns)
        if texts is not None:
            yield from _with_texts(reader, rows, texts)
        elif binding.in_pieces:
            together = sorted(rows, key=lambda row: sort_key(row, binding))
            yield from reader.from_pieces(joined(together, binding, size))
        else:
            yield from reader.statements(rows)


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
