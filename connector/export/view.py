"""The part of a complete model that the options select: the elements to show, and relations that bypass the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from connector.export.options import ExportOptions
from connector.model import ClauseType, Column, EffectType, Entity, Model, Process, Relation, RelationType
from connector.model.levels.walk import ColumnEdge, edges_between, sort_by_target

__all__ = ["View", "complete_view"]


@dataclass(slots=True, eq=False)
class View:
    """The visible part of a complete model."""

    entities: list[Entity]
    relations: list[Relation]
    processes: list[Process]


def complete_view(model: Model, options: ExportOptions) -> View:
    """Applies the options. With the defaults, the entities and relations of the model are returned unchanged."""
    entities, relations, processes = model.entities, model.relations, model.processes
    if not options.top_select:
        processes = [process for process in processes if process.type != "Select"]
    if not (options.function and options.recordset):
        entities = [entity for entity in entities if _shown(entity, options)]
        relations = list(_past_hidden(model, set(entities)))
    if not (options.impact and options.dataflow and options.joins):
        hidden = _hidden_types(options)
        relations = [relation for relation in relations if relation.type not in hidden]
    return View(entities, relations, processes)


def _shown(entity: Entity, options: ExportOptions) -> bool:
    if entity.kind != "resultset":
        return True
    if entity.type == "function":
        return options.function
    return options.recordset or bool(entity.processes)


def _hidden_types(options: ExportOptions) -> set[str]:
    hidden = set()
    if not options.impact:
        hidden.add("fdr")
    if not options.dataflow:
        hidden.add("fdd")
    if not options.joins:
        hidden.update(("join", "er"))
    return hidden


def _past_hidden(model: Model, shown: set[Entity]) -> Iterator[Relation]:
    """The relations between visible entities; chains through hidden ones are combined into one relation by the chain rule."""
    roots, between, links = sort_by_target(model.relations, shown)
    bundles: dict[_Bundle, list[Column]] = {}
    for edge in edges_between(roots, between, shown, impact=True):
        bundles.setdefault(_bundle(edge), []).append(edge.source)
    number = 0
    for (kind, target, effect, clause, process), sources in bundles.items():
        number += 1
        yield Relation(number, kind, target, sources, effect, clause, process)
    for link in links:
        sources = [source for source in link.sources if source.entity in shown]
        if sources and link.target.entity in shown:
            number += 1
            yield replace(link, id=number, sources=sources)
    for relation in model.relations:
        if relation.type == "call":
            number += 1
            yield replace(relation, id=number)


_Bundle = tuple[RelationType, Column, EffectType | None, ClauseType | None, Process | None]


def _bundle(edge: ColumnEdge) -> _Bundle:
    return edge.type, edge.target, edge.effect, edge.clause, edge.process
