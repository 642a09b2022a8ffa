"""The columns of the tables that Atlas knows, in their order, as metadata for the analysis.

With them `INSERT … SELECT` without a list of columns finds its targets by position, and a ``*`` is expanded. Only a catalog whose
columns somebody else keeps, and numbers, is asked: what we write ourselves is known from the statements.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from apache_atlas.model.instance import AtlasEntity, AtlasEntityHeader

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.mapping import Mapping
from connector.catalogs.atlas.plan import Plan
from connector.naming import join_name, parse_name

_PORTION = 50
_ATTEMPTS = 4
_PAUSE = 1.0

Columns = dict[str, list[str]]
"""By ``database.table``, the names of columns in their order."""


def known_columns(plan: Plan, mapping: Mapping, client: AtlasClient) -> Columns:
    """Of the tables in a plan."""
    names: dict[str, list[str]] = {}
    for entity in plan.entities.values():
        if entity.kind in ("table", "view"):
            names.setdefault(entity.key[0], []).append(entity.key[1])
    types = _column_types(mapping)
    guids: list[str] = []
    bare: list[str] = []
    for type_name, listed in names.items():
        for table in client.read(type_name, listed, relationships=True):
            owned = _parts(table, types)
            guids.extend(owned)
            if not owned:
                bare.append(str(table.get_attribute("qualifiedName")))
    found: list[AtlasEntity | AtlasEntityHeader] = [
        column
        for start in range(0, len(guids), _PORTION)
        for column in client.by_guid(guids[start : start + _PORTION])
        if column.status == "ACTIVE"
    ]
    return _in_order([*found, *_searched(client, bare, types, mapping)], mapping)


def _parts(table: AtlasEntity, types: Sequence[str]) -> list[str]:
    """The guids of the columns that a table says it has."""
    related = (table.relationshipAttributes or {}).values()
    return [
        str(item["guid"])
        for items in related
        for item in (items if isinstance(items, list) else ())
        if item.get("typeName") in types and item.get("entityStatus") == "ACTIVE"
    ]


def _searched(
    client: AtlasClient, tables: list[str], types: Sequence[str], mapping: Mapping
) -> Iterator[AtlasEntityHeader]:
    """The columns of tables that do not say which they have: the relationship can be kept at the columns' end alone.

    The index may be a moment behind what somebody has just written.
    """
    position = mapping.column_position or ""
    for attempt in range(_ATTEMPTS if tables else 0):
        if attempt:
            time.sleep(_PAUSE)
        missing = []
        for table in tables:
            parts = parse_name(table).parts
            columns = [
                column
                for kind in types
                for column in client.search(kind, [position], prefix=join_name(parts) + ".")
                if parse_name(str(column.get_attribute("qualifiedName"))).parts[:-1] == parts
                and str(column.get_attribute("qualifiedName")).rpartition("@")[2] == table.rpartition("@")[2]
            ]
            yield from columns
            if not columns:
                missing.append(table)
        tables = missing
        if not tables:
            return


def all_known_columns(mapping: Mapping, client: AtlasClient) -> Columns:
    """Of all tables, by the server's search."""
    position = mapping.column_position
    attributes = [position] if position else []
    return _in_order((each for kind in _column_types(mapping) for each in client.search(kind, attributes)), mapping)


def _column_types(mapping: Mapping) -> Sequence[str]:
    return sorted({rule.type for kind, _, rule in mapping.rules() if kind == "column"})


def _in_order(columns: Iterable[AtlasEntity | AtlasEntityHeader], mapping: Mapping) -> Columns:
    """A table of which one column has no place is left out: a wrong order would be worse than none."""
    tables: dict[str, list[tuple[int, str]]] = {}
    unsure: set[str] = set()
    for column in columns:
        attributes = column.attributes or {}
        *table, name = parse_name(str(attributes.get("qualifiedName"))).parts
        position = attributes.get(mapping.column_position or "")
        if isinstance(position, int):
            tables.setdefault(join_name(table), []).append((position, name))
        else:
            unsure.add(join_name(table))
    return {
        table: [name for _, name in sorted(found)]
        for table, found in tables.items()
        if table not in unsure and len({position for position, _ in found}) == len(found)
    }
