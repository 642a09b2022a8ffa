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
    if not [entity for entity in model.entities if entity.temporary]:
        return model.relations
    relations = _through_stars(model.relations)
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


def _through_stars(relations: list[Relation]) -> list[Relation]:
    """The relations with the star of a temporary table in the place of columns that only its star brought into it.

    ``CREATE TEMP TABLE s AS SELECT * FROM t`` writes the star of s, and what reads s names the columns that it needs.
    """
    written = {relation.target for relation in relations if relation.target.entity.temporary and relation.type == "fdd"}
    stars = {column.entity: column for column in written if column.name == "*"}
    if not stars:
        return relations

    def behind(source: Column) -> Column:
        star = stars.get(source.entity)
        return star if star is not None and source not in written and not source.system else source

    found: list[Relation] = []
    for relation in relations:
        if relation.type in ("fdd", "fdr") and any(source.entity in stars for source in relation.sources):
            relation = replace(relation, sources=list(dict.fromkeys(map(behind, relation.sources))))
        found.append(relation)
    return found
