"""Stages that the server does not have are looked through, as temporary tables are: bucket -> stage -> table is bucket -> table.

Where a stage is, its definition says; whatever is loaded from it or unloaded to it comes from there or goes there. Of a
stage without a known place, what goes in comes out again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from connector.catalogs.openmetadata.plan import EdgeKey, Key, Plan, PlannedEdge

__all__ = ["look_through"]


def look_through(plan: Plan, absent: Collection[Key]) -> set[Key]:
    """Lead the edges of absent stages past them. The stages that nothing needs any more are given back."""
    passed: set[Key] = set()
    for key in absent:
        if not plan.objects[key].stage:
            continue
        before = [edge for edge in plan.edges.values() if edge.target == key and edge.source != key]
        behind = [edge for edge in plan.edges.values() if edge.source == key and edge.target != key]
        places = [edge.source for edge in before if _is_place(edge, plan)]
        loads = [edge for edge in before if edge.source not in places]
        if not places and not (loads and behind):
            continue
        for edge in (*before, *behind):
            del plan.edges[edge.key]
        for made in _at_places(places, loads, behind) if places else _across(loads, behind):
            plan.edges.setdefault(made.key, made).statements.update(made.statements)
        passed.add(key)
    return passed


def _is_place(edge: PlannedEdge, plan: Plan) -> bool:
    """Whether an edge into a stage says where it is."""
    return plan.objects[edge.source].uri is not None and edge.made == "ExternalTableLineage"


def _at_places(
    places: Iterable[Key], loads: Iterable[PlannedEdge], behind: Iterable[PlannedEdge]
) -> Iterator[PlannedEdge]:
    for place in places:
        yield from (_moved(edge, (place, edge.target)) for edge in behind)
        yield from (_moved(edge, (edge.source, place)) for edge in loads)


def _across(loads: Iterable[PlannedEdge], behind: Collection[PlannedEdge]) -> Iterator[PlannedEdge]:
    for first in loads:
        for second in behind:
            yield PlannedEdge(first.source, second.target, {**first.statements, **second.statements})


def _moved(edge: PlannedEdge, key: EdgeKey) -> PlannedEdge:
    """The edge between other ends. The columns of a stage are the files' own, and no place has names for them."""
    return PlannedEdge(*key, dict(edge.statements))
