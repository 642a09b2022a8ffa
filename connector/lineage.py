"""The result of an analysis."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from connector.common.extras import missing_package
from connector.errors import ConfigurationError
from connector.export import column_edges, find_exporter, to_dict
from connector.export.derived import table_edges
from connector.model import Column, Entity, Model, Problem, Process
from connector.model.levels import ColumnEdge, Levels, Transformation
from connector.naming import Namer, bare_name, parse_name, unquote
from connector.options import Switches

if TYPE_CHECKING:
    import networkx
    import pandas

_SWITCHES = frozenset(field.name for field in fields(Switches))
_DEFAULT = Switches()
_SHOWN = 5
"""Names that a message lists at most."""

_Name = TypeVar("_Name", bound="TableName | ColumnName")


@dataclass(frozen=True, slots=True)
class TableName:
    """A table, view, path or stage. ``str()`` returns the name as short as in the input."""

    kind: str
    database: str | None
    schema: str | None
    table: str
    qualified_name: str
    """With the defaults for what is missing, and the cluster: the name that catalogs use."""

    def __str__(self) -> str:
        return ".".join([part for part in (self.database, self.schema, self.table) if part])


@dataclass(frozen=True, slots=True)
class ColumnName:
    """A column of a table. The columns of a bare SELECT have no table."""

    table: TableName | None
    column: str
    qualified_name: str | None
    is_rows: bool = False
    """It stands for the rows of its table: what decides how many there are leads to it."""

    def __str__(self) -> str:
        return f"{self.table}.{self.column}" if self.table is not None else self.column


@dataclass(frozen=True, slots=True)
class ColumnRelation:
    """An edge of the column level: data flow or influence from one column to another, by one statement."""

    type: str
    """``fdd`` for data, ``fdr`` for impact, ``join`` and ``er`` for columns that are compared."""
    source: ColumnName
    target: ColumnName
    transformation: Transformation
    expression: str | None
    """As written."""
    clause: str | None
    statement: StatementSummary | None


@dataclass(frozen=True, slots=True)
class TableRelation:
    """An edge of the table level: data flow or influence from one table to another, by one statement."""

    type: str
    source: TableName
    target: TableName
    statement: StatementSummary | None


@dataclass(frozen=True, slots=True)
class StatementSummary:
    """A statement that reads or writes."""

    type: str
    sources: tuple[TableName, ...]
    targets: tuple[TableName, ...]
    file: str
    line: int
    text: str
    query_hash_id: str
    procedure: str
    """The routine that it stands in, else ``batchQueries``."""


class Lineage:
    """The lineage of the analysed scripts, to be queried and exported."""

    __slots__ = ("_blank", "_edges", "_levels", "_mask", "_names", "model", "options")

    def __init__(
        self,
        model: Model,
        options: Switches = _DEFAULT,
        mask: Callable[[str], str] | None = None,
        blank: Callable[[str], str] | None = None,
        levels: Mapping[bool, Levels] | None = None,
    ) -> None:
        """`mask` removes literals from SQL, for the formats that are meant for other systems; `blank` overwrites credentials.

        `levels` are the derived levels if they are known already, without and with temporary tables.
        """
        self._blank = blank
        self.model = model
        self._mask = mask
        self.options = options
        """What is shown, where a call does not say otherwise."""
        self._edges: dict[tuple[bool, ...], list[ColumnEdge]] = {}
        self._levels = dict(levels or {})
        self._names = _Names(model)

    def __repr__(self) -> str:
        model = self.model
        tables = sum(1 for entity in model.entities if entity.permanent and entity.type != "pseudoTable")
        failed = sum(1 for problem in model.problems if problem.type != "Note")
        return (
            f"<Lineage: {_count(len(model.processes), 'statement')}, {_count(tables, 'table')}, "
            f"{_count(failed, 'problem')}>"
        )

    def _repr_html_(self) -> str:
        """The picture, for a notebook: the page in a frame of its own, without the layout engine to keep the notebook small."""
        from connector.export.page import page_document, render_page  # most programs never show a picture

        document = page_document(self.model, self._options(None, {}), level="column", blank=self._blank)
        # Of the two quotes, the page has far fewer single ones to escape.
        page = render_page(document, light=True).replace("&", "&amp;").replace("'", "&#39;")
        return f"<iframe srcdoc='{page}' style='width: 100%; height: 600px; border: 0' title='Lineage'></iframe>"

    @property
    def problems(self) -> list[Problem]:
        """What could not be read or resolved."""
        return self.model.problems

    def levels(self, *, temporaries: bool = False) -> Levels:
        """Both levels, for catalogs: derived once, or as they came with the model."""
        found = self._levels.get(temporaries)
        if found is None:
            found = self._levels[temporaries] = Levels.of(self.model, keep_temporaries=temporaries)
        return found

    # --- what a person asks -----------------------------------------------------------------------------------------

    def column_edges(self, impact: bool | None = None, **switches: Any) -> list[ColumnRelation]:
        """The column level: which column feeds which, how, and by which statement."""
        options = self._options(impact, switches)
        names, statements = self._names, self._statements(options)
        found = []
        for edge in self._column_edges(options, "column"):
            how = edge.how
            found.append(
                ColumnRelation(
                    edge.type,
                    names.column(edge.source),
                    names.column(edge.target),
                    how.transformation,
                    how.expression,
                    edge.clause,
                    statements.get(edge.process),
                )
            )
        return found

    def table_edges(self, impact: bool | None = None, **switches: Any) -> list[TableRelation]:
        """The table level: which table feeds which, and by which statement."""
        options = self._options(impact, switches)
        names, statements = self._names, self._statements(options)
        level = table_edges(self.model, options, self._column_edges(options, "table"))
        return [
            TableRelation(edge.type, names.table(edge.source), names.table(edge.target), statements.get(edge.process))
            for edge in level.relations
        ]

    @property
    def statements(self) -> list[StatementSummary]:
        """The statements that read or write, in order, bare SELECTs included."""
        return list(self._statements(self.options).values())

    @property
    def sources(self) -> list[TableName]:
        """The tables, views, paths and stages that statements read."""
        return list(dict.fromkeys([name for statement in self.statements for name in statement.sources]))

    @property
    def targets(self) -> list[TableName]:
        """The tables, views, paths and stages that statements write."""
        return list(dict.fromkeys([name for statement in self.statements for name in statement.targets]))

    def upstream(self, name: str, impact: bool | None = None) -> list[TableName] | list[ColumnName]:
        """The sources of a table or column, direct and indirect, nearest first."""
        return self._follow(name, impact, "source")

    def downstream(self, name: str, impact: bool | None = None) -> list[TableName] | list[ColumnName]:
        """What a table or column feeds, directly or indirectly, nearest first."""
        return self._follow(name, impact, "target")

    def to_pandas(self, level: Literal["column", "table"] = "column", **switches: Any) -> pandas.DataFrame:
        """A data frame with one row for each edge of a level."""
        try:
            import pandas
        except ModuleNotFoundError as error:
            raise missing_package(error, "notebook") from error
        rows = [_row(edge) for edge in self._level_edges(level, switches)]
        columns = _COLUMN_ROW if level == "column" else _TABLE_ROW
        return pandas.DataFrame(rows, columns=list(columns))

    def to_networkx(self, level: Literal["column", "table"] = "column", **switches: Any) -> networkx.MultiDiGraph[str]:
        """A directed graph: nodes are names, an edge for each statement that connects two of them."""
        try:
            import networkx
        except ModuleNotFoundError as error:
            raise missing_package(error, "notebook") from error
        graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
        for edge in self._level_edges(level, switches):
            for end in (edge.source, edge.target):
                table = end.table if isinstance(end, ColumnName) else end
                graph.add_node(str(end), table=str(table), kind=table.kind if isinstance(table, TableName) else None)
            row = _row(edge)
            graph.add_edge(row.pop("source"), row.pop("target"), **row)
        return graph

    def _level_edges(self, level: str, switches: dict[str, Any]) -> Sequence[ColumnRelation | TableRelation]:
        if level == "column":
            return self.column_edges(**switches)
        if level == "table":
            return self.table_edges(**switches)
        raise ConfigurationError(f"unknown level {level!r}: choose column or table")

    def _follow(
        self, name: str, impact: bool | None, towards: Literal["source", "target"]
    ) -> list[TableName] | list[ColumnName]:
        tables = self.table_edges(impact, joins=False)
        known = {end: None for edge in tables for end in (edge.source, edge.target)}
        known.update(dict.fromkeys([*self.sources, *self.targets]))
        found_tables = _matching(name, known)
        if len(found_tables) == 1:
            return _reached(found_tables, tables, towards)
        columns = [edge for edge in self.column_edges(impact, joins=False) if edge.type in ("fdd", "fdr")]
        ends = {end: None for edge in columns for end in (edge.source, edge.target)}
        found_columns = _matching(name, ends)
        if len(found_columns) == 1:
            return _reached(found_columns, columns, towards, _Rows(ends))
        found = [str(end) for end in (*found_tables, *found_columns)]
        if found:
            raise ConfigurationError(f"{name!r} is ambiguous; choose one of {_listed(found)}.")
        from difflib import get_close_matches

        close = get_close_matches(str(name), [str(end) for end in (*known, *ends)], _SHOWN, 0.5)
        raise ConfigurationError(
            f"No table or column {name!r} in this lineage"
            + (f"; did you mean {_listed(close)}?" if close else f". It has {_listed([str(end) for end in known])}.")
        )

    def _statements(self, options: Switches) -> dict[Process | None, StatementSummary]:
        names = self._names
        found: dict[Process | None, StatementSummary] = {}
        for facts in table_edges(self.model, options, self._column_edges(options, "table")).statements:
            process = facts.process
            script, start, end = process.span
            found[process] = StatementSummary(
                process.type,
                tuple([names.table(entity) for entity in facts.inputs]),
                tuple([names.table(entity) for entity in facts.outputs]),
                script.name,
                script.position(start)[0],
                script.text[start:end],
                process.identity,
                process.procedure_name,
            )
        return found

    # --- exports ----------------------------------------------------------------------------------------------------

    def to_dict(
        self, level: str = "complete", impact: bool | None = None, top_select: bool | None = None, **switches: Any
    ) -> dict[str, Any]:
        """The JSON object of a level: ``complete``, ``column`` or ``table``.

        Without `impact` only direct data flow is shown. With `top_select` a bare SELECT counts as a statement that
        writes: its columns are targets whose table is null. Further switches are those of ``connector.Options``;
        what is not given is as the options of the analysis say.
        """
        if top_select is not None:
            switches["top_select"] = top_select
        options = self._options(impact, switches)
        edges = self._column_edges(options, level) if level != "complete" else None
        return to_dict(self.model, level, options, edges)

    def to_json(self, level: str = "complete", **switches: Any) -> str:
        """The same as text."""
        return self.render("json", level, **switches)

    def to_xml(self, level: str = "complete", **switches: Any) -> str:
        """XML in the form of the model's reference."""
        return self.render("xml", level, **switches)

    def to_csv(self, level: str = "column", **switches: Any) -> str:
        """Semicolon-separated rows of the column or the table level."""
        return self.render("csv", level, **switches)

    def render(self, format: str, level: str = "complete", **switches: Any) -> str:
        """The lineage in any of the formats of ``connector.export``."""
        exporter = find_exporter(format, level)
        if self._mask is not None and format == "openlineage":
            from connector.export.as_openlineage import OpenLineageExporter

            exporter = OpenLineageExporter(self._mask)
        elif self._blank is not None and format == "html":
            from connector.export.as_html import HtmlExporter

            exporter = HtmlExporter(self._blank)
        return exporter.render(self.model, level, self._options(None, switches))

    def _column_edges(self, options: Switches, level: str) -> list[ColumnEdge]:
        """The column level, derived once for each way to look at it. The table level needs impact and data flow."""
        wanted = (options.impact, options.dataflow, options.joins, options.top_select, options.temporaries)
        if level == "table" and not (options.impact and options.dataflow):
            options = replace(options, impact=True, dataflow=True)
            wanted = (True, True, *wanted[2:])
        edges = self._edges.get(wanted)
        if edges is None:
            edges = self._edges[wanted] = column_edges(self.model, options)
        return edges

    def _options(self, impact: bool | None, switches: dict[str, Any]) -> Switches:
        if impact is not None:
            switches = {**switches, "impact": impact}
        unknown = switches.keys() - _SWITCHES
        if unknown:
            raise ConfigurationError(
                f"unknown switch {sorted(unknown)[0]!r}: choose from {', '.join(sorted(_SWITCHES))}"
            )
        return replace(self.options, **switches) if switches else self.options


class _Names:
    """The names of one model's tables and columns, each made once."""

    __slots__ = ("_columns", "_namer", "_tables")

    def __init__(self, model: Model) -> None:
        self._namer = Namer(model)
        self._tables: dict[Entity, TableName] = {}
        self._columns: dict[Column, ColumnName] = {}

    def table(self, entity: Entity) -> TableName:
        found = self._tables.get(entity)
        if found is None:
            name = self._namer.entity(entity)
            found = TableName(entity.kind, entity.database, entity.schema, bare_name(entity), name)
            self._tables[entity] = found
        return found

    def column(self, column: Column) -> ColumnName:
        found = self._columns.get(column)
        if found is None:
            name = unquote(column.name) or column.name
            if column.entity.kind == "resultset":
                found = ColumnName(None, name, None)
            else:
                table = self.table(column.entity)
                found = ColumnName(table, name, self._namer.column(column), column.system)
            self._columns[column] = found
        return found


_COLUMN_ROW = ("type", "source", "target", "transformation", "expression", "clause", "statement", "file", "line")
_TABLE_ROW = ("type", "source", "target", "statement", "file", "line")


def _row(edge: ColumnRelation | TableRelation) -> dict[str, Any]:
    """An edge as plain values."""
    row: dict[str, Any] = {"type": edge.type, "source": str(edge.source), "target": str(edge.target)}
    if isinstance(edge, ColumnRelation):
        row |= {"transformation": edge.transformation, "expression": edge.expression, "clause": edge.clause}
    statement = edge.statement
    row |= {
        "statement": statement.type if statement is not None else None,
        "file": statement.file if statement is not None else None,
        "line": statement.line if statement is not None else None,
    }
    return row


def _matching(name: object, known: Iterable[_Name]) -> list[_Name]:
    """The names that match a full or partial name from its end, ignoring case."""
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(f"The name of a table or column must be text, not {name!r}.")
    wanted = [part.lower() for part in parse_name(name.strip()).parts]
    found: list[_Name] = []
    for end in known:
        full = end.qualified_name
        if full is None:
            continue
        if name in (full, str(end)):
            return [end]
        if [part.lower() for part in parse_name(full).parts][-len(wanted) :] == wanted:
            found.append(end)
    return found


class _Rows:
    """What determines the rows of a table influences each of its columns."""

    def __init__(self, ends: Iterable[ColumnName]) -> None:
        self._rows: dict[TableName | None, ColumnName] = {}
        self._columns: dict[TableName | None, list[ColumnName]] = {}
        for end in ends:
            if end.is_rows:
                self._rows[end.table] = end
            else:
                self._columns.setdefault(end.table, []).append(end)

    def together(self, name: Any, towards: str) -> list[Any]:
        """The names from which a walk continues that has reached `name`."""
        if not isinstance(name, ColumnName):
            return [name]
        if towards == "source":
            return [name, self._rows[name.table]] if name.table in self._rows else [name]
        return self._columns.get(name.table) or [name] if name.is_rows else [name]


def _reached(start: list[_Name], edges: Iterable[Any], towards: str, rows: _Rows | None = None) -> list[_Name]:
    """Everything that can be reached from a name, nearest first."""
    rows = rows or _Rows(())
    away = "target" if towards == "source" else "source"
    steps: dict[Hashable, list[_Name]] = {}
    for edge in edges:
        steps.setdefault(getattr(edge, away), []).append(getattr(edge, towards))
    reached: dict[_Name, None] = dict.fromkeys(start)
    queue = list(start)
    for name in queue:
        for near in rows.together(name, towards) if towards == "source" else [name]:
            for far in steps.get(near, ()):
                for end in rows.together(far, towards) if towards == "target" else [far]:
                    if end not in reached:
                        reached[end] = None
                        queue.append(end)
    return [name for name in reached if name not in start]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN]) or "no tables"
    return shown + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
