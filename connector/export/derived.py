"""The column and table levels as plain data, as written to JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from connector.export.complete import problems, process_dict
from connector.export.view import ExportOptions, coordinates
from connector.model import Column, Entity, Model, Process
from connector.model.levels import ColumnEdge, TableEdge, TableLevel, column_level, table_level
from connector.naming import Namer, bare_name, quote_part, unquote


def column_edges(model: Model, options: ExportOptions) -> list[ColumnEdge]:
    """The column level according to the options."""
    edges = column_level(
        model,
        impact=options.impact,
        top_select=options.top_select,
        joins=options.joins,
        keep_temporaries=options.temporaries,
    )
    return edges if options.dataflow else [edge for edge in edges if edge.type != "fdd"]


def table_edges(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> TableLevel:
    """The table level according to the options."""
    level = table_level(model, impact=options.impact, keep_temporaries=options.temporaries, edges=edges)
    if not options.dataflow:
        level.relations = [edge for edge in level.relations if edge.type != "fdd"]
    return level


def column_dict(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> dict[str, Any]:
    """One source and one target for each relation, and the process between them.

    Equal ends may be the same object: do not modify the result.
    """
    if edges is None:
        edges = column_edges(model, options)
    ends = _ColumnEnds(model)
    relations = []
    process: Process | None = None
    number = identity = procedure = None
    for edge in edges:
        if edge.process is not process:
            process = edge.process
            number, identity, procedure = _process_keys(process)
        transformation, expression, _ = edge.how
        document: dict[str, Any] = {
            "type": edge.type,
            "source": ends[edge.source],
            "target": ends[edge.target],
            "effectType": edge.effect,
            "clauseType": edge.clause,
            "expression": expression,
            "transformation": transformation,
            "processId": number,
            "queryHashId": identity,
            "procedureName": procedure,
            "count": edge.count,
        }
        if edge.join_type is not None:
            document["joinType"] = edge.join_type
        if edge.condition is not None:
            document["condition"] = edge.condition
        if edge.approximate:
            document["approximate"] = True
        relations.append(document)
    return {
        "relations": relations,
        "processes": [process_dict(process) for process in shown_processes(model, options, edges)],
        **problems(model),
    }


def table_dict(model: Model, options: ExportOptions, edges: list[ColumnEdge] | None = None) -> dict[str, Any]:
    """Table to table, and what each statement reads and writes. `edges` is the column level with impact, if known."""
    level = table_edges(model, options, edges)
    ends = _TableEnds(model)
    relations = []
    writer: Process | None = None
    number = identity = procedure = None
    for edge in level.relations:
        if edge.process is not writer:
            writer = edge.process
            number, identity, procedure = _process_keys(writer)
        relations.append(
            {
                "type": edge.type,
                "source": ends[edge.source],
                "target": ends[edge.target],
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
            "inputs": [ends[entity] for entity in facts.inputs],
            "outputs": [ends[entity] for entity in facts.outputs],
            "coordinates": coordinates(process.span),
        }
        if process.approximate:
            statement["approximate"] = True
        statements.append(statement)
    return {
        "relations": relations,
        "statements": statements,
        "processes": [process_dict(process) for process in shown_processes(model, options, level.relations)],
        **problems(model),
    }


def _process_keys(process: Process | None) -> tuple[str | None, str | None, str | None]:
    if process is None:
        return None, None, None
    return str(process.id), process.identity, process.procedure_name


def shown_processes(
    model: Model, options: ExportOptions, edges: Iterable[ColumnEdge | TableEdge] = ()
) -> list[Process]:
    """The processes of a derived level: those that created one of its edges, and all that write a table.

    Plain SELECTs are excluded unless requested, and so are statements that only set a variable or move a cursor.
    """
    hidden = {
        process
        for process in model.processes
        if (process.type == "Select" and not options.top_select)
        or process.type == "Cache Table"
        or _fills_variables(process)
    }
    if not hidden:
        return model.processes
    hidden.difference_update({edge.process for edge in edges})
    return [process for process in model.processes if process not in hidden]


def _fills_variables(process: Process) -> bool:
    """Whether all that a process writes are variables and cursors; table variables count as tables."""
    flows = process.flows
    return bool(flows) and all(
        flow.target is not None and flow.target.kind == "variable" and not flow.target.temporary for flow in flows
    )


class _TableEnds(dict[Entity, dict[str, Any]]):
    """What relations say of tables, put together when a table is first asked for."""

    __slots__ = ("_namer",)

    def __init__(self, model: Model) -> None:
        self._namer = Namer(model)

    def __missing__(self, entity: Entity) -> dict[str, Any]:
        end = self[entity] = {
            "kind": entity.kind,
            "database": entity.database,
            "schema": entity.schema,
            "table": bare_name(entity),
            "qualifiedName": self._namer.entity(entity),
        }
        return end


class _ColumnEnds(dict[Column, dict[str, Any]]):
    """What relations say of columns, put together when a column is first asked for."""

    __slots__ = ("_namer", "_tables")

    def __init__(self, model: Model) -> None:
        self._namer = Namer(model)
        self._tables: dict[Entity, tuple[str, str, str]] = {}
        """What the columns of a table have in common: the table's name, and what stands around a column's name."""

    def __missing__(self, column: Column) -> dict[str, Any]:
        entity, name = column.entity, column.name
        plain = name.isidentifier()
        shown = name if plain else unquote(name) or name
        if entity.kind == "resultset":
            # A bare SELECT has columns, but they belong to no table.
            end = self[column] = {
                "kind": "resultset",
                "database": None,
                "schema": None,
                "table": None,
                "column": shown,
                "qualifiedName": None,
            }
            return end
        common = self._tables.get(entity)
        if common is None:
            common = self._tables[entity] = (bare_name(entity), *self._namer.around_column(entity))
        table, before, behind = common
        end = self[column] = {
            "kind": entity.kind,
            "database": entity.database,
            "schema": entity.schema,
            "table": table,
            "column": shown,
            "qualifiedName": f"{before}{name if plain else quote_part(unquote(name))}{behind}",
        }
        return end
