"""Lineage as Atlas itself tells it, in the form of the model's edges."""

from __future__ import annotations

from collections.abc import Iterable

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.plan import Key, Plan

__all__ = ["Edge", "atlas_edges", "planned_edges"]

Edge = tuple[str, str, str]
"""Qualified names of source, process and target."""


def atlas_edges(client: AtlasClient, keys: Iterable[Key], direction: str) -> set[Edge]:
    """The edges around these entities in Atlas's lineage answers. Deleted things count as well: Atlas shows them."""
    found: set[Edge] = set()
    for type_name, name in keys:
        answer = client.lineage.get_lineage_info_attr(type_name, {"qualifiedName": name}, direction, 1)
        names = {guid: str(each["attributes"]["qualifiedName"]) for guid, each in answer["guidEntityMap"].items()}
        sources: dict[str, set[str]] = {}
        targets: dict[str, set[str]] = {}
        for relation in answer["relations"]:
            start, end = relation["fromEntityId"], relation["toEntityId"]
            if _is_process(answer["guidEntityMap"][end]["typeName"]):
                sources.setdefault(end, set()).add(names[start])
            else:
                targets.setdefault(start, set()).add(names[end])
        for process, froms in sources.items():
            for to in targets.get(process, ()):
                found.update((source, names[process], to) for source in froms)
    return found


def planned_edges(plan: Plan, kind: str) -> set[Edge]:
    """The edges that the processes of one kind in a plan stand for."""
    return {
        (source[1], entity.key[1], target[1])
        for entity in plan.entities.values()
        if entity.kind == kind
        for source in entity.inputs or ()
        for target in entity.outputs or ()
    }


def _is_process(type_name: str) -> bool:
    return type_name in ("sql_process", "sql_column_lineage", "hive_process", "hive_column_lineage", "Process")
