"""The plan: the entities that the catalog should contain, and how one on the server differs from what it should be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from apache_atlas.model.instance import AtlasEntity

from connector.catalogs.atlas.mapping import KINDS, Kind

Key = tuple[str, str]
"""Type name and qualified name."""

LINEAGE_KINDS = frozenset({"process", "column_lineage"})


@dataclass(slots=True)
class PlannedEntity:
    """One entity as the mapping wants it."""

    kind: Kind
    key: Key
    attributes: dict[str, Any]
    """Plain attributes, `qualifiedName` included."""
    references: dict[str, Key] = field(default_factory=dict)
    """Attributes that point to one other entity."""
    inputs: list[Key] | None = None
    outputs: list[Key] | None = None
    """The ends of a process; None for everything else."""
    create: bool = True
    update: bool = True
    merged: str | None = None
    """An attribute that several sources fill together."""
    initial: dict[str, Any] = field(default_factory=dict)
    """Attributes that are written when the entity is created, and left alone afterwards."""
    through: str | None = None
    """The relationship of the inputs, where the type has several of that name."""
    origin: str = ""
    """File, line and title of the statement, for messages."""
    children: list[Key] = field(default_factory=list)
    """The column lineage of a process: what else it may have in the catalog is out of date."""

    @property
    def lineage(self) -> bool:
        return self.kind in LINEAGE_KINDS

    @property
    def needs(self) -> Iterator[Key]:
        """Everything this entity points to."""
        yield from self.references.values()
        yield from self.inputs or ()
        yield from self.outputs or ()


@dataclass(slots=True)
class Plan:
    """All entities of a load, by kind, parents before children, in order of first appearance."""

    source: str
    entities: dict[Key, PlannedEntity] = field(default_factory=dict)
    child_types: frozenset[str] = frozenset()
    """Types of the column lineage that processes own."""
    process_types: dict[str, str | None] = field(default_factory=dict)
    """Types of processes, each with the attribute that names its sources."""
    notes: list[str] = field(default_factory=list)
    """What the mapping has no place for."""

    def by_kind(self) -> dict[Kind, list[PlannedEntity]]:
        found: dict[Kind, list[PlannedEntity]] = {kind: [] for kind in KINDS}
        for entity in self.entities.values():
            found[entity.kind].append(entity)
        return found


def digest_of(entity: PlannedEntity) -> str:
    """A fingerprint of all that would be sent. The attribute that sources share is not part of it."""
    attributes = {name: value for name, value in entity.attributes.items() if name != entity.merged}
    content: list[Any] = [
        attributes,
        entity.references,
        None if entity.inputs is None else sorted(entity.inputs),
        None if entity.outputs is None else sorted(entity.outputs),
        sorted(entity.children),
    ]
    if entity.through is not None:
        content.append(entity.through)
    return sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


_FOREIGN = ("classifications", "labels", "customAttributes", "businessAttributes")
"""What others hang onto an entity beside its attributes."""


@dataclass(slots=True)
class Existing:
    """An entity as the server returned it."""

    entity: AtlasEntity

    @property
    def guid(self) -> str:
        return str(self.entity.guid)

    def differs(self, planned: PlannedEntity) -> bool:
        """Whether writing the planned entity would change an attribute or add an edge."""
        attributes = self.entity.attributes or {}
        for name, value in planned.attributes.items():
            if name == planned.merged:
                if not set(value) <= set(attributes.get(name) or ()):
                    return True
            elif not _equal(attributes.get(name), value):
                return True
        return any(
            wanted is not None and set(wanted) != self._ends(name)
            for name, wanted in (("inputs", planned.inputs), ("outputs", planned.outputs))
        )

    def outdated(self, planned: PlannedEntity) -> bool:
        """Whether the server's lineage answer shows edges that the planned process does not have.

        With soft deletes an edge that an update drops is only marked, and Atlas goes on showing it.
        """
        for name, wanted in (("inputs", planned.inputs), ("outputs", planned.outputs)):
            if wanted is None:
                continue
            if self._ends(name) - set(wanted):
                return True
            related = self.entity.get_relationship_attribute(name) or ()
            if any(end.get("relationshipStatus", "ACTIVE") != "ACTIVE" for end in related):
                return True
            if name == "inputs" and planned.through is not None:
                found = {end.get("relationshipType") for end in related}
                if found - {None, planned.through}:
                    return True
        return False

    def merged(self, planned: PlannedEntity) -> list[str] | None:
        """The values of an attribute that several sources fill together."""
        if planned.merged is None:
            return None
        before = self.entity.get_attribute(planned.merged) or []
        return sorted({*before, *planned.attributes.get(planned.merged, ())})

    def children(self, types: Set[str]) -> dict[str, str]:
        """The live parts of this entity that are of these types: type by guid."""
        found: dict[str, str] = {}
        for related in (self.entity.relationshipAttributes or {}).values():
            for item in related if isinstance(related, list) else ():
                if item.get("typeName") in types and item.get("entityStatus") == "ACTIVE":
                    found[str(item["guid"])] = str(item["typeName"])
        return found

    def foreign(self, planned: PlannedEntity) -> dict[str, Any]:
        """What is not ours and has to survive when the entity is replaced: attributes, classifications, terms, labels."""
        ours = {*planned.attributes, *planned.references, "inputs", "outputs"}
        attributes = {
            name: value
            for name, value in (self.entity.attributes or {}).items()
            if name not in ours and value not in (None, "", 0, False, [], {})
        }
        content: dict[str, Any] = {"attributes": attributes} if attributes else {}
        for part in _FOREIGN:
            if self.entity.get(part):
                content[part] = self.entity[part]
        if "classifications" in content:
            content["classifications"] = [
                {k: v for k, v in each.items() if v is not None and k not in ("entityGuid", "entityStatus")}
                for each in content["classifications"]
                if each.get("entityGuid") in (None, self.guid)
            ]
        terms = self.entity.get_relationship_attribute("meanings") or []
        if terms:
            content["relationshipAttributes"] = {
                "meanings": [{"guid": term["guid"], "typeName": term.get("typeName")} for term in terms]
            }
        return content

    def _ends(self, name: str) -> set[Key]:
        ends = self.entity.get_attribute(name) or ()
        return {(end["typeName"], (end.get("uniqueAttributes") or {}).get("qualifiedName", "")) for end in ends}


def _equal(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return sorted(map(str, found or ())) == sorted(map(str, wanted))
    return bool(found == wanted)
