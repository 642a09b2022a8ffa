"""Columns of known tables, from wherever they come: mappings, and JSON files in the reference's exported form or a plain form."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from connector.errors import ConfigurationError
from connector.naming import split_parts


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
            (
                split_parts(name),
                TableInfo(tuple(columns), types=tuple(columns.values()) if isinstance(columns, Mapping) else ()),
            )
            for name, columns in metadata.items()
            if name
        )
    if not isinstance(metadata, MetadataProvider):
        raise ConfigurationError(
            'metadata must be a mapping such as {"schema.table": ["a", "b"]}, or an object with a describe() method, '
            f"not {type(metadata).__name__}; connector.read_metadata reads files"
        )
    return metadata


Tables = Iterator[tuple[Sequence[str], TableInfo]]


def load_metadata(path: Path | str) -> MappingMetadata:
    """Reads a `.json` file of table columns. Raises ConfigurationError with the reason if it is not one."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise ConfigurationError(f"metadata file {file}: {problem.strerror or problem}") from problem
    except UnicodeDecodeError as problem:
        raise ConfigurationError(f"metadata file {file}: not valid UTF-8: {problem.reason}") from problem
    try:
        content = json.loads(text)
    except json.JSONDecodeError as problem:
        raise ConfigurationError(f"metadata file {file}: line {problem.lineno}: {problem.msg}") from problem
    except RecursionError as problem:
        raise ConfigurationError(f"metadata file {file}: the JSON is nested too deeply") from problem
    try:
        return parse_json_metadata(content)
    except ConfigurationError as problem:
        raise ConfigurationError(f"metadata file {file}: {problem}") from problem


def parse_json_metadata(content: Any) -> MappingMetadata:
    """Metadata from decoded JSON.

    Plain form: ``{"schema.table": ["a", "b"]}``, ``{"schema.table": {"a": "int"}}``, or layers as nested objects.
    Exported form: ``{"databases": [{"name": …, "tables": [{"name": …, "columns": [{"name": …}]}]}]}``, optionally with
    schemas between databases and tables, optionally inside ``{"physicalInstance": …}`` or a list of servers.
    """
    if isinstance(content, Mapping) and ("databases" in content or "servers" in content):
        try:
            return MappingMetadata(_exported(content))
        except (AttributeError, KeyError, TypeError) as problem:
            raise ConfigurationError("invalid exported form: a name or a list is missing") from problem
    if isinstance(content, Mapping):
        return MappingMetadata(_plain(content, ()))
    raise ConfigurationError("expected a JSON object that maps table names to columns, or one with `databases`")


def merge_metadata(providers: Sequence[MetadataProvider]) -> MetadataProvider | None:
    """A provider that asks several others in turn."""
    if len(providers) <= 1:
        return providers[0] if providers else None
    return _Chain(tuple(providers))


class _Chain:
    """Asks providers in order; the first one that knows a table is used."""

    def __init__(self, providers: tuple[MetadataProvider, ...]) -> None:
        self._providers = providers

    def describe(self, database: str | None, schema: str | None, name: str) -> TableInfo | None:
        for provider in self._providers:
            found = provider.describe(database, schema, name)
            if found is not None:
                return found
        return None


def _plain(content: Mapping[str, Any], outer: tuple[str, ...]) -> Tables:
    for name, value in content.items():
        parts = (*outer, *split_parts(name))
        if isinstance(value, list):
            yield parts, _listed(value)
        elif isinstance(value, Mapping):
            if any(isinstance(inner, (Mapping, list)) for inner in value.values()):
                yield from _plain(value, parts)
            else:
                yield (
                    parts,
                    TableInfo(tuple(value), types=tuple(str(each) if each else None for each in value.values())),
                )
        else:
            raise ConfigurationError(f"table {'.'.join(parts)}: expected a list of columns, found {value!r}")


def _listed(columns: Sequence[Any], view: bool = False) -> TableInfo:
    """A list of names, or of objects that may say a type as well."""
    names = tuple(_column_name(column) for column in columns)
    types = tuple(_column_type(column) for column in columns)
    return TableInfo(names, view, types if any(types) else ())


def _column_type(column: Any) -> str | None:
    found = (column.get("dataType") or column.get("type")) if isinstance(column, Mapping) else None
    return found if isinstance(found, str) else None


def _column_name(column: Any) -> str:
    if isinstance(column, str):
        return column
    if isinstance(column, Mapping) and isinstance(column.get("name"), str):
        return str(column["name"])
    raise ConfigurationError(f"expected a column name or an object with `name`, found {column!r}")


def _exported(content: Mapping[str, Any]) -> Tables:
    for server in content.get("servers", []):
        yield from _exported(server)
    for database in content.get("databases", []):
        outer = (str(database.get("name", "")),)
        yield from _exported_tables(database, outer)
        for schema in database.get("schemas", []):
            yield from _exported_tables(schema, (*outer, str(schema.get("name", ""))))


def _exported_tables(holder: Mapping[str, Any], outer: tuple[str, ...]) -> Tables:
    for kind in ("tables", "views"):
        for table in holder.get(kind, []):
            parts = [*outer, *([str(table["schema"])] if table.get("schema") else []), str(table["name"])]
            is_view = kind == "views" or str(table.get("isView", "")).lower() == "true" or table.get("type") == "view"
            yield parts, _listed(table.get("columns", []), is_view)
