"""Finds the objects of a plan on the server, each of them once.

By name first: one by one, or with the pages of a schema when many of its tables are needed. What is not there under
exactly this name is searched for in another case, and under a layer that the statements left out. The search engine may
be behind the database or down; then the lists of databases, schemas and tables decide. Where several objects fit and none
of them exactly, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any

from connector.catalogs.http import RefusedError
from connector.catalogs.openmetadata.client import MOST_HITS, Document, EntityType, OpenMetadataClient, build, split
from connector.catalogs.openmetadata.mapping import ANY, StorageRule
from connector.catalogs.openmetadata.plan import ColumnRef, Key, ObjectType, PlannedObject
from connector.common.progress import Progress

_LIST_FROM = 50
"""How many tables of a schema have to be needed for its list to be read."""
_PAGES_OF_OTHERS = 10
"""How much larger than what is needed a list may be."""
_SHOWN = 5


@dataclass
class Lookup:
    """Looks objects up and remembers them, and why some were not found."""

    client: OpenMetadataClient
    pool: ThreadPoolExecutor
    progress: Progress
    found: dict[Key, Found] = field(default_factory=dict)
    reasons: dict[Key, str] = field(default_factory=dict)
    """Why an object was not found."""
    absent: set[Key] = field(default_factory=set)
    """Those of them that are certainly not there."""
    _lists: dict[tuple[EntityType, str], list[Document]] = field(default_factory=dict)
    _locks: dict[tuple[EntityType, str], Lock] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find_all(self, planned: Iterable[PlannedObject]) -> None:
        """Look up all of these objects."""
        objects = list(planned)
        self.progress.begin("Looking up", len(objects))
        try:
            self._from_lists(objects)
            rest = [each for each in objects if each.key not in self.found]
            for each, found in zip(rest, self.pool.map(self._find, rest), strict=True):
                self.progress.advance(1)
                if isinstance(found, Found):
                    self.found[each.key] = found
                else:
                    self.reasons[each.key] = found or f"OpenMetadata has no {_words(each)}"
                    if found is None:
                        self.absent.add(each.key)
        finally:
            self.progress.end()

    def _from_lists(self, objects: list[PlannedObject]) -> None:
        schemas: dict[tuple[str, ...], list[PlannedObject]] = {}
        for each in objects:
            if each.type == "table" and ANY not in each.parts:
                schemas.setdefault(each.parts[:-1], []).append(each)
        many = {build(parts): tables for parts, tables in schemas.items() if len(tables) >= _LIST_FROM}
        for tables, documents in zip(many.values(), self.pool.map(self._page_through, many.items()), strict=True):
            named = {document["name"]: document for document in documents}
            for table in tables:
                document = named.get(table.parts[-1])
                if document is not None:
                    self.found[table.key] = Found("table", document)
                    self.progress.advance(1)

    def _page_through(self, schema: tuple[str, list[PlannedObject]]) -> list[Document]:
        name, planned = schema
        documents: list[Document] = []
        for page, total in self.client.pages("table", databaseSchema=name):
            documents.extend(page)
            if total > _PAGES_OF_OTHERS * len(planned):
                break  # one by one is less work
        return documents

    def _find(self, planned: PlannedObject) -> Found | str | None:
        """An object, or why it cannot be said which it is; None when there is none. Runs on a worker thread."""
        try:
            return self._look(planned)
        except RefusedError as error:
            return f"{_words(planned)} cannot be read: {error}"

    def _look(self, planned: PlannedObject) -> Found | str | None:
        if ANY not in planned.parts:
            document = self.client.by_name(planned.type, planned.fqn)
            if document is not None:
                return Found(planned.type, document)
        if planned.type == "container":
            return self._container(planned)
        hits = self.client.search(planned.type, _pattern(planned))
        # A full answer may be part of a longer one, in which another object fits as well.
        fitting = [name for name in hits if fits(split(name), planned)] if len(hits) < MOST_HITS else []
        chosen = self._choose(fitting, planned)
        if isinstance(chosen, Found):
            return chosen
        listed = [build(path) for path in self._walk(planned)]
        return self._choose(listed, planned) or chosen

    def _choose(self, names: list[str], planned: PlannedObject) -> Found | str | None:
        """The one that is meant: the only one, or the only one in the case that was looked for."""
        names = list(dict.fromkeys(names))
        if len(names) > 1:
            exact = [name for name in names if _same_case(split(name), planned)]
            if len(exact) != 1:
                shown = ", ".join(sorted(names)[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
                return f"several objects may be meant: {shown}"
            names = exact
        if not names:
            return None
        document = self.client.by_name(planned.type, names[0])
        return Found(planned.type, document) if document is not None else None

    # --- lists ------------------------------------------------------------------------------------------------------

    def _walk(self, planned: PlannedObject) -> Iterator[list[str]]:
        """The paths of all objects that fit, layer by layer."""
        service, database, schema, name = planned.parts
        for in_service in self._fitting(self._list("database", service=service), database, planned):
            path = [service, in_service]
            for in_database in self._fitting(self._list("databaseSchema", database=build(path)), schema, planned):
                inner = [*path, in_database]
                for found in self._fitting(self._list(planned.type, databaseSchema=build(inner)), name, planned):
                    yield [*inner, found]

    def _fitting(self, documents: list[Document], part: str, planned: PlannedObject) -> list[str]:
        names = [str(document["name"]) for document in documents]
        if part == ANY:
            return names
        if part in planned.exact:
            return [name for name in names if name == part]
        return [name for name in names if name.casefold() == part.casefold()]

    def _list(self, kind: EntityType, **filters: str) -> list[Document]:
        """A list, read once, whichever thread is the first to ask for it."""
        key = (kind, next(iter(filters.values())))
        with self._lock:
            lock = self._locks.setdefault(key, Lock())
        with lock:
            if key not in self._lists:
                self._lists[key] = self.client.listed(kind, columns=kind == "container", **filters)
            return self._lists[key]

    # --- containers -------------------------------------------------------------------------------------------------

    def _container(self, planned: PlannedObject) -> Found | None:
        """The container of a path: by its location, or the innermost one around it."""
        if planned.uri is None:
            return None
        rule = planned.rule
        inside = isinstance(rule, StorageRule) and rule.inside and "container" not in rule.create
        place = _place(planned.uri)
        best: tuple[int, Document] | None = None
        for document in self._list("container", service=planned.parts[0]):
            for location in _locations(document):
                around = inside and place.startswith(location + "/")
                if (location == place or around) and (best is None or len(location) > best[0]):
                    best = (len(location), document)
        return Found("container", best[1]) if best is not None else None


def _locations(document: Document) -> set[str]:
    """Where a container is: by its path, and by the names of the containers that it is in."""
    names = split(str(document["fullyQualifiedName"]))[1:]
    found = {_place("/".join(names))}
    if document.get("fullPath"):
        found.add(_place(str(document["fullPath"])))
    return found - {""}


def _place(location: str) -> str:
    """A location without its scheme and outer slashes, so that ``s3a://b/x/`` and ``b/x`` are one."""
    return location.rpartition("://")[2].strip("/")


def _pattern(planned: PlannedObject) -> str:
    parts = [
        ANY if part == ANY else part.replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")
        for part in planned.parts
    ]
    return build(parts)


def fits(parts: list[str], planned: PlannedObject) -> bool:
    """Whether a name is the planned one but for the case and the layers that are not known."""
    if len(parts) != len(planned.parts):
        return False
    return all(
        want == ANY or have == want or (want not in planned.exact and have.casefold() == want.casefold())
        for have, want in zip(parts, planned.parts, strict=True)
    )


def _same_case(parts: list[str], planned: PlannedObject) -> bool:
    return all(want in (ANY, have) for have, want in zip(parts, planned.parts, strict=True))


def _words(planned: PlannedObject) -> str:
    words = {"table": "table", "container": "container", "storedProcedure": "stored procedure"}
    return f"{words[planned.type]} {planned.fqn}"


_Path = tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """A table, container or routine that the server has."""

    type: ObjectType
    document: Document

    @property
    def id(self) -> str:
        return str(self.document["id"])

    @property
    def fqn(self) -> str:
        return str(self.document["fullyQualifiedName"])

    @property
    def reference(self) -> dict[str, str]:
        """As requests name it."""
        return {"id": self.id, "type": self.type}

    @cached_property
    def _columns(self) -> dict[_Path, str]:
        """Fully qualified names of the columns and of the fields inside of them, by their paths."""
        if self.type == "container":
            listed = (self.document.get("dataModel") or {}).get("columns")
        else:
            listed = self.document.get("columns")
        return dict(_paths(listed or (), (), tuple(split(self.fqn))))

    @cached_property
    def _folded(self) -> dict[_Path, list[_Path]]:
        found: dict[_Path, list[_Path]] = {}
        for path in self._columns:
            found.setdefault(_fold(path), []).append(path)
        return found

    def column(self, planned: ColumnRef) -> str | None:
        """The name of a column; of a field that the server does not know, that of the column it is in."""
        if planned.unmasked is not None:
            found = self._find((planned.unmasked,), exact=planned.exact)
            if found is not None:
                return found
        for size in range(len(planned.path), 0, -1):
            found = self._find(planned.path[:size], exact=planned.exact)
            if found is not None:
                return found
        if len(planned.path) == 1 and "." in planned.path[0]:
            return self._find(tuple(planned.path[0].split(".")), exact=planned.exact)
        return None

    def _find(self, path: _Path, *, exact: bool) -> str | None:
        if path in self._columns:
            return self._columns[path]
        alike = [] if exact else self._folded.get(_fold(path), [])
        return self._columns[alike[0]] if len(alike) == 1 else None


def _paths(columns: Any, above: _Path, owner: _Path) -> Iterator[tuple[_Path, str]]:
    for column in columns:
        path = (*above, str(column["name"]))
        yield path, str(column.get("fullyQualifiedName") or build((*owner, *path)))
        yield from _paths(column.get("children") or (), path, owner)


def _fold(path: _Path) -> _Path:
    return tuple(part.casefold() for part in path)
