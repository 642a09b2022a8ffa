"""The table level: table (or path, or stage), process, table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter

from connector.model.entities import PERMANENT, Entity, Flow, Model, Process
from connector.model.levels.column import column_level
from connector.model.levels.versions import Versions
from connector.model.levels.walk import ColumnEdge, end_entities
from connector.model.vocabulary import RelationType

_ROUTINES = frozenset({"Create Procedure", "Create Function", "Create Trigger"})
"""Types of processes that stand for a whole routine."""

_pair_of_tables = attrgetter("type", "process", "source.entity", "target.entity")

_CACHING = "Cache Table"
"""Type of processes that keep rows in memory, which is not lineage."""

_Key = tuple[str | None, Entity, Entity]
_NONE: dict[Entity, dict[Entity, None]] = {}


@dataclass(slots=True, eq=False)
class TableEdge:
    """What one process moves (fdd) or lets influence (fdr) from one table to another."""

    type: RelationType
    source: Entity
    target: Entity
    process: Process | None
    count: int = 1
    """How many statements with the same identity made this edge."""


@dataclass(slots=True, eq=False)
class StatementFacts:
    """What one statement reads and writes; in the place of a temporary table stands what it was filled from."""

    process: Process
    inputs: list[Entity]
    outputs: list[Entity]


@dataclass(slots=True, eq=False)
class TableLevel:
    relations: list[TableEdge] = field(default_factory=list)
    statements: list[StatementFacts] = field(default_factory=list)


def table_level(
    model: Model,
    *,
    impact: bool = True,
    keep_temporaries: bool = False,
    edges: Iterable[ColumnEdge] | None = None,
) -> TableLevel:
    """Derive the table level. `edges` may hold the column level of the same model, impact included, to save the work.

    What a statement reads comes from its flows, so a table that gives no column is an input too. Whether that is data
    or impact comes from the column level. Where the columns are not known (a statement read tolerantly, a column that
    could belong to any of the tables) a table that was read counts as data.
    """
    if edges is None:
        edges = column_level(model, joins=False, keep_temporaries=keep_temporaries)
    kinds = _kinds(edges)
    ends = end_entities(model.entities, keep_temporaries=keep_temporaries)
    relations = _Collector(impact)
    behind = _Behind(model, ends, keep_temporaries)
    if model.processes:
        _add_flows(model, ends, kinds, relations, behind)
    for (_, source, target), (kind, process) in kinds.items():
        if process is None and source is not target and source.type != "pseudoTable" and target in ends:
            relations.add(kind, source, target, None)
    return TableLevel(relations.edges(), _statements(model, ends, behind))


class _Collector:
    """Edges in order of appearance, one for each identity, source and target."""

    __slots__ = ("_edges", "_impact")

    def __init__(self, impact: bool) -> None:
        self._edges: dict[_Key, TableEdge] = {}
        self._impact = impact

    def add(self, kind: RelationType, source: Entity, target: Entity, process: Process | None) -> None:
        if kind != "fdd" and not self._impact:
            return
        key = (process.identity if process is not None else None, source, target)
        known = self._edges.get(key)
        if known is None:
            self._edges[key] = TableEdge(kind, source, target, process)
        elif known.process is not process:
            known.count += 1
            known.type = "fdd" if kind == "fdd" else known.type

    def edges(self) -> list[TableEdge]:
        return list(self._edges.values())


def _kinds(edges: Iterable[ColumnEdge]) -> dict[_Key, tuple[RelationType, Process | None]]:
    """For each identity and pair of tables whether any column's data goes from one to the other."""
    kinds: dict[_Key, tuple[RelationType, Process | None]] = {}
    # A pair of tables has an edge for every column: what the edges have in common is looked at once.
    for kind, process, source, target in dict.fromkeys(map(_pair_of_tables, edges)):
        if kind != "fdd" and kind != "fdr":
            continue
        key = (process.identity if process is not None else None, source, target)
        known = kinds.get(key)
        if known is None or (kind == "fdd" and known[0] == "fdr"):
            kinds[key] = (kind, process)
    return kinds


class _Behind:
    """What stands behind temporary tables and variables: the end entities that they were filled from."""

    __slots__ = ("_ends", "_known", "_versions", "_writers")

    def __init__(self, model: Model, ends: set[Entity], keep_temporaries: bool) -> None:
        self._ends = ends
        self._known: dict[tuple[Entity, int], tuple[dict[Entity, None], bool]] = {}
        self._writers: dict[Entity, list[tuple[Process, Flow]]] = {}
        for process in model.processes:
            for flow in process.flows:
                target = flow.target
                if target is not None and target not in ends:
                    self._writers.setdefault(target, []).append((process, flow))
        self._versions = Versions(model) if self._writers and not keep_temporaries else None

    def origins(self, process: Process, flow: Flow) -> tuple[dict[Entity, None], bool]:
        """The end entities a flow reads, and whether columns are unknown on the way to them."""
        if self._ends.issuperset(flow.sources):
            return flow.sources, process.approximate
        found: dict[Entity, None] = {}
        unknown = process.approximate
        for source in flow.sources:
            if source in self._ends:
                found[source] = None
            else:
                behind, behind_unknown = self._filled_from(source, self._version(source, process))
                found.update(behind)
                unknown = unknown or behind_unknown
        return found, unknown

    def _version(self, entity: Entity, reader: Process) -> int:
        versions = self._versions
        return versions.read(entity, reader) if versions and entity in versions else 0

    def _filled_from(self, entity: Entity, version: int) -> tuple[dict[Entity, None], bool]:
        """All ends behind one version of a temporary table; a table that many statements read is walked once.

        A chain of tables, each filled from the one before, goes no further back than to the first that is known.
        """
        known = self._known.get((entity, version))
        if known is not None:
            return known
        found: dict[Entity, None] = {}
        unknown = False
        seen = {(entity, version)}
        queue = [(entity, version)]
        for place, (current, at) in enumerate(queue):
            known = self._known.get((current, at)) if place + 1 == len(queue) else None
            if known is not None:
                found.update(known[0])
                unknown = unknown or known[1]
                break
            for writer, flow in self._writers.get(current, ()):
                if at and self._versions is not None and self._versions.written(current, writer) != at:
                    continue
                unknown = unknown or writer.approximate
                for source in flow.sources:
                    if source in self._ends:
                        found[source] = None
                        continue
                    step = (source, self._version(source, writer))
                    if step not in seen:
                        seen.add(step)
                        queue.append(step)
        self._known[entity, version] = found, unknown
        return found, unknown


def _add_flows(
    model: Model,
    ends: set[Entity],
    kinds: dict[_Key, tuple[RelationType, Process | None]],
    relations: _Collector,
    behind: _Behind,
) -> None:
    by_columns, orphaned = _by_identity(kinds, ends)
    for process in model.processes:
        identity = process.identity
        read: dict[Entity, dict[Entity, None]] = {}
        unknown: set[Entity] = set()
        for flow in process.flows:
            target = flow.target
            if target is not None and target in ends:
                sources, columns_unknown = behind.origins(process, flow)
                if target in read:
                    read[target].update(sources)
                else:
                    read[target] = dict(sources)
                if columns_unknown or (identity, target) in orphaned:
                    unknown.add(target)
        for target, found in by_columns.get(identity, _NONE).items():
            if target in read:
                read[target].update(found)
            else:
                read[target] = found
        for target, sources in read.items():
            for source in sources:
                if source.type != "pseudoTable":
                    known = kinds.get((identity, source, target))
                    kind = known[0] if known is not None else "fdd" if target in unknown else "fdr"
                    relations.add(kind, source, target, process)


def _by_identity(
    kinds: dict[_Key, tuple[RelationType, Process | None]], ends: set[Entity]
) -> tuple[dict[str, dict[Entity, dict[Entity, None]]], set[tuple[str, Entity]]]:
    """The pairs the columns show, by identity and target; and the targets that hold data of an orphan column.

    Columns find what no flow of the statement names: tables behind a cursor or a variable. A table's own columns in SET
    or WHERE do not make it an input of its own.
    """
    pairs: dict[str, dict[Entity, dict[Entity, None]]] = {}
    orphaned: set[tuple[str, Entity]] = set()
    for (identity, source, target), (kind, _) in kinds.items():
        if identity is None:
            continue
        if source.type == "pseudoTable":
            if kind == "fdd":
                orphaned.add((identity, target))
        elif source is not target and target in ends:
            pairs.setdefault(identity, {}).setdefault(target, {})[source] = None
    return pairs, orphaned


def _left_behind(model: Model, ends: set[Entity]) -> set[Entity]:
    """Temporary tables that nothing in the scripts reads: they are what a script leaves to its session.

    Those of SQL Server (``#t``) end with the batch or procedure that made them.
    """
    found = {
        entity
        for entity in model.entities
        if entity.temporary and entity.kind in PERMANENT and entity not in ends and not entity.table.startswith("#")
    }
    if found:
        for process in model.processes:
            for flow in process.flows:
                found.difference_update(flow.sources)
    return found


def _statements(model: Model, ends: set[Entity], behind: _Behind) -> list[StatementFacts]:
    """Each statement's inputs and outputs; those of a routine are what all the statements in it read and write."""
    statements: list[tuple[Process, dict[Entity, None], dict[Entity, None]]] = []
    routines: dict[str, tuple[dict[Entity, None], dict[Entity, None]]] = {}
    left = _left_behind(model, ends)
    for process in model.processes:
        inputs: dict[Entity, None] = {}
        outputs: dict[Entity, None] = {}
        for flow in process.flows:
            target = flow.target
            if target is not None and (target in ends or target in left) and not target.dropped:
                outputs[target] = None
            sources, _ = behind.origins(process, flow)
            for source in sources:
                if source.type != "pseudoTable" and not source.dropped:
                    inputs[source] = None
        if process.type in _ROUTINES and not process.flows:
            routines[process.procedure_name] = inputs, outputs
        elif process.procedure_name in routines:
            routine_inputs, routine_outputs = routines[process.procedure_name]
            routine_inputs.update(inputs)
            routine_outputs.update(outputs)
        statements.append((process, inputs, outputs))
    return [
        StatementFacts(process, list(inputs), list(outputs))
        for process, inputs, outputs in statements
        if (inputs or outputs) and process.type != _CACHING
    ]
