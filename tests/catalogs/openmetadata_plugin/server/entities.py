"""Services, databases, schemas, tables, containers, procedures and pipelines: kept, changed, found, removed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

from .answers import Refused
from .auth import User
from .bodies import apply_patch, check
from .clock import Clock
from .columns import columns_of, place, relative_names
from .kinds import KINDS, Kind
from .names import check_name, join

__all__ = ["Entities", "Entity"]

Entity = dict[str, Any]
ColumnsGone = Callable[[Entity, set[str]], None]
Gone = Callable[[str], None]

_CURATED = ("description", "displayName")
"""What a person has written; a bot's PUT does not overwrite it."""


class Entities:
    """All entities by id and by name."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._by_id: dict[str, Entity] = {}
        self._by_name: dict[tuple[str, str], str] = {}
        self._type_of: dict[str, str] = {}
        self.on_columns_gone: ColumnsGone = lambda entity, names: None
        self.on_gone: Gone = lambda identifier: None
        self.base = ""
        """The server's own address, for the links it hands out."""

    # --- finding ----------------------------------------------------------------------------------------------------

    def by_name(self, kind: Kind, name: str, include: str = "non-deleted") -> Entity:
        entity = self._by_id.get(self._by_name.get((kind.type, name), ""))
        if entity is None or not _included(entity, include):
            raise Refused(404, f"{kind.type} instance for {name} not found")
        return entity

    def by_id(self, kind: Kind, identifier: str, include: str = "non-deleted") -> Entity:
        entity = self._by_id.get(identifier)
        if entity is None or self._type_of[identifier] != kind.type or not _included(entity, include):
            raise Refused(404, f"{kind.type} instance for {identifier} not found")
        return entity

    def referred(self, reference: dict[str, Any]) -> Entity:
        """What an entity reference of a lineage request points to."""
        kind = KINDS.get(reference["type"])
        if kind is None:
            raise Refused(404, f"Entity type {reference['type']} not found")
        try:
            return self.by_id(kind, str(reference["id"]))
        except Refused:
            raise Refused(404, f"Entity not found: {kind.type} {reference['id']}") from None

    def any(self, identifier: str) -> Entity | None:
        """Whatever has the id, removed or not."""
        return self._by_id.get(identifier)

    def type_of(self, identifier: str) -> str:
        return self._type_of[identifier]

    def of(self, kind: Kind, include: str = "non-deleted") -> list[Entity]:
        found = [entity for key, entity in self._by_id.items() if self._type_of[key] == kind.type]
        return sorted(
            (entity for entity in found if _included(entity, include)),
            key=lambda entity: (entity["name"], entity["id"]),
        )

    def reference(self, entity: Entity) -> dict[str, Any]:
        kind = KINDS[self._type_of[entity["id"]]]
        result = {
            "id": entity["id"],
            "type": kind.type,
            "name": entity["name"],
            "fullyQualifiedName": entity["fullyQualifiedName"],
            "deleted": entity["deleted"],
            "href": entity["href"],
        }
        if entity.get("displayName"):
            result["displayName"] = entity["displayName"]
        return result

    # --- writing ----------------------------------------------------------------------------------------------------

    def create(self, kind: Kind, request: Any, user: User) -> Entity:
        """POST: refuses what is there already, also when it is soft-deleted."""
        parent, name = self._checked(kind, request)
        if (kind.type, name) in self._by_name:
            raise Refused(409, "Entity already exists")
        return self._add(kind, request, parent, name, user)

    def upsert(self, kind: Kind, request: Any, user: User) -> tuple[Entity, bool]:
        """PUT: the entity, and whether it is new."""
        parent, name = self._checked(kind, request)
        known = self._by_name.get((kind.type, name))
        if known is None:
            return self._add(kind, request, parent, name, user), True
        return self._update(kind, self._by_id[known], request, user), False

    def patch(self, kind: Kind, entity: Entity, body: bytes, user: User) -> Entity:
        patched = apply_patch(entity, body)
        if patched.get("id") != entity["id"] or patched.get("name") != entity["name"]:
            raise Refused(400, "Attribute name and id can't be modified")
        check(kind.entity, patched)
        _place_columns(patched)
        return self._replace(entity, patched, user)

    def delete(self, entity: Entity, *, hard: bool, recursive: bool) -> None:
        children = list(self._children(entity["id"], hard))
        if children and not recursive:
            raise Refused(400, f"{self._type_of[entity['id']]} is not empty")
        for child in children:
            self.delete(child, hard=hard, recursive=True)
        if not hard:
            entity["deleted"] = True
            return
        del self._by_name[(self._type_of.pop(entity["id"]), entity["fullyQualifiedName"])]
        del self._by_id[entity["id"]]
        self.on_gone(entity["id"])

    # --- inside -----------------------------------------------------------------------------------------------------

    def _checked(self, kind: Kind, request: Any) -> tuple[Entity | None, str]:
        """The parent and the fully qualified name of what a request describes."""
        if not isinstance(request, dict):
            raise Refused(400, "Invalid request format")
        name = check_name(request.get("name"))
        check(kind.create, request)
        if kind.parent is None or kind.parent_type is None:
            return None, join(None, name)
        parent = self.by_name(KINDS[kind.parent_type], request[kind.parent])
        if kind.type == "container" and request.get("parent"):
            parent = self.referred(request["parent"])
        return parent, join(parent["fullyQualifiedName"], name)

    def _add(self, kind: Kind, request: Entity, parent: Entity | None, name: str, user: User) -> Entity:
        identifier = str(uuid.uuid4())
        entity = _content(kind, request)
        entity.update(
            id=identifier,
            fullyQualifiedName=name,
            version=0.1,
            updatedAt=self._clock.now(),
            updatedBy=user.name,
            href=f"{self.base}/v1/{kind.collection}/{identifier}",
            deleted=False,
        )
        if parent is not None:
            self._hang(kind, entity, parent)
        _place_columns(entity)
        self._by_id[identifier] = entity
        self._by_name[(kind.type, name)] = identifier
        self._type_of[identifier] = kind.type
        return entity

    def _hang(self, kind: Kind, entity: Entity, parent: Entity) -> None:
        """The references from an entity to what it is in."""
        reference = self.reference(parent)
        if kind.type == "container" and reference["type"] == "container":
            entity["parent"] = reference
        else:
            entity[str(kind.parent)] = reference
        for field in ("database", "service", "serviceType"):
            if field in parent and field not in entity:
                entity[field] = parent[field]

    def _update(self, kind: Kind, entity: Entity, request: Entity, user: User) -> Entity:
        content = _content(kind, request)
        for field in _CURATED:
            if user.bot and entity.get(field):
                content[field] = entity[field]
        kept = {
            field: entity[field]
            for field in (
                "id fullyQualifiedName version updatedAt updatedBy href deleted "
                "database databaseSchema service serviceType parent"
            ).split()
            if field in entity
        }
        updated = {**content, **kept, "deleted": False}
        _place_columns(updated)
        _keep_column_notes(entity, updated)
        return self._replace(entity, updated, user)

    def _replace(self, entity: Entity, updated: Entity, user: User) -> Entity:
        """The new content in the place of the old. Columns that are gone take their lineage with them."""
        gone = relative_names(entity) - relative_names(updated)
        if updated != entity:
            updated = {**updated, "version": round(entity["version"] + 0.1, 1)}
            updated.update(updatedAt=self._clock.now(), updatedBy=user.name)
        entity.clear()
        entity.update(updated)
        if gone:
            self.on_columns_gone(entity, gone)
        return entity

    def _children(self, identifier: str, hard: bool) -> Iterator[Entity]:
        for entity in list(self._by_id.values()):
            if entity["deleted"] and not hard:
                continue
            kind = KINDS[self._type_of[entity["id"]]]
            holder = entity.get("parent") or (entity.get(kind.parent) if kind.parent else None)
            if holder and holder["id"] == identifier:
                yield entity


def _included(entity: Entity, include: str) -> bool:
    return include == "all" or entity["deleted"] == (include == "deleted")


def _content(kind: Kind, request: Entity) -> Entity:
    """What a request says of the entity itself. References to parents are set by the server."""
    content = {key: value for key, value in request.items() if value is not None and key not in ("parent", kind.parent)}
    if kind.type == "table":
        content.setdefault("columns", [])
        content.setdefault("tableType", "Regular")
    return content


def _place_columns(entity: Entity) -> None:
    placed = place(columns_of(entity), entity["fullyQualifiedName"])
    if "columns" in entity:
        entity["columns"] = placed
    elif entity.get("dataModel"):
        entity["dataModel"] = {**entity["dataModel"], "columns": placed}


def _keep_column_notes(before: Entity, after: Entity) -> None:
    notes = {column["name"]: column.get("description") for column in columns_of(before)}
    for column in columns_of(after):
        if notes.get(column["name"]) and not column.get("description"):
            column["description"] = notes[column["name"]]
