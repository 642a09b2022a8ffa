"""The definitions of views and routines in a database."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from sqlalchemy import Connection

from connector.sources.models import DatabaseSource


@dataclass(frozen=True, slots=True)
class Definition:
    """A view or a routine with the statement that creates it."""

    kind: Literal["view", "routine"]
    schema: str | None
    name: str
    text: str | None
    """None if the database does not show it to this user."""
    database: str | None = None
    default_schema: str | None = None
    """The schema in which its names are resolved, if it is not its own."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which objects to read."""

    schemas: tuple[str, ...]
    exclude: tuple[str, ...]
    views: bool
    routines: bool

    @classmethod
    def of(cls, source: DatabaseSource) -> Scope:
        return cls(source.schemas, source.exclude, source.views, source.routines)

    def has_schema(self, name: str | None) -> bool:
        return not self.schemas or any(fnmatchcase((name or "").lower(), pattern.lower()) for pattern in self.schemas)

    def has(self, schema: str | None, name: str) -> bool:
        full = f"{schema}.{name}" if schema else name
        return self.has_schema(schema) and not any(
            fnmatchcase(candidate.lower(), pattern.lower()) for pattern in self.exclude for candidate in (full, name)
        )


DefinitionReader = Callable[[Connection, Scope], Iterator[Definition]]

_CREATE = re.compile(r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(?:create|replace|alter)\b", re.I | re.S)


def quoted(*parts: str | None, quote: str = '"') -> str:
    """A qualified name with each part quoted."""
    return ".".join(f"{quote}{part.replace(quote, quote * 2)}{quote}" for part in parts if part)


def create_view(name: str, definition: str | None, *, kind: str = "view") -> str | None:
    """The statement that creates a view, for databases that only keep the query."""
    if definition is None or not definition.strip():
        return None
    text = definition.strip().rstrip(";").rstrip()
    return f"{text}\n" if is_whole(text) else f"create {kind} {name} as\n{text}\n"


def is_whole(definition: str) -> bool:
    """Whether a definition is a complete CREATE statement rather than only the query or body."""
    return _CREATE.match(definition) is not None
