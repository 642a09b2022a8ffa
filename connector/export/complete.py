"""The complete level as plain data, the object that JSON writes."""

from __future__ import annotations

from hashlib import md5
from typing import Any

from connector.export.options import ExportOptions
from connector.export.places import coordinates
from connector.export.view import complete_view
from connector.model import Column, Entity, Model, Problem, Procedure, Process, Relation

__all__ = ["complete_dict", "errors", "hash_id", "process_dict"]


def complete_dict(model: Model, options: ExportOptions) -> dict[str, Any]:
    """Entities, relations and processes as the analysis found them, filtered by the switches."""
    view = complete_view(model, options)
    top_select = options.top_select
    objects = [_entity(entity, options.columns, top_select) for entity in view.entities]
    objects.extend([_procedure(procedure) for procedure in model.procedures])
    if options.columns:
        ends: dict[Column, dict[str, Any]] = {}
        relations = [_relation(relation, ends, top_select) for relation in view.relations]
    else:
        relations = _entity_relations(view.relations, top_select)
    return {
        "dbvendor": model.vendor,
        "dbobjs": objects,
        "relations": relations,
        "processes": [process_dict(process) for process in view.processes],
        "errors": errors(model),
    }


def hash_id(entity: Entity) -> str:
    """The name of a resultset that stays the same from run to run: MD5 of its type and its column names."""
    names = ",".join([column.name for column in entity.columns.values() if not column.system])
    return md5(f"{entity.type}:{names.upper()}".encode(), usedforsecurity=False).hexdigest()


def process_dict(process: Process) -> dict[str, Any]:
    document: dict[str, Any] = {
        "id": str(process.id),
        "name": process.name,
        "type": process.type,
        "queryHashId": process.identity,
        "procedureName": process.procedure_name,
        "coordinates": coordinates(process.span),
    }
    if process.query_hash_id != process.identity:
        document["textHashId"] = process.query_hash_id
    if process.approximate:
        document["approximate"] = True
    return document


def errors(model: Model) -> list[dict[str, Any]]:
    return [_error(problem) for problem in model.problems]


def _error(problem: Problem) -> dict[str, Any]:
    return {
        "errorType": problem.type,
        "errorMessage": problem.message,
        "coordinates": coordinates(problem.span),
        "file": problem.span[0].name,
    }


def _entity(entity: Entity, with_columns: bool, top_select: bool) -> dict[str, Any]:
    kind = entity.kind
    document: dict[str, Any] = {"id": str(entity.id), "name": entity.name}
    if kind == "resultset":
        document["type"] = kind
        document["subType"] = entity.type
        document["hashId"] = hash_id(entity)
    else:
        document["type"] = entity.type
        if entity.sub_type:
            document["subType"] = entity.sub_type
        if entity.database:
            document["database"] = entity.database
        if entity.schema:
            document["schema"] = entity.schema
        if entity.uri:
            document["uri"] = entity.uri
        if entity.file_format:
            document["fileFormat"] = entity.file_format
        if entity.temporary:
            document["temporary"] = True
    if entity.alias:
        document["alias"] = entity.alias
    if entity.processes:
        shown = [str(process.id) for process in entity.processes if top_select or process.type != "Select"]
        if shown:
            document["processIds"] = shown
    document["coordinates"] = coordinates(entity.span)
    if entity.occurrences:
        document["occurrences"] = [coordinates(span) for span in entity.occurrences]
    if with_columns:
        document["columns"] = columns = []
        system = []
        for column in entity.columns.values():
            entry: dict[str, Any] = {
                "id": str(column.id),
                "name": column.name,
                "coordinates": coordinates(column.span),
            }
            if column.occurrences:
                entry["occurrences"] = [coordinates(span) for span in column.occurrences]
            if column.system:
                entry["source"] = "system"
                system.append(entry)
            else:
                columns.append(entry)
        columns.extend(system)
    return document


def _procedure(procedure: Procedure) -> dict[str, Any]:
    return {
        "id": str(procedure.id),
        "name": procedure.name,
        "type": "procedure",
        "subType": procedure.type,
        "coordinates": coordinates(procedure.span),
        "arguments": [
            {
                "id": str(argument.id),
                "name": argument.name,
                "datatype": argument.datatype,
                "inout": argument.inout,
                "coordinates": coordinates(argument.span),
            }
            for argument in procedure.arguments
        ],
    }


def _relation(relation: Relation, ends: dict[Column, dict[str, Any]], top_select: bool) -> dict[str, Any]:
    document = _relation_head(relation, top_select)
    target = relation.target
    end = ends.get(target)
    if end is None:
        end = ends[target] = _end(target)
    document["target"] = end.copy()
    clause = relation.clause
    document["sources"] = sources = []
    for column in relation.sources:
        end = ends.get(column)
        if end is None:
            end = ends[column] = _end(column)
        end = end.copy()
        if clause is not None:
            end["clauseType"] = clause
        sources.append(end)
    return document


def _relation_head(relation: Relation, top_select: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"id": str(relation.id), "type": relation.type}
    if relation.effect is not None:
        document["effectType"] = relation.effect
    process = relation.process
    if process is not None and (top_select or process.type != "Select"):
        document["processId"] = str(process.id)
        document["queryHashId"] = process.identity
    if relation.join_type is not None:
        document["joinType"] = relation.join_type
    if relation.condition is not None:
        document["condition"] = relation.condition
    return document


def _end(column: Column) -> dict[str, Any]:
    entity = column.entity
    end: dict[str, Any] = {
        "id": str(column.id),
        "column": column.name,
        "parentId": str(entity.id),
        "parentName": entity.name,
        "coordinates": coordinates(column.span),
    }
    if column.system:
        end["source"] = "system"
    return end


def _entity_relations(relations: list[Relation], top_select: bool) -> list[dict[str, Any]]:
    """Relations without columns: those that connect the same entities in the same way are one."""
    documents: dict[tuple[Any, ...], dict[str, Any]] = {}
    members: dict[tuple[Any, ...], dict[Entity, None]] = {}
    for relation in relations:
        target = relation.target.entity
        key = (relation.type, relation.effect, relation.clause, relation.process, target)
        if key not in documents:
            documents[key] = {**_relation_head(relation, top_select), "target": _entity_end(target)}
            members[key] = {}
        members[key].update(dict.fromkeys([source.entity for source in relation.sources]))
    for key, document in documents.items():
        document["sources"] = [_entity_end(source) for source in members[key]]
        if key[2] is not None:
            for source in document["sources"]:
                source["clauseType"] = key[2]
    return list(documents.values())


def _entity_end(entity: Entity) -> dict[str, Any]:
    return {"parentId": str(entity.id), "parentName": entity.name, "coordinates": coordinates(entity.span)}
