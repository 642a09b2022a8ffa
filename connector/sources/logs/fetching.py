"""Logs at addresses that Spark cannot read: their files are fetched one by one and read like local files.

Spark itself supports `hdfs://`. For S3 it needs half a gigabyte of jars and calls it `s3a://`; `s3://` does not involve Spark's
readers at all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from connector.errors import ConfigurationError, SourceError
from connector.sources.logs.plain import read_rows
from connector.sources.logs.rows import Passed
from connector.sources.models import LogSource
from connector.sources.record import Defaults, SourceStatement
from connector.sources.remote import RemoteFile, find_remote

_FETCHED = ("s3://",)


def is_for_workers(source: LogSource) -> bool:
    """Whether the files of a log have to be fetched."""
    return any(path.lower().startswith(_FETCHED) for path in (*source.paths, *source.texts))


def fetched_files(source: LogSource, since: datetime | None = None) -> list[RemoteFile]:
    """The files of a log to fetch. A log with a second export of texts cannot be divided by files.

    A file that was last written before `since` cannot contain rows that are later.
    """
    if source.texts or source.format == "delta":
        raise ConfigurationError(
            f"{source.place}: text files and Delta tables are read by Spark; use an s3a:// address and add the jar hadoop-aws to Spark"
        )
    found: list[RemoteFile] = []
    for path in source.paths:
        if not path.lower().startswith(_FETCHED):
            raise ConfigurationError(
                f"{source.place}: a log cannot combine s3:// addresses with others; configure two sources"
            )
        files, _ = find_remote(path, source.options)
        seen = [file for file in files if not any(part.startswith(("_", ".")) for part in file.name.split("/"))]
        if not seen:
            raise SourceError(f"{path}: there is no such file, or the folder is empty")
        found.extend(seen)
    if since is not None:
        found = [file for file in found if file.modified is None or file.modified >= since]
    return found


def read_fetched(
    source: LogSource, files: Sequence[RemoteFile], defaults: Defaults, since: datetime | None = None
) -> Iterator[SourceStatement | Passed]:
    """The rows of some of its files."""
    with tempfile.TemporaryDirectory(prefix="lineage-connector-log-") as folder:
        for file in files:
            copy = Path(folder) / file.name.rpartition("/")[2]
            copy.write_bytes(file.read_bytes())
            local = source.model_copy(update={"paths": (str(copy),), "name": source.name or source.place})
            yield from read_rows(local, defaults, since)
            copy.unlink()
