"""Files on object stores and on HDFS, read without Spark and without Java.

The storage layer of `deltalake` serves them, as it serves the tables of the pipeline: the same addresses and the same options,
such as `AWS_ENDPOINT_URL`. Anything else is taken from the environment or from the role of the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from connector.addresses import safe_url
from connector.common.extras import missing_package
from connector.errors import ConfigurationError, SourceError, UnavailableError

if TYPE_CHECKING:
    import pyarrow.fs

_SCHEMES = frozenset({"s3", "s3a", "hdfs", "viewfs", "gs", "abfs", "abfss", "az", "adl"})
_MAGIC = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class RemoteFile:
    """One file at an address."""

    folder: str
    """The address of a folder above it."""
    name: str
    """Its path below that folder, with forward slashes."""
    size: int = 0
    modified: datetime | None = None
    """When it was last written, by the clock of the storage."""
    options: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{safe_url(self.folder)}/{self.name}"

    def read_bytes(self) -> bytes:
        with _failures(str(self)), _files(self.folder, self.options).open_input_stream(self.name) as stream:
            content: bytes = stream.read()
        return content


def is_remote(text: str) -> bool:
    """Whether it is an address of a supported storage."""
    scheme, mark, _ = text.partition("://")
    return bool(mark) and scheme.lower() in _SCHEMES


def find_remote(address: str, options: Mapping[str, str]) -> tuple[list[RemoteFile], bool]:
    """The files that an address refers to, sorted: a file, a folder with everything below it, or a glob; and whether it is a glob."""
    scheme, _, path = address.partition("://")
    if not is_remote(address):
        known = ", ".join(sorted(f"{each}://" for each in _SCHEMES))
        raise ConfigurationError(f"{safe_url(address)}: files cannot be read from {scheme}:// (supported: {known})")
    parts = path.rstrip("/").split("/")
    fixed = next((at for at, part in enumerate(parts) if at and _MAGIC.search(part)), len(parts))
    with _failures(safe_url(address)):
        if fixed < len(parts):
            folder = f"{scheme}://{'/'.join(parts[:fixed])}"
            wanted = re.compile(_pattern("/".join(parts[fixed:])))
            return [file for file in _below(folder, options) if wanted.fullmatch(file.name)], True
        if len(parts) > 1:
            above, name = f"{scheme}://{'/'.join(parts[:-1])}", parts[-1]
            info = _files(above, options).get_file_info([name])[0]
            if info.is_file:
                return [RemoteFile(above, name, int(info.size or 0), info.mtime, options)], False
        return _below(address.rstrip("/"), options), False


def _below(folder: str, options: Mapping[str, str]) -> list[RemoteFile]:
    import pyarrow.fs as arrow_fs

    selected = arrow_fs.FileSelector("", recursive=True, allow_not_found=True)
    found = _files(folder, options).get_file_info(selected)
    files = (
        RemoteFile(folder, each.path.lstrip("/"), int(each.size or 0), each.mtime, options)
        for each in found
        if each.is_file
    )
    return sorted(files, key=lambda file: file.name)


def _pattern(glob: str) -> str:
    """A glob as a regular expression: `**/` stands for any number of folders, `*` and `?` stay inside one."""
    words = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    found = re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]*\]|[^*?\[]+|\[", glob)
    return "".join(
        words.get(each) or (each.replace("[!", "[^") if each.startswith("[") and len(each) > 1 else re.escape(each))
        for each in found
    )


def _files(folder: str, options: Mapping[str, str]) -> pyarrow.fs.FileSystem:
    try:
        import pyarrow.fs as arrow_fs
        from deltalake.fs import DeltaStorageHandler
    except ModuleNotFoundError as error:
        raise missing_package(error, "spark") from None
    return arrow_fs.PyFileSystem(DeltaStorageHandler(folder.replace("s3a://", "s3://", 1), dict(options)))


@contextmanager
def _failures(place: str) -> Iterator[None]:
    """Converts the exceptions of a storage to ours."""
    try:
        yield
    except FileNotFoundError:
        raise SourceError(f"{place}: there is no such file or folder") from None
    except (OSError, ValueError) as error:
        raise UnavailableError(
            f"{place}: the storage cannot be read: {storage_reason(error)}. Check the address and the source's options."
        ) from error


def storage_reason(error: Exception) -> str:
    """What a storage reports, without secrets: a chain of causes, one per line, of which the last one is the most specific."""
    lines = [line.strip(" ↳\x1b[0m31") for line in str(error).splitlines() if line.strip()]
    return safe_url(lines[-1] if lines else type(error).__name__)
