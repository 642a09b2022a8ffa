"""Planned entities as the JSON that Atlas reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from connector.catalogs.atlas.plan import Key, PlannedEntity

__all__ = ["Letter", "Limits", "encode", "payload"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much goes into a request, and how many requests go at the same time."""

    entities: int = 60
    bytes: int = 2_000_000
    workers: int = 4


@dataclass(frozen=True, slots=True)
class Letter:
    """One entity on its way, with what several sources and other people have added to it."""

    planned: PlannedEntity
    merged: list[str] | None = None
    foreign: dict[str, Any] | None = None

    @property
    def key(self) -> Key:
        return self.planned.key

    def document(self, guid: str, guids: Mapping[Key, str] = MappingProxyType({})) -> dict[str, Any]:
        """The entity as Atlas reads it.

        References go by number to what is in the same request, and by name to what the server has already: Atlas does
        not find by name what a request is only about to create.
        """
        return payload(self.planned, guid, self.merged, self.foreign, guids)


def payload(
    planned: PlannedEntity,
    guid: str,
    merged: list[str] | None = None,
    foreign: dict[str, Any] | None = None,
    guids: Mapping[Key, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """An entity as Atlas reads it; see :meth:`Letter.document`."""
    attributes = dict(planned.attributes)
    if planned.merged is not None and merged is not None:
        attributes[planned.merged] = merged
    for name, ends in (("inputs", planned.inputs), ("outputs", planned.outputs)):
        if ends is not None:
            attributes[name] = [_reference(end, guids) for end in ends]
    document: dict[str, Any] = {"typeName": planned.key[0], "guid": guid, "attributes": attributes}
    references = {name: _reference(key, guids) for name, key in planned.references.items()}
    if foreign:
        attributes.update({k: v for k, v in foreign.get("attributes", {}).items() if k not in attributes})
        references.update(foreign.get("relationshipAttributes", {}))
        document.update({k: v for k, v in foreign.items() if k not in ("attributes", "relationshipAttributes")})
    if references:
        document["relationshipAttributes"] = references
    return document


def encode(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def _reference(key: Key, guids: Mapping[Key, str]) -> dict[str, Any]:
    guid = guids.get(key)
    if guid is not None:
        return {"typeName": key[0], "guid": guid}
    return {"typeName": key[0], "uniqueAttributes": {"qualifiedName": key[1]}}
