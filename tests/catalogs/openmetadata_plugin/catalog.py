"""What a server holds: put there for a test, and looked at afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from expected import Name, ends_of, in_words, name_of
from server import BOT, OpenMetadataServer, User
from server.kinds import KINDS
from server.names import quoted

from connector.lineage import Lineage

__all__ = ["Catalog"]

Entity = dict[str, Any]
Columns = Sequence[str] | Mapping[str, Any]


class Catalog:
    """Writes past the wire, so that the request log holds only what is tested."""

    def __init__(self, server: OpenMetadataServer) -> None:
        self._server = server

    # --- putting there ----------------------------------------------------------------------------------------------

    def service(self, name: str, type: str = "CustomDatabase") -> Entity:
        return self._put("databaseService", {"name": name, "serviceType": type})

    def storage(self, name: str, type: str = "CustomStorage") -> Entity:
        return self._put("storageService", {"name": name, "serviceType": type})

    def schema(self, service: str, database: str, schema: str) -> Entity:
        """The schema with all that it is in."""
        self.service(service)
        held = self._put("database", {"name": database, "service": quoted(service)})
        return self._put("databaseSchema", {"name": schema, "database": held["fullyQualifiedName"]})

    def table(
        self, service: str, database: str, schema: str, name: str, columns: Columns, type: str = "Regular"
    ) -> Entity:
        """A table with all that it is in. A column is a name, or a name with the columns nested in it."""
        held = self.schema(service, database, schema)
        request = {
            "name": name,
            "databaseSchema": held["fullyQualifiedName"],
            "tableType": type,
            "columns": _columns(columns),
        }
        return self._put("table", request)

    def provide(self, lineage: Lineage, service: str) -> None:
        """All tables of a model with all columns that it speaks of, as it spells them."""
        tables: dict[Name, dict[str, None]] = {}
        for end in ends_of(lineage):
            columns = tables.setdefault(name_of(end, service), {})
            if end.get("column") not in (None, "*", "PseudoRows"):
                columns[in_words(end["column"])] = None
        for name, columns in tables.items():
            self.table(name[0], name[1], name[2], name[3], list(columns))

    def procedure(self, service: str, database: str, schema: str, name: str) -> Entity:
        held = self.schema(service, database, schema)
        code = {"language": "SQL", "code": "begin null; end"}
        request = {"name": name, "databaseSchema": held["fullyQualifiedName"], "storedProcedureCode": code}
        return self._put("storedProcedure", request)

    def container(self, service: str, name: str, columns: Columns | None = None, path: str | None = None) -> Entity:
        self.storage(service)
        request: dict[str, Any] = {"name": name, "service": quoted(service)}
        if columns is not None:
            request["dataModel"] = {"isPartitioned": False, "columns": _columns(columns)}
        if path is not None:
            request["fullPath"] = path
        return self._put("container", request)

    def edge(self, source: Entity, target: Entity, details: Mapping[str, Any], user: User = BOT) -> None:
        """An edge that somebody has made before."""
        with self._server.lock:
            self._server.edges.replace(source, target, dict(details), user)
            self._server.index.settle(self._server.edges.changes())

    def remove_edges(self) -> None:
        with self._server.lock:
            self._server.edges.clear()
            self._server.index.settle(self._server.edges.changes())

    def delete(self, entity: Entity, *, hard: bool = False) -> None:
        with self._server.lock:
            self._server.entities.delete(entity, hard=hard, recursive=True)
            self._server.index.settle(self._server.edges.changes())

    # --- looking ----------------------------------------------------------------------------------------------------

    def edges(self) -> dict[tuple[str, str], Entity]:
        """All edges but those between services, by the names of their ends."""
        entities, edges = self._server.entities, self._server.edges
        with self._server.lock:
            return {
                (self._name(pair[0]), self._name(pair[1])): edges.read(pair)
                for pair in edges.pairs()
                if not entities.type_of(pair[0]).endswith("Service")
            }

    def mappings(self) -> dict[tuple[str, str], set[tuple[str, str]]]:
        """For each edge the pairs of columns, as paths below their tables."""
        return {
            (source, target): {
                (column.removeprefix(f"{source}."), entry["toColumn"].removeprefix(f"{target}."))
                for entry in details["columnsLineage"]
                for column in entry["fromColumns"]
            }
            for (source, target), details in self.edges().items()
        }

    def shown(self) -> set[tuple[str, str]]:
        """The edges that the lineage view shows: what getLineage answers for every table and container."""
        index = self._server.index
        return {
            (self._name(source), self._name(target))
            for source, target in index.pairs()
            if not self._server.entities.type_of(source).endswith("Service")
        }

    def lose(self, source: str, target: str) -> None:
        """Take an edge between two tables out of the index, as an earlier load without lanes did."""
        self._server.index.lose((self.find("table", source)["id"], self.find("table", target)["id"]))

    def names(self, type: str) -> list[str]:
        with self._server.lock:
            return [entity["fullyQualifiedName"] for entity in self._server.entities.of(KINDS[type])]

    def find(self, type: str, name: str) -> Entity:
        with self._server.lock:
            return self._server.entities.by_name(KINDS[type], name)

    def _name(self, identifier: str) -> str:
        entity = self._server.entities.any(identifier)
        assert entity is not None
        return str(entity["fullyQualifiedName"])

    def _put(self, type: str, request: dict[str, Any]) -> Entity:
        with self._server.lock:
            return self._server.entities.upsert(KINDS[type], request, BOT)[0]


def _columns(columns: Columns) -> list[dict[str, Any]]:
    if not isinstance(columns, Mapping):
        return [{"name": name, "dataType": "INT"} for name in columns]
    return [
        {"name": name, "dataType": "STRUCT", "children": _columns(nested)}
        if nested
        else {"name": name, "dataType": "INT"}
        for name, nested in columns.items()
    ]
