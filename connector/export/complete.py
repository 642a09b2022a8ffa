"""The complete level as plain data, as written to JSON."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from connector.common.hashing import text_hash
from connector.export.view import ExportOptions, Pair, complete_view, coordinates
from connector.model import Column, Entity, Model, Problem, Procedure, Process, Relation
from connector.model.levels.ways import expression_of, is_plain


def complete_dict(model: Model, options: ExportOptions) -> dict[str, Any]:
    """Entities, relations and processes as the analysis found them, filtered by the switches.

    Equal parts (the coordinates of a column, the end of a relation) may be the same object: do not modify the result.
    """
    view = complete_view(model, options)
    top_select = options.top_select
    ends: dict[Column, dict[str, Any]] = {}
    objects = [_entity(entity, ends, options) for entity in view.entities]
    objects.extend([_procedure(procedure) for procedure in model.procedures])
    return {
        "dbvendor": model.vendor,
        "dbobjs": objects,
        "relations": (
            _relations(view.relations, ends, top_select)
            if options.columns
            else _entity_relations(view.relations, top_select)
        ),
        "processes": [process_dict(process) for process in view.processes],
        **problems(model),
    }


_cached_hash = lru_cache(maxsize=1024)(text_hash)


def hash_id(entity: Entity) -> str:
    """A name for a resultset that is stable across runs: the MD5 of its type and its column names."""
    columns = entity.columns
    if len(columns) == 1:
        (column,) = columns.values()
        # Usually a function, and the same few occur again and again.
        return _cached_hash(f"{entity.type}:{'' if column.system else column.name.upper()}")
    names = ",".join([column.name for column in columns.values() if not column.system])
    return text_hash(f"{entity.type}:{names.upper()}")


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


def problems(model: Model) -> dict[str, list[dict[str, Any]]]:
    """The errors, and the notes if there are any."""
    found = {"errors": [_error(problem) for problem in model.problems if problem.type != "Note"]}
    if len(found["errors"]) < len(model.problems):
        found["notes"] = [_error(problem) for problem in model.problems if problem.type == "Note"]
    return found


def _error(problem: Problem) -> dict[str, Any]:
    return {
        "errorType": problem.type,
        "errorMessage": problem.message,
        "coordinates": coordinates(problem.span),
        "file": problem.span[0].name,
    }


def _entity(entity: Entity, ends: dict[Column, dict[str, Any]], options: ExportOptions) -> dict[str, Any]:
    """The entity with its columns. What relations will say of each column is put into `ends` on the way."""
    number, place = str(entity.id), coordinates(entity.span)
    if entity.kind == "resultset":
        document: dict[str, Any] = {
            "id": number,
            "name": entity.name,
            "type": "resultset",
            "subType": entity.type,
            "hashId": hash_id(entity),
        }
    else:
        document = {"id": number, "name": entity.name}
        _describe(entity, document)
    if entity.alias:
        document["alias"] = entity.alias
    if entity.processes:
        shown = [str(process.id) for process in entity.processes if options.top_select or process.type != "Select"]
        if shown:
            document["processIds"] = shown
    document["coordinates"] = place
    if options.columns:
        document["columns"] = _columns(entity, number, place, ends)
    return document


def _columns(entity: Entity, number: str, place: Pair, ends: dict[Column, dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns in order of appearance, the row column last. A function and its column stand in one place."""
    columns: list[dict[str, Any]] = []
    system: list[dict[str, Any]] = []
    parent, here = entity.name, entity.span
    for column in entity.columns.values():
        own, name, span = str(column.id), column.name, column.span
        where = place if span is here else coordinates(span)
        shown = {"id": own, "name": name, "coordinates": where}
        end = {"id": own, "column": name, "parentId": number, "parentName": parent, "coordinates": where}
        if column.system:
            shown["source"] = end["source"] = "system"
            system.append(shown)
        else:
            columns.append(shown)
        ends[column] = end
    return columns + system if system else columns


def _describe(entity: Entity, document: dict[str, Any]) -> None:
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
    if entity.dropped:
        document["dropped"] = True


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


def _relations(relations: list[Relation], ends: dict[Column, dict[str, Any]], top_select: bool) -> list[dict[str, Any]]:
    documents = []
    in_clauses: dict[str, _Sources] = {}
    process: Process | None = None
    number = identity = None
    for relation in relations:
        if relation.process is not process:
            process = relation.process
            number, identity = _process_keys(process, top_select)
        effect, clause, columns = relation.effect, relation.clause, relation.sources
        if clause is None:
            sources = [ends[columns[0]]] if len(columns) == 1 else [ends[column] for column in columns]
        else:
            known = in_clauses.get(clause)
            if known is None:
                known = in_clauses[clause] = _Sources(ends, clause)
            sources = [known[column] for column in columns]
        if number is None or effect is None or relation.type == "join":
            document = _relation_head(relation, top_select)
            document["target"] = ends[relation.target]
            document["sources"] = sources
        else:
            document = {
                "id": str(relation.id),
                "type": relation.type,
                "effectType": effect,
                "processId": number,
                "queryHashId": identity,
                "target": ends[relation.target],
                "sources": sources,
            }
            if relation.expression is not None and not is_plain(expression := expression_of(relation)):
                document["expression"] = expression
        if relation.approximate:
            document["approximate"] = True
        documents.append(document)
    return documents


class _Sources(dict[Column, dict[str, Any]]):
    """What relations say of the columns of one clause. Each aggregate of a query has all the columns of its GROUP BY."""

    __slots__ = ("_clause", "_ends")

    def __init__(self, ends: dict[Column, dict[str, Any]], clause: str) -> None:
        self._ends = ends
        self._clause = clause

    def __missing__(self, column: Column) -> dict[str, Any]:
        found = self[column] = {**self._ends[column], "clauseType": self._clause}
        return found


def _process_keys(process: Process | None, top_select: bool) -> tuple[str | None, str | None]:
    """Id and identity of a process that is shown."""
    if process is None or (process.type == "Select" and not top_select):
        return None, None
    return str(process.id), process.identity


def _relation_head(relation: Relation, top_select: bool) -> dict[str, Any]:
    document: dict[str, Any] = {"id": str(relation.id), "type": relation.type}
    if relation.effect is not None:
        document["effectType"] = relation.effect
    number, identity = _process_keys(relation.process, top_select)
    if number is not None:
        document["processId"] = number
        document["queryHashId"] = identity
    if relation.join_type is not None:
        document["joinType"] = relation.join_type
    if relation.condition is not None:
        document["condition"] = relation.condition
    if relation.expression is not None and not is_plain(expression := expression_of(relation)):
        document["expression"] = expression
    return document


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
