"""Qualified names: how objects of the model are named outside of it, in files, stores and catalogs.

A table is ``database.schema.table@cluster`` (``database.table@cluster`` where a dialect has no schemas), a column adds
its name before the ``@``, a process is ``database.procedureName.queryHashId@cluster``.

Parts are written without quotes. A part that would make the name ambiguous (it contains a dot, an ``@``, a double quote or leading
or trailing white space, looks like the start of a quoted name or of a path, or is empty) is enclosed in double quotes with inner
quotes doubled, so that :func:`parse_name` can parse every name. A cluster is often a host name: it keeps its dots and is only
quoted if it contains ``@``, quotes or white space. A path is its URI, unquoted if it is absolute
(``s3://bucket/key.csv@cluster``, ``/tmp/out@cluster``), because catalogs know it by that name; a relative path, and a path in the
name of a column, is a single quoted part.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from connector.model import Column, Entity, EntityKind, Model, Process

DEFAULT = "default"
"""What a missing database (and, outside the SQL Server family, a missing schema) is called."""

_AMBIGUOUS = re.compile(r'[."@]|^[\s`\[/]|\s$|^$|://')
_AMBIGUOUS_CLUSTER = re.compile(r'["@]|^[\s`\[]|\s$|^$')
_ABSOLUTE_PATH = re.compile(r"/|[A-Za-z][A-Za-z0-9+.\-]*://")
_CLOSING = {'"': '"', "`": "`", "[": "]"}


class QualifiedName(NamedTuple):
    """A parsed qualified name: its parts without quotes, and the cluster if there is one."""

    parts: tuple[str, ...]
    cluster: str | None


def unquote(name: str) -> str:
    """The name without its quotes. Text that merely starts and ends with quotes (``"a" || "b"``) is not a quoted name."""
    if len(name) < 2 or name[0] not in '"`[':
        return name
    close = _CLOSING[name[0]]
    if name[-1] != close:
        return name
    inner = name[1:-1]
    if close not in inner:
        return inner
    single = inner.replace(close + close, "")
    return name if close in single else inner.replace(close + close, close)


def quote_part(part: str) -> str:
    """A part as it is written in a qualified name."""
    if part.isidentifier():
        return part
    if _AMBIGUOUS.search(part):
        return '"' + part.replace('"', '""') + '"'
    return part


def join_name(parts: list[str] | tuple[str, ...], cluster: str | None = None) -> str:
    """The inverse of :func:`parse_name`."""
    for part in parts:
        if not part.isidentifier():
            text = ".".join([quote_part(part) for part in parts])
            break
    else:
        text = ".".join(parts)
    return text if cluster is None else text + _at(cluster)


@lru_cache(maxsize=256)
def _at(cluster: str) -> str:
    if _AMBIGUOUS_CLUSTER.search(cluster):
        return '@"' + cluster.replace('"', '""') + '"'
    return "@" + cluster


def split_parts(text: str) -> list[str]:
    """The parts of a dotted name, without quotes; dots inside quotes (``"``, backtick, brackets) do not split."""
    parts = text.split(".")
    if all(map(str.isidentifier, parts)):
        # By far the most common case: nothing is quoted.
        return parts
    parts, end = _scan(text, 0, "")
    return parts if end == len(text) else [text]


def parse_name(text: str) -> QualifiedName:
    """Parse a qualified name. An absolute path is one part; the text after the last ``@`` is the cluster."""
    if _ABSOLUTE_PATH.match(text):
        path, at, cluster = _split_cluster(text)
        return QualifiedName((path,), cluster if at else None)
    parts, end = _scan(text, 0, "@")
    if end == len(text):
        return QualifiedName(tuple(parts), None)
    return QualifiedName(tuple(parts), unquote(text[end + 1 :]))


def _split_cluster(text: str) -> tuple[str, str, str]:
    if text.endswith('"'):
        at = text.rfind('@"')
        if at >= 0 and unquote(text[at + 1 :]) != text[at + 1 :]:
            return text[:at], "@", unquote(text[at + 1 :])
    head, at_sign, tail = text.rpartition("@")
    return (head, at_sign, tail) if at_sign else (text, "", "")


def _scan(text: str, start: int, stop: str) -> tuple[list[str], int]:
    """Read dotted parts from `start` to one of the characters in `stop` or to the end."""
    parts: list[str] = []
    at, size = start, len(text)
    while True:
        close = _CLOSING.get(text[at]) if at < size else None
        begin = at
        if close is not None:
            at += 1
            while at < size:
                if text[at] == close:
                    if text[at + 1 : at + 2] != close:
                        break
                    at += 1
                at += 1
            at += 1
        while at < size and text[at] != "." and text[at] not in stop:
            at += 1
        parts.append(unquote(text[begin:at]))
        if at >= size or text[at] != ".":
            return parts, min(at, size)
        at += 1


def table_of(name: str, kind: EntityKind) -> str:
    """The bare name of an entity: the last part of its name as written, or all of it if it has no parts."""
    return name if kind in ("resultset", "path") else split_parts(name)[-1]


def bare_name(entity: Entity) -> str:
    """The name without layers and quotes: the uri of a path, the last part of a table's name."""
    if entity.kind == "path":
        return entity.uri or entity.table or entity.name
    name = entity.table or table_of(entity.name, entity.kind)
    # A table or view can have the same name as a function, but is a different object.
    return f"{name}()" if entity.sub_type == "function" and entity.kind == "table" else name


class Namer:
    """Names the objects of one model. The part that the columns of a table share is built once."""

    __slots__ = ("_at_cluster", "_masked", "_model", "_prefixes")

    def __init__(self, model: Model, *, masked: bool = False) -> None:
        """With `masked`, names of columns that were derived from expressions do not show their literals."""
        self._model = model
        self._masked = masked
        self._at_cluster = _at(model.cluster)
        self._prefixes: dict[Entity, str] = {}

    def parts(self, entity: Entity) -> list[str]:
        """Database, schema and table as in the qualified name, with defaults for missing parts."""
        table = bare_name(entity)
        if entity.kind == "path":
            return [table]
        if self._model.layers == 2:
            return [entity.database or entity.schema or DEFAULT, table]
        return [entity.database or DEFAULT, entity.schema or self._model.default_schema, table]

    def entity(self, entity: Entity) -> str:
        """``database.schema.table@cluster``, or the uri of a path with its cluster."""
        if entity.kind == "path":
            uri = bare_name(entity)
            if _ABSOLUTE_PATH.match(uri):
                return uri + self._at_cluster
        return self._prefix(entity) + self._at_cluster

    def column(self, column: Column) -> str:
        """``database.schema.table.column@cluster``."""
        name = column.public_name if self._masked else column.name
        if not name.isidentifier():
            name = quote_part(unquote(name))
        return f"{self._prefix(column.entity)}.{name}{self._at_cluster}"

    def around_column(self, entity: Entity) -> tuple[str, str]:
        """The text before and after the names of an entity's columns."""
        return f"{self._prefix(entity)}.", self._at_cluster

    def process(self, process: Process, *, cluster: bool = True) -> str:
        """``database.procedureName.queryHashId@cluster``; the database is that of the statement's target, or else of its source."""
        name = f"{quote_part(_database(process))}.{process.procedure_name}.{process.identity}"
        return name + self._at_cluster if cluster else name

    def _prefix(self, entity: Entity) -> str:
        prefix = self._prefixes.get(entity)
        if prefix is None:
            if entity.kind == "path":
                prefix = '"' + bare_name(entity).replace('"', '""') + '"'
            else:
                prefix = join_name(self.parts(entity))
            self._prefixes[entity] = prefix
        return prefix


def _database(process: Process) -> str:
    for flow in process.flows:
        if flow.target is not None and flow.target.database:
            return flow.target.database
    for flow in process.flows:
        for source in flow.sources:
            if source.database:
                return source.database
    return DEFAULT
