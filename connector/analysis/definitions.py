"""Metadata from DDL: what the tables and views that a set of scripts creates look like at their end."""

from __future__ import annotations

from collections.abc import Sequence

from connector.analysis.analyser import Analyser
from connector.metadata import MappingMetadata, TableInfo
from connector.model import Model, Script
from connector.naming import unquote
from connector.options import Options
from connector.sql.dialects import SqlDialect

__all__ = ["read_definitions"]


def read_definitions(scripts: Sequence[Script], dialect: SqlDialect) -> MappingMetadata:
    """The columns of everything the scripts create, under the names they create it by."""
    analyser = Analyser(Model(vendor=dialect.vendor), dialect, Options(), None)
    for script in scripts:
        analyser.script(script)
    found = MappingMetadata()
    for table in analyser.ctx.catalog.known_tables():
        entity = table.entity
        parts = [part for part in (entity.database, entity.schema, entity.table) if part]
        columns = tuple(unquote(name) for name in (table.known or {}).values())
        found.add(parts, TableInfo(columns, entity.kind == "view"))
    return found
