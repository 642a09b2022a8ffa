"""Semicolon-separated rows of the column and table levels, for data catalogs that import files.

Names are unqualified and unquoted; a missing part is ``default`` (or the dialect's default schema). The format has no column for
the type of an edge, so the column level contains only data flow unless impact is requested.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from connector.export.complete import hash_id
from connector.export.derived import column_edges, table_edges
from connector.export.view import ExportOptions, Level, complete_view
from connector.model import Column, Entity, Model, Process
from connector.naming import DEFAULT, bare_name, unquote

Row = tuple[str, ...]


def _header(*parts: str) -> Row:
    ends = [f"{end}_{part}" for end in ("source", "target") for part in parts]
    return *ends, "procedure_names", "query_hash_id"


TABLE_HEADER = _header("db", "schema", "table")
COLUMN_HEADER = _header("db", "schema", "table", "column")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class CsvExporter:
    name = "csv"
    levels: tuple[Level, ...] = ("column", "table")

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        if level == "table":
            header, rows = TABLE_HEADER, _table_rows(model, options)
        else:
            header = COLUMN_HEADER
            rows = _step_rows(model, options) if options.intermediate_csv else _column_rows(model, options)
        return _write(header, rows, safe=options.safe_csv)


def _write(header: Row, rows: Iterable[Row], *, safe: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    writer.writerow(header)
    for row in dict.fromkeys(rows):
        writer.writerow([_harmless(cell) for cell in row] if safe else row)
    return text.getvalue()


def _harmless(cell: str) -> str:
    """A leading apostrophe makes a spreadsheet treat the cell as text."""
    return "'" + cell if cell.startswith(_FORMULA) else cell


def _table_rows(model: Model, options: ExportOptions) -> Iterator[Row]:
    places = _Places(model)
    for edge in table_edges(model, options).relations:
        yield *places.entity(edge.source), *places.entity(edge.target), *places.process(edge.process)


def _column_rows(model: Model, options: ExportOptions) -> Iterator[Row]:
    places = _Places(model)
    for edge in column_edges(model, options):
        if edge.type == "fdd" or (edge.type == "fdr" and options.impact_csv):
            yield *places.column(edge.source), *places.column(edge.target), *places.process(edge.process)


def _step_rows(model: Model, options: ExportOptions) -> Iterator[Row]:
    """Each relation of the complete model, with resultsets named by their hash, and without plain SELECTs unless requested."""
    places = _Places(model)
    for relation in complete_view(model, options).relations:
        process = relation.process
        if process is not None and process.bare_select and not options.top_select:
            continue
        if relation.type == "fdd" or (relation.type == "fdr" and options.impact_csv):
            for source in relation.sources:
                yield *places.column(source), *places.column(relation.target), *places.process(process)


class _Places:
    """The cells that locate a table, a column or a process."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._known: dict[Entity, Row] = {}
        self._procedures: dict[str, dict[str, None]] = {}
        for process in model.processes:
            self._procedures.setdefault(process.identity, {})[process.procedure_name] = None

    def entity(self, entity: Entity) -> Row:
        row = self._known.get(entity)
        if row is None:
            row = self._known[entity] = self._entity(entity)
        return row

    def _entity(self, entity: Entity) -> Row:
        if entity.kind == "resultset":
            return DEFAULT, DEFAULT, hash_id(entity)
        if self._model.layers == 2:
            return entity.database or entity.schema or DEFAULT, self._model.default_schema, bare_name(entity)
        return entity.database or DEFAULT, entity.schema or self._model.default_schema, bare_name(entity)

    def column(self, column: Column) -> Row:
        return *self.entity(column.entity), unquote(column.name)

    def process(self, process: Process | None) -> Row:
        """All procedures that contain this statement: it is one statement, however many of them do."""
        if process is None:
            return "", ""
        return " ".join(self._procedures[process.identity]), process.identity
