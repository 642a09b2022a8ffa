"""Planned entities in the classes of Apache's client."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from apache_atlas.model.instance import AtlasEntity, AtlasObjectId, AtlasRelatedObjectId

from connector.catalogs.atlas.client import compact
from connector.catalogs.atlas.plan import Key, PlannedEntity

__all__ = ["Letter", "payload"]


@dataclass(frozen=True, slots=True)
class Letter:
    """One entity on its way, with what several sources and other people have added to it."""

    planned: PlannedEntity
    merged: list[str] | None = None
    foreign: dict[str, Any] | None = None
    initial: dict[str, Any] | None = None
    """What the server has of the initial attributes. An update has to say them again, because some are mandatory."""

    @property
    def key(self) -> Key:
        return self.planned.key

    def document(self, guid: str, guids: Mapping[Key, str] = MappingProxyType({})) -> AtlasEntity:
        """The entity as Atlas reads it.

        References go by number to what is in the same request, and by name to what the server has already: Atlas does
        not find by name what a request is only about to create.
        """
        return payload(self.planned, guid, self.merged, self.foreign, guids, initial=self.initial)


def payload(
    planned: PlannedEntity,
    guid: str,
    merged: list[str] | None = None,
    foreign: dict[str, Any] | None = None,
    guids: Mapping[Key, str] = MappingProxyType({}),
    *,
    initial: dict[str, Any] | None = None,
) -> AtlasEntity:
    """An entity as Atlas reads it; see :meth:`Letter.document`."""
    attributes = {**(planned.initial if initial is None else initial), **planned.attributes}
    if planned.merged is not None and merged is not None:
        attributes[planned.merged] = merged
    for name, ends in (("inputs", planned.inputs), ("outputs", planned.outputs)):
        if ends is not None:
            through = planned.through if name == "inputs" else None
            attributes[name] = [_reference(end, guids, through) for end in ends]
    document: dict[str, Any] = {"typeName": planned.key[0], "guid": guid, "attributes": attributes}
    references: dict[str, Any] = {name: _reference(key, guids) for name, key in planned.references.items()}
    if foreign:
        attributes.update({k: v for k, v in foreign.get("attributes", {}).items() if k not in planned.attributes})
        references.update(foreign.get("relationshipAttributes", {}))
        document.update({k: v for k, v in foreign.items() if k not in ("attributes", "relationshipAttributes")})
    if references:
        document["relationshipAttributes"] = references
    return compact(AtlasEntity(document))


def _reference(key: Key, guids: Mapping[Key, str], through: str | None = None) -> AtlasObjectId:
    guid = guids.get(key)
    where = {"guid": guid} if guid is not None else {"uniqueAttributes": {"qualifiedName": key[1]}}
    if through is None:
        return compact(AtlasObjectId({"typeName": key[0], **where}))
    return compact(AtlasRelatedObjectId({"typeName": key[0], "relationshipType": through, **where}))
