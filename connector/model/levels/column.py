"""The column level: source column, process, target column, and nothing in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from operator import attrgetter

from connector.model.entities import Column, Entity, Model, Process, Relation
from connector.model.levels.versions import separate_versions
from connector.model.levels.walk import (
    ColumnEdge,
    Writes,
    direct_origins,
    edges_between,
    end_entities,
    sort_by_target,
    top_resultsets,
)
from connector.model.levels.ways import Ways

_is_approximate = attrgetter("approximate")

_MOST_PAIRS = 10_000
"""Above this many pairs for a join condition, each column is paired once instead of with all others."""


def column_level(
    model: Model,
    *,
    impact: bool = True,
    top_select: bool = False,
    joins: bool = True,
    keep_temporaries: bool = False,
) -> list[ColumnEdge]:
    """Edges between the columns of permanent entities, one per identity, source, target and type.

    Resultsets, functions, variables and cursors are collapsed, and so are temporary tables unless they are kept, even across
    statements; the process is the one that writes the final target. A statement that occurs twice (with the same identity)
    contributes its edges once, with a count. With `top_select` the columns of a plain SELECT are targets.
    """
    ends = end_entities(model.entities, keep_temporaries=keep_temporaries)
    tops = top_resultsets(model.entities) if top_select else frozenset()
    relations = model.relations if keep_temporaries else separate_versions(model)
    roots, between, links = sort_by_target(relations, ends, tops)
    if len(roots) > 1:
        # In the order of the statements, whatever counts as a target.
        roots = dict(sorted(roots.items(), key=_number))
    edges = edges_between(roots, between, ends, impact=impact)
    doubtful = list(filter(_is_approximate, relations))
    if doubtful:
        _mark_approximate(edges, doubtful, between, ends)
    processes = model.processes
    if len(processes) > 1 and len({process.identity for process in processes}) < len(processes):
        edges = _count_repeats(edges)
    if joins and links:
        edges.extend(_count_repeats(_links(links, between, ends)))
    return edges


def _number(item: tuple[Process | None, Writes]) -> int:
    process, _ = item
    return 0 if process is None else process.id


def column_ways(model: Model, *, keep_temporaries: bool = False) -> Ways:
    """How the written columns of a model are computed, without the edges."""
    ends = end_entities(model.entities, keep_temporaries=keep_temporaries)
    relations = model.relations if keep_temporaries else separate_versions(model)
    roots, between, _ = sort_by_target(relations, ends)
    return Ways(roots, between, ends)


def _mark_approximate(edges: list[ColumnEdge], doubtful: list[Relation], between: Writes, ends: Set[Entity]) -> None:
    """Marks the edges from columns named in a part of the statement that could not be parsed."""
    sources = {
        (relation.process, origin)
        for relation in doubtful
        for source in relation.sources
        for origin in direct_origins(source, between, ends)
    }
    for edge in edges:
        if (edge.process, edge.source) in sources:
            edge.approximate = True


def _count_repeats(edges: Iterable[ColumnEdge]) -> list[ColumnEdge]:
    """Keeps the first of equal edges. Its count is the number of processes that created it, each counted once."""
    first: dict[tuple[str | None, Column, Column, str], ColumnEdge] = {}
    latest: dict[ColumnEdge, Process | None] = {}
    for edge in edges:
        process = edge.process
        key = (process.identity if process is not None else None, edge.source, edge.target, edge.type)
        known = first.get(key)
        if known is None:
            first[key] = edge
            latest[edge] = process
        elif latest[known] is not process:
            known.count += 1
            latest[known] = process
    return list(first.values())


def _links(links: list[Relation], between: Writes, ends: Set[Entity]) -> Iterator[ColumnEdge]:
    """Joins and foreign keys between end columns; a computed side is replaced by the columns it is computed from.

    A temporary table that is repeatedly joined with itself yields the same pair of columns each time: it is resolved once.
    """
    origins: dict[Column, list[Column]] = {}
    seen: set[tuple[Process | None, str, Column, Column]] = set()

    def behind(column: Column) -> list[Column]:
        found = origins.get(column)
        if found is None:
            found = origins[column] = direct_origins(column, between, ends)
        return found

    for link in links:
        for side in link.sources:
            pair = (link.process, link.type, side, link.target)
            if pair in seen:
                continue
            seen.add(pair)
            for source, target in _pairs(behind(side), behind(link.target)):
                yield ColumnEdge(
                    link.type,
                    source,
                    target,
                    link.effect,
                    link.clause,
                    link.process,
                    join_type=link.join_type,
                    condition=link.condition,
                )


def _pairs(sources: list[Column], targets: list[Column]) -> Iterator[tuple[Column, Column]]:
    """All pairs; but joining two long unions must not cost the product of their branches.

    Beyond the limit every column still appears in one correct pair, and the cost stays linear.
    """
    if len(sources) * len(targets) <= _MOST_PAIRS:
        for source in sources:
            for target in targets:
                yield source, target
    else:
        for at in range(max(len(sources), len(targets))):
            yield sources[at % len(sources)], targets[at % len(targets)]
