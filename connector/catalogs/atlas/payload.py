"""Planned entities as the JSON that Atlas reads, cut into requests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from connector.catalogs.atlas.plan import Key, PlannedEntity

__all__ = ["Letter", "Limits", "encode", "payload"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How much goes into a request, and how many requests go at the same time."""

    entities: int = 40
    bytes: int = 2_000_000
    workers: int = 4


@dataclass(frozen=True, slots=True)
class Letter:
    """One entity on its way: the plan, its number within the request, and the JSON."""

    planned: PlannedEntity
    guid: str
    body: bytes


def payload(
    planned: PlannedEntity, guid: str, merged: list[str] | None, foreign: dict[str, Any] | None
) -> dict[str, Any]:
    """The entity as Atlas reads it. References go by name: what they point to was written by an earlier request."""
    attributes = dict(planned.attributes)
    if planned.merged is not None and merged is not None:
        attributes[planned.merged] = merged
    for name, ends in (("inputs", planned.inputs), ("outputs", planned.outputs)):
        if ends is not None:
            attributes[name] = [_reference(end) for end in ends]
    document: dict[str, Any] = {"typeName": planned.key[0], "guid": guid, "attributes": attributes}
    references = {name: _reference(key) for name, key in planned.references.items()}
    if foreign:
        attributes.update({k: v for k, v in foreign.get("attributes", {}).items() if k not in attributes})
        references.update(foreign.get("relationshipAttributes", {}))
        document.update({k: v for k, v in foreign.items() if k not in ("attributes", "relationshipAttributes")})
    if references:
        document["relationshipAttributes"] = references
    return document


def encode(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def _reference(key: Key) -> dict[str, Any]:
    return {"typeName": key[0], "uniqueAttributes": {"qualifiedName": key[1]}}
