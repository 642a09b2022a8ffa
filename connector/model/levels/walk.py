"""End-to-end edges: from the written columns back to the columns that the data or the impact comes from.

This is the hot loop of the derived levels. One pass groups the relations by target; then every written column is traced back once
per process, without recursion, visiting each column at most once. A chain that contains an ``fdr`` is ``fdr``; if one of several
chains between two columns consists of ``fdd`` only, the edge is ``fdd``. Both follow from tracing all ``fdd`` chains first:
columns that they reach need no second visit, because their own ``fdr`` sources are already queued.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from connector.model.entities import PERMANENT, Column, Entity, Process, Relation
from connector.model.levels.ways import BY_CLAUSE, Transformation, Way, Ways, strongest
from connector.model.vocabulary import ClauseType, EffectType, RelationType

Writes = dict[Column, list[Relation]]
_Step = tuple[list[Column], ClauseType | None, EffectType | None]
"""Sources that occur together, their clause, and the effect on the target."""

ROW_MAKING = frozenset({"groupBy", "having", "distinct", "setOperation", "unnest"})
"""Clauses in which nearly every column determines the rows and is also written."""

_STEPS = range(16)
"""The number of steps after which a chain is considered long or circular."""


@dataclass(slots=True, eq=False)
class ColumnEdge:
    """Data flow (fdd), influence (fdr) or a join (join, er) from one column to another, created by one process."""

    type: RelationType
    source: Column
    target: Column
    effect: EffectType | None
    """The effect of the relation that writes the target."""
    clause: ClauseType | None
    """For fdr: the first clause that contains the source, or what is computed from it."""
    process: Process | None
    level: Ways | None = None
    """Knows the paths between the columns of the level that this edge belongs to."""
    count: int = 1
    """How many statements with the same identity created this edge."""
    join_type: str | None = None
    condition: str | None = None
    approximate: bool = False
    """Comes from a part of a statement that could not be parsed."""

    @property
    def ways(self) -> tuple[Way, ...]:
        """All paths from the source to the target: a UNION may copy a column in one branch and compute with it in another."""
        if self.level is None:
            return (Way("join", self.condition),)
        direct = self.type == "fdd"
        found = self.level.into(self.process, self.target).get(self.source, ())
        if len(found) > 1:
            found = tuple([way for way in found if way.direct is direct])
        return found or (Way("identity" if direct else "influence"),)

    @property
    def how(self) -> Way:
        """The most informative path: for data flow the one that changes the value most, for impact the one of the clause."""
        ways = self.ways
        if len(ways) > 1 and self.clause is not None:
            stated = BY_CLAUSE.get(self.clause)
            ways = tuple([way for way in ways if way.transformation == stated]) or ways
        return strongest(ways)

    @property
    def transformation(self) -> Transformation:
        """What happens to the value of the source."""
        return self.how.transformation

    @property
    def expression(self) -> str | None:
        """The expression that does it, as written; for a join, its condition."""
        return self.how.expression


def end_entities(entities: Iterable[Entity], *, keep_temporaries: bool) -> set[Entity]:
    """The entities at which end-to-end lineage starts and ends.

    Temporary tables and table variables are included only if they are kept.
    """
    return {entity for entity in entities if (keep_temporaries if entity.temporary else entity.kind in PERMANENT)}


def top_resultsets(entities: Iterable[Entity]) -> set[Entity]:
    """The results of plain SELECT statements: the only kind of resultset that names processes."""
    return {entity for entity in entities if entity.kind == "resultset" and entity.processes}


def sort_by_target(
    relations: Iterable[Relation], ends: Set[Entity], tops: Set[Entity] = frozenset()
) -> tuple[dict[Process | None, Writes], Writes, list[Relation]]:
    """Relations that write an end, by process and column; those that write something between; and the links (join, er).

    Entities in `tops` are both: their columns are targets, and what reads them (a lateral alias) bypasses them.
    """
    roots: dict[Process | None, Writes] = {}
    between: Writes = {}
    links: list[Relation] = []
    for relation in relations:
        kind = relation.type
        if kind == "fdd" or kind == "fdr":
            target = relation.target
            entity = target.entity
            if entity not in ends:
                known = between.get(target)
                if known is None:
                    between[target] = [relation]
                else:
                    known.append(relation)
                if entity not in tops:
                    continue
            process = relation.process
            writes = roots.get(process)
            if writes is None:
                writes = roots[process] = {}
            known = writes.get(target)
            if known is None:
                writes[target] = [relation]
            else:
                known.append(relation)
        elif kind == "join" or kind == "er":
            links.append(relation)
    return roots, between, links


def edges_between(
    roots: dict[Process | None, Writes], between: Writes, ends: Set[Entity], *, impact: bool
) -> list[ColumnEdge]:
    """All end-to-end edges, grouped by process, in order of first occurrence."""
    edges: list[ColumnEdge] = []
    ways = Ways(roots, between, ends)
    add = edges.append
    upstream = between.get
    for process, writes in roots.items():
        first = len(edges)
        row_making: list[ColumnEdge] = []
        for target, relations in writes.items():
            if len(relations) == 1:
                # Most chains are short and have no branches.
                step = relations[0]
                origin = None
                for _ in _STEPS:
                    if step.type != "fdd" or len(step.sources) != 1:
                        break
                    column = step.sources[0]
                    if column.entity in ends:
                        origin = column
                        break
                    chain = upstream(column, ())
                    if len(chain) != 1:
                        break
                    step = chain[0]
                if origin is not None:
                    add(ColumnEdge("fdd", origin, target, relations[0].effect, None, process, ways))
                    continue
            seen: set[Column] = set()
            visit = seen.add
            # What is left for the second round, and for the third: a column that a condition looks at is named for the
            # condition, even where the query groups by it as well.
            pending: list[_Step] = []
            makes_rows: list[_Step] = [] if target.system else pending
            for relation in relations:
                effect = relation.effect
                if relation.type == "fdr":
                    if impact:
                        clause = relation.clause
                        (makes_rows if clause in ROW_MAKING else pending).append((relation.sources, clause, effect))
                    continue
                queue = relation.sources.copy()
                for column in queue:
                    if column in seen:
                        continue
                    visit(column)
                    if column.entity in ends:
                        add(ColumnEdge("fdd", column, target, effect, None, process, ways))
                        continue
                    for before in upstream(column, ()):
                        if before.type == "fdd":
                            queue += before.sources
                        elif impact:
                            clause = before.clause
                            (makes_rows if clause in ROW_MAKING else pending).append((before.sources, clause, effect))
            for steps in (pending, makes_rows):
                before_round = len(edges)
                for sources, clause, effect in steps:
                    for column in sources:
                        if column in seen:
                            continue
                        visit(column)
                        if column.entity in ends:
                            add(ColumnEdge("fdr", column, target, effect, clause, process, ways))
                            continue
                        for before in upstream(column, ()):
                            later = makes_rows if before.clause in ROW_MAKING else steps
                            later.append((before.sources, before.clause or clause, effect))
                if makes_rows is pending:
                    break
            else:
                row_making += [edge for edge in edges[before_round:] if edge.clause in ROW_MAKING]
        if row_making:
            _drop_repeated_rows(edges, first, row_making)
    return edges


def _drop_repeated_rows(edges: list[ColumnEdge], first: int, row_making: list[ColumnEdge]) -> None:
    """Omits columns that group, compare or expand the rows if another edge connects them with the same target.

    Nearly every column of a SELECT DISTINCT or a GROUP BY determines the rows; only those that appear nowhere else are worth a line.
    """
    sources = {edge.source for edge in row_making}
    others = {edge for edge in edges[first:] if edge.source in sources}.difference(row_making)
    reached = {(edge.source, edge.target.entity) for edge in others}
    repeated = {edge for edge in row_making if (edge.source, edge.target.entity) in reached}
    if repeated:
        edges[first:] = [edge for edge in edges[first:] if edge not in repeated]


def direct_origins(column: Column, between: Writes, ends: Set[Entity]) -> list[Column]:
    """The end columns whose data a column contains: itself, or what reaches it through ``fdd`` alone."""
    if column.entity in ends:
        return [column]
    found: list[Column] = []
    seen = {column}
    queue = [column]
    for current in queue:
        for before in between.get(current, ()):
            if before.type != "fdd":
                continue
            for source in before.sources:
                if source in seen:
                    continue
                seen.add(source)
                if source.entity in ends:
                    found.append(source)
                else:
                    queue.append(source)
    return found
