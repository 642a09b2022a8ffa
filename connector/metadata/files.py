"""Metadata files: JSON in the reference's exported form or a plain form, and DDL scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from connector.errors import ConfigurationError
from connector.metadata.provider import MappingMetadata, MetadataProvider, TableInfo, split_name

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
        parts = (*outer, *split_name(name))
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
