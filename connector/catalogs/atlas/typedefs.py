"""Atlas types: read from files or from a server, and asked for their attributes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from connector.errors import ConfigurationError
from connector.resources import resource_folder

__all__ = ["CATEGORIES", "Attribute", "TypeSystem", "find_typedef_file", "load_typedefs", "own_typedefs"]

CATEGORIES = (
    "enumDefs",
    "structDefs",
    "classificationDefs",
    "businessMetadataDefs",
    "entityDefs",
    "relationshipDefs",
)
"""The lists of a typedefs document, in the order in which they build on each other."""

TypeDef = dict[str, Any]
Document = dict[str, list[TypeDef]]


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a type, its own or inherited, plain or at the end of a relationship."""

    name: str
    type: str
    """``string``, ``array<string>``, ``sql_table``, …"""
    mandatory: bool = False
    relationship: bool = False
    """Set through a relationship and so given as a reference."""


class TypeSystem:
    """A set of entity and relationship types that can be asked what an entity of a type may say."""

    def __init__(self, documents: Iterable[Mapping[str, Any]]) -> None:
        self.entities: dict[str, TypeDef] = {}
        self.relationships: dict[str, TypeDef] = {}
        for document in documents:
            self.entities.update({item["name"]: item for item in document.get("entityDefs") or ()})
            self.relationships.update({item["name"]: item for item in document.get("relationshipDefs") or ()})
        self._attributes: dict[str, dict[str, Attribute]] = {}
        self._ends: dict[str, list[Attribute]] = {}
        for relationship in self.relationships.values():
            for owner, attribute in _ends(relationship):
                self._ends.setdefault(owner, []).append(attribute)

    def __contains__(self, name: str) -> bool:
        return name in self.entities

    def lineage_of(self, name: str) -> list[str]:
        """The type and all the types it extends, nearest first."""
        found: dict[str, None] = {}
        queue = [name]
        for each in queue:
            if each not in found:
                found[each] = None
                queue.extend(self.entities.get(each, {}).get("superTypes") or ())
        return list(found)

    def extends(self, name: str, base: str) -> bool:
        """Whether every entity of the one type is an entity of the other."""
        return base in self.lineage_of(name)

    def attributes(self, name: str) -> dict[str, Attribute]:
        """Everything an entity of this type can say, by name."""
        known = self._attributes.get(name)
        if known is not None:
            return known
        found: dict[str, Attribute] = {}
        for each in self.lineage_of(name):
            for item in self.entities.get(each, {}).get("attributeDefs") or ():
                plain = Attribute(item["name"], item["typeName"], not item.get("isOptional", True))
                found.setdefault(plain.name, plain)
            for end in self._ends.get(each, ()):
                before = found.get(end.name)
                found[end.name] = end if before is None or end.mandatory or not before.relationship else before
        self._attributes[name] = found
        return found


def _ends(relationship: TypeDef) -> Iterator[tuple[str, Attribute]]:
    """What a relationship adds to the types at its ends. A part of a composition cannot be without its whole."""
    one, two = relationship["endDef1"], relationship["endDef2"]
    for end, other in ((one, two), (two, one)):
        many = end.get("cardinality", "SINGLE") != "SINGLE"
        mandatory = relationship.get("relationshipCategory") == "COMPOSITION" and bool(other.get("isContainer"))
        kind = f"array<{other['type']}>" if many else other["type"]
        yield end["type"], Attribute(end["name"], kind, mandatory and not many, relationship=True)


def load_typedefs(file: Path) -> Document:
    """One typedefs file, its lists checked for their form."""
    try:
        document = json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigurationError(f"Cannot read {file}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise ConfigurationError(f"{file}:{line}: invalid JSON: {error}") from None
    if not isinstance(document, dict):
        raise ConfigurationError(f"{file}:1: expected an object with lists of typedefs")
    for category, items in document.items():
        if category not in CATEGORIES:
            raise ConfigurationError(f"{file}:1: there is no kind of typedefs {category!r}")
        if not isinstance(items, list) or not all(isinstance(item, dict) and item.get("name") for item in items):
            raise ConfigurationError(f"{file}:1: {category} has to be a list of objects that have a name")
    return document


def own_typedefs(folder: Path | None = None) -> list[tuple[Path, Document]]:
    """The typedefs that are ours to apply: the files of the folder itself, not those of its sub-folders."""
    folder = folder or resource_folder("typedefs")
    files = [folder] if folder.is_file() else sorted(folder.glob("*.json"))
    if not files:
        raise ConfigurationError(f"There are no typedefs (*.json) in {folder}.")
    return [(file, load_typedefs(file)) for file in files]


def find_typedef_file(name: str, beside: Path) -> Path:
    """The file a mapping names: beside the mapping, in the folder of typedefs next to it, or a shipped one."""
    places = (beside / name, beside.parent / "typedefs" / name, resource_folder("typedefs") / name)
    for place in places:
        if place.is_file():
            return place
    raise ConfigurationError(f"there is no file of typedefs {name!r}; looked for {', '.join(map(str, places))}")
