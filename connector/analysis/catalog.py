"""The tables of an analysis: identified by the dialect's naming rules, with what metadata and the scripts say about them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from connector.analysis.builder import ROWS, Builder
from connector.analysis.nameless import NAMELESS
from connector.analysis.paths import Path
from connector.analysis.places import Places
from connector.analysis.rowset import Rowset, nameless
from connector.metadata import MetadataProvider, TableInfo
from connector.model import Description, Entity, Span
from connector.sql.dialects import SqlDialect
from connector.sql.locations import Location
from connector.sql.masked_names import DerivedName, derived_names
from connector.sql.table_names import described_table

NamePart = tuple[str, bool]
"""A part of a name without its quotes, and whether it was quoted."""

Defaults = tuple[NamePart | None, NamePart | None, NamePart | None]
"""Database and schema of names that say neither, and the server where it is another one."""

_CREATING = frozenset({"Create Table", "Select Into", "Create Table Like", "Create Table Clone"})
"""Types of the processes that make a table."""

_TRANSFERS = frozenset({"Alter Table", "Swap"})
"""Types of the processes that give a table's content another name."""

DEFAULT_DATABASE = "default"

UNKNOWN_SOURCE = "The name of this table is not constant: the source is unknown"
UNKNOWN_TARGET = "The name of this table is not constant: the target is unknown"

ORPHANS = "pseudo_table_include_orphan_column"


@dataclass(slots=True)
class Catalog:
    """Tables by folded name. Defaults (USE, search_path) can change between statements."""

    builder: Builder
    dialect: SqlDialect
    metadata: MetadataProvider | None = None
    database: NamePart | None = None
    schema: NamePart | None = None
    connection: NamePart | None = None
    """The server that the tables are on, where it is another one."""
    _tables: dict[tuple[str, ...], Rowset] = field(default_factory=dict)
    _by_spelling: dict[tuple[NamePart, ...], Rowset] = field(default_factory=dict)
    _synonyms: dict[tuple[str, ...], Rowset] = field(default_factory=dict)
    _orphans: Rowset | None = None
    _altered: dict[tuple[str, ...], dict[str, str]] = field(default_factory=dict)
    """Columns that the script changed of tables it has not named otherwise."""
    around: Catalog | None = None
    """The tables of the run, for a statement that is read aside from it."""
    places: Places = field(init=False)
    """Files and stages."""
    partitions: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    """Folded names of the columns that a table is partitioned by, where they come after all others."""
    primary_keys: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    """Folded names of the columns that the script made the primary key of a table."""
    _paths: list[Path] = field(default_factory=list)
    """Those that what is read now stands in, the innermost last."""
    unique_keys: dict[tuple[str, ...], list[tuple[str, list[str]]]] = field(default_factory=dict)
    """The other keys of a table: the folded name of each constraint, and of its columns."""

    _default_schema: str = field(init=False)

    def __post_init__(self) -> None:
        self._default_schema = self.dialect.default_schema.lower()
        self.places = Places(self.builder, self.dialect)

    def forget_structs(self) -> None:
        """All is read: the readers that would look fields up are not needed any more."""
        for table in self._tables.values():
            table.structs = None

    def use(self, database: NamePart | None, schema: NamePart | None) -> None:
        """Changes the defaults for the statements that follow."""
        self.database = database
        self.schema = schema
        self._by_spelling.clear()

    def use_names(self, database: str | None, schema: str | None) -> None:
        """The same with names as people configure them: without quotes, and empty where there is none."""
        self.use((database, False) if database else None, (schema, False) if schema else None)

    @property
    def defaults(self) -> Defaults:
        """The database and the schema of bare names, to go back to with `restore`."""
        return self.database, self.schema, self.connection

    def restore(self, defaults: Defaults) -> None:
        """Ends what USE or SET did since: they last as long as the batch, text or routine that they stand in."""
        if defaults != self.defaults:
            self.database, self.schema, self.connection = defaults
            self._by_spelling.clear()

    def connect(self, connection: NamePart, home: Catalog | None = None) -> None:
        """Names mean tables of another server from here on; what two catalogs name alike is one table."""
        self.restore((None, None, connection))
        if home is not None:
            self._tables = home._tables

    def table(self, parts: tuple[NamePart, ...], written: str, span: Span | None, alias: str | None = None) -> Rowset:
        """The table of that name; its entity is made when the name is new."""
        found = self._by_spelling.get(parts)
        if found is None:
            found = self._find(parts, written, span, alias)
            self._by_spelling[parts] = found
        else:
            entity = found.entity
            if entity.alias is None:
                entity.alias = alias
            if span is not None and entity.span is not span:
                if entity.occurrences is None:
                    entity.occurrences = [span]
                else:
                    entity.occurrences.append(span)
        return found

    def _find(self, parts: tuple[NamePart, ...], written: str, span: Span | None, alias: str | None) -> Rowset:
        if parts[-1][0].startswith(NAMELESS):
            # Dynamic SQL: a table is read or written here, but it is unknown which.
            return nameless(self.builder, span)
        if len(parts) == 2 and self._is_of_pipeline(parts):
            return self._find(parts[1:], parts[1][0], span, alias)
        inner = described_table(parts, self.dialect) if len(parts) > 2 or "$" in parts[-1][0] else None
        if inner is not None:
            base = self._find(inner[0], written.rpartition(".")[0] or written, span, alias)
            # What describes a table has columns of its own, which are listed nowhere.
            return base if inner[1] else Rowset(base.entity, None, base.key)
        database, schema, name = layers = self.layers(parts)
        key = self._key(layers)
        if name[0].startswith("#"):
            database = schema = None
        synonym = self._synonyms.get(key)
        if synonym is not None:
            return synonym
        found = self._tables.get(key)
        if found is None:
            builder = self.builder
            if "{{" in written or (name[0] not in written and written[-1:].isalnum()):
                # {{ ref('t') }}, IDENTIFIER($name): what stands there is not the name.
                written = ".".join(part for part, _ in parts)
            entity = Entity(
                builder.next_id(),
                "table",
                written,
                "table",
                {},
                database[0] if database else None,
                schema[0] if schema else None,
                name[0],
                alias,
            )
            if name[0].startswith("#"):
                entity.temporary = True
            entity.span = span
            builder.model.entities.append(entity)
            found = self._tables[key] = Rowset(entity, None, key)
            described = self._described(layers) if self.metadata is not None or self.around is not None else None
            if described is not None:
                found.known, found.also = self._keys(described.columns)
                entity.description = _description(described, found.known)
                if described.masked:
                    builder.masks = True
                    self._mask_known(found.known, described.masked)
                if described.view:
                    entity.kind = "view"
                    entity.type = "view"
            if key in self._altered:
                found.known = self._altered.pop(key)
        elif span is not None:
            entity = found.entity
            if entity.occurrences is None:
                entity.occurrences = [span]
            else:
                entity.occurrences.append(span)
        return found

    def key(self, parts: tuple[NamePart, ...]) -> tuple[str, str, str]:
        """The folded name: two references with the same key are one table."""
        return self._key(self.layers(parts))

    def _key(self, layers: tuple[NamePart | None, NamePart | None, NamePart]) -> tuple[str, str, str]:
        database, schema, (name, quoted) = layers
        fold = self.dialect.fold_table
        if name.startswith("#"):
            # Temporary tables of SQL Server live in no schema of their own: `tempdb..#t` is `#t`.
            return "", "", fold(name, quoted)
        if database is None and schema is None:
            return "", self._default_schema, fold(name, quoted)
        # What is left out and what is called by the name of the default are the same: `t` is `default.t`.
        outer = fold(*database) if database else ""
        inner = fold(*schema) if schema else ""
        default = self._default_schema
        return (
            "" if outer and outer.lower() == DEFAULT_DATABASE else outer,
            default if not inner or inner.lower() == default else inner,
            fold(name, quoted),
        )

    def _is_of_pipeline(self, parts: tuple[NamePart, ...]) -> bool:
        schema = self.dialect.pipeline_schema
        return bool(schema) and parts[0][0].lower() == schema

    def layers(self, parts: tuple[NamePart, ...]) -> tuple[NamePart | None, NamePart | None, NamePart]:
        """Database, schema and name. Empty parts (`db..t`) count as missing; a server goes with the database."""
        if len(parts) == 1 and "." in parts[0][0] and self.dialect.dots_in_quotes:
            parts = tuple((part, True) for part in parts[0][0].split("."))
        if len(parts) == 2 and self._is_of_pipeline(parts):
            parts = parts[1:]
        if len(parts) == 1 and self.connection is None:
            return self.database, self.schema if self.dialect.layers > 2 else None, parts[0]
        if self.dialect.family.database_links:
            parts = _over_link(parts)
        name = parts[-1]
        database = schema = None
        if len(parts) == 2 and parts[0][0]:
            if self.dialect.layers == 2:
                database = parts[0]
            else:
                schema = parts[0]
        elif len(parts) >= 3:
            schema = parts[-2] if parts[-2][0] else None
            outer = [part for part in parts[:-2] if part[0]]
            if len(outer) == 1:
                database = outer[0]
            elif outer:
                database = (".".join(part[0] for part in outer), True)
        if database is None:
            database = self.database
        if schema is None and (self.dialect.layers > 2 or len(parts) >= 3):
            schema = self.schema
        if self.connection is not None:
            if self.dialect.layers == 2:
                database, schema = None, database
            server = self.connection[0]
            database = (f"{server}.{database[0]}", True) if database is not None else self.connection
        return database, schema, name

    def rowset_of(self, entity: Entity) -> Rowset | None:
        """The table behind an entity of the model."""
        return next((rowset for rowset in self._tables.values() if rowset.entity is entity), None)

    def stage(self, location: Location, url: str | None = None) -> Rowset:
        """The stage of that name."""
        parts = tuple(location.parts)
        database, schema, _ = self.layers(parts)
        return self.places.stage(
            location, self.key(parts), database[0] if database else None, schema[0] if schema else None, url
        )

    def known_tables(self) -> list[Rowset]:
        """The tables and views whose columns are known."""
        return [table for table in self._tables.values() if table.known]

    def tables_like(self, database: str, pattern: re.Pattern[str], other_than: Rowset) -> list[Rowset]:
        """The tables of a database, or of the one in use, whose names a regular expression finds somewhere."""
        *around, _ = self.key((((database, True),) if database else ()) + (("t", True),))
        return [
            table
            for (*layers, name), table in self._tables.items()
            if layers == around and pattern.search(name) and table is not other_than
        ]

    def known_table(self, parts: tuple[NamePart, ...]) -> Rowset | None:
        """The table of that name where statements have named it; it does not count as used by being asked for."""
        key = self.key(parts)
        return self._synonyms.get(key) or self._tables.get(key)

    def known_columns(self, parts: tuple[NamePart, ...]) -> dict[str, str] | None:
        """The columns of a table as far as they are known; the table does not count as used by being asked."""
        found = self._tables.get(self.key(parts))
        if found is not None:
            return found.known
        altered = self._altered.get(self.key(parts))
        if altered is not None:
            return altered
        described = self._described(self.layers(parts))
        return self._keys(described.columns)[0] if described is not None else None

    def row_type(self, parts: tuple[NamePart, ...]) -> dict[str, str] | None:
        """The fields of a row that has the type of this name: one that the script defined, or that of a table in it."""
        key = self.key(parts)
        found = self._tables.get(key)
        return found.known if found is not None else self._altered.get(key)

    def _described(self, layers: tuple[NamePart | None, NamePart | None, NamePart]) -> TableInfo | None:
        """What metadata says of a table, or what is known of it around a statement that is read aside."""
        if self.around is not None:
            found = self.around._tables.get(self._key(layers))
            if found is not None and found.known is not None:
                masked = (*self.around.builder.masked.items(), *derived_names(found.known.values()))
                return TableInfo(tuple(found.known.values()), found.entity.kind == "view", masked=masked)
        if self.metadata is None:
            return None
        database, schema, (name, _) = layers
        return self.metadata.describe(database[0] if database else None, schema[0] if schema else None, name)

    def _mask_known(self, known: dict[str, str], masked: Iterable[tuple[str, str]]) -> None:
        """Names without literals for the columns of a table. A plain word is masked in this table only."""
        words = {}
        for name, shown in masked:
            if name.isidentifier():
                words[name] = shown
            else:
                self.builder.masked[name] = shown
        for key, name in known.items():
            if name in words:
                known[key] = DerivedName(name, words[name])

    def _keys(self, columns: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
        """Columns of metadata by folded name, and other spellings of those names.

        Metadata does not say whether a name has to be quoted: both `CustomerName` and `"CustomerName"` find it.
        """
        fold = self.dialect.fold_column
        known: dict[str, str] = {}
        also: dict[str, str] = {}
        for column in columns:
            name, quoted = column, False
            if len(column) > 2 and column[0] in self.dialect.quotes:
                name, quoted = column[1:-1], True
            key = fold(name, quoted)
            if key in known:
                key = fold(name, True)
            known[key] = column
            for other in (fold(name, True), fold(name, False)):
                if other != key:
                    also[other] = key
        return known, {other: key for other, key in also.items() if other not in known}

    # --- what statements say ------------------------------------------------------------------------------------

    def alter(self, parts: tuple[NamePart, ...], columns: dict[str, str]) -> None:
        """The script changed the columns of a table, which does not count as used by that."""
        key = self.key(parts)
        found = self._synonyms.get(key) or self._tables.get(key)
        if found is not None:
            found.known = columns
        else:
            self._altered[key] = columns

    def define(self, table: Rowset, columns: dict[str, str] | None) -> None:
        """The script created the table: its columns are known from here on (None: it cannot be told which)."""
        table.known = columns

    def forget(self, parts: tuple[NamePart, ...]) -> None:
        """The script dropped the table: what it created under that name does not count any more."""
        key = self.key(parts)
        self._altered.pop(key, None)
        found = self._tables.get(key)
        if found is not None:
            entity = found.entity
            stays = bool(self._paths) and self._paths[-1].keeps(key, found)
            found.known = None
            if (
                not stays
                and found.filled
                and any(process.type in _CREATING for process in entity.processes)
                and not self._went_on(entity)
            ):
                # A work table: the script made it, filled it and took it away again. The name is free from here on.
                entity.temporary = entity.dropped = True
                self._carry_rows(entity)
            if entity.temporary:
                del self._tables[key]
        self._synonyms.pop(key, None)
        self._by_spelling.clear()

    def enter_path(self, condition: list[Token]) -> None:
        """What follows is done under a condition, or not at all."""
        self._paths.append(Path(self.builder.last_id, condition))

    def turn_path(self, condition: list[Token]) -> None:
        """Another branch: it begins with the tables that were there before the first."""
        if self._paths:
            before = self._paths[-1].before
            self.leave_paths(len(self._paths) - 1)
            self._paths.append(Path(before, condition))

    def leave_paths(self, depth: int) -> None:
        """All paths end but the first ones."""
        while len(self._paths) > depth:
            if self._paths.pop().bring_back(self._tables):
                self._by_spelling.clear()

    @property
    def path_depth(self) -> int:
        return len(self._paths)

    def _went_on(self, entity: Entity) -> bool:
        """Whether the table was renamed or swapped: what is dropped now is not what was filled before."""
        return any(
            process.type in _TRANSFERS and entity in flow.sources
            for process in self.builder.model.processes
            for flow in process.flows
        )

    def _carry_rows(self, work: Entity) -> None:
        """What limited the rows of a work table limited the rows of all that was filled from it."""
        rows = work.columns.get(ROWS)
        if rows is None:
            return
        builder = self.builder
        current = builder.process
        for process in builder.model.processes:
            for flow in process.flows:
                if work in flow.sources and flow.target is not None and flow.target is not work:
                    builder.process = process
                    builder.relate("fdr", builder.rows(flow.target), [rows], "select")
        builder.process = current

    def remove(self, table: Rowset) -> None:
        """Takes back a table that turned out to be none."""
        self._tables.pop(table.key, None)
        self._by_spelling.clear()

    def synonym(self, parts: tuple[NamePart, ...], base: Rowset) -> None:
        """From here on the name means the base object."""
        self._synonyms[self.key(parts)] = base
        self._by_spelling.clear()

    def find(self, parts: tuple[NamePart, ...]) -> Rowset | None:
        """The table of that name if the script or metadata named it before."""
        key = self.key(parts)
        return self._synonyms.get(key) or self._tables.get(key)

    def orphans(self) -> Rowset:
        """The pseudo table of the columns that belong to no single table."""
        if self._orphans is None:
            builder = self.builder
            entity = builder.entity(Entity(builder.next_id(), "table", ORPHANS, "pseudoTable", table=ORPHANS))
            self._orphans = Rowset(entity)
        return self._orphans


def _description(described: TableInfo, known: dict[str, str]) -> Description | None:
    """What metadata says beyond names; two columns of one folded name leave it open whose type is meant."""
    types = {}
    if len(described.types) == len(known):
        types = {key: each for key, each in zip(known, described.types, strict=True) if each}
    return Description(described.comment, types) if types or described.comment else None


def _over_link(parts: tuple[NamePart, ...]) -> tuple[NamePart, ...]:
    """Oracle: in ``schema.table@link.domain`` what comes after the sign belongs to the name of the link."""
    for place, (name, quoted) in enumerate(parts[:-1]):
        if "@" in name and not quoted:
            return *parts[:place], (".".join([name, *(part for part, _ in parts[place + 1 :])]), quoted)
    return parts
