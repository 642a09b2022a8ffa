"""A level as boxes and arrows: the common basis of the diagram formats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from connector.export.derived import column_edges, table_edges
from connector.export.view import ExportOptions, complete_view
from connector.model import Column, Entity, Model, Process
from connector.naming import unquote


@dataclass(slots=True, eq=False)
class Box:
    """A table or another entity with its columns, or a process."""

    key: str
    label: str
    kind: str
    rows: dict[str, str] = field(default_factory=dict)
    """Key and label of each column shown."""


@dataclass(slots=True, frozen=True)
class Arrow:
    """From a box or one of its rows to another. A row is named by the key of its box and its own."""

    source: str
    source_row: str | None
    target: str
    target_row: str | None
    type: str
    label: str | None = None


@dataclass(slots=True, eq=False)
class Graph:
    boxes: list[Box]
    arrows: list[Arrow]


def build_graph(model: Model, level: str, options: ExportOptions) -> Graph:
    """The diagram of a level: columns inside their tables, or tables with the statements between them."""
    if level == "table":
        return _table_graph(model, options)
    if level == "column":
        edges = column_edges(model, options)
        ends = [(edge.source, edge.target, edge.type, edge.clause) for edge in edges]
        used = {column for edge in edges for column in (edge.source, edge.target)}
        entities = [entity for entity in model.entities if any(column in used for column in entity.columns.values())]
    else:
        view = complete_view(model, options)
        ends = [
            (source, relation.target, relation.type, relation.clause)
            for relation in view.relations
            for source in relation.sources
        ]
        used = {column for entity in view.entities for column in entity.columns.values()}
        entities = view.entities
    return _column_graph(entities, used, ends, options.columns)


def _column_graph(
    entities: Iterable[Entity],
    used: set[Column],
    ends: Iterable[tuple[Column, Column, str, str | None]],
    with_columns: bool,
) -> Graph:
    boxes = []
    for entity in entities:
        box = Box(_entity_key(entity), entity.name, entity.kind)
        if with_columns:
            box.rows = {
                _column_key(column): unquote(column.name) for column in entity.columns.values() if column in used
            }
        boxes.append(box)
    arrows: dict[Arrow, None] = {}
    for source, target, kind, clause in ends:
        arrow = Arrow(
            _entity_key(source.entity),
            _column_key(source) if with_columns else None,
            _entity_key(target.entity),
            _column_key(target) if with_columns else None,
            kind,
            clause,
        )
        arrows[arrow] = None
    return Graph(boxes, list(arrows))


def _table_graph(model: Model, options: ExportOptions) -> Graph:
    level = table_edges(model, options)
    used = {entity for edge in level.relations for entity in (edge.source, edge.target)}
    between: dict[Process, None] = {}
    arrows: dict[Arrow, None] = {}
    for edge in level.relations:
        source, target, process = _entity_key(edge.source), _entity_key(edge.target), edge.process
        if process is None:
            arrows[Arrow(source, None, target, None, edge.type)] = None
            continue
        between[process] = None
        arrows[Arrow(source, None, _process_key(process), None, edge.type)] = None
        arrows[Arrow(_process_key(process), None, target, None, "fdd")] = None
    boxes = [Box(_entity_key(entity), entity.name, entity.kind) for entity in model.entities if entity in used]
    boxes.extend([Box(_process_key(process), process.name, "process") for process in between])
    return Graph(boxes, list(arrows))


def _entity_key(entity: Entity) -> str:
    return f"e{entity.id}"


def _column_key(column: Column) -> str:
    return f"c{column.id}"


def _process_key(process: Process) -> str:
    return f"p{process.id}"
