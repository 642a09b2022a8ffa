"""SQL files, folders, globs and zip archives as scripts, on this machine or at an address."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path, PurePosixPath

from connector.errors import SourceError
from connector.sources.addresses import RemoteFile, expand, find_remote, fixed_part, is_address
from connector.sources.models import FilesSource
from connector.sources.record import Defaults, SourceStatement
from connector.sql.encoding import SUFFIXES, decode

_ZIP = b"PK\x03\x04"
_LARGEST = 1 << 30
"""How much an archive may hold, unpacked. Scripts of a whole warehouse are a few dozen megabytes."""
_DENSEST = 200
"""How many times its packed size a script may have. SQL shrinks to a tenth, seldom to a fiftieth."""
_SMALL = 1 << 20
"""Up to this size the ratio does not count: a short script that repeats one line is harmless."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A script in its own file or in an archive."""

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
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
            # The last two: a password, and a compression that this Python does not have.
            raise SourceError(f"{self.path}: {self.member}: cannot be unpacked: {error}") from error


def read_files(source: FilesSource, defaults: Defaults) -> Iterator[SourceStatement]:
    """Reads each file as one script, in the order of their names."""
    place = defaults.under(source)
    for sequence, file in enumerate(list_files(source)):
        yield SourceStatement(
            text=_text(file.read(), source.encoding, file),
            dialect=place.dialect,
            kind="script",
            origin=file.name,
            database=place.database,
            schema=place.schema,
            sequence=sequence,
            cluster=place.cluster,
            source=source.label,
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
        # A pattern with a suffix selects exactly that; one without may match unrelated files.
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
    if not _is_archive(path, name):
        yield FoundFile(name, path)
        return
    try:
        with zipfile.ZipFile(_seekable(path)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError) as error:
        raise SourceError(f"{path}: the archive is damaged: {error}") from error
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
    scripts = [member for member in members if _is_script(member.filename)]
    _refuse_bombs(path, scripts)
    for member in sorted(scripts, key=lambda member: member.filename):
        yield FoundFile(f"{name}/{member.filename}", path, member.filename)


def _is_archive(path: Path | RemoteFile, name: str) -> bool:
    """By its content, and by its name: a damaged archive is no SQL."""
    if name.lower().endswith(".zip"):
        return True
    if isinstance(path, RemoteFile):
        return False
    try:
        with path.open("rb") as file:
            begins = file.read(len(_ZIP)) == _ZIP
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
    return begins or zipfile.is_zipfile(path)


def _is_script(member: str) -> bool:
    return PurePosixPath(member).suffix.lower() in SUFFIXES and not member.startswith("__MACOSX/")


def _refuse_bombs(path: Path | RemoteFile, members: list[zipfile.ZipInfo]) -> None:
    """An archive says how large its members are, and the reader of Python stops at that size."""
    total = sum(member.file_size for member in members)
    if total > _LARGEST:
        raise SourceError(
            f"{path}: the scripts of the archive take {total >> 20:,} MB unpacked; the limit is {_LARGEST >> 20:,} MB"
        )
    for member in members:
        if member.file_size > max(_SMALL, _DENSEST * member.compress_size):
            raise SourceError(
                f"{path}: {member.filename} unpacks to {member.file_size:,} bytes from {member.compress_size:,}; "
                f"the limit is {_DENSEST} times the packed size"
            )
