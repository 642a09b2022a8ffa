"""The derived levels of a model as rows: what the store keeps, and what travels to it through pickles and tables.

Deriving the levels and naming their ends is most of the work of a load. It does not need the store, so the processes that analyse
do it for their own models, and the writer only compares and writes rows. Rows refer to each other by their positions in the lists
of the same model.

A plain CREATE TABLE moves no data and is therefore not a process of the model, which only records where names occur in the text.
The statement around the first occurrence of a name is its definition if it creates a table, view or stage of that name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import md5
from typing import NamedTuple

from connector.errors import UnknownDialectError
from connector.model import Column, Entity, Model, Procedure, Process, Script
from connector.model.levels import (
    ColumnEdge,
    Levels,
    StatementFacts,
    TableEdge,
    Ways,
    column_level,
    table_level,
    ways_of,
)
from connector.model.levels.walk import end_entities
from connector.model.rows import listed_columns
from connector.naming import Namer, join_name, split_parts, unquote
from connector.sql.dialects import get_dialect
from connector.sql.identity import blank_credentials, storable
from connector.sql.split import read_statements
from connector.sql.statement import Statement
from connector.store.identity import Folder, number_of

_CREATED = frozenset({"STAGE", "TABLE", "VIEW"})
_EXISTS = ("IF", "NOT", "EXISTS")
_CREATES = re.compile(r"\b(?:create|replace)\b", re.I)
"""Most statements of a log define nothing; this avoids tokenizing them again to find out."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Text of a CREATE statement, its hash, and what it creates: `table`, `view` or `stage`."""

    text: str
    hash: str
    creates: str

    @classmethod
    def of(cls, text: str, creates: str) -> Definition:
        """A definition without its statement: the hash is that of its text without the closing semicolon."""
        text = text.rstrip("; \t\r\n")
        return cls(text, md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(), creates)


def find_definitions(model: Model) -> dict[Entity, Definition]:
    """The last definition of each entity. Empty for a model read from a file, which has no texts."""
    try:
        dialect = get_dialect(model.vendor)
    except UnknownDialectError:
        return {}
    places: dict[Script, list[tuple[int, Entity]]] = {}
    for entity in model.entities:
        if entity.permanent:
            for span in (entity.span, *(entity.occurrences or ())):
                if span is not None and span[0].text:
                    places.setdefault(span[0], []).append((span[1], entity))
    found: dict[Entity, Definition] = {}
    for script in model.scripts:
        named = places.get(script)
        if named and _CREATES.search(script.text):
            _search(named, read_statements(script, dialect).statements, found)
    return found


def _search(named: list[tuple[int, Entity]], statements: list[Statement], found: dict[Entity, Definition]) -> None:
    named.sort(key=lambda place: place[0])
    starts = [statement.start for statement in statements]
    seen: set[int] = set()
    for start, entity in named:
        at = bisect_right(starts, start) - 1
        if at < 0 or at in seen or start >= statements[at].end:
            continue
        seen.add(at)  # only the first name of a statement can be the one it creates
        creates = _creates(statements[at], start)
        if creates is not None:
            found[entity] = Definition(statements[at].text, statements[at].hash, creates)


def _creates(statement: Statement, name_at: int) -> str | None:
    """The text between the beginning and the name: CREATE, possibly more words, and the kind of object."""
    words = []
    for token in statement.tokens:
        if statement.base + token.start >= name_at:
            break
        words.extend(token.text.upper().split())
    if not words or words[0] not in ("CREATE", "REPLACE"):
        return None
    if tuple(words[-3:]) == _EXISTS:
        words = words[:-3]
    return words[-1].lower() if words and words[-1] in _CREATED else None


DATASETS = ("table", "view", "path", "stage", "pseudoTable")
"""The types of the objects that have columns. `pseudoTable` has the columns that could not be assigned to a single table."""
TABLE_LIKE = ("table", "view", "pseudoTable")
LINKS = frozenset({"join", "er"})
"""Edges between columns that belong together; no data flows along them."""
_ROUTINES = {"createprocedure": "procedure", "createfunction": "function", "createtrigger": "trigger"}
_REFERENCE_NAMES = {"mssql": "sqlserver"}
"""Dialects that have a different name in the specification."""
_NONE = -1
"""The position that stands for no statement, or for no column."""


class ObjectRow(NamedTuple):
    """A dialect, cluster, database, table, view, path, stage or routine; parents stand before children."""

    guid: str
    """The guid to use if the store does not know the object."""
    parent: str | None
    """The guid of its parent."""
    name: str
    type: str
    table_like: bool
    """Whether another load may have recorded it as a table although it is a view."""
    ddl: str | None
    ddl_hash: str | None

    @property
    def alike(self) -> tuple[str, ...]:
        """The types under which the store may know this object."""
        return TABLE_LIKE if self.table_like else (self.type,)


class ObjectColumnRow(NamedTuple):
    """A column of an object."""

    object: int
    key: str
    """Its folded name."""
    bare: str
    name: str
    column: int
    """Its number in the complete model."""


class StatementRow(NamedTuple):
    """A statement."""

    name: str
    type: str
    approximate: bool
    identity: str
    text_hash: str
    procedure: str
    text: str | None
    writes: list[int]
    """The objects it writes."""
    process: int
    """Its number in the complete model."""


class ColumnEdgeRow(NamedTuple):
    """An edge of the column level."""

    type: str
    source: int
    target: int
    process: int
    effect: str | None
    clause: str | None
    join_type: str | None
    condition: str | None
    expression: str | None
    transformation: str
    times: int
    """How many statements with the same identity make it."""
    approximate: bool
    """Whether it comes from a part of a statement that could not be parsed."""


class TableEdgeRow(NamedTuple):
    """An edge of the table level."""

    type: str
    source: int
    target: int
    process: int
    times: int
    source_entity: int
    target_entity: int
    """The numbers of both in the complete model, in which two spellings of an object may be two entities."""


class DescriptionRow(NamedTuple):
    """What a definition or metadata says about an object, or about one of its columns."""

    object: int
    column: int
    """-1 for the object itself."""
    data_type: str | None
    comment: str | None


class WayRow(NamedTuple):
    """A path from one column to another; all numbers are those of the complete model."""

    process: int
    source: int
    target: int
    transformation: str
    steps: list[int]
    """The relations along the path."""


class FactsRow(NamedTuple):
    """What a statement reads and writes; all numbers are those of the complete model."""

    process: int
    inputs: list[int]
    outputs: list[int]


class CollapsedRow(NamedTuple):
    """The levels with temporary tables looked through, beside those that keep them."""

    column_edges: list[ColumnEdgeRow]
    table_edges: list[TableEdgeRow]
    ways: list[WayRow]
    facts: list[FactsRow]


@dataclass(slots=True)
class LevelRows:
    """The rows of one model. What only catalogs ask for is left out where nobody will."""

    objects: list[ObjectRow] = field(default_factory=list)
    columns: list[ObjectColumnRow] = field(default_factory=list)
    processes: list[StatementRow] = field(default_factory=list)
    column_edges: list[ColumnEdgeRow] = field(default_factory=list)
    table_edges: list[TableEdgeRow] = field(default_factory=list)
    descriptions: list[DescriptionRow] = field(default_factory=list)
    ways: list[WayRow] = field(default_factory=list)
    facts: list[FactsRow] = field(default_factory=list)
    collapsed: list[CollapsedRow] = field(default_factory=list)
    """One row if temporary tables are kept and the model has any, else none."""


def level_rows(model: Model, *, keep_temporaries: bool = False, for_catalogs: bool = False) -> LevelRows:
    """The rows of a model, its levels derived. With `for_catalogs`, :mod:`connector.store.known_levels` can read them back."""
    edges = column_level(model, keep_temporaries=keep_temporaries)
    flows = [edge for edge in edges if edge.type not in LINKS]
    tables = table_level(model, keep_temporaries=keep_temporaries, edges=flows)
    through = Levels.of(model) if for_catalogs and keep_temporaries and _has_temporaries(model) else None
    ends = end_entities(model.entities, keep_temporaries=keep_temporaries)
    entities = [entity for entity in model.entities if entity in ends]
    used = {column for edge in edges for column in (edge.source, edge.target)}
    if through is not None:
        used.update(column for edge in through.columns for column in (edge.source, edge.target))
    makers = {edge.process for edge in edges}
    namer = Namer(model, masked=True)
    folder = Folder(model, namer)
    named = _Objects(model, namer, folder, entities)
    objects = named.by_entity
    stored = (
        column for entity in entities for column in entity.columns.values() if not column.system or column in used
    )
    columns = {column: at for at, column in enumerate(stored)}
    made = (process for process in model.processes if not process.bare_select or process in makers)
    processes = {process: at for at, process in enumerate(made)}
    numbers = _Numbers(model)
    edge_rows = _EdgeRows(numbers, objects, columns, processes)
    rows = LevelRows(named.rows)
    rows.columns = [
        ObjectColumnRow(
            objects[column.entity],
            folder.column(column),
            storable(unquote(column.public_name)),
            storable(namer.column(column)),
            numbers.columns[column],
        )
        for column in columns
    ]
    rows.processes = [
        StatementRow(
            storable(namer.process(process)),
            process.type,
            process.approximate,
            process.identity,
            process.query_hash_id,
            storable(process.procedure_name),
            _text_of(process, model.vendor),
            list(dict.fromkeys([objects[flow.target] for flow in process.flows if flow.target in objects])),
            numbers.processes[process],
        )
        for process in processes
    ]
    rows.column_edges = edge_rows.columns(edges)
    rows.table_edges = edge_rows.tables(tables.relations)
    rows.descriptions = [row for entity in entities for row in _descriptions(entity, objects[entity], columns)]
    if for_catalogs:
        rows.ways = numbers.ways(ways_of(model, edges, keep_temporaries=keep_temporaries))
        rows.facts = numbers.facts(tables.statements)
    if through is not None:
        rows.collapsed = [
            CollapsedRow(
                edge_rows.columns(through.columns),
                edge_rows.tables(through.tables.relations),
                numbers.ways(through.ways),
                numbers.facts(through.tables.statements),
            )
        ]
    return rows


def _has_temporaries(model: Model) -> bool:
    return any(entity.temporary for entity in model.entities)


class _Numbers:
    """The numbers that the parts of a model have in its rows."""

    def __init__(self, model: Model) -> None:
        self.columns = {column: at for at, column in enumerate(listed_columns(model))}
        self.entities = {entity: at for at, entity in enumerate(model.entities)}
        self.processes: dict[Process | None, int] = {process: at for at, process in enumerate(model.processes)}
        self.processes[None] = _NONE
        self._model = model

    def ways(self, ways: Ways) -> list[WayRow]:
        processes, columns = self.processes, self.columns
        # By id, because the relations of a temporary table that is created twice are copies.
        relations = {relation.id: at for at, relation in enumerate(self._model.relations)}
        return [
            WayRow(processes[process], columns[source], columns[target], kind, [relations[step.id] for step in steps])
            for process, source, target, kind, steps in ways.taken()
        ]

    def facts(self, statements: Iterable[StatementFacts]) -> list[FactsRow]:
        entities = self.entities
        return [
            FactsRow(
                self.processes[each.process],
                [entities[entity] for entity in each.inputs],
                [entities[entity] for entity in each.outputs],
            )
            for each in statements
        ]


class _EdgeRows:
    """Edges as rows, their ends by their places among the rows of the same model."""

    def __init__(
        self,
        numbers: _Numbers,
        objects: Mapping[Entity, int],
        columns: Mapping[Column, int],
        processes: Mapping[Process, int],
    ) -> None:
        self._entities = numbers.entities
        self._objects = objects
        self._columns = columns
        self._processes: dict[Process | None, int] = {None: _NONE}
        self._processes |= processes.items()

    def columns(self, edges: Iterable[ColumnEdge]) -> list[ColumnEdgeRow]:
        columns, processes = self._columns, self._processes
        return [
            ColumnEdgeRow(
                edge.type,
                columns[edge.source],
                columns[edge.target],
                processes[edge.process],
                edge.effect,
                edge.clause,
                edge.join_type,
                edge.condition and storable(edge.condition),
                how.expression and storable(how.expression),
                how.transformation,
                edge.count,
                edge.approximate,
            )
            for edge in edges
            for how in (edge.how,)
        ]

    def tables(self, edges: Iterable[TableEdge]) -> list[TableEdgeRow]:
        objects, entities, processes = self._objects, self._entities, self._processes
        return [
            TableEdgeRow(
                edge.type,
                objects[edge.source],
                objects[edge.target],
                processes[edge.process],
                edge.count,
                entities[edge.source],
                entities[edge.target],
            )
            for edge in edges
        ]


def _descriptions(entity: Entity, at: int, columns: Mapping[Column, int]) -> Iterator[DescriptionRow]:
    said = entity.description
    if said is None:
        return
    if said.comment:
        yield DescriptionRow(at, _NONE, None, storable(said.comment))
    for key, column in entity.columns.items():
        data_type, comment = said.types.get(key), said.comments.get(key)
        if column in columns and (data_type or comment):
            yield DescriptionRow(at, columns[column], data_type and storable(data_type), comment and storable(comment))


class _Objects:
    """The objects that a model mentions, parents before children, each of them once."""

    def __init__(self, model: Model, namer: Namer, folder: Folder, entities: Iterable[Entity]) -> None:
        self._model = model
        self._namer = namer
        self._folder = folder
        self.rows: list[ObjectRow] = []
        self._places: dict[tuple[str, str], int] = {}
        dialect = model.vendor.removeprefix("dbv")
        dialect = _REFERENCE_NAMES.get(dialect, dialect)
        root = self._add("sqldialect", dialect, dialect, "sqldialect", None)
        if dialect in DIALECT_ROWS:
            self.rows[root] = self.rows[root]._replace(guid=DIALECT_ROWS[dialect])
        self._cluster = self._add("cluster", model.cluster, join_name([], model.cluster)[1:], "cluster", root)
        definitions = find_definitions(model)
        self.by_entity = {entity: self._add_entity(entity, definitions.get(entity)) for entity in entities}
        """The position of an entity's object in `rows`."""
        for procedure in model.procedures:
            self._add_routine(procedure)

    def _add_entity(self, entity: Entity, definition: Definition | None) -> int:
        name, key = self._namer.entity(entity), self._folder.entity(entity)
        if entity.kind == "path":
            return self._add("path", key, name, "path", self._cluster)
        database = self._add_database(entity)
        if entity.kind == "stage":
            return self._add("stage", key, name, "stage", database, definition)
        if definition is not None:
            type_ = definition.creates
        else:
            type_ = "pseudoTable" if entity.type == "pseudoTable" else "view" if entity.kind == "view" else "table"
        return self._add("table", key, name, type_, database, definition)

    def _add_database(self, entity: Entity) -> int:
        name = join_name(self._namer.parts(entity)[:1], self._model.cluster)
        return self._add("database", self._folder.database(entity), name, "database", self._cluster)

    def _add_routine(self, procedure: Procedure) -> None:
        type_ = _ROUTINES.get(procedure.type, procedure.type.removeprefix("create"))
        *layers, name = split_parts(procedure.name)
        place = Entity(0, "procedure", procedure.name, type_, table=name)
        if layers:
            place.schema = layers[-1]
        if len(layers) > 1:
            place.database = layers[-2]
        definition = None
        if procedure.span is not None and procedure.span[0].text:
            script, start, end = procedure.span
            definition = Definition.of(script.text[start:end], type_)
        database = self._add_database(place)
        self._add(type_, self._folder.entity(place), self._namer.entity(place), type_, database, definition)

    def _add(
        self, space: str, key: str, name: str, type_: str, parent: int | None, definition: Definition | None = None
    ) -> int:
        """The position of the object with this key. If there are several definitions, the last one is used."""
        place = self._places.get((space, key))
        if place is None:
            place = self._places[space, key] = len(self.rows)
            guid = str(number_of(space, key))
            above = None if parent is None else self.rows[parent].guid
            self.rows.append(ObjectRow(guid, above, storable(name), type_, space == "table", None, None))
        if definition is not None:
            self.rows[place] = self.rows[place]._replace(
                type=type_,
                ddl=storable(_without_credentials(definition.text, self._model.vendor)),
                ddl_hash=definition.hash,
            )
        return place


def _text_of(process: Process, vendor: str) -> str | None:
    """The statement without its semicolon and its credentials; a model read from a file has none."""
    script, start, end = process.span
    return storable(_without_credentials(script.text[start:end].rstrip("; \t\r\n"), vendor)) or None


def _without_credentials(text: str, vendor: str) -> str:
    try:
        dialect = get_dialect(vendor)
    except UnknownDialectError:  # a document of another program
        return text
    return blank_credentials(text, dialect)


DIALECT_ROWS: dict[str, str] = {
    "bigquery": "101",
    "couchbase": "102",
    "dax": "103",
    "db2": "104",
    "exasol": "105",
    "greenplum": "106",
    "hana": "107",
    "hive": "108",
    "impala": "109",
    "informix": "121",
    "mdx": "122",
    "mysql": "123",
    "netezza": "124",
    "odbc": "125",
    "openedge": "126",
    "oracle": "127",
    "postgresql": "128",
    "redshift": "129",
    "snowflake": "130",
    "sparksql": "131",
    "sqlserver": "132",
    "sybase": "133",
    "teradata": "134",
    "vertica": "135",
}
"""Name and guid of the predefined dialects. The reference prints 121 to 126 twice; the second six are 130 to 135 here."""
