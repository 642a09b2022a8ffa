"""Where the files of a log are, and in which format."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from connector.errors import ConfigurationError, SourceError
from connector.sources.addresses import expand, is_address

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
