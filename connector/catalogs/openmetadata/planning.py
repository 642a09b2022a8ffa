"""From the levels of models to planned edges: one for each pair of objects, all statements together.

The definition of a stage says where it is; whatever is loaded from it or unloaded to it comes from there or goes there. Of a
stage without a known place, what goes in comes out again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Mapping as ByIdentity
from pathlib import PurePath

from connector.catalogs.catalog import Seen
from connector.catalogs.openmetadata.mapping import Mapping
from connector.catalogs.openmetadata.objects import Objects, is_real
from connector.catalogs.openmetadata.plan import (
    EdgeKey,
    Key,
    LineageSourceName,
    Mappings,
    Plan,
    PlannedEdge,
    PlannedStatement,
)
from connector.lineage import Lineage
from connector.model import BATCH, Column, Entity, Model, Process
from connector.model.levels import ColumnEdge, Levels, Way
from connector.model.levels.ways import PLAIN_NAME
from connector.naming import split_parts, unquote
from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.identity import mask_literals, storable


def look_through(plan: Plan, absent: Collection[Key]) -> set[Key]:
    """Bypass absent stages: their edges connect what is before and after them. Returns the stages that are no longer needed."""
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


_VIEWS = frozenset({"Create View", "Create Materialized View", "Create Dynamic Table", "Create Projection"})
_EXTERNAL = frozenset({"Create External Table", "Create Stage"})


def make_plan(
    lineages: Iterable[Lineage],
    mapping: Mapping,
    source: str,
    service: str | None = None,
    seen: ByIdentity[str, Seen] | None = None,
) -> Plan:
    """What the server should hold for these models together. Temporary tables are looked through."""
    plan = Plan(source)
    for lineage in lineages:
        _Reader(lineage.model, mapping, plan, service, seen or {}).read(lineage.levels())
    return plan


class _Reader:
    """Reads the levels of one model into the plan."""

    def __init__(
        self, model: Model, mapping: Mapping, plan: Plan, service: str | None, seen: ByIdentity[str, Seen]
    ) -> None:
        self._model = model
        self._mapping = mapping
        self._plan = plan
        self._dialect: SqlDialect = get_dialect(model.vendor)
        self._objects = Objects(model, mapping, plan, self._dialect, service)
        self._statements: dict[tuple[str, str], PlannedStatement] = {}
        self._seen = seen

    def read(self, levels: Levels) -> None:
        mapping = self._mapping
        columns = levels.columns
        ignored = set() if mapping.foreign_keys else _foreign_keys(columns)
        made: set[tuple[str | None, EdgeKey]] = set()
        for relation in levels.tables.relations:
            if relation.type not in mapping.relations:
                continue
            if relation.source is relation.target and not mapping.self_edges:
                continue
            process = relation.process
            if (process, relation.source, relation.target) in ignored:
                continue
            source, target = self._objects.dataset(relation.source), self._objects.dataset(relation.target)
            if source is None or target is None or (source == target and not mapping.self_edges):
                continue
            edge = self._plan.edges.setdefault((source, target), PlannedEdge(source, target))
            made.add((process.identity if process is not None else None, edge.key))
            if process is not None:
                edge.statements[self._statement(process)] = None
        for column in columns:
            if column.type in mapping.columns:
                self._add_column(column, made)

    def _add_column(self, edge: ColumnEdge, made: set[tuple[str | None, EdgeKey]]) -> None:
        star = edge.type == "fdd" and "*" in (edge.source.name, edge.target.name)
        if not star and not (is_real(edge.source) and is_real(edge.target)):
            return
        source, target = self._objects.dataset(edge.source.entity), self._objects.dataset(edge.target.entity)
        if source is None or target is None:
            return
        identity = edge.process.identity if edge.process is not None else None
        if (identity, (source, target)) not in made:
            return  # the target's own columns, read in SET or WHERE: the table level does not count them as an input
        planned = self._plan.edges[source, target]
        if star:
            planned.stars = planned.stars or (source[0] == "table" and target[0] == "table")
            return
        written = self._objects.column(edge.target)
        if edge.type == "fdd":
            mappings = planned.direct.setdefault(written, Mappings())
            for way in edge.ways:
                for inner in _inner_fields(edge.source, way):
                    mappings.sources[self._objects.column(edge.source, inner)] = None
                if way.transformation != "identity" and way.expression is not None:
                    mappings.functions.add(self._function(way.expression))
        else:
            mappings = planned.indirect.setdefault(written, Mappings())
            mappings.sources[self._objects.column(edge.source)] = None
            if edge.clause:
                mappings.functions.add(edge.clause)

    def _function(self, expression: str) -> str:
        """An expression on one line, its literals masked unless the mapping says otherwise."""
        return " ".join(self._masked(expression).split())

    def _masked(self, text: str) -> str:
        return storable(mask_literals(text, self._dialect, literals=self._mapping.query_text != "full"))

    def _statement(self, process: Process) -> PlannedStatement:
        key = (process.identity, process.procedure_name)
        statement = self._statements.get(key)
        if statement is None:
            routine = self._objects.routine(process.procedure_name)
            statement = PlannedStatement(
                process.identity,
                self._text(process),
                _made_by(process),
                routine,
                process.type,
                _place(process),
                self._since(process),
            )
            self._statements[key] = statement
        return statement

    def _since(self, process: Process) -> str:
        seen = self._seen.get(process.identity)
        return seen.first.date().isoformat() if seen is not None and seen.first is not None else ""

    def _text(self, process: Process) -> str | None:
        if self._mapping.query_text == "none" or not process.text:
            return None
        return self._masked(process.text) or None


def _place(process: Process) -> str:
    """The file of a statement, with the folder it is in: the same wherever the folder itself lies."""
    name = process.span[0].name
    return "" if name in ("", "-") else "/".join(PurePath(name.replace("\\", "/")).parts[-2:]).lstrip("/")


def _made_by(process: Process) -> LineageSourceName:
    if process.type in _VIEWS:
        return "ViewLineage"
    if process.type in _EXTERNAL:
        return "ExternalTableLineage"
    if process.procedure_name not in ("", BATCH):
        return "PipelineLineage"
    return "QueryLineage"


def _foreign_keys(columns: list[ColumnEdge]) -> set[tuple[Process | None, Entity, Entity]]:
    """What is an edge between tables for the sake of a foreign key and of nothing else."""
    keys = {(edge.process, edge.source.entity, edge.target.entity) for edge in columns if edge.effect == "foreign_key"}
    others = {
        (edge.process, edge.source.entity, edge.target.entity) for edge in columns if edge.effect != "foreign_key"
    }
    return keys - others


def _inner_fields(column: Column, way: Way) -> list[tuple[str, ...]]:
    """The fields of a structured column that the expression on the way names behind it; the whole column if none."""
    place = way.steps[0].expression or way.steps[0].target.span if way.steps else None
    if place is None:
        return [()]
    script, start, end = place
    found: dict[tuple[str, ...], None] = {}
    name = unquote(column.name).lower()
    for span in [column.span, *(column.occurrences or ())]:
        if span is None or span[0] is not script or not start <= span[1] < end:
            continue
        match = PLAIN_NAME.match(script.text, span[1], end)
        parts = split_parts(match[0]) if match is not None else []
        at = next((index for index, part in enumerate(parts) if part.strip().lower() == name), None)
        if match is not None and at is not None:
            called = script.text[match.end() : end].lstrip().startswith("(")
            found[tuple(part.strip() for part in parts[at + 1 : len(parts) - called])] = None
    return list(found) or [()]
