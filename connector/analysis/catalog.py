"""The tables of a run: who they are by the dialect's naming rules, and what metadata and the script say of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from connector.analysis.builder import ROWS, Builder
from connector.analysis.places import Places
from connector.analysis.rowset import Rowset
from connector.metadata import MetadataProvider
from connector.model import Entity, Span
from connector.sql.dialects import SqlDialect
from connector.sql.locations import Location

__all__ = ["Catalog", "NamePart"]

NamePart = tuple[str, bool]
"""A part of a name without its quotes, and whether it was quoted."""

_CREATING = frozenset({"Create Table", "Select Into", "Create Table Like", "Create Table Clone"})
"""Types of the processes that make a table."""

_TRANSFERS = frozenset({"Alter Table", "Swap"})
"""Types of the processes that give a table's content another name."""

ORPHANS = "pseudo_table_include_orphan_column"


@dataclass(slots=True)
class Catalog:
    """Tables by folded name. Defaults (USE, search_path) can change between statements."""

    builder: Builder
    dialect: SqlDialect
    metadata: MetadataProvider | None = None
    database: NamePart | None = None
    schema: NamePart | None = None
    _tables: dict[tuple[str, ...], Rowset] = field(default_factory=dict)
    _by_spelling: dict[tuple[NamePart, ...], Rowset] = field(default_factory=dict)
    _synonyms: dict[tuple[str, ...], Rowset] = field(default_factory=dict)
    _orphans: Rowset | None = None
    places: Places = field(init=False)
    """Files and stages."""
    primary_keys: dict[tuple[str, ...], list[str]] = field(default_factory=dict)
    """Folded names of the columns that the script made the primary key of a table."""

    def __post_init__(self) -> None:
        self.places = Places(self.builder, self.dialect)

    def use(self, database: NamePart | None, schema: NamePart | None) -> None:
        """Changes the defaults for the statements that follow."""
        self.database = database
        self.schema = schema
        self._by_spelling.clear()

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
        database, schema, name = layers = self.layers(parts)
        key = self._key(layers)
        synonym = self._synonyms.get(key)
        if synonym is not None:
            return synonym
        found = self._tables.get(key)
        if found is None:
            builder = self.builder
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
            entity.temporary = written.startswith("#")
            entity.span = span
            builder.entity(entity)
            known = None
            if self.metadata is not None:
                described = self.metadata.describe(
                    database[0] if database else None, schema[0] if schema else None, name[0]
                )
                if described is not None:
                    fold_column = self.dialect.fold_column
                    known = {fold_column(column, False): column for column in described.columns}
                    if described.view:
                        entity.kind = "view"
                        entity.type = "view"
            found = self._tables[key] = Rowset(entity, known, key)
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
        return (
            fold(*database) if database else "",
            fold(*schema) if schema else self.dialect.default_schema.lower(),
            fold(name, quoted),
        )

    def layers(self, parts: tuple[NamePart, ...]) -> tuple[NamePart | None, NamePart | None, NamePart]:
        """Database, schema and name. Empty parts (`db..t`) count as missing; a server goes with the database."""
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

    def known_columns(self, parts: tuple[NamePart, ...]) -> dict[str, str] | None:
        """The columns of a table as far as they are known; the table does not count as used by being asked."""
        found = self._tables.get(self.key(parts))
        if found is not None:
            return found.known
        if self.metadata is None:
            return None
        database, schema, name = self.layers(parts)
        described = self.metadata.describe(database[0] if database else None, schema[0] if schema else None, name[0])
        if described is None:
            return None
        return {self.dialect.fold_column(column, False): column for column in described.columns}

    # --- what statements say ------------------------------------------------------------------------------------

    def define(self, table: Rowset, columns: dict[str, str] | None) -> None:
        """The script created the table: its columns are known from here on (None: it cannot be told which)."""
        table.known = columns

    def forget(self, parts: tuple[NamePart, ...]) -> None:
        """The script dropped the table: what it created under that name does not count any more."""
        key = self.key(parts)
        found = self._tables.get(key)
        if found is not None:
            found.known = None
            entity = found.entity
            if (
                found.filled
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
