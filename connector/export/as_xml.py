"""XML of all three levels, in the form of the model's reference, with what a reader needs to get the model back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from connector.export.complete import hash_id
from connector.export.derived import column_edges, shown_processes, table_edges
from connector.export.view import LEVELS, ExportOptions, View, complete_view, coordinate_text, element
from connector.model import Column, EffectType, Entity, Model, Procedure, Process, Relation, RelationType, Span
from connector.model.levels.ways import expression_of
from connector.naming import table_of

_KINDS = ("table", "view", "stage", "path", "variable", "resultset")
"""The order in which the elements stand."""


class XmlExporter:
    name = "xml"
    levels = LEVELS

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        if level == "complete":
            body = _complete(model, options)
        elif level == "column":
            body = _column(model, options)
        else:
            body = _table(model, options)
        lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', _root(model), *body, "</dlineage>", ""]
        return "\n".join(lines)


def _root(model: Model) -> str:
    return element(
        "dlineage",
        close=False,
        dbvendor=model.vendor,
        layers=model.layers,
        defaultSchema=model.default_schema,
        cluster=model.cluster,
    )


def _complete(model: Model, options: ExportOptions) -> Iterator[str]:
    view = complete_view(model, options)
    yield from _processes(view.processes, with_flows=True)
    yield from _entities(view.entities, options)
    for procedure in model.procedures:
        yield from _procedure(procedure)
    yield from _scripts_and_errors(model)
    if options.columns:
        for relation in view.relations:
            yield from _relation(relation, options)
    else:
        yield from _entity_relations(view, options)


def _column(model: Model, options: ExportOptions) -> Iterator[str]:
    edges = column_edges(model, options)
    used: dict[Entity, dict[Column, None]] = {}
    for edge in edges:
        used.setdefault(edge.source.entity, {})[edge.source] = None
        used.setdefault(edge.target.entity, {})[edge.target] = None
    yield from _processes(shown_processes(model, options, edges), with_flows=False)
    yield from _entities([entity for entity in model.entities if entity in used], options, used)
    yield from _scripts_and_errors(model)
    for number, edge in enumerate(edges, 1):
        relation = Relation(
            number,
            edge.type,
            edge.target,
            [edge.source],
            edge.effect,
            edge.clause,
            edge.process,
            edge.join_type,
            edge.condition,
            edge.approximate,
        )
        yield _relation_head(relation, options, edge.count, True, edge.expression, edge.transformation)
        yield from _relation_ends(relation)


def _table(model: Model, options: ExportOptions) -> Iterator[str]:
    level = table_edges(model, options)
    used = {edge.source for edge in level.relations} | {edge.target for edge in level.relations}
    for facts in level.statements:
        if not facts.process.bare_select or options.top_select:
            used.update((*facts.inputs, *facts.outputs))
    yield from _processes(shown_processes(model, options, level.relations), with_flows=False)
    yield from _entities([entity for entity in model.entities if entity in used], options, {})
    yield from _scripts_and_errors(model)
    ids = _free_ids(model)
    for edge in level.relations:
        source, target = (edge.source.id, edge.source.name), (edge.target.id, edge.target.name)
        if edge.process is None:
            steps = [(source, target)]
        else:
            process = (edge.process.id, edge.process.name)
            steps = [(source, process), (process, target)]
        for (from_id, from_name), (to_id, to_name) in steps:
            yield "  " + element("relation", close=False, id=next(ids), type=edge.type)
            yield "    " + element("target", id=next(ids), target_id=to_id, target_name=to_name)
            yield "    " + element("source", id=next(ids), source_id=from_id, source_name=from_name)
            yield "  </relation>"


def _free_ids(model: Model) -> Iterator[int]:
    """Ids that no element of the model has."""
    highest = 0
    for entity in model.entities:
        highest = max(highest, entity.id, *[column.id for column in entity.columns.values()])
    for element_list in (model.processes, model.relations, model.procedures):
        for item in element_list:
            highest = max(highest, item.id)
    while True:
        highest += 1
        yield highest


def _processes(processes: Iterable[Process], *, with_flows: bool) -> Iterator[str]:
    for process in processes:
        flows = [flow for flow in process.flows if flow.target or flow.sources] if with_flows else []
        yield "  " + element(
            "process",
            close=not flows,
            id=process.id,
            name=process.name,
            type=process.type,
            queryHashId=process.identity,
            textHashId=process.query_hash_id if process.query_hash_id != process.identity else None,
            procedureName=process.procedure_name,
            approximate="true" if process.approximate else None,
            coordinate=coordinate_text(process.span),
        )
        for flow in flows:
            yield "    " + element(
                "flow",
                target_id=flow.target.id if flow.target is not None else None,
                source_ids=" ".join([str(source.id) for source in flow.sources]) or None,
            )
        if flows:
            yield "  </process>"


def _entities(
    entities: Iterable[Entity], options: ExportOptions, columns: dict[Entity, dict[Column, None]] | None = None
) -> Iterator[str]:
    """The entities by kind. `columns` says which of their columns to show; without it all are shown."""
    by_kind: dict[str, list[Entity]] = {kind: [] for kind in _KINDS}
    for entity in entities:
        by_kind.setdefault(entity.kind, []).append(entity)
    for members in by_kind.values():
        for entity in members:
            shown = entity.columns.values() if columns is None else columns.get(entity, {})
            yield from _entity(entity, list(shown) if options.columns else [], options)


def _entity(entity: Entity, columns: list[Column], options: ExportOptions) -> Iterator[str]:
    processes = [str(process.id) for process in entity.processes if options.top_select or not process.bare_select]
    resultset = entity.kind == "resultset"
    yield "  " + element(
        entity.kind,
        close=not columns,
        id=entity.id,
        database=entity.database,
        schema=entity.schema,
        name=entity.name,
        tableName=_table_name(entity),
        alias=entity.alias,
        uri=entity.uri,
        type=entity.type,
        subType=entity.sub_type,
        fileFormat=entity.file_format,
        hashId=hash_id(entity) if resultset else None,
        temporary="true" if entity.temporary else None,
        dropped="true" if entity.dropped else None,
        processIds=" ".join(processes) or None,
        coordinate=coordinate_text(entity.span),
        occurrences=_occurrences(entity.occurrences),
    )
    if not columns:
        return
    for column in sorted(columns, key=_system_last):
        yield "    " + element(
            "column",
            id=column.id,
            name=column.name,
            coordinate=coordinate_text(column.span),
            occurrences=_occurrences(column.occurrences),
            source="system" if column.system else None,
        )
    yield f"  </{entity.kind}>"


def _table_name(entity: Entity) -> str | None:
    """The bare name, where the name as written does not show it."""
    return entity.table if entity.table and entity.table != table_of(entity.name, entity.kind) else None


def _system_last(column: Column) -> bool:
    return column.system


def _occurrences(spans: list[Span] | None) -> str | None:
    return ",".join([coordinate_text(span) for span in spans]) if spans else None


def _procedure(procedure: Procedure) -> Iterator[str]:
    yield "  " + element(
        "procedure",
        close=not procedure.arguments,
        id=procedure.id,
        name=procedure.name,
        type=procedure.type,
        coordinate=coordinate_text(procedure.span),
    )
    for argument in procedure.arguments:
        yield "    " + element(
            "argument",
            id=argument.id,
            name=argument.name,
            datatype=argument.datatype,
            inout=argument.inout,
            coordinate=coordinate_text(argument.span),
        )
    if procedure.arguments:
        yield "  </procedure>"


def _scripts_and_errors(model: Model) -> Iterator[str]:
    for script in model.scripts:
        if script.name:
            yield "  " + element("script", index=script.index, name=script.name)
    for problem in model.problems:
        yield "  " + element(
            "error",
            errorType=problem.type,
            errorMessage=problem.message,
            coordinate=coordinate_text(problem.span),
            file=problem.span[0].name,
        )


def _relation(relation: Relation, options: ExportOptions) -> Iterator[str]:
    yield _relation_head(relation, options, 1, False, expression_of(relation))
    yield from _relation_ends(relation)


def _relation_ends(relation: Relation) -> Iterator[str]:
    yield "    " + _end("target", relation.target)
    for source in relation.sources:
        yield "    " + _end("source", source, relation.clause)
    yield "  </relation>"


def _relation_head(
    relation: Relation,
    options: ExportOptions,
    count: int,
    show_select: bool,
    expression: str | None = None,
    transformation: str | None = None,
) -> str:
    process = relation.process
    if process is not None and process.bare_select and not (options.top_select or show_select):
        process = None
    return "  " + element(
        "relation",
        close=False,
        id=relation.id,
        type=relation.type,
        effectType=relation.effect,
        processId=process.id if process is not None else None,
        joinType=relation.join_type,
        condition=relation.condition,
        expression=expression,
        transformation=transformation,
        approximate="true" if relation.approximate else None,
        count=count if count > 1 else None,
    )


def _end(tag: str, column: Column, clause: str | None = None) -> str:
    return element(
        tag,
        id=column.id,
        column=column.name,
        parent_id=column.entity.id,
        parent_name=column.entity.name,
        coordinate=coordinate_text(column.span),
        source="system" if column.system else None,
        clauseType=clause,
    )


def _entity_relations(view: View, options: ExportOptions) -> Iterator[str]:
    """Relations of a view without columns, in the form of the table level; equal ones are one."""
    bundles: dict[tuple[RelationType, EffectType | None, Process | None, Entity], dict[Entity, None]] = {}
    heads: dict[tuple[RelationType, EffectType | None, Process | None, Entity], Relation] = {}
    for relation in view.relations:
        key = (relation.type, relation.effect, relation.process, relation.target.entity)
        heads.setdefault(key, relation)
        bundles.setdefault(key, {}).update(dict.fromkeys([source.entity for source in relation.sources]))
    for key, sources in bundles.items():
        target = key[3]
        yield _relation_head(heads[key], options, 1, False)
        yield "    " + element("target", id=target.id, target_id=target.id, target_name=target.name)
        for source in sources:
            yield "    " + element("source", id=source.id, source_id=source.id, source_name=source.name)
        yield "  </relation>"
