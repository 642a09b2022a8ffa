"""Reads a complete model from XML: our own, and the looser spellings in the model's specification.

Ids keep their numbers; an id that is not a number (``14_0``) gets a new one. If a document does not state which process created a
relation, or what a process read, that is derived from the processes of the target and from the relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar, cast
from xml.etree.ElementTree import Element, ParseError, fromstring

from connector.errors import SourceError
from connector.model import (
    BATCH,
    Argument,
    ClauseType,
    Column,
    EffectType,
    Entity,
    EntityKind,
    Flow,
    Model,
    PositionScript,
    Problem,
    ProblemType,
    Procedure,
    Process,
    ProcessType,
    Relation,
    RelationType,
    Script,
    Span,
)
from connector.model.levels import column_level
from connector.naming import table_of

_T = TypeVar("_T")

_POSITION = re.compile(r"\[(-?\d+),(-?\d+),([^\],]*)\]")
_KINDS = frozenset({"table", "view", "resultset", "variable", "path", "stage"})
_RELATION_TYPES = {"frd": "fdr"}
_RESULTSET_TYPES = {
    "cte": "with_cte",
    "union": "select_union",
    "insert_select": "insert-select",
    "merge_insert": "merge-insert",
    "merge_update": "merge-update",
    "update_select": "update-select",
    "update_set": "update-set",
}


def read_xml(text: str) -> Model:
    """The model of a complete-level document; raises ``SourceError`` if the text is not one."""
    try:
        root = fromstring(text.encode())
    except ParseError as error:
        raise SourceError(f"not an XML document: {error}") from error
    if root.tag not in ("dlineage", "dlineseage", "dligneage"):
        raise SourceError(f"not a lineage document: its root element is <{root.tag}>, not <dlineage>")
    return _Reader(root).read()


class _Reader:
    def __init__(self, root: Element) -> None:
        self._root = root
        self._model = Model(
            root.get("dbvendor", "dbvansi"),
            int(root.get("layers", 3)),
            root.get("defaultSchema", "default"),
            root.get("cluster", "default"),
        )
        self._scripts: dict[str, PositionScript] = {}
        self._processes: dict[str, Process] = {}
        self._entities: dict[str, Entity] = {}
        self._columns: dict[str, Column] = {}
        self._numbers = _unused_numbers(root)

    def read(self) -> Model:
        for element in self._root.iter("script"):
            self._script(element.get("index", "0")).name = element.get("name", "")
        self._script("0")
        for element in self._root.iter("process"):
            self._read_process(element)
        for element in self._root:
            if element.tag in _KINDS or (element.tag == "procedure" and element.get("type") == "procedure"):
                # A procedure that is called is an entity, the end of a `call`; one that is created has another type.
                self._read_entity(element)
            elif element.tag == "procedure":
                self._read_procedure(element)
            elif element.tag == "error":
                self._read_error(element)
        self._model.entities.sort(key=lambda entity: entity.id)
        for element in self._root.iter("relation"):
            self._read_relation(element)
        if all(relation.process is None for relation in self._model.relations):
            _infer_processes(self._model)
        self._read_flows()
        self._model.scripts = sorted(self._scripts.values(), key=lambda script: script.index)
        return self._model

    def _number(self, element: Element) -> int:
        text = element.get("id", "")
        return int(text) if text.isdecimal() else next(self._numbers)

    def _script(self, index: str) -> PositionScript:
        script = self._scripts.get(index)
        if script is None:
            number = int(index) if index.isdecimal() else len(self._scripts)
            script = self._scripts[index] = PositionScript("", number)
        return script

    def _spans(self, text: str | None) -> list[Span]:
        positions = _POSITION.findall(text or "")
        spans: list[Span] = []
        for start, end in zip(positions[::2], positions[1::2], strict=False):
            if start[0] != "-1":
                script = self._script(start[2])
                first, behind = (script.pack(int(line), int(column)) for line, column, _ in (start, end))
                spans.append((script, first, behind))
        return spans

    def _span(self, element: Element) -> Span | None:
        spans = self._spans(element.get("coordinate"))
        return spans[0] if spans else None

    def _certain_span(self, element: Element) -> Span:
        script = self._script("0")
        return self._span(element) or (script, script.pack(1, 1), script.pack(1, 1))

    def _read_process(self, element: Element) -> None:
        identity = element.get("queryHashId", "")
        process = Process(
            self._number(element),
            cast(ProcessType, element.get("type", "")),
            self._certain_span(element),
            element.get("textHashId", identity),
            element.get("procedureName", BATCH),
            identity,
            approximate=element.get("approximate") == "true",
        )
        self._processes[element.get("id", "")] = process
        self._model.processes.append(process)

    def _read_entity(self, element: Element) -> None:
        kind, name = cast(EntityKind, element.tag), element.get("name", "")
        type_ = element.get("type", kind)
        entity = Entity(
            self._number(element),
            kind,
            name,
            _RESULTSET_TYPES.get(type_, type_),
            database=element.get("database"),
            schema=element.get("schema"),
            table=element.get("tableName") or table_of(name, kind),
            alias=element.get("alias"),
            sub_type=element.get("subType") or element.get("tableType"),
            uri=element.get("uri"),
            file_format=element.get("fileFormat"),
            temporary=element.get("temporary") == "true",
            dropped=element.get("dropped") == "true",
            span=self._span(element),
            occurrences=self._spans(element.get("occurrences")) or None,
            processes=_named(element.get("processIds"), self._processes),
        )
        self._entities[element.get("id", "")] = entity
        self._model.entities.append(entity)
        for child in element.iter("column"):
            self._read_column(child, entity)

    def _read_column(self, element: Element, entity: Entity) -> None:
        column = Column(
            self._number(element),
            element.get("name", ""),
            entity,
            self._span(element),
            element.get("source") == "system",
            self._spans(element.get("occurrences")) or None,
        )
        key = "" if column.system else column.name
        entity.columns[f"{key}\0{column.id}" if key in entity.columns else key] = column
        self._columns[element.get("id", "")] = column

    def _read_procedure(self, element: Element) -> None:
        arguments = [
            Argument(
                self._number(child),
                child.get("name", ""),
                child.get("datatype", ""),
                child.get("inout"),
                self._span(child),
            )
            for child in element.iter("argument")
        ]
        self._model.procedures.append(
            Procedure(
                self._number(element),
                element.get("name", ""),
                element.get("type", "createprocedure"),
                arguments,
                self._span(element),
            )
        )

    def _read_error(self, element: Element) -> None:
        span = self._certain_span(element)
        span[0].name = span[0].name or element.get("file", "")
        self._model.problems.append(
            Problem(cast(ProblemType, element.get("errorType", "")), element.get("errorMessage", ""), span)
        )

    def _read_relation(self, element: Element) -> None:
        target = element.find("target")
        sources = element.findall("source")
        if target is None or target.get("column") is None:
            raise SourceError("relations without columns: only the complete and the column level can be read back")
        type_ = element.get("type", "fdd")
        self._model.relations.append(
            Relation(
                self._number(element),
                cast(RelationType, _RELATION_TYPES.get(type_, type_)),
                self._column(target),
                [self._column(source) for source in sources],
                cast("EffectType | None", element.get("effectType")),
                cast("ClauseType | None", sources[0].get("clauseType") if sources else None),
                self._processes.get(element.get("processId", "")),
                element.get("joinType"),
                element.get("condition"),
                element.get("approximate") == "true",
                _text_span(element.get("expression")),
            )
        )

    def _column(self, element: Element) -> Column:
        column = self._columns.get(element.get("id", ""))
        if column is None:
            raise SourceError(f"a relation names column {element.get('id')!r}, which no element defines")
        return column

    def _read_flows(self) -> None:
        stated = False
        for element in self._root.iter("process"):
            process = self._processes[element.get("id", "")]
            for flow in element.iter("flow"):
                stated = True
                sources = _named(flow.get("source_ids"), self._entities)
                target = self._entities.get(flow.get("target_id", ""))
                process.flows.append(Flow(target, dict.fromkeys(sources)))
        if not stated:
            _infer_flows(self._model)


def _text_span(text: str | None) -> Span | None:
    """An expression without its script: only its text is available."""
    return (Script(text), 0, len(text)) if text is not None else None


def _named(ids: str | None, known: dict[str, _T]) -> list[_T]:
    """The elements that a list of ids refers to; ids that the document omits (those of a plain SELECT) are skipped."""
    return [known[text] for text in (ids or "").split() if text in known]


def _infer_processes(model: Model) -> None:
    """A relation was created by the process that writes its target, if there is only one."""
    for relation in model.relations:
        candidates = relation.target.entity.processes
        if len(candidates) > 1:
            effect = relation.effect
            candidates = [process for process in candidates if process.type.lower().replace(" ", "_") == effect]
        if len(candidates) == 1:
            relation.process = candidates[0]


def _infer_flows(model: Model) -> None:
    for edge in column_level(model, joins=False, keep_temporaries=True):
        if edge.process is None:
            continue
        target, source = edge.target.entity, edge.source.entity
        for flow in edge.process.flows:
            if flow.target is target:
                flow.sources[source] = None
                break
        else:
            edge.process.flows.append(Flow(target, {source: None}))


def _unused_numbers(root: Element) -> Iterator[int]:
    texts = [element.get("id", "") for element in root.iter()]
    highest = max((int(text) for text in texts if text.isdecimal()), default=0)
    while True:
        highest += 1
        yield highest
