"""A trace as a picture, drawn by the exporters that draw models."""

from __future__ import annotations

from typing import cast

from connector.export import FORMATS, ExportOptions
from connector.model import (
    Column,
    Entity,
    EntityKind,
    Flow,
    Model,
    Process,
    ProcessType,
    Relation,
    RelationType,
    Script,
)
from connector.naming import join_name, parse_name
from connector.store.render.ends import end_of, short_names
from connector.store.trace import Trace, TraceNode, TraceProcess

__all__ = ["render_dot", "render_mermaid", "trace_model"]


def render_mermaid(trace: Trace) -> str:
    return _draw(trace, "mermaid")


def render_dot(trace: Trace) -> str:
    return _draw(trace, "dot")


def _draw(trace: Trace, format: str) -> str:
    level = "column" if trace.columns else "table"
    return FORMATS[format].render(trace_model(trace), level, ExportOptions())


def trace_model(trace: Trace) -> Model:
    """A model with the steps of the trace as its relations. Its texts are not there, and so its places mean nothing."""
    return _Builder(trace).build()


class _Builder:
    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._names = short_names(trace)
        self._script = Script("")
        self._model = Model("dbvansi", scripts=[self._script])
        self._columns: dict[TraceNode, Column] = {}
        self._entities: dict[tuple[str, ...], Entity] = {}
        self._processes: dict[TraceProcess, Process] = {}
        self._last = 0

    def build(self) -> Model:
        relations = self._model.relations
        for step in self._trace.steps:
            source, target = self._column(step.source), self._column(step.target)
            processes = [self._process(made_by, source.entity, target.entity) for made_by in step.processes]
            for process in processes or (None,):
                relations.append(
                    Relation(len(relations) + 1, cast(RelationType, step.type), target, [source], process=process)
                )
        return self._model

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _column(self, node: TraceNode) -> Column:
        """The column of a node. On the table level each entity has one, which no picture shows."""
        known = self._columns.get(node)
        if known is None:
            name = end_of(node, is_column=self._trace.columns).column or ""
            entity = self._entity(node)
            known = self._columns[node] = Column(self._number(), name, entity)
            entity.columns[name] = known
        return known

    def _entity(self, node: TraceNode) -> Entity:
        end = end_of(node, is_column=self._trace.columns)
        name = ".".join(part for part in end[:3] if part is not None)
        if self._names[node.qualified_name] == node.qualified_name:
            name += join_name([], parse_name(node.qualified_name).cluster)
        key = (node.kind, name)
        known = self._entities.get(key)
        if known is None:
            kind: EntityKind = _KINDS.get(node.kind, "table")
            known = self._entities[key] = Entity(self._number(), kind, name, kind, table=end.table)
            self._model.entities.append(known)
        return known

    def _process(self, made_by: TraceProcess, source: Entity, target: Entity) -> Process:
        known = self._processes.get(made_by)
        if known is None:
            known = Process(
                self._number(),
                cast(ProcessType, made_by.type),
                (self._script, 0, 0),
                made_by.query_hash_id,
                made_by.procedure_name,
                made_by.qualified_name,
            )
            self._processes[made_by] = known
            self._model.processes.append(known)
        for flow in known.flows:
            if flow.target is target:
                flow.sources[source] = None
                return known
        known.flows.append(Flow(target, {source: None}))
        return known


_KINDS: dict[str, EntityKind] = {"view": "view", "path": "path", "stage": "stage"}
