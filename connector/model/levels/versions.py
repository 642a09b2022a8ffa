"""Temporary tables that a script creates again under the same name.

Batch scripts reuse the name of a temporary table: create, fill, read, drop, and start over. In the model this is one entity. If
it were simply collapsed, the second reader would seem to get the data of the first load. Each CREATE of a temporary table
therefore starts a new version, and whatever is read after it comes from that version alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from connector.model.entities import Column, Entity, Model, Process, Relation

STAR = "*"
_CREATING = frozenset({"Create Table", "Create Table Like", "Create Table Clone", "Create View", "Select Into"})


class Versions:
    """Which version of a temporary table a process reads or writes. Empty, and without cost, if no name is reused."""

    __slots__ = ("_order", "_starts")

    def __init__(self, model: Model) -> None:
        self._order: dict[Process, int] = {}
        self._starts: dict[Entity, list[int]] = {}
        temporaries = [entity for entity in model.entities if entity.temporary and len(entity.processes) > 1]
        if not temporaries:
            return
        self._order = {process: at for at, process in enumerate(model.processes)}
        for entity in temporaries:
            starts = sorted(self._order[process] for process in _creators(entity) if process in self._order)
            if len(starts) > 1:
                self._starts[entity] = starts

    def __bool__(self) -> bool:
        return bool(self._starts)

    def __contains__(self, entity: Entity) -> bool:
        return entity in self._starts

    def written(self, entity: Entity, process: Process | None) -> int:
        """The version a process writes to: a creating process belongs to what it creates."""
        at = self._order.get(process, -1) if process is not None else -1
        return max(bisect_right(self._starts[entity], at), 1)

    def read(self, entity: Entity, process: Process | None) -> int:
        """The version a process reads: a creating process reads the one before."""
        at = self._order.get(process, -1) if process is not None else -1
        return max(bisect_right(self._starts[entity], at - 1), 1)


def _creators(entity: Entity) -> Iterable[Process]:
    for process in entity.processes:
        if process.type in _CREATING and any(flow.target is entity for flow in process.flows):
            yield process


def separate_versions(model: Model) -> list[Relation]:
    """The relations of the model, with separate columns for every version of a temporary table.

    Only relations that touch such a table are replaced; the model itself is not changed.
    """
    temporaries = [entity for entity in model.entities if entity.temporary]
    if not temporaries:
        return model.relations
    relations = _through_stars(model.relations, temporaries)
    versions = Versions(model)
    if not versions:
        return relations
    shadows: dict[tuple[Column, int], Column] = {}

    def shadow(column: Column, version: int) -> Column:
        found = shadows.get((column, version))
        if found is None:
            found = shadows[column, version] = replace(column)
        return found

    def separated(relation: Relation) -> Relation:
        target, sources, process = relation.target, relation.sources, relation.process
        if target.entity in versions:
            target = shadow(target, versions.written(target.entity, process))
        if any(source.entity in versions for source in sources):
            sources = [
                shadow(source, versions.read(source.entity, process)) if source.entity in versions else source
                for source in sources
            ]
        if target is relation.target and sources is relation.sources:
            return relation
        return replace(relation, target=target, sources=sources)

    return [separated(relation) for relation in relations]


def _through_stars(relations: list[Relation], temporaries: list[Entity]) -> list[Relation]:
    """The relations, and for each that writes ``*`` of a temporary table one for each column that is known by name.

    ``SELECT * INTO #t FROM s`` fills every column of #t that a later statement reads, though it is unknown from which column of s.
    """
    named = {
        entity.columns[STAR]: [column for key, column in entity.columns.items() if key != STAR and not column.system]
        for entity in temporaries
        if STAR in entity.columns
    }
    if not named:
        return relations
    written = {(relation.process, relation.target) for relation in relations if relation.type == "fdd"}
    return relations + [
        replace(relation, target=column)
        for relation in relations
        if relation.type == "fdd" and relation.target in named
        for column in named[relation.target]
        if (relation.process, column) not in written
    ]
