"""Groups entities into requests, decides which requests may be sent in parallel, and converts entities for Apache's client.

A statement travels with its column lineage and the columns that the server does not have yet: what is created together
costs the server one step, where it would otherwise write, and tell its listeners about, every column and process again for
each of its edges. Writing an edge changes both of its ends, so of two requests at the same time that touch the same table the
server rolls one back; a batch is therefore put together when a worker is free, out of what touches nothing that is on its
way. Batches are small: what a server does for one entity grows with the number of new ones in the same request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from apache_atlas.model.instance import AtlasEntity, AtlasObjectId, AtlasRelatedObjectId

from connector.catalogs.atlas.client import compact, encode
from connector.catalogs.atlas.fields import KINDS
from connector.catalogs.atlas.plan import LINEAGE_KINDS, Key, PlannedEntity


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


_LOOK_AHEAD = 2000
"""How many waiting entities are looked at for one batch."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much goes into a request, and how many requests go at the same time."""

    entities: int = 60
    bytes: int = 2_000_000
    workers: int = 4


class Schedule:
    """Entities that wait to be sent."""

    def __init__(self, letters: Mapping[Key, Letter], limits: Limits) -> None:
        self._letters = letters
        self._limits = limits
        self._left = dict.fromkeys(letters)
        """What is not on its way yet."""
        self._waiting = _in_order(letters)
        self._busy: set[Key] = set()

    def __bool__(self) -> bool:
        return bool(self._left)

    def take(self) -> list[Letter]:
        """The next batch, parents first; empty when all that waits has to wait for a batch under way."""
        batch: dict[Key, Letter] = {}
        size = 0
        passed: list[Key] = []
        at = 0
        while at < len(self._waiting) and at < _LOOK_AHEAD:
            key = self._waiting[at]
            if key in self._left and key not in batch:
                together = [each for each in self._with_parents(key) if each not in batch]
                if any(each in self._busy for one in together for each in (one, *self._letters[one].planned.needs)):
                    passed.append(key)
                    at += 1
                    continue
                more = sum(len(encode(self._letters[each].document("-1"))) for each in together)
                full = len(batch) + len(together) > self._limits.entities or size + more > self._limits.bytes
                if batch and full:
                    break
                batch.update({each: self._letters[each] for each in together})
                size += more
            at += 1
        self._waiting = passed + self._waiting[at:]
        for key, letter in batch.items():
            del self._left[key]
            self._busy.add(key)
            self._busy.update(letter.planned.needs)
        return list(batch.values())

    def done(self, batch: Iterable[Letter]) -> None:
        """A batch has arrived, or never will. Nothing else under way touches what it touched."""
        for letter in batch:
            self._busy.discard(letter.key)
            self._busy.difference_update(letter.planned.needs)

    def drop(self, key: Key) -> None:
        """This entity will not be sent."""
        self._left.pop(key, None)

    def _with_parents(self, key: Key) -> list[Key]:
        """An entity and everything it needs that is not on its way yet, parents first."""
        found: dict[Key, None] = {}

        def visit(each: Key) -> None:
            for other in self._letters[each].planned.needs:
                if other in self._left and other not in found:
                    visit(other)
            found[each] = None

        visit(key)
        return list(found)


def _in_order(letters: Mapping[Key, Letter]) -> list[Key]:
    """Tables and what they are in first: all tables of a schema touch it, so that nothing else could travel beside them.

    Then the statements with their column lineage, which bring their columns along, and last what no statement needs.
    """
    order: dict[Key, None] = {}
    for kind in KINDS:
        if kind not in ("column", *LINEAGE_KINDS):
            order.update(dict.fromkeys(key for key, letter in letters.items() if letter.planned.kind == kind))
    for key, letter in letters.items():
        if letter.planned.kind == "process":
            order[key] = None
            order.update(dict.fromkeys(child for child in letter.planned.children if child in letters))
    order.update(dict.fromkeys(key for key, letter in letters.items() if letter.planned.lineage))
    order.update(dict.fromkeys(letters))
    return list(order)
