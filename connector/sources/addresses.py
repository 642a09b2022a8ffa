"""Database addresses in their two forms: SQLAlchemy URLs and JDBC URLs."""

from __future__ import annotations

import re
from glob import has_magic
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode

from connector.addresses import safe_url
from connector.errors import ConfigurationError

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
