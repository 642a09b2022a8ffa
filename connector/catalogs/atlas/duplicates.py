"""Names that the server has more than once: found, reported, and repaired on request.

Atlas finds an entity by its name and stops at the first, so what hangs on a second one of the same name is lost to everybody. To
repair it, all that hangs on the others is moved to the one that stays: parts, and the edges of everybody's processes.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any

from apache_atlas.model.instance import AtlasEntity, AtlasObjectId, AtlasRelatedObjectId

from connector.catalogs.atlas.client import AtlasClient, compact
from connector.catalogs.atlas.mapping import KINDS
from connector.catalogs.atlas.plan import Existing, Key, Plan
from connector.catalogs.atlas.replacing import remove
from connector.catalogs.summary import Summary

_log = logging.getLogger("connector.catalogs")
_SHOWN = 5


@dataclass(slots=True)
class Duplicates:
    """Entities that share a name, by type and name."""

    found: dict[Key, list[str]] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    """What could not be repaired, and why."""

    def __bool__(self) -> bool:
        return bool(self.found)

    def tell(self, summary: Summary, *, removed: bool) -> None:
        summary.notes.extend(self.kept)
        if not self.found:
            return
        names = ", ".join(f"{kind} {name}" for kind, name in list(self.found)[:_SHOWN])
        more = f" and {len(self.found) - _SHOWN} more" if len(self.found) > _SHOWN else ""
        what = "had these names more than once; one of each is left" if removed else "has these names more than once"
        hint = "" if removed else "; --repair removes all but one of each"
        summary.notes.append(f"Atlas {what}: {names}{more}{hint}")


def find_duplicates(plan: Plan, client: AtlasClient) -> Duplicates:
    """By the server's search, the only question that it answers with every entity of a name."""
    guids: dict[Key, list[str]] = {}
    for type_name in sorted({key[0] for key in plan.entities}):
        for header in client.search(type_name, []):
            key = (type_name, str(header.get_attribute("qualifiedName")))
            if key in plan.entities:
                guids.setdefault(key, []).append(str(header.guid))
    suspects = {key: sorted(set(found)) for key, found in guids.items() if len(set(found)) > 1}
    if not suspects:
        return Duplicates()
    # The search follows what it searches after a moment.
    every = [guid for found in suspects.values() for guid in found]
    live = {str(entity.guid) for entity in client.by_guid(every) if entity.status == "ACTIVE"}
    sure = {key: [guid for guid in found if guid in live] for key, found in suspects.items()}
    return Duplicates({key: found for key, found in sure.items() if len(found) > 1})


def remove_duplicates(duplicates: Duplicates, plan: Plan, client: AtlasClient, summary: Summary) -> None:
    """Leave one entity of each name, wholes before their parts."""
    if not client.may_purge():
        duplicates.kept.append("Names that exist more than once can be repaired only by a user who may purge.")
        return
    owners = _owners(plan)
    order = sorted(duplicates.found, key=lambda key: KINDS.index(plan.entities[key].kind))
    for key in order:
        entities = [client.one(guid) for guid in duplicates.found[key]]
        entities = [entity for entity in entities if entity.status == "ACTIVE"]
        described = [entity for entity in entities if Existing(entity).foreign(plan.entities[key])]
        if len(described) > 1:
            duplicates.kept.append(
                f"{key[0]} {key[1]}: several of them carry what people have added; remove all but one by hand: "
                + ", ".join(str(entity.guid) for entity in described)
            )
            continue
        stays = (described or _named(client, key, entities))[0]
        others = [entity for entity in entities if entity.guid != stays.guid]
        for other in others:
            _move(client, other, stays, owners)
        remove(client, [str(other.guid) for other in others], purge=True)
        _make_findable(client, stays)
        summary.of(key[0]).removed += len(others)


def _make_findable(client: AtlasClient, stays: AtlasEntity) -> None:
    """Name an entity anew. Atlas keeps one entry for each name, and loses it with whichever entity of that name is removed."""
    name = str(stays.get_attribute("qualifiedName"))
    if any(entity.guid == stays.guid for entity in client.read(stays.typeName, [name])):
        return
    for each in (f"{name}~", name):
        client.entity.partial_update_entity_by_guid(stays.guid, each, "qualifiedName")


def _named(client: AtlasClient, key: Key, entities: list[AtlasEntity]) -> list[AtlasEntity]:
    """The entity that everybody else finds under this name, before the others."""
    found = {str(entity.guid) for entity in client.read(key[0], [key[1]])}
    return sorted(entities, key=lambda entity: str(entity.guid) not in found)


def _owners(plan: Plan) -> dict[tuple[str, str], str]:
    """By the types of part and whole, the part's attribute that names its whole."""
    return {
        (entity.key[0], whole[0]): attribute
        for entity in plan.entities.values()
        for attribute, whole in entity.references.items()
    }


def _move(client: AtlasClient, other: AtlasEntity, stays: AtlasEntity, owners: dict[tuple[str, str], str]) -> None:
    """Hang on the one that stays what hangs on another."""
    changed: list[AtlasEntity] = []
    processes: dict[str, None] = {}
    for related in (other.relationshipAttributes or {}).values():
        for item in related if isinstance(related, list) else ():
            if item.get("entityStatus") != "ACTIVE" or item.get("relationshipStatus") != "ACTIVE":
                continue
            attribute = owners.get((item["typeName"], other.typeName))
            if attribute is not None:
                changed.append(_part(client.one(str(item["guid"])), attribute, stays))
            else:
                processes[str(item["guid"])] = None
    for guid in processes:
        process = client.one(guid)
        if process.status == "ACTIVE" and (process.get_attribute("inputs") or process.get_attribute("outputs")):
            changed.append(_process(process, str(other.guid), stays))
    if changed:
        client.save(changed)


def _part(part: AtlasEntity, attribute: str, stays: AtlasEntity) -> AtlasEntity:
    whole = compact(AtlasObjectId({"typeName": stays.typeName, "guid": stays.guid}))
    return _changed(part, {}, {attribute: whole})


def _process(process: AtlasEntity, gone: str, stays: AtlasEntity) -> AtlasEntity:
    """A process with its edges on the one that stays, each through the relationship that it had."""
    attributes: dict[str, Any] = {}
    for name in ("inputs", "outputs"):
        ends: dict[str, AtlasRelatedObjectId] = {}
        for end in process.get_relationship_attribute(name) or ():
            if end.get("relationshipStatus") != "ACTIVE":
                continue
            guid = str(stays.guid) if end["guid"] == gone else str(end["guid"])
            reference = {"typeName": end["typeName"], "guid": guid, "relationshipType": end["relationshipType"]}
            ends[guid] = compact(AtlasRelatedObjectId(reference))
        attributes[name] = list(ends.values())
    return _changed(process, attributes, {})


def _changed(entity: AtlasEntity, attributes: dict[str, Any], references: dict[str, Any]) -> AtlasEntity:
    """An update. It says again what the entity says itself: Atlas takes none without the mandatory attributes."""
    said = {
        name: value
        for name, value in (entity.attributes or {}).items()
        if isinstance(value, str | int | float | bool)
        or (isinstance(value, list) and all(isinstance(v, str) for v in value))
    }
    wholes = {
        name: {"guid": related["guid"], "typeName": related["typeName"]}
        for name, related in (entity.relationshipAttributes or {}).items()
        if isinstance(related, dict) and related.get("relationshipStatus") == "ACTIVE"
    }
    document = {"typeName": entity.typeName, "guid": entity.guid, "attributes": {**said, **attributes}}
    return compact(AtlasEntity({**document, "relationshipAttributes": {**wholes, **references}}))
