"""Bringing the types of a server to those of our files: what is missing is created, what is older is widened.

Nothing is ever taken away: an attribute that only the server has, one that would become mandatory, another type or
cardinality are refused before anything is sent. A server whose type is newer than ours is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from apache_atlas.model.typedef import AtlasTypesDef

from connector.catalogs.atlas.client import AtlasClient, compact
from connector.catalogs.atlas.typedefs import CATEGORIES, Document, TypeDef
from connector.errors import ConfigurationError

__all__ = ["TypeChange", "apply_changes", "find_changes"]

Action = Literal["create", "update", "keep", "newer", "refuse"]

_FOLLOWED = ("typeName", "isOptional", "cardinality", "isUnique", "isIndexable", "description")
_ENDS = ("type", "name", "isContainer", "cardinality")


@dataclass(slots=True)
class TypeChange:
    """What would happen to one type."""

    category: str
    ours: TypeDef
    theirs: TypeDef | None
    action: Action
    details: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return str(self.ours["name"])


def find_changes(own: Iterable[Document], server: Document) -> list[TypeChange]:
    """Hold our types against those of a server, each type once, in the order in which they build on each other."""
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
        return TypeChange(category, ours, None, "create")
    mine, other = str(ours.get("typeVersion") or "1.0"), str(theirs.get("typeVersion") or "1.0")
    if _version(other) > _version(mine):
        return TypeChange(category, ours, theirs, "newer", [f"the server has version {other}, ours is {mine}"])
    narrowed = list(_narrowings(category, ours, theirs))
    if narrowed:
        return TypeChange(category, ours, theirs, "refuse", narrowed)
    widened = list(_differences(category, ours, theirs))
    if _version(other) < _version(mine):
        return TypeChange(category, ours, theirs, "update", [f"version {other} becomes {mine}", *widened])
    return TypeChange(category, ours, theirs, "update" if widened else "keep", widened)


def _narrowings(category: str, ours: TypeDef, theirs: TypeDef) -> Iterator[str]:
    for supertype in theirs.get("superTypes") or ():
        if supertype not in (ours.get("superTypes") or ()):
            yield f"it would not extend {supertype} any more"
    if category == "relationshipDefs":
        for key in ("relationshipCategory", "endDef1", "endDef2"):
            if _shown(ours.get(key)) != _shown(theirs.get(key)):
                yield f"{key} would become another"
    for value in {each["value"] for each in theirs.get("elementDefs") or ()} - {
        each["value"] for each in ours.get("elementDefs") or ()
    }:
        yield f"the value {value} would go"
    mine = _attributes(ours)
    for name, attribute in _attributes(theirs).items():
        if name not in mine:
            yield f"the attribute {name} would go"
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
        yield "another description"
    if category == "relationshipDefs" and ours.get("propagateTags", "NONE") != (theirs.get("propagateTags") or "NONE"):
        yield f"propagateTags {ours.get('propagateTags', 'NONE')}"
    present = _attributes(theirs)
    for name, attribute in _attributes(ours).items():
        if name not in present:
            yield f"attribute {name}: {attribute['typeName']}"
            continue
        changed = [key for key in _FOLLOWED if key in attribute and attribute[key] != present[name].get(key)]
        if changed:
            yield f"attribute {name}: another {', '.join(changed)}"


def _attributes(definition: TypeDef) -> dict[str, dict[str, Any]]:
    return {item["name"]: item for item in definition.get("attributeDefs") or ()}


def _shown(value: Any) -> Any:
    return {key: value.get(key) for key in _ENDS} if isinstance(value, dict) else value


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text))
