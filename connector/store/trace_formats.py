"""The output formats of a trace. A new format is one function and one line in `TRACE_FORMATS`."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, cast

from connector.export import FORMATS, ExportOptions
from connector.export.as_csv import COLUMN_HEADER, TABLE_HEADER
from connector.export.view import printable
from connector.model import (
    BATCH,
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
from connector.naming import DEFAULT, join_name, parse_name
from connector.store.trace import Step, Trace, TraceNode, TraceProcess


class End(NamedTuple):
    """Where a table or column belongs. The table of a path is its URI."""

    database: str | None
    schema: str | None
    table: str
    column: str | None


def end_of(node: TraceNode, *, is_column: bool) -> End:
    *owner, last = parse_name(node.qualified_name).parts
    column = None
    if is_column and owner:
        column, last = last, owner.pop()
    database = owner[0] if owner else None
    schema = owner[1] if len(owner) > 1 else None
    return End(database, schema, last, column)


def short_names(trace: Trace) -> dict[str, str]:
    """Names by qualified name for people: without the cluster, when all of them live on the same one."""
    return _shorten([trace.name, *(node.qualified_name for node in (*trace.starts, *trace.nodes))])


def _shorten(names: Iterable[str]) -> dict[str, str]:
    known = {name: parse_name(name).cluster for name in names}
    clusters = set(known.values())
    if len(clusters) > 1:
        return {name: name for name in known}
    return {
        name: name.removesuffix(join_name([], cluster)) if cluster is not None else name
        for name, cluster in known.items()
    }


def render_csv(trace: Trace) -> str:
    """One row for each edge and statement; the distance is that of the farther end."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow([*(COLUMN_HEADER if trace.columns else TABLE_HEADER), "type", "distance"])
    for step in trace.steps:
        ends = [*_cells(step.source, trace), *_cells(step.target, trace)]
        distance = trace.near(step).distance + 1
        if not step.processes:
            writer.writerow([*ends, "", "", step.type, distance])
        for process in step.processes:
            writer.writerow([*ends, process.procedure_name, process.query_hash_id, step.type, distance])
    return text.getvalue()


def _cells(node: TraceNode, trace: Trace) -> list[str]:
    end = end_of(node, is_column=trace.columns)
    cells = [end.database or DEFAULT, end.schema or DEFAULT, end.table]
    return [*cells, end.column or ""] if trace.columns else cells


def render_json(trace: Trace) -> str:
    document = {
        "name": trace.name,
        "direction": trace.direction,
        "level": "column" if trace.columns else "table",
        "objects": [
            {**_end(node, trace), "distance": node.distance, "type": node.type}
            for node in (*trace.starts, *trace.nodes)
        ],
        "relations": [
            {
                "type": step.type,
                "source": _end(step.source, trace),
                "target": _end(step.target, trace),
                "processes": [
                    {
                        "qualifiedName": process.qualified_name,
                        "type": process.type,
                        "queryHashId": process.query_hash_id,
                        "procedureName": process.procedure_name,
                    }
                    for process in step.processes
                ],
            }
            for step in trace.steps
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _end(node: TraceNode, trace: Trace) -> dict[str, Any]:
    end = end_of(node, is_column=trace.columns)
    document: dict[str, Any] = {
        "kind": node.kind,
        "database": end.database,
        "schema": end.schema,
        "table": end.table,
    }
    if trace.columns:
        document["column"] = end.column
    document["qualifiedName"] = node.qualified_name
    return document


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


_ARROWS = {"upstream": {"fdd": "<-", "fdr": "<~"}, "downstream": {"fdd": "->", "fdr": "~>"}}
_NOTHING = {"upstream": "nothing upstream", "downstream": "nothing downstream"}


def render_text(trace: Trace) -> str:
    return "\n".join(_Tree(trace).lines()) + "\n"


class _Tree:
    """A trace as a tree, from the start outwards.

    Arrows point in the direction of the data: ``<-`` and ``->`` for data flow, ``<~`` and ``~>`` for impact. Nodes that were
    already shown are named again but not expanded, so the tree is no longer than the list of edges.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._names = short_names(trace)
        self._arrows = _ARROWS[trace.direction]
        self._steps: dict[TraceNode, list[Step]] = {}
        for step in trace.steps:
            self._steps.setdefault(trace.near(step), []).append(step)

    def lines(self) -> list[str]:
        trace = self._trace
        name = printable(self._names[trace.name])
        if not trace.steps:
            return [f"{name}: {_NOTHING[trace.direction]}"]
        lines = [name]
        if [node.qualified_name for node in trace.starts] == [trace.name]:
            self._unfold(trace.starts[0], "", lines, set())
            return lines
        shown: set[TraceNode] = set()
        starts = [node for node in trace.starts if node in self._steps]
        for node in starts:
            last = node is starts[-1]
            lines.append(f"{'└─ ' if last else '├─ '}{printable(self._names[node.qualified_name])}")
            self._unfold(node, "   " if last else "│  ", lines, shown)
        return lines

    def _unfold(self, root: TraceNode, margin: str, lines: list[str], shown: set[TraceNode]) -> None:
        """Depth first, without recursion: chains of lineage can be longer than Python's stack."""
        shown.add(root)
        pending = [(step, margin, at == 0) for at, step in enumerate(reversed(self._steps.get(root, [])))]
        while pending:
            step, margin, last = pending.pop()
            node = self._trace.far(step)
            again = node in shown and node in self._steps
            name = printable(self._names[node.qualified_name])
            mark = "  (shown above)" if again else ""
            lines.append(f"{margin}{'└─ ' if last else '├─ '}{self._arrows[step.type]} {name}{_statements(step)}{mark}")
            if node in shown:
                continue
            shown.add(node)
            inner = margin + ("   " if last else "│  ")
            pending.extend((onward, inner, at == 0) for at, onward in enumerate(reversed(self._steps.get(node, []))))


def _statements(step: Step) -> str:
    """`  [2 Insert, Merge in shop.load_orders]`."""
    kinds = Counter(
        process.type if process.procedure_name == BATCH else f"{process.type} in {process.procedure_name}"
        for process in step.processes
    )
    if not kinds:
        return ""
    return (
        f"  [{', '.join(printable(kind) if n == 1 else f'{n} {printable(kind)}' for kind, n in sorted(kinds.items()))}]"
    )


TRACE_FORMATS: dict[str, Callable[[Trace], str]] = {
    "text": render_text,
    "json": render_json,
    "csv": render_csv,
    "mermaid": render_mermaid,
    "dot": render_dot,
}
