"""The objects of a model as rows of the store: dialect, cluster and databases, the tables, views, paths, stages and routines in
them, and how they were defined.

A plain CREATE TABLE moves no data and is therefore not a process of the model, which only records where names occur in the text.
The statement around the first occurrence of a name is its definition if it creates a table, view or stage of that name.

A script may spell a table `Orders` today and `ORDERS` tomorrow. Within one analysis the rules of the dialect decide whether that
is the same table; the store applies the same rules across loads. The guid of an object is derived from its folded name, so the
same object has the same guid in every load and in every store. The first spelling is the one that is displayed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from connector.common.hashing import text_hash
from connector.errors import UnknownDialectError
from connector.model import Column, Entity, Model, Procedure, Script
from connector.naming import Namer, join_name, split_parts, unquote
from connector.sql.dialects import Fold, get_dialect
from connector.sql.identity import blank_credentials, storable
from connector.sql.split import read_statements
from connector.sql.statement import Statement

_EIGHT_BYTES = blake2b(digest_size=8)


def number_of(*words: str) -> int:
    """A 63-bit number for a text: among ten million of them, the probability of a collision is one in 200,000."""
    digest = _EIGHT_BYTES.copy()  # cheaper than creating one from its parameters
    digest.update("\0".join(words).encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest(), "big") >> 1


def _keep(name: str, quoted: bool) -> str:
    return name


class Folder:
    """Folds the names of one model by the rules of its dialect."""

    __slots__ = ("_cluster", "_fold_column", "_fold_table", "_namer")

    def __init__(self, model: Model, namer: Namer) -> None:
        self._cluster = model.cluster
        self._namer = namer
        try:
            dialect = get_dialect(model.vendor)
        except UnknownDialectError:  # a document of another program; its names are used as they are
            self._fold_table: Fold = _keep
            self._fold_column: Fold = _keep
        else:
            self._fold_table, self._fold_column = dialect.fold_table, dialect.fold_column

    def entity(self, entity: Entity) -> str:
        parts = self._namer.parts(entity)
        if entity.kind == "path":
            return join_name(parts, self._cluster)
        written = entity.name
        return join_name([self._fold_table(part, _quoted(part, written)) for part in parts], self._cluster)

    def database(self, entity: Entity) -> str:
        """The folded name of the database an entity belongs to."""
        part = self._namer.parts(entity)[0]
        return join_name([self._fold_table(part, _quoted(part, entity.name))], self._cluster)

    def column(self, column: Column) -> str:
        written = column.public_name
        if written.isidentifier():
            return self._fold_column(written, False)
        bare = unquote(written)
        return self._fold_column(bare, bare != written)


def _quoted(part: str, written: str) -> bool:
    if '"' not in written and "`" not in written and "[" not in written:
        return False
    return f'"{part}"' in written or f"`{part}`" in written or f"[{part}]" in written


DATASETS = ("table", "view", "path", "stage", "pseudoTable")
"""The types of the objects that have columns. `pseudoTable` has the columns that could not be assigned to a single table."""
TABLE_LIKE = ("table", "view", "pseudoTable")
_ROUTINES = {"createprocedure": "procedure", "createfunction": "function", "createtrigger": "trigger"}
_REFERENCE_NAMES = {"mssql": "sqlserver"}
"""Dialects that have a different name in the specification."""
_CREATED = frozenset({"STAGE", "TABLE", "VIEW"})
_EXISTS = ("IF", "NOT", "EXISTS")
_CREATES = re.compile(r"\b(?:create|replace)\b", re.I)
"""Most statements of a log define nothing; this avoids tokenizing them again to find out."""

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
        return cls(text, text_hash(text), creates)


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


class ObjectRows:
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
                ddl=storable(without_credentials(definition.text, self._model.vendor)),
                ddl_hash=definition.hash,
            )
        return place


def without_credentials(text: str, vendor: str) -> str:
    """The text with the credentials in it blanked out; unchanged for a dialect that another program has named."""
    try:
        dialect = get_dialect(vendor)
    except UnknownDialectError:  # a document of another program
        return text
    return blank_credentials(text, dialect)
