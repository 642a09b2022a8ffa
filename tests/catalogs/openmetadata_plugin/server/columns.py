"""Columns of tables and containers: what is accepted, and under which names lineage may speak of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .answers import Refused
from .names import check_name, join

__all__ = ["columns_of", "place", "relative", "relative_names"]

_NEEDS_LENGTH = frozenset({"CHAR", "VARCHAR", "BINARY", "VARBINARY"})

Column = dict[str, Any]


def place(columns: list[Column], parent: str) -> list[Column]:
    """The columns with their fully qualified names, nested ones included."""
    placed = []
    seen: set[str] = set()
    for column in columns:
        name = check_name(column.get("name"), "columns.name")
        if name in seen:
            raise Refused(400, f"Column name {name} is repeated")
        seen.add(name)
        kind = column.get("dataType")
        if kind in _NEEDS_LENGTH and column.get("dataLength") is None:
            raise Refused(400, "For column data types char, varchar, binary, varbinary dataLength must not be null")
        if kind == "ARRAY" and column.get("arrayDataType") is None:
            raise Refused(400, "For column data type array, arrayDataType must not be null")
        result = {key: value for key, value in column.items() if value is not None}
        result["fullyQualifiedName"] = join(parent, name)
        result.setdefault("dataTypeDisplay", str(kind).lower())
        result.setdefault("tags", [])
        if column.get("children"):
            result["children"] = place(column["children"], result["fullyQualifiedName"])
        placed.append(result)
    return placed


def columns_of(entity: dict[str, Any]) -> list[Column]:
    """Those of a table, or of a container's data model."""
    if "columns" in entity:
        return list(entity["columns"])
    return list((entity.get("dataModel") or {}).get("columns") or [])


def relative_names(entity: dict[str, Any]) -> set[str]:
    """The names of all columns as paths below their table."""
    prefix = entity["fullyQualifiedName"] + "."
    return {name.removeprefix(prefix) for name in _names(columns_of(entity))}


def relative(column: str, entity: dict[str, Any]) -> str:
    """A column as a lineage request names it, as a path below its table. A bare name is one already."""
    return column.removeprefix(entity["fullyQualifiedName"] + ".")


def _names(columns: list[Column]) -> Iterator[str]:
    for column in columns:
        yield column["fullyQualifiedName"]
        yield from _names(column.get("children") or [])
