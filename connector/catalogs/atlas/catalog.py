"""Apache Atlas as an implementation of the catalog protocol.

The columns of tables that Atlas knows, in their order, serve as metadata for the analysis: with them `INSERT … SELECT` without a
list of columns finds its targets by position, and a ``*`` is expanded. Only a catalog whose columns somebody else keeps, and
numbers, is asked: what we write ourselves is known from the statements.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from apache_atlas.model.instance import AtlasEntity, AtlasEntityHeader

from connector.addresses import safe_url
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.mapping import Mapping as CatalogMapping
from connector.catalogs.atlas.plan import Existing, Plan
from connector.catalogs.atlas.replacing import Outdated
from connector.catalogs.atlas.session import AtlasSession
from connector.catalogs.atlas.settings import AtlasSettings
from connector.catalogs.atlas.statements import make_plan
from connector.catalogs.atlas.typedefs import (
    TypeChange,
    TypeSystem,
    apply_changes,
    find_changes,
    load_typedefs,
    own_typedefs,
)
from connector.catalogs.atlas.validation import CheckedMapping, checked_mapping
from connector.catalogs.catalog import Catalog, DeliverySettings, KeepsTypes, PruneSettings, Seen
from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger
from connector.catalogs.settings import Backoff
from connector.catalogs.summary import DeadLetters
from connector.common.progress import Progress
from connector.common.resources import resource_folder
from connector.lineage import Lineage
from connector.naming import join_name, parse_name

_ATTEMPTS = 4
_PAUSE = 1.0

Columns = dict[str, list[str]]
"""By ``database.table``, the names of columns in their order."""


def known_columns(plan: Plan, mapping: CatalogMapping, client: AtlasClient) -> Columns:
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
            owned = Existing(table).children(set(types))
            guids.extend(owned)
            if not owned:
                bare.append(str(table.get_attribute("qualifiedName")))
    found = [column for column in client.by_guid(guids) if column.status == "ACTIVE"]
    return _in_order([*found, *_searched(client, bare, types, mapping)], mapping)


def _searched(
    client: AtlasClient, tables: list[str], types: Sequence[str], mapping: CatalogMapping
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


def all_known_columns(mapping: CatalogMapping, client: AtlasClient) -> Columns:
    """Of all tables, by the server's search."""
    position = mapping.column_position
    attributes = [position] if position else []
    return _in_order((each for kind in _column_types(mapping) for each in client.search(kind, attributes)), mapping)


def _column_types(mapping: CatalogMapping) -> Sequence[str]:
    return sorted({rule.type for kind, _, rule in mapping.rules() if kind == "column"})


def _in_order(columns: Iterable[AtlasEntity | AtlasEntityHeader], mapping: CatalogMapping) -> Columns:
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


class AtlasDelivery(AtlasSettings, DeliverySettings, PruneSettings):
    """Apache Atlas."""

    type: Literal["atlas"] = "atlas"
    """The kind of catalog."""


class AtlasCatalog(Catalog[AtlasSettings, Plan, Outdated], KeepsTypes):
    """Apache Atlas: tables, columns and processes as entities."""

    name = "atlas"
    title = "Apache Atlas"
    settings_class = AtlasDelivery
    login_flags: ClassVar[Mapping[str, str]] = {
        "url": "ATLAS_URL",
        "auth": "derived from the other settings",
        "user": "ATLAS_USER",
        "password_file": "ATLAS_PASSWORD_FILE, or the password in ATLAS_PASSWORD",
        "token_file": "ATLAS_TOKEN_FILE, or the token in ATLAS_TOKEN",
        "ca_file": "ATLAS_CA_FILE",
    }
    flags: ClassVar[Mapping[str, str]] = {"mapping": "default; also shipped: hive, rdbms"}

    @property
    def place(self) -> str:
        return safe_url(self.settings.url)

    @cached_property
    def _checked(self) -> CheckedMapping:
        return checked_mapping(self.settings.mapping)

    def check(self) -> str:
        checked = self._checked
        with self.settings.connect(Backoff(attempts=1)) as client:
            checked.check_against(client)
        return f"{self.place}: reachable, and has the types of the mapping {self.settings.mapping}"

    def plan(self, lineages: Iterable[Lineage], *, source: str, seen: Mapping[str, Seen] | None = None) -> Plan:
        return make_plan(lineages, self._checked.mapping, source, seen)

    def known_columns(self, lineages: Iterable[Lineage] | None = None) -> Mapping[str, Sequence[str]]:
        mapping = self._checked.mapping
        if mapping.column_position is None or not self.settings.server_columns:
            return {}
        with self.settings.connect() as client:
            if lineages is None:
                return all_known_columns(mapping, client)
            return known_columns(make_plan(lineages, mapping, ""), mapping, client)

    def show(self, plan: Plan) -> Iterator[str]:
        return (f"{type_name} {name}" for type_name, name in plan.entities)

    @contextmanager
    def open(self, progress: Progress) -> Iterator[AtlasSession]:
        settings = self.settings
        with (
            DeadLetters(settings.dead_letter_file) as letters,
            settings.connect() as client,
            Ledger(settings.state, client.url) as ledger,
        ):
            self._checked.check_against(client)
            yield AtlasSession(settings, client, ledger, letters, progress)

    # --- types --------------------------------------------------------------------------------------------------------

    @classmethod
    def type_documents(cls, folder: Path | None) -> list[dict[str, Any]]:
        return [document for _, document in own_typedefs(folder)]

    @classmethod
    def type_lines(cls, folder: Path | None) -> list[str]:
        documents = cls.type_documents(folder)
        types = TypeSystem([load_typedefs(resource_folder("typedefs") / "atlas" / "base.json"), *documents])
        lines = []
        for document in documents:
            for item in document.get("entityDefs") or ():
                above = ", ".join(item["superTypes"]) or "nothing"
                lines.append(f"{item['name']} {item.get('typeVersion', '1.0')}  extends {above}")
                lines.extend(
                    f"  {attribute.name}{'*' if attribute.mandatory else ''}: {attribute.type}"
                    for attribute in types.attributes(item["name"]).values()
                )
        return lines

    def type_changes(self, folder: Path | None, *, apply: bool) -> Sequence[TypeChange]:
        documents = self.type_documents(folder)
        with self.settings.connect() as client:
            changes = find_changes(documents, client.typedefs())
            if apply:
                try:
                    apply_changes(client, changes)
                except RefusedError as error:
                    if error.status != 409:
                        raise
                    # Another client has created some of them in the meantime.
                    changes = find_changes(documents, client.typedefs())
                    apply_changes(client, changes)
        return changes
