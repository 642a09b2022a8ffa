"""Atlas types: read from files or from a server, asked for their attributes, and compared with those of a server.

Nothing is ever taken away: an attribute that only the server has, one that would become mandatory, another type or
cardinality are refused before anything is sent. A server whose type is newer than ours is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from apache_atlas.model.typedef import AtlasTypesDef

from connector.catalogs.atlas.client import AtlasClient, compact
from connector.common.resources import resource_folder
from connector.errors import ConfigurationError

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
            raise ConfigurationError(f"{file}:1: unknown category of typedefs {category!r}")
        if not isinstance(items, list) or not all(isinstance(item, dict) and item.get("name") for item in items):
            raise ConfigurationError(f"{file}:1: {category} must be a list of objects with a name")
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
    raise ConfigurationError(f"there are no typedefs {name!r}; searched {', '.join(map(str, places))}")


Action = Literal["create", "update", "keep", "newer", "refuse"]

_FOLLOWED = ("typeName", "isOptional", "cardinality", "isUnique", "isIndexable", "description")
_ENDS = ("type", "name", "isContainer", "cardinality")


@dataclass(slots=True)
class TypeChange:
    """What would happen to one type."""

    category: str
    ours: TypeDef
    action: Action
    details: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.ours["name"])


def find_changes(own: Iterable[Document], server: Document) -> list[TypeChange]:
    """Compare our types with those of a server, each type once, in the order in which they depend on each other."""
    documents = list(own)
    changes: list[TypeChange] = []
    for category in CATEGORIES:
        theirs = {item["name"]: item for item in server.get(category) or ()}
        for document in documents:
            changes.extend(_change(category, item, theirs.get(item["name"])) for item in document.get(category) or ())
    return changes


def apply_changes(client: AtlasClient, changes: Iterable[TypeChange]) -> None:
    """Send what is to be created or updated; refuse all of it when one change would take something away."""
    listed = list(changes)
    refused = [f"{change.name}: {'; '.join(change.details)}" for change in listed if change.action == "refuse"]
    if refused:
        raise ConfigurationError("Types cannot be narrowed; nothing was changed:\n" + "\n".join(refused))
    for action in ("create", "update"):
        document: Document = {}
        for change in listed:
            if change.action == action:
                document.setdefault(change.category, []).append(change.ours)
        if document:
            types = compact(AtlasTypesDef(_every_list(document)))
            if action == "create":
                client.typedef.create_atlas_typedefs(types)
            else:
                client.typedef.update_atlas_typedefs(types)


def _every_list(document: Document) -> Document:
    """With its empty lists, which Atlas expects. Business metadata is none of ours, and older servers do not know it."""
    return {category: document.get(category, []) for category in CATEGORIES if category != "businessMetadataDefs"}


def _change(category: str, ours: TypeDef, theirs: TypeDef | None) -> TypeChange:
    if theirs is None:
        return TypeChange(category, ours, "create")
    mine, other = str(ours.get("typeVersion") or "1.0"), str(theirs.get("typeVersion") or "1.0")
    if _version(other) > _version(mine):
        return TypeChange(category, ours, "newer", [f"the server has version {other}, ours is {mine}"])
    narrowed = list(_narrowings(category, ours, theirs))
    if narrowed:
        return TypeChange(category, ours, "refuse", narrowed)
    widened = list(_differences(category, ours, theirs))
    if _version(other) < _version(mine):
        return TypeChange(category, ours, "update", [f"version {other} becomes {mine}", *widened])
    return TypeChange(category, ours, "update" if widened else "keep", widened)


def _narrowings(category: str, ours: TypeDef, theirs: TypeDef) -> Iterator[str]:
    for supertype in theirs.get("superTypes") or ():
        if supertype not in (ours.get("superTypes") or ()):
            yield f"it would no longer extend {supertype}"
    if category == "relationshipDefs":
        for key in ("relationshipCategory", "endDef1", "endDef2"):
            if _shown(ours.get(key)) != _shown(theirs.get(key)):
                yield f"{key} would change"
    for value in {each["value"] for each in theirs.get("elementDefs") or ()} - {
        each["value"] for each in ours.get("elementDefs") or ()
    }:
        yield f"the value {value} would be removed"
    mine = _attributes(ours)
    for name, attribute in _attributes(theirs).items():
        if name not in mine:
            yield f"the attribute {name} would be removed"
            continue
        for key in ("typeName", "cardinality"):
            if key in mine[name] and mine[name][key] != attribute.get(key):
                yield f"{name}: {key} would become {mine[name][key]} instead of {attribute.get(key)}"
        if attribute.get("isOptional") and not mine[name].get("isOptional", True):
            yield f"{name} would become mandatory"
        if not attribute.get("isUnique") and mine[name].get("isUnique"):
            yield f"{name} would become unique"
    for name, attribute in mine.items():
        if name not in _attributes(theirs) and not attribute.get("isOptional", True):
            yield f"the new attribute {name} would be mandatory"


def _differences(category: str, ours: TypeDef, theirs: TypeDef) -> Iterator[str]:
    """What our type says and the server's does not."""
    for supertype in ours.get("superTypes") or ():
        if supertype not in (theirs.get("superTypes") or ()):
            yield f"it extends {supertype}"
    known = {each["value"] for each in theirs.get("elementDefs") or ()}
    yield from (f"value {each['value']}" for each in ours.get("elementDefs") or () if each["value"] not in known)
    if "description" in ours and ours["description"] != theirs.get("description"):
        yield "a different description"
    if category == "relationshipDefs" and ours.get("propagateTags", "NONE") != (theirs.get("propagateTags") or "NONE"):
        yield f"propagateTags {ours.get('propagateTags', 'NONE')}"
    present = _attributes(theirs)
    for name, attribute in _attributes(ours).items():
        if name not in present:
            yield f"attribute {name}: {attribute['typeName']}"
            continue
        changed = [key for key in _FOLLOWED if key in attribute and attribute[key] != present[name].get(key)]
        if changed:
            yield f"attribute {name}: a different {', '.join(changed)}"


def _attributes(definition: TypeDef) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in definition.get("attributeDefs") or ()}


def _shown(value: Any) -> Any:
    return {key: value.get(key) for key in _ENDS} if isinstance(value, dict) else value


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text))
