"""Apache Atlas as an implementation of the catalog protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from connector.addresses import safe_url
from connector.catalogs.atlas.known_columns import all_known_columns, known_columns
from connector.catalogs.atlas.plan import Plan
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
