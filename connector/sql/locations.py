"""Places outside of the database: files, folders, buckets and stages, without the credentials that URIs may carry."""

from __future__ import annotations

from dataclasses import dataclass, field

_SAME_SCHEME = {
    "s3a": "s3",
    "s3n": "s3",
    "s3express": "s3",
    "gcs": "gs",
    "abfss": "abfs",
    "wasbs": "wasb",
    "https": "http",
    "ftps": "ftp",
    "gpfdists": "gpfdist",
    "viewfs": "hdfs",
    "webhdfs": "hdfs",
}
_CONTAINER_BEFORE_HOST = frozenset({"abfs", "wasb"})
"""Azure writes container@account: what stands before the @ is part of the place there."""


FILE_SCHEMAS = frozenset(
    {
        "parquet",
        "orc",
        "csv",
        "json",
        "text",
        "avro",
        "delta",
        "binaryfile",
        "iceberg",
        "hudi",
        "dfs",
        "xml",
        "s3",
        "cp",
    }
)
"""Schemas under which a quoted name is a path: file formats of Spark, storage plugins of Drill."""


@dataclass(slots=True)
class Location:
    """A path, or a stage with `parts`, as a statement names it."""

    uri: str
    """Without credentials."""
    written: str
    """As it stands in the statement, quotes included, without credentials."""
    start: int = -1
    """Place in the tokens' text; -1 where an option's value gives the place."""
    end: int = -1
    local: bool = False
    file_format: str | None = None
    parts: list[tuple[str, bool]] = field(default_factory=list)
    """The name of a stage; empty for a path."""

    @property
    def is_stage(self) -> bool:
        return bool(self.parts)


def location_of(text: str, quote: str = "'", start: int = -1, end: int = -1, local: bool = False) -> Location:
    """The place that a string or a bare word names."""
    uri = without_credentials(text)
    return Location(uri, f"{quote}{uri}{quote}", start, end, local)


def scheme_of(uri: str, default: str, local: bool = False) -> str:
    """Which kind of store a place belongs to: hdfs, s3, gs, abfs, file, http and the like."""
    head, separator, _ = uri.partition("://")
    if not separator:
        head, separator, rest = uri.partition(":")
        if not separator or not rest.startswith("/") or len(head) < 2:
            return "file" if local else default
    scheme = head.lower()
    return _SAME_SCHEME.get(scheme, scheme)


def without_credentials(uri: str) -> str:
    """The URI without user, password and query string: signatures, keys and tokens stand there.

    A question mark that no ``key=value`` follows is a wildcard and stays.
    """
    head, separator, rest = uri.partition("://")
    if separator:
        authority, slash, path = rest.partition("/")
        user, at, host = authority.rpartition("@")
        if at:
            name, colon, _ = user.partition(":")
            keeps = _SAME_SCHEME.get(head.lower(), head.lower()) in _CONTAINER_BEFORE_HOST and not colon
            authority = f"{name}@{host}" if keeps else host
        uri = f"{head}://{authority}{slash}{path}"
    bare, question, query = uri.partition("?")
    if question and "=" in query:
        return bare
    return uri


_SERVERS = ("server", "data source", "addr", "address", "network address", "host", "dsn")
_DATABASES = ("database", "initial catalog", "dbname")


def connection_in(text: str) -> str:
    """What a connection is called: its name, or of a connection string the server and the database, never a password."""
    text = without_credentials(text)
    if "=" not in text:
        return text
    separator = None if ";" not in text and text.count("=") > 1 else ";"
    properties = {
        name.strip().lower(): value.strip().strip("'\"")
        for name, _, value in (part.partition("=") for part in text.split(separator))
    }
    server = next((properties[name] for name in _SERVERS if name in properties), "")
    database = next((properties[name] for name in _DATABASES if name in properties), "")
    return ".".join(part for part in (server, database) if part) or "connection"
