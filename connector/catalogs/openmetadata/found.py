"""What the server has: an object with its key, and its columns in the server's own spelling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from connector.catalogs.openmetadata.client import Document
from connector.catalogs.openmetadata.fqn import build, split
from connector.catalogs.openmetadata.plan import ColumnRef, ObjectType

__all__ = ["Found"]

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

    def column(self, wanted: ColumnRef) -> str | None:
        """The name of a column; of a field that the server does not know, that of the column it is in."""
        if wanted.unmasked is not None:
            found = self._find((wanted.unmasked,), exact=wanted.exact)
            if found is not None:
                return found
        for size in range(len(wanted.path), 0, -1):
            found = self._find(wanted.path[:size], exact=wanted.exact)
            if found is not None:
                return found
        if len(wanted.path) == 1 and "." in wanted.path[0]:
            return self._find(tuple(wanted.path[0].split(".")), exact=wanted.exact)
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
