"""What a database keeps of its views and routines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from sqlalchemy import Connection

from connector.sources.models import DatabaseSource

__all__ = ["Definition", "DefinitionReader", "Scope", "create_view", "is_whole", "quoted"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A view or a routine with the statement that makes it."""

    kind: Literal["view", "routine"]
    schema: str | None
    name: str
    text: str | None
    """None when the database does not show it to this user."""
    database: str | None = None
    default_schema: str | None = None
    """Where the names in it are looked for, if that is not its own schema."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which objects are wanted."""

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
    """A name with its layers, each between quotes."""
    return ".".join(f"{quote}{part.replace(quote, quote * 2)}{quote}" for part in parts if part)


def create_view(name: str, definition: str | None, *, kind: str = "view") -> str | None:
    """The statement that makes a view, where the database keeps only the query."""
    if definition is None or not definition.strip():
        return None
    text = definition.strip().rstrip(";").rstrip()
    return f"{text}\n" if is_whole(text) else f"create {kind} {name} as\n{text}\n"


def is_whole(definition: str) -> bool:
    """Whether a definition is a statement that makes the object, and not only its query or body."""
    return _CREATE.match(definition) is not None
