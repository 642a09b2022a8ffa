"""Where the files of a log are, and in which format.

Files at addresses that Spark cannot read are fetched one by one and read like local files. Spark itself supports `hdfs://`. For
S3 it needs half a gigabyte of jars and calls it `s3a://`; `s3://` does not involve Spark's readers at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from connector.errors import ConfigurationError, SourceError
from connector.sources.addresses import RemoteFile, expand, find_remote, is_address

if TYPE_CHECKING:
    from connector.sources.models import LogFormat, LogSource

FileFormat: TypeAlias = Literal["csv", "jsonl", "json", "parquet", "orc", "delta"]

_MAGIC = re.compile(r"[\[\]{}*?\\]")
_PACKED = (".gz", ".bz2", ".xz")
_FORMATS: dict[str, FileFormat] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".orc": "orc",
}


@dataclass(frozen=True, slots=True)
class SparkPath:
    """A file or folder as a Spark path."""

    text: str
    local: Path | None = None
    """The same, if it is on this machine."""


def local_files(source: LogSource, paths: tuple[str, ...] | None = None) -> list[tuple[Path, FileFormat]]:
    """The files of a log on this machine with their formats, sorted; a Delta table is one of them."""
    found: list[tuple[Path, FileFormat]] = []
    for text in source.paths if paths is None else paths:
        if is_address(text) and not text.startswith("file:"):
            raise ConfigurationError(f"{text}: only Spark can read files that are not on this machine")
        path = Path(text.removeprefix("file://"))
        files = [file for match in expand(path) for file in _inside(match)]
        if not files:
            raise SourceError(f"{text}: no such file" if not path.is_dir() else f"{text}: the folder is empty")
        found.extend((file, _format(file, source.format)) for file in files)
    return found


def _inside(path: Path) -> list[Path]:
    if not path.exists():
        return []
    if not path.is_dir() or (path / "_delta_log").is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*")
        if file.is_file() and not any(part.startswith(("_", ".")) for part in file.relative_to(path).parts)
    )


def _format(path: Path, given: LogFormat) -> FileFormat:
    if given != "auto":
        return given
    if path.is_dir():
        return "delta"
    return format_of(path.name)


def format_of(name: str) -> FileFormat:
    """The format that a file name implies."""
    lower = name.lower()
    for packed in _PACKED:
        lower = lower.removesuffix(packed)
    for suffix, format_ in _FORMATS.items():
        if lower.endswith(suffix):
            return format_
    known = ", ".join(_FORMATS)
    raise ConfigurationError(f"{name}: cannot infer the format from the file name ({known}); set format")


def spark_paths(source: LogSource, paths: tuple[str, ...] | None = None) -> dict[FileFormat, list[SparkPath]]:
    """The same for Spark: paths by format. Local paths are resolved here, all others are left to Spark."""
    by_format: dict[FileFormat, list[SparkPath]] = {}
    for text in source.paths if paths is None else paths:
        if is_address(text) and not text.startswith("file:"):
            format_ = source.format if source.format != "auto" else format_of(text.rstrip("/"))
            by_format.setdefault(format_, []).append(SparkPath(text))
            continue
        for path, found in local_files(source, (text,)):
            # Spark interprets a path as a glob.
            shown = _MAGIC.sub(r"\\\g<0>", path.absolute().as_posix())
            by_format.setdefault(found, []).append(SparkPath(f"file://{shown}", path))
    return by_format


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
