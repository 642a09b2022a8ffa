"""The plan: the entities that the catalog should contain, with attributes and references, before anything is read or sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from connector.catalogs.atlas.fields import KINDS, Kind

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
