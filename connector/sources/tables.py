"""Columns of tables that a source knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from connector.metadata import MappingMetadata, TableInfo

__all__ = ["TableColumns", "metadata_of"]


@dataclass(frozen=True, slots=True)
class TableColumns:
    """A table or a view with its columns in order."""

    database: str | None
    schema: str | None
    name: str
    columns: tuple[str, ...]
    view: bool = False


def metadata_of(tables: Iterable[TableColumns]) -> MappingMetadata:
    """A metadata provider for the analyser."""
    return MappingMetadata(
        ([table.database or "", table.schema or "", table.name], TableInfo(table.columns, table.view))
        for table in tables
    )
