"""What the page shows of one analysis: the complete model and the two derived levels.

The derived levels are those that the other exporters write, worked out here and not in the browser. The browser filters
them by type, and leads the complete level past what is switched off. All switches together need each derived level
twice at most: with temporary tables looked through, and with them kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from connector.export.complete import hash_id
from connector.export.derived import column_edges, shown_processes, table_edges
from connector.export.page.edges import VERSION, Place, present, trimmed
from connector.export.view import LEVELS, ExportOptions
from connector.model import Column, Description, Entity, Model, Process, Relation, Script, Span
from connector.model.levels import ColumnEdge, TableLevel
from connector.model.levels.ways import expression_of, is_plain
from connector.naming import Namer, bare_name

MOST_RELATIONS = 50_000
"""Above this many relations the complete level is left out: it would be unreadable, and the file huge."""

_NOTHING_SAID = Description()

_MOST_PLACES = 50
"""As many places in the text as are kept for one entity or column, beyond the first."""


def page_document(
    model: Model,
    options: ExportOptions | None = None,
    *,
    title: str | None = None,
    level: str | None = None,
    blank: Callable[[str], str] | None = None,
) -> dict[str, Any]:
    """The data of the page; `options` and `level` say how it opens, all of it can be switched there.

    `blank` overwrites what must not be shown in the text of a script, without moving anything.
    """
    options = options or ExportOptions()
    document = _Writer(model, options).document(title or _title(model), level)
    if blank is not None:
        for script in document["scripts"]:
            script["text"] = blank(script["text"])
    return document


def _title(model: Model) -> str:
    """The script's name, or that of the folder that several scripts have in common."""
    names = [PurePath(script.name) for script in model.scripts if script.name and script.name != "-"]
    if len(names) == 1:
        return names[0].name
    folders = {name.parent for name in names}
    if len(folders) == 1:
        folder = folders.pop().name
        return f"{folder} ({len(names)} scripts)" if folder else f"{len(names)} scripts"
    return f"{len(names)} scripts" if names else "SQL lineage"


class _Writer:
    """Numbers the parts of one model and writes them."""

    def __init__(self, model: Model, options: ExportOptions) -> None:
        self._model = model
        self._options = options
        self._namer = Namer(model)
        self._entities: dict[Entity, int] = {entity: at for at, entity in enumerate(model.entities)}
        self._processes: dict[Process | None, int] = {process: at for at, process in enumerate(model.processes)}
        self._processes[None] = -1
        self._derived = set(shown_processes(model, replace(options, top_select=True)))
        self._columns: dict[Column, int] = {}
        self._surrogates = {script.index: _surrogates(script.text) for script in model.scripts}
        self._texts = {script.index: script for script in model.scripts if script.__class__ is Script and script.text}
        self._scripts = {script.index: at for at, script in enumerate(model.scripts)}

    def document(self, title: str, level: str | None) -> dict[str, Any]:
        model = self._model
        entities = [self._entity(entity) for entity in model.entities]
        levels = self._levels()
        return {
            "version": VERSION,
            "title": title,
            "vendor": model.vendor,
            "layers": model.layers,
            "defaultSchema": model.default_schema,
            "opens": self._opens(level, levels),
            "scripts": [{"name": script.name, "text": script.text} for script in model.scripts],
            "entities": entities,
            "processes": [self._process(process) for process in model.processes],
            "procedures": [
                {
                    "id": str(procedure.id),
                    "name": procedure.name,
                    "type": procedure.type,
                    "place": self._place(procedure.span),
                    "arguments": [
                        [str(each.id), each.name, each.datatype, each.inout, self._place(each.span)]
                        for each in procedure.arguments
                    ],
                }
                for procedure in model.procedures
            ],
            "levels": levels,
            "problems": [
                {
                    "type": problem.type,
                    "message": problem.message,
                    "place": self._place(problem.span),
                    "file": problem.span[0].name,
                }
                for problem in model.problems
            ],
        }

    def _opens(self, level: str | None, levels: dict[str, Any]) -> dict[str, Any]:
        """The level and the switches at the start. A script of bare SELECTs would show nothing if they were left out."""
        options, model = self._options, self._model
        wanted = level if level in LEVELS and level in levels else "column"
        writes = any(process.type != "Select" for process in model.processes)
        return {
            "level": wanted,
            "impact": options.impact,
            "dataflow": options.dataflow,
            "joins": options.joins,
            "function": options.function,
            "recordset": options.recordset,
            "columns": options.columns,
            "select": options.top_select or not writes,
            "temporaries": options.temporaries,
        }

    # --- parts ----------------------------------------------------------------------------------------------------

    def _entity(self, entity: Entity) -> dict[str, Any]:
        said = entity.description or _NOTHING_SAID
        function = entity.kind == "resultset" and entity.type == "function"
        document: dict[str, Any] = {
            "id": str(entity.id),
            "kind": "function" if function else entity.kind,
            "type": entity.type,
            "name": entity.name,
        }
        if entity.kind != "resultset":
            document["table"] = bare_name(entity)
            document["qualifiedName"] = self._namer.entity(entity)
            document["around"] = list(self._namer.around_column(entity))
        else:
            document["hashId"] = hash_id(entity)
        document.update(
            present(
                {
                    "database": entity.database,
                    "schema": entity.schema,
                    "alias": entity.alias,
                    "subType": entity.sub_type,
                    "uri": entity.uri,
                    "fileFormat": entity.file_format,
                    "temporary": entity.temporary,
                    "dropped": entity.dropped,
                    "place": self._place(entity.span),
                    "places": self._places(entity.occurrences),
                    "processes": [self._processes[process] for process in entity.processes],
                    "comment": said.comment,
                }
            )
        )
        rows = []
        for key, column in entity.columns.items():
            self._columns[column] = len(self._columns)
            rows.append(
                trimmed(
                    [
                        column.name,
                        str(column.id),
                        1 if column.system else 0,
                        self._place(column.span),
                        self._places(column.occurrences),
                        said.types.get(key),
                        said.comments.get(key),
                    ]
                )
            )
        document["columns"] = rows
        return document

    def _process(self, process: Process) -> dict[str, Any]:
        document: dict[str, Any] = {
            "id": str(process.id),
            "type": process.type,
            "hash": process.identity,
            "procedure": process.procedure_name,
            "place": self._place(process.span),
        }
        if process.query_hash_id != process.identity:
            document["textHash"] = process.query_hash_id
        if process.approximate:
            document["approximate"] = True
        if process not in self._derived:
            document["aside"] = True  # the derived levels leave it out, unless it made one of their edges
        return document

    # --- levels ---------------------------------------------------------------------------------------------------

    def _levels(self) -> dict[str, Any]:
        model = self._model
        levels: dict[str, Any] = {}
        if len(model.relations) <= MOST_RELATIONS:
            levels["complete"] = self._complete_rows()
        everything = replace(self._options, impact=True, dataflow=True, joins=True, top_select=True)
        kept = {"": False, "Temporaries": True} if any(entity.temporary for entity in model.entities) else {"": False}
        for suffix, temporaries in kept.items():
            options = replace(everything, temporaries=temporaries)
            edges = column_edges(model, options)
            tables = table_edges(model, options, edges)
            levels[f"column{suffix}"] = self._column_rows(edges)
            levels[f"table{suffix}"] = self._table_rows(tables)
            levels[f"statements{suffix}"] = self._statements(tables)
        return levels

    def _complete_rows(self) -> list[list[Any]]:
        columns, processes = self._columns, self._processes
        return [
            trimmed(
                [
                    relation.type,
                    relation.id,
                    columns[relation.target],
                    [columns[source] for source in relation.sources],
                    relation.effect,
                    relation.clause,
                    processes[relation.process],
                    relation.join_type,
                    relation.condition,
                    1 if relation.approximate else None,
                    _expression(relation),
                ]
            )
            for relation in self._model.relations
        ]

    def _column_rows(self, edges: list[ColumnEdge]) -> list[list[Any]]:
        columns, processes = self._columns, self._processes
        return [
            trimmed(
                [
                    edge.type,
                    columns[edge.source],
                    columns[edge.target],
                    edge.effect,
                    edge.clause,
                    processes[edge.process],
                    edge.count,
                    edge.join_type,
                    edge.condition,
                    1 if edge.approximate else None,
                    edge.transformation,
                    edge.expression,
                ]
            )
            for edge in edges
        ]

    def _table_rows(self, level: TableLevel) -> list[list[Any]]:
        entities, processes = self._entities, self._processes
        return [
            [edge.type, entities[edge.source], entities[edge.target], processes[edge.process], edge.count]
            for edge in level.relations
        ]

    def _statements(self, level: TableLevel) -> list[list[Any]]:
        """Process, what it reads, what it writes."""
        entities = self._entities
        return [
            [
                self._processes[facts.process],
                [entities[entity] for entity in facts.inputs],
                [entities[entity] for entity in facts.outputs],
            ]
            for facts in level.statements
        ]

    # --- places ---------------------------------------------------------------------------------------------------

    def _place(self, span: Span | None) -> Place | None:
        if span is None:
            return None
        script, start, end = span
        if script.__class__ is not Script:
            # SQL inside of a string has lines and columns of the script around it, where there is its text.
            around = self._texts.get(script.index)
            if around is None:
                return None
            start, end = (_offset(around, *place) for place in script.extent(start, end))
        pairs = self._surrogates[script.index]
        if pairs:
            start += bisect_right(pairs, start - 1)
            end += bisect_right(pairs, end - 1)
        return [self._scripts[script.index], start, end]

    def _places(self, spans: list[Span] | None) -> list[Place] | None:
        if not spans:
            return None
        places = [self._place(span) for span in spans[:_MOST_PLACES]]
        return [place for place in places if place is not None]


def _expression(relation: Relation) -> str | None:
    """What a relation computes; nothing where it hands a column on."""
    if relation.expression is None:
        return None
    text = expression_of(relation)
    return None if is_plain(text) else text


def _offset(script: Script, line: int, column: int) -> int:
    starts = script.line_starts or script.find_lines()
    return starts[line - 1] + column - 1


def _surrogates(text: str) -> list[int]:
    """Where the characters stand that are two units long in JavaScript."""
    if text.isascii():
        return []
    return [at for at, character in enumerate(text) if character > "\uffff"]
