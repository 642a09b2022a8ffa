"""Where the tables live: a folder of this machine, an object store or HDFS, behind one small interface.

Workers write Parquet files next to a table, the driver commits them and both read them back. Local folders are served by
Arrow itself, everything else by the storage layer of `deltalake`, which is what commits go through too: one set of options
holds for files and for tables, and nothing needs a JVM.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.fs as arrow_fs

from connector.addresses import safe_url
from connector.errors import MAY_PASS, ConfigurationError, UnavailableError
from connector.sources.addresses import storage_reason

_BUFFER = 1 << 20
_S3 = ("s3", "s3a")
_S3_COMMITS = ("conditional_put", "aws_conditional_put", "aws_s3_locking_provider", "aws_s3_allow_unsafe_rename")
"""Options that decide how two writers on S3 are kept apart."""


@dataclass(frozen=True)
class Storage:
    """A folder somewhere. Paths are relative to it, with forward slashes. It travels to Spark's workers."""

    address: str
    """An absolute path, or an address such as ``s3://bucket/folder``."""
    given: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Endpoint, region and credentials, as `deltalake` names them. They appear in no message."""

    @property
    def is_local(self) -> bool:
        return "://" not in self.address

    @property
    def label(self) -> str:
        """The address as it may be shown."""
        return self.address if self.is_local else safe_url(self.address)

    @property
    def options(self) -> dict[str, str]:
        """The options with what every commit relies on: on S3 a second writer must not replace the first one's entry."""
        options = dict(self.given)
        if self.address.partition("://")[0] in _S3 and not any(name.lower() in _S3_COMMITS for name in options):
            options["conditional_put"] = "etag"
        return options

    def table(self, name: str) -> str:
        """The address of a table."""
        return f"{self.address.rstrip('/')}/{name}"

    def prepare(self, folder: str) -> None:
        """Make a folder, where folders have to be made."""
        if self.is_local:
            (Path(self.address) / folder).mkdir(parents=True, exist_ok=True)

    def open_output(self, path: str) -> pa.NativeFile:
        """A new file to write to. It is there as a whole once it is closed, or not at all."""
        return self._files.open_output_stream(path, buffer_size=_BUFFER)

    def open_input(self, path: str) -> pa.NativeFile:
        return self._files.open_input_file(path)

    def size(self, path: str) -> int:
        return int(self._files.get_file_info([path])[0].size)

    def list_files(self, folder: str) -> dict[str, int]:
        """Names and sizes of the files in a folder."""
        found = self._files.get_file_info(arrow_fs.FileSelector(folder, allow_not_found=True))
        return {each.base_name: int(each.size) for each in found if each.is_file}

    def delete(self, path: str) -> None:
        self._files.delete_file(path)

    def read(self, path: str) -> bytes | None:
        """The content of a small file; None where there is none."""
        if not self._files.get_file_info([path])[0].is_file:
            return None
        with self.open_input(path) as stream:
            content: bytes = stream.read()
        return content

    def write(self, path: str, content: bytes) -> None:
        """Write a small file. On HDFS, one that is replaced is missing for a moment."""
        self.prepare(path.rpartition("/")[0])
        with self.open_output(path) as stream:
            stream.write(content)

    def local_copy(self, path: str) -> str:
        """A file of this machine with the same content, for processes that read files and know nothing of storages."""
        return str(Path(self.address) / path) if self.is_local else _copied(_Key(self), path)

    @property
    def _files(self) -> arrow_fs.FileSystem:
        return _file_system(_Key(self))


class _Key:
    """A storage as the key of what a process keeps for it."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._words = (storage.address, *sorted(storage.given.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._words == other._words

    def __hash__(self) -> int:
        return hash(self._words)


@lru_cache(maxsize=4)
def _file_system(key: _Key) -> Any:
    storage = key.storage
    if storage.is_local:
        return arrow_fs.SubTreeFileSystem(storage.address, arrow_fs.LocalFileSystem())
    from deltalake.fs import DeltaStorageHandler

    return arrow_fs.PyFileSystem(DeltaStorageHandler(storage.address, storage.options))


@lru_cache(maxsize=4)
def _copied(key: _Key, path: str) -> str:
    content = key.storage.read(path)
    if content is None:
        raise UnavailableError(f"{key.storage.label}/{path} no longer exists.")
    # Spark removes the folders of an executor when the application ends. A worker cannot: Spark ends it without any cleaning up.
    folders = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")
    folder = tempfile.mkdtemp(prefix="lineage-connector-", dir=folders[0] or None)
    copy = Path(folder) / path.rpartition("/")[2]
    copy.write_bytes(content)
    return str(copy)


@contextmanager
def storage_failures(storage: Storage) -> Iterator[None]:
    """What a storage raises when it cannot be reached, as an error of ours."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        told = f"The tables at {storage.label} cannot be read or written: {storage_reason(error)}."
        if isinstance(error, OSError) and error.errno is not None and error.errno not in MAY_PASS and storage.is_local:
            raise ConfigurationError(f"{told} Name a folder in store.tables that can be written to.") from error
        raise UnavailableError(f"{told} Check the address and store.options; a later run resumes here.") from error
