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
    """One source and one target for each relation, and the process between them."""
    if edges is None:
        edges = column_edges(model, options)
    ends: dict[Column, dict[str, Any]] = {}
    namer = Namer(model)
    relations = []
    for edge in edges:
        source = ends.get(edge.source)
        if source is None:
            source = ends[edge.source] = _column_end(edge.source, namer)
        target = ends.get(edge.target)
        if target is None:
            target = ends[edge.target] = _column_end(edge.target, namer)
        process = edge.process
        document: dict[str, Any] = {
            "type": edge.type,
            "source": source.copy(),
            "target": target.copy(),
            "effectType": edge.effect,
            "clauseType": edge.clause,
            "processId": None,
            "queryHashId": None,
            "procedureName": None,
            "count": edge.count,
        }
        if process is not None:
            document["processId"] = str(process.id)
            document["queryHashId"] = process.identity
            document["procedureName"] = process.procedure_name
        if edge.join_type is not None:
            document["joinType"] = edge.join_type
        if edge.condition is not None:
            document["condition"] = edge.condition
        relations.append(document)
    processes = shown_processes(model, options, [edge.process for edge in edges])
    return {
        "relations": relations,
        "processes": [process_dict(process) for process in processes],
        "errors": errors(model),
    }


def table_dict(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> dict[str, Any]:
    """Table to table, and what each statement reads and writes."""
    level = table_edges(model, options, edges)
    tables: dict[Entity, dict[str, Any]] = {}
    namer = Namer(model)

    def end(entity: Entity) -> dict[str, Any]:
        known = tables.get(entity)
        if known is None:
            known = tables[entity] = _table_end(entity, namer)
        return known.copy()

    relations = []
    for edge in level.relations:
        process = edge.process
        relations.append(
            {
                "type": edge.type,
                "source": end(edge.source),
                "target": end(edge.target),
                "processId": str(process.id) if process is not None else None,
                "queryHashId": process.identity if process is not None else None,
                "procedureName": process.procedure_name if process is not None else None,
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
            "inputs": [end(entity) for entity in facts.inputs],
            "outputs": [end(entity) for entity in facts.outputs],
            "coordinates": coordinates(process.span),
        }
        if process.approximate:
            statement["approximate"] = True
        statements.append(statement)
    processes = shown_processes(model, options, ())
    return {
        "relations": relations,
        "statements": statements,
        "processes": [process_dict(process) for process in processes],
        "errors": errors(model),
    }


def shown_processes(model: Model, options: ExportOptions, used: Iterable[Process | None]) -> list[Process]:
    """All processes but bare SELECTs, unless those are asked for or made one of the edges (a join)."""
    if options.top_select or not any(process.type == "Select" for process in model.processes):
        return model.processes
    needed = set(used)
    return [process for process in model.processes if process.type != "Select" or process in needed]


def _table_end(entity: Entity, namer: Namer) -> dict[str, Any]:
    return {
        "kind": entity.kind,
        "database": entity.database,
        "schema": entity.schema,
        "table": bare_name(entity),
        "qualifiedName": namer.entity(entity),
    }


def _column_end(column: Column, namer: Namer) -> dict[str, Any]:
    entity = column.entity
    if entity.kind == "resultset":
        return {
            "kind": "resultset",
            "database": None,
            "schema": None,
            "table": None,
            "column": unquote(column.name),
            "qualifiedName": None,
        }
    return {
        "kind": entity.kind,
        "database": entity.database,
        "schema": entity.schema,
        "table": bare_name(entity),
        "column": unquote(column.name),
        "qualifiedName": namer.column(column),
    }
