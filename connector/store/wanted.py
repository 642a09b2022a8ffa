"""The objects a model speaks of, as rows of the reference's table: dialect, cluster, database, table, routine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from connector.model import Entity, Model, Procedure
from connector.naming import Namer, join_name, split_parts
from connector.sql.identity import storable
from connector.store.definitions import Definition
from connector.store.identity import Folder, number_of
from connector.store.reference import DIALECT_ROWS

__all__ = ["DATASETS", "TABLE_LIKE", "WantedObject", "WantedObjects"]

DATASETS = ("table", "view", "path", "stage", "pseudoTable")
"""The types of the objects that have columns. `pseudoTable` holds the columns that belong to no single table."""

TABLE_LIKE = ("table", "view", "pseudoTable")
_ROUTINES = {"createprocedure": "procedure", "createfunction": "function", "createtrigger": "trigger"}
_REFERENCE_NAMES = {"mssql": "sqlserver"}
"""Dialects that the reference calls otherwise."""


@dataclass(slots=True, eq=False)
class WantedObject:
    """An object as a load sees it, before it is known whether and how the store has it."""

    guid: str
    """The guid it gets if the store does not know it."""
    name: str
    type: str
    alike: tuple[str, ...]
    """The types an object of this name may have in the store and still be this one."""
    parent: WantedObject | None
    definition: Definition | None = None


class WantedObjects:
    """Collects the objects of one model, parents before children, each once however often it is mentioned."""

    def __init__(self, model: Model, entities: Iterable[Entity], definitions: Mapping[Entity, Definition]) -> None:
        self._model = model
        self._namer = Namer(model)
        self._folder = Folder(model, self._namer)
        self._known: dict[tuple[str, str], WantedObject] = {}
        dialect = model.vendor.removeprefix("dbv")
        dialect = _REFERENCE_NAMES.get(dialect, dialect)
        root = self._want("sqldialect", dialect, dialect, "sqldialect", None)
        root.guid = DIALECT_ROWS.get(dialect, root.guid)
        self._cluster = self._want("cluster", model.cluster, join_name([], model.cluster)[1:], "cluster", root)
        self.by_entity = {entity: self._want_entity(entity, definitions.get(entity)) for entity in entities}
        for procedure in model.procedures:
            self._want_routine(procedure)

    def __iter__(self) -> Iterator[WantedObject]:
        return iter(self._known.values())

    def _want_entity(self, entity: Entity, definition: Definition | None) -> WantedObject:
        name, key = self._namer.entity(entity), self._folder.entity(entity)
        if entity.kind == "path":
            return self._want("path", key, name, "path", self._cluster)
        database = self._want_database(entity)
        if entity.kind == "stage":
            return self._want("stage", key, name, "stage", database, definition=definition)
        if definition is not None:
            type_ = definition.creates
        else:
            type_ = "pseudoTable" if entity.type == "pseudoTable" else entity.kind
        return self._want("table", key, name, type_, database, alike=TABLE_LIKE, definition=definition)

    def _want_database(self, entity: Entity) -> WantedObject:
        name = join_name(self._namer.parts(entity)[:1], self._model.cluster)
        return self._want("database", self._folder.database(entity), name, "database", self._cluster)

    def _want_routine(self, procedure: Procedure) -> None:
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
        parent = self._want_database(place)
        self._want(type_, self._folder.entity(place), self._namer.entity(place), type_, parent, definition=definition)

    def _want(
        self,
        space: str,
        key: str,
        name: str,
        type_: str,
        parent: WantedObject | None,
        *,
        alike: tuple[str, ...] | None = None,
        definition: Definition | None = None,
    ) -> WantedObject:
        known = self._known.get((space, key))
        if known is None:
            known = WantedObject(
                str(number_of(space, key)), storable(name), type_, alike or (type_,), parent, definition
            )
            self._known[space, key] = known
        elif definition is not None:
            known.type, known.definition = type_, definition
        return known
