"""SQL files, folders, globs and zip archives as scripts, on this machine or at an address."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path, PurePosixPath

from connector.errors import SourceError
from connector.sources.addresses import is_address
from connector.sources.globs import expand, fixed_part
from connector.sources.models import FilesSource
from connector.sources.record import Defaults, SourceStatement
from connector.sources.remote import RemoteFile, find_remote
from connector.sql.encoding import SUFFIXES, decode

__all__ = ["list_files", "read_files"]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A script, in a file of its own or in an archive."""

    name: str
    """Its path inside the source, with forward slashes: the same on every machine."""
    path: Path | RemoteFile
    member: str | None = None

    def read(self) -> bytes:
        try:
            if self.member is None:
                return self.path.read_bytes()
            with zipfile.ZipFile(_seekable(self.path)) as archive:
                return archive.read(self.member)
        except OSError as error:
            raise SourceError(f"{self.path}: {error.strerror or error}") from error
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            # The two others: a password, and a compression that this Python does not have.
            raise SourceError(f"{self.path}: {self.member}: {error}") from error


def read_files(source: FilesSource, defaults: Defaults) -> Iterator[SourceStatement]:
    """Every file as one script, in the order of their names."""
    for sequence, file in enumerate(list_files(source)):
        data = file.read()
        yield SourceStatement(
            text=_text(data, source.encoding, file),
            dialect=source.dialect or defaults.dialect,
            kind="script",
            origin=file.name,
            database=source.default_database or defaults.database,
            schema=source.default_schema or defaults.schema,
            sequence=sequence,
            cluster=source.cluster or defaults.cluster,
            source=source.name or source.place,
        )


def _text(data: bytes, encoding: str | None, file: FoundFile) -> str:
    if encoding is None:
        return decode(data)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(f"{file.path}: cannot decode {file.name} as {encoding}: {error.reason}") from error


def list_files(source: FilesSource) -> list[FoundFile]:
    """The scripts of a source. A path without any is an error: a folder that has moved should not go unnoticed."""
    found: dict[tuple[Path | RemoteFile, str | None], FoundFile] = {}
    for path in source.paths:
        remote = is_address(path) and not path.startswith("file:")
        expanded = _expand_remote(path, source) if remote else _expand(path.removeprefix("file://"))
        files = [file for file in expanded if not _excluded(file.name, source.exclude)]
        if not files:
            suffixes = ", ".join(sorted(SUFFIXES))
            raise SourceError(f"{path}: no SQL file found ({suffixes})")
        for file in files:
            found.setdefault((file.path, file.member), file)
    return sorted(found.values(), key=lambda file: (file.name, str(file.path)))


def _excluded(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) or fnmatchcase(PurePosixPath(name).name, pattern) for pattern in patterns)


def _expand(text: str) -> Iterator[FoundFile]:
    path = Path(text)
    if not path.exists() and has_magic(text):
        base = fixed_part(path)
        # A pattern that ends in a suffix means it; one that does not may meet anything that lies about.
        told = path.suffix not in ("", ".*")
        for match in expand(path):
            if match.is_file() and (told or match.suffix.lower() in {*SUFFIXES, ".zip"}):
                yield from _file(match, match.relative_to(base).as_posix())
        return
    if not path.is_dir():
        if not path.exists():
            raise SourceError(f"{path}: no such file or folder")
        yield from _file(path, path.name)
        return
    for file in sorted(path.rglob("*")):
        if file.suffix.lower() in SUFFIXES and file.is_file():
            yield FoundFile(file.relative_to(path).as_posix(), file)


def _expand_remote(address: str, source: FilesSource) -> Iterator[FoundFile]:
    files, glob = find_remote(address, source.options)
    named = glob and PurePosixPath(address).suffix not in ("", ".*")
    for file in files:
        suffix = PurePosixPath(file.name).suffix.lower()
        alone = len(files) == 1 and not glob and address.rstrip("/").endswith(f"/{file.name}")
        if named or alone or (glob and suffix == ".zip"):
            yield from _file(file, file.name)
        elif suffix in SUFFIXES:
            yield FoundFile(file.name, file)


def _seekable(path: Path | RemoteFile) -> Path | io.BytesIO:
    return io.BytesIO(path.read_bytes()) if isinstance(path, RemoteFile) else path


def _file(path: Path | RemoteFile, name: str) -> Iterator[FoundFile]:
    remote = isinstance(path, RemoteFile)
    if (remote and not name.lower().endswith(".zip")) or not zipfile.is_zipfile(content := _seekable(path)):
        yield FoundFile(name, path)
        return
    with zipfile.ZipFile(content) as archive:
        for member in sorted(archive.namelist()):
            if PurePosixPath(member).suffix.lower() in SUFFIXES and not member.startswith("__MACOSX/"):
                yield FoundFile(f"{name}/{member}", path, member)
