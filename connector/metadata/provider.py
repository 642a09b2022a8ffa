"""Columns of known tables, from wherever they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from connector.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What is known of one table."""

    columns: tuple[str, ...]
    view: bool = False
    types: tuple[str | None, ...] = ()
    """Of the columns, in the same order; empty where nothing is known of them."""
    comment: str | None = None
    masked: tuple[tuple[str, str], ...] = ()
    """Columns whose names contain literals, and their names without them."""


@runtime_checkable
class MetadataProvider(Protocol):
    """Anything that can say which columns a table has."""

    def describe(self, database: str | None, schema: str | None, name: str) -> TableInfo | None:
        """The table's columns, None when the table is unknown or the name fits several tables."""


MetadataLike = MetadataProvider | Mapping[str, Sequence[str] | Mapping[str, str]]
"""A provider, or a mapping from `[database.][schema.]table` to its columns (a list, or names with types)."""


class MappingMetadata:
    """Tables by name, without regard to case. A name may be given with fewer or more layers than a table has.

    A reference finds a table when the layers that both of them name agree, and no other table fits as well; of several
    it means the one in the default layers.
    """

    def __init__(self, tables: Iterable[tuple[Sequence[str], TableInfo]] = ()) -> None:
        self._by_name: dict[str, list[tuple[tuple[str, ...], TableInfo]]] = {}
        for parts, info in tables:
            self.add(parts, info)

    def add(self, parts: Sequence[str], info: TableInfo) -> None:
        """Adds a table under its name parts, outermost first; empty parts are left out. The last word counts."""
        folded = tuple(part.lower() for part in parts if part)
        if not folded:
            return  # a table without a name cannot be referenced
        same_name = self._by_name.setdefault(folded[-1], [])
        same_name[:] = [entry for entry in same_name if entry[0] != folded]
        same_name.append((folded, info))

    def entries(self) -> Iterator[tuple[tuple[str, ...], TableInfo]]:
        """All tables with the folded parts of their names."""
        for same_name in self._by_name.values():
            yield from same_name

    def describe(self, database: str | None, schema: str | None, name: str) -> TableInfo | None:
        candidates = self._by_name.get(name.lower())
        if not candidates:
            return None
        wanted = [part.lower() for part in (schema, database) if part]
        fits = [entry for entry in candidates if _agree(entry[0], wanted)]
        if len(fits) > 1:
            exact = [entry for entry in fits if len(entry[0]) == len(wanted) + 1]
            fits = exact or [entry for entry in fits if _DEFAULTS.issuperset(entry[0][: -1 - len(wanted)])] or fits
        return fits[0][1] if len(fits) == 1 else None


_DEFAULTS = frozenset({"default", "dbo"})
"""Layers that a reference means where it leaves them out."""


def _agree(parts: tuple[str, ...], wanted: list[str]) -> bool:
    """Whether the layers above the name agree as far as both are given, from the inside out."""
    return all(have == want for have, want in zip(reversed(parts[:-1]), wanted, strict=False))


def as_provider(metadata: MetadataLike | None) -> MetadataProvider | None:
    """What the caller gave, as a provider."""
    if metadata is None:
        return None
    if isinstance(metadata, Mapping):
        for name, columns in metadata.items():
            if isinstance(columns, str) or not isinstance(columns, (Mapping, Iterable)):
                raise ConfigurationError(f"metadata of {name!r} must be a list of columns, not {columns!r}")
        return MappingMetadata(
            (split_name(name), TableInfo(tuple(columns), types=types_in(columns)))
            for name, columns in metadata.items()
            if name
        )
    if not isinstance(metadata, MetadataProvider):
        raise ConfigurationError(
            'metadata must be a mapping such as {"schema.table": ["a", "b"]}, or an object with a describe() method, '
            f"not {type(metadata).__name__}; connector.read_metadata reads files"
        )
    return metadata


def types_in(columns: Sequence[str] | Mapping[str, str]) -> tuple[str | None, ...]:
    """The types of columns that are given with them."""
    return tuple(columns.values()) if isinstance(columns, Mapping) else ()


def split_name(name: str) -> list[str]:
    """The parts of a dotted name; quotes around a part are taken off, dots inside them are kept."""
    parts: list[str] = []
    current = ""
    closing = ""
    for character in name:
        if closing:
            if character == closing:
                closing = ""
            else:
                current += character
        elif character in _QUOTES:
            closing = _QUOTES[character]
        elif character == ".":
            parts.append(current)
            current = ""
        else:
            current += character
    parts.append(current)
    return parts


_QUOTES = {'"': '"', "`": "`", "[": "]"}
