"""Paths and stages: one entity each, with a single column that represents their content; and the names of connections."""

from __future__ import annotations

from typing import Any

from connector.analysis.builder import Builder
from connector.analysis.nameless import shown
from connector.analysis.rowset import Rowset, nameless
from connector.model import Entity, ProblemType, Span
from connector.sql.dialects import SqlDialect
from connector.sql.locations import Location, connection_in, scheme_of

_CONTENT = "uri"
"""Key of the column that stands for the content."""
_UNKNOWN_PATH = "The path is not constant: the files are unknown"
_NO_PATH = "The path is empty: the files are unknown"


class Places:
    """Places by URI, stages by their folded name."""

    __slots__ = ("_paths", "_stages", "builder", "dialect")

    def __init__(self, builder: Builder, dialect: SqlDialect) -> None:
        self.builder = builder
        self.dialect = dialect
        self._paths: dict[str, Rowset] = {}
        self._stages: dict[tuple[str, ...], Rowset] = {}

    def path(self, location: Location) -> Rowset:
        """A file, a folder or a bucket."""
        uri, written = shown(location.uri, "*"), shown(location.written, "*")
        if not uri or (uri != location.uri and not uri.strip("*")):
            start = max(location.start, 0) + self.builder.base
            reason: tuple[ProblemType, str] = ("AnalyzeError", _UNKNOWN_PATH) if uri else ("Note", _NO_PATH)
            end = location.end + self.builder.base if location.end > location.start >= 0 else start + len(location.uri)
            self.builder.problem(*reason, start, min(end, len(self.builder.script.text)))
            return nameless(self.builder, self._span(location))
        found = self._paths.get(uri)
        if found is None:
            builder = self.builder
            scheme = scheme_of(uri, self.dialect.path_scheme, location.local)
            entity = Entity(
                builder.next_id(),
                "path",
                uri,
                "path",
                table=uri,
                uri=uri,
                sub_type=scheme,
                span=self._span(location),
            )
            name = uri if self.dialect.stages else f"uri={written}"
            found = self._paths[uri] = self._place(entity, name)
        elif location.start >= 0:
            _again(found.entity, self._span(location))
        if found.entity.file_format is None:
            found.entity.file_format = location.file_format
        return found

    def stage(
        self,
        location: Location,
        key: tuple[str, ...],
        database: str | None,
        schema: str | None,
        url: str | None = None,
    ) -> Rowset:
        """A stage; its content is called by the URL it was created with, where that is known."""
        found = self._stages.get(key)
        if found is None:
            entity = Entity(
                self.builder.next_id(),
                "stage",
                location.written,
                "stage",
                database=database,
                schema=schema,
                table=location.parts[-1][0],
                span=self._span(location),
            )
            found = self._stages[key] = self._place(entity, url or location.written)
        else:
            _again(found.entity, self._span(location))
        if found.entity.file_format is None:
            found.entity.file_format = location.file_format
        return found

    def _place(self, entity: Entity, content: str) -> Rowset:
        self.builder.entity(entity)
        found = Rowset(entity)
        found.element = self.builder.column(entity, _CONTENT, content, None)
        return found

    def _span(self, location: Location) -> Span | None:
        if location.start < 0:
            return None
        base = self.builder.base
        return self.builder.script, location.start + base, location.end + base


def _again(entity: Entity, span: Span | None) -> None:
    if span is None:
        return
    if entity.occurrences is None:
        entity.occurrences = [span]
    else:
        entity.occurrences.append(span)


def connection_of(node: Any) -> str:
    """What ``OPENDATASOURCE('provider', 'connection string')`` stands for in the name of a table."""
    arguments = node.args.get("expressions") or []
    return connection_name(arguments[-1]) if arguments else str(node.name)


def connection_name(node: Any) -> str:
    """What the connection in a text is called."""
    return connection_in(str(node.name))
