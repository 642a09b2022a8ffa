"""Addresses of databases, as SQLAlchemy URLs and as JDBC URLs, and of files: globs, object stores and HDFS.

Files elsewhere are read without Spark and without Java, by the storage layer of `deltalake`, as the tables of the pipeline are: the
same addresses and the same options, such as `AWS_ENDPOINT_URL`. Anything else is taken from the environment or from the role of
the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, quote, urlencode

from connector.addresses import safe_url
from connector.common.extras import missing_package
from connector.errors import ConfigurationError, SourceError, UnavailableError

if TYPE_CHECKING:
    import pyarrow.fs

_FILE_SYSTEMS = frozenset(
    {"abfs", "abfss", "adl", "cos", "dbfs", "file", "ftp", "gs", "hdfs", "http", "https", "o3fs", "obs", "ofs", "oss"}
    | {"s3", "s3a", "s3n", "viewfs", "wasb", "wasbs", "webhdfs"}
)
_SQLITE = re.compile(r"(?P<scheme>sqlite(?:\+\w+)?:///)(?!/)(?P<path>[^?]*)(?P<rest>.*)\Z", re.S)

_SQL_SERVER = re.compile(r"sqlserver://(?P<host>[^;]+)(?:;.*?databaseName=(?P<database>[^;]+))?", re.I)
_ORACLE = re.compile(r"oracle:thin:@(?://)?(?P<host>[^/:]+(?::\d+)?)[/:](?P<service>\w+)")


def is_address(text: str) -> bool:
    """Whether it is a URL rather than a file name."""
    return "://" in text or text.startswith("jdbc:")


def is_database(text: str) -> bool:
    """Whether it is the address of a database rather than of files."""
    scheme, mark, _ = text.partition("://")
    return text.startswith("jdbc:") or (bool(mark) and scheme.split("+")[0].lower() not in _FILE_SYSTEMS)


def local_database(url: str, folder: Path) -> str:
    """The URL of a SQLite file with a path that does not depend on the working directory."""
    match = _SQLITE.match(url)
    if match is None or not match["path"] or match["path"] == ":memory:":
        return url
    return f"{match['scheme']}{folder / match['path']}{match['rest']}"


def sqlalchemy_url(url: str) -> str:
    """The address as an SQLAlchemy URL; converts ``jdbc:`` addresses of vendors with a similar form."""
    if not url.startswith("jdbc:"):
        return url
    plain = url.removeprefix("jdbc:")
    scheme = plain.split(":", 1)[0]
    if scheme in ("postgresql", "mysql", "mariadb", "redshift", "trino") and plain.startswith(f"{scheme}://"):
        return _with_login(plain)
    if scheme == "sqlite":
        return f"sqlite:///{plain.removeprefix('sqlite:')}"
    match = _SQL_SERVER.match(plain)
    if match is not None:
        return f"mssql://{match['host']}/{match['database'] or ''}?driver=ODBC+Driver+18+for+SQL+Server"
    match = _ORACLE.match(plain)
    if match is not None:
        return f"oracle://{match['host']}/?service_name={match['service']}"
    raise ConfigurationError(f"{safe_url(url)}: only Spark can read a JDBC address; use an SQLAlchemy URL instead")


def _with_login(url: str) -> str:
    """Moves user and password from the query part, where JDBC has them, to where SQLAlchemy expects them."""
    base, mark, query = url.partition("?")
    if not mark:
        return url
    parameters = dict(parse_qsl(query, keep_blank_values=True))
    user, password = parameters.pop("user", None), parameters.pop("password", None)
    if user is not None:
        login = quote(user, safe="") + (f":{quote(password, safe='')}" if password is not None else "")
        base = base.replace("://", f"://{login}@", 1)
    return f"{base}?{urlencode(parameters)}" if parameters else base


def expand(path: Path) -> list[Path]:
    """The paths that a pattern matches, sorted; a path that exists matches itself, whatever its name contains."""
    if path.exists() or not has_magic(str(path)):
        return [path]
    base = fixed_part(path)
    return sorted(base.glob(path.relative_to(base).as_posix()))


def fixed_part(path: Path) -> Path:
    """The folder above the first part with a wildcard."""
    parts = []
    for part in path.parts:
        if has_magic(part):
            break
        parts.append(part)
    return Path(*parts)


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
