"""The column and the table level as plain data, the objects that JSON writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from connector.export.complete import errors, process_dict
from connector.export.options import ExportOptions
from connector.export.places import coordinates
from connector.model import Column, Entity, Model, Process
from connector.model.levels import ColumnEdge, TableLevel, column_level, table_level
from connector.naming import Namer, bare_name, unquote

__all__ = ["column_dict", "column_edges", "shown_processes", "table_dict", "table_edges"]


def column_edges(model: Model, options: ExportOptions) -> list[ColumnEdge]:
    """The column level as the switches want it."""
    edges = column_level(
        model,
        impact=options.impact,
        top_select=options.top_select,
        joins=options.joins,
        keep_temporaries=options.temporaries,
    )
    return edges if options.dataflow else [edge for edge in edges if edge.type != "fdd"]


def table_edges(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> TableLevel:
    """The table level as the switches want it."""
    level = table_level(model, impact=options.impact, keep_temporaries=options.temporaries, edges=edges)
    if not options.dataflow:
        level.relations = [edge for edge in level.relations if edge.type != "fdd"]
    return level


def column_dict(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> dict[str, Any]:
    """One source and one target for each relation, and the process between them.

    Equal ends may be one object: the result is there to be read.
    """
    if edges is None:
        edges = column_edges(model, options)
    ends = _Ends(model)
    relations = []
    process: Process | None = None
    number = identity = procedure = None
    for edge in edges:
        if edge.process is not process:
            process = edge.process
            number, identity, procedure = _process_keys(process)
        document: dict[str, Any] = {
            "type": edge.type,
            "source": ends.column(edge.source),
            "target": ends.column(edge.target),
            "effectType": edge.effect,
            "clauseType": edge.clause,
            "processId": number,
            "queryHashId": identity,
            "procedureName": procedure,
            "count": edge.count,
        }
        if edge.join_type is not None:
            document["joinType"] = edge.join_type
        if edge.condition is not None:
            document["condition"] = edge.condition
        relations.append(document)
    return {
        "relations": relations,
        "processes": [process_dict(process) for process in shown_processes(model, options, edges)],
        "errors": errors(model),
    }


def table_dict(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> dict[str, Any]:
    """Table to table, and what each statement reads and writes. `edges` is the column level with impact, if known."""
    level = table_edges(model, options, edges)
    ends = _Ends(model)
    relations = []
    for edge in level.relations:
        number, identity, procedure = _process_keys(edge.process)
        relations.append(
            {
                "type": edge.type,
                "source": ends.entity(edge.source),
                "target": ends.entity(edge.target),
                "processId": number,
                "queryHashId": identity,
                "procedureName": procedure,
                "count": edge.count,
            }
        )
    statements = []
    for facts in level.statements:
        process = facts.process
        statement: dict[str, Any] = {
            "type": process.type,
            "queryHashId": process.identity,
            "procedureName": process.procedure_name,
            "inputs": [ends.entity(entity) for entity in facts.inputs],
            "outputs": [ends.entity(entity) for entity in facts.outputs],
            "coordinates": coordinates(process.span),
        }
        if process.approximate:
            statement["approximate"] = True
        statements.append(statement)
    return {
        "relations": relations,
        "statements": statements,
        "processes": [process_dict(process) for process in shown_processes(model, options)],
        "errors": errors(model),
    }


def _process_keys(process: Process | None) -> tuple[str | None, str | None, str | None]:
    if process is None:
        return None, None, None
    return str(process.id), process.identity, process.procedure_name


def shown_processes(model: Model, options: ExportOptions, edges: Iterable[ColumnEdge] = ()) -> list[Process]:
    """All processes but bare SELECTs, unless those are asked for or made one of the edges (a join)."""
    if options.top_select or not any(process.type == "Select" for process in model.processes):
        return model.processes
    needed = {edge.process for edge in edges}
    return [process for process in model.processes if process.type != "Select" or process in needed]


class _Ends:
    """What relations say of tables and columns, put together once for each."""

    __slots__ = ("_columns", "_entities", "_namer", "_places")

    def __init__(self, model: Model) -> None:
        self._namer = Namer(model)
        self._places: dict[Entity, dict[str, Any]] = {}
        self._entities: dict[Entity, dict[str, Any]] = {}
        self._columns: dict[Column, dict[str, Any]] = {}

    def entity(self, entity: Entity) -> dict[str, Any]:
        end = self._entities.get(entity)
        if end is None:
            end = self._entities[entity] = {**_place(entity), "qualifiedName": self._namer.entity(entity)}
        return end

    def column(self, column: Column) -> dict[str, Any]:
        end = self._columns.get(column)
        if end is None:
            entity, name = column.entity, column.name
            place = self._places.get(entity)
            if place is None:
                place = self._places[entity] = _SELECTED if entity.kind == "resultset" else _place(entity)
            end = self._columns[column] = {
                **place,
                "column": name if name.isidentifier() else unquote(name) or name,
                "qualifiedName": None if place is _SELECTED else self._namer.column(column),
            }
        return end


def _place(entity: Entity) -> dict[str, Any]:
    return {
        "kind": entity.kind,
        "database": entity.database,
        "schema": entity.schema,
        "table": bare_name(entity),
    }


_SELECTED: dict[str, Any] = {"kind": "resultset", "database": None, "schema": None, "table": None}
"""A bare SELECT has columns, but they belong to no table."""
