"""Creates missing objects if the mapping allows it, from the outermost inwards. Existing objects are never overwritten."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from connector.catalogs.http import RefusedError
from connector.catalogs.openmetadata.client import Document, EntityType, OpenMetadataClient, build
from connector.catalogs.openmetadata.lookup import Found
from connector.catalogs.openmetadata.mapping import ANY, ServiceRule, StorageRule
from connector.catalogs.openmetadata.plan import ColumnRef, PlannedObject
from connector.catalogs.summary import Summary
from connector.naming import DEFAULT

_NOTE = "Created by lineage-connector from the statements that use it."


class NotCreatedError(Exception):
    """What an object is in does not exist, and is not created either."""


@dataclass
class Creator:
    """Creates objects and what they are in, each once. For one thread."""

    client: OpenMetadataClient
    summary: Summary
    _known: dict[tuple[EntityType, str], Document] = field(default_factory=dict)

    def may_create(self, planned: PlannedObject) -> bool:
        """Whether the mapping has an object like this created."""
        what = {"table": "table", "container": "container", "storedProcedure": "procedure"}[planned.type]
        return what in planned.rule.create

    def create(self, planned: PlannedObject) -> Found:
        """Create an object and whatever it is in."""
        rule = planned.rule
        document = self._container(planned, rule) if isinstance(rule, StorageRule) else self._in_schema(planned, rule)
        return Found(planned.type, document)

    def complete(self, planned: PlannedObject, found: Found) -> Found:
        """A table that we created, with the columns that statements have come to name since then.

        A table with a description belongs to whoever wrote it, and is left alone.
        """
        ours = planned.type == "table" and "table" in planned.rule.create and found.document.get("description") == _NOTE
        missing = [column for column in planned.columns if ours and found.column(column) is None]
        if not missing:
            return found
        document = self.client.add_columns(found.document, _columns(missing))
        if document is None:
            return found
        self.summary.of("table").updated += 1
        return Found("table", document)

    # --- tables and routines ----------------------------------------------------------------------------------------

    def _in_schema(self, planned: PlannedObject, rule: ServiceRule) -> Document:
        service, database, schema, name = (DEFAULT if part == ANY else part for part in planned.parts)
        body: Document = {"name": service, "serviceType": rule.type, "description": _NOTE}
        in_service = self._ensure("databaseService", (service,), body, allowed="service" in rule.create)
        body = {"name": database, "service": in_service}
        in_database = self._ensure("database", (in_service, database), body, allowed="database" in rule.create)
        body = {"name": schema, "database": in_database}
        in_schema = self._ensure("databaseSchema", (in_database, schema), body, allowed="schema" in rule.create)
        body = {"name": name, "databaseSchema": in_schema, "description": _NOTE}
        if planned.type == "table":
            body["tableType"] = "View" if planned.view else "Regular"
            body["columns"] = _columns(planned.columns)
        else:
            body["storedProcedureCode"] = {"language": "SQL", "code": planned.text or ""}
            body["storedProcedureType"] = planned.sub_type or "StoredProcedure"
        self._ensure(planned.type, (in_schema, name), body, allowed=True)
        return self._known[planned.type, f"{in_schema}.{build((name,))}"]

    # --- containers -------------------------------------------------------------------------------------------------

    def _container(self, planned: PlannedObject, rule: StorageRule) -> Document:
        service, *names = planned.parts
        body: Document = {"name": service, "serviceType": rule.type, "description": _NOTE}
        above = self._ensure("storageService", (service,), body, allowed="service" in rule.create)
        parent: Document | None = None
        for name in names:
            body = {"name": name, "service": build((service,)), "description": _NOTE}
            if parent is not None:
                body["parent"] = {"id": parent["id"], "type": "container"}
            if name == names[-1]:
                body |= {"fullPath": planned.uri} if planned.uri else {}
                if planned.columns:
                    body["dataModel"] = {"isPartitioned": False, "columns": _columns(planned.columns)}
            above = self._ensure("container", (above, name), body, allowed=True)
            parent = self._known["container", above]
        assert parent is not None  # a rule names at least one container
        return parent

    def _ensure(self, kind: EntityType, at: tuple[str, ...], body: Document, *, allowed: bool) -> str:
        """The full name of an object that exists when this returns. The last part of `at` is a bare name."""
        fqn = ".".join((*at[:-1], build(at[-1:])))
        if (kind, fqn) in self._known:
            return fqn
        document = self.client.by_name(kind, fqn)
        if document is None:
            if not allowed:
                raise NotCreatedError(f"OpenMetadata has no {kind} {fqn}")
            try:
                document = self.client.create(kind, body) or self.client.by_name(kind, fqn)
            except RefusedError as error:
                raise NotCreatedError(f"{kind} {fqn} was not created: {error}") from None
            if document is None:
                raise NotCreatedError(f"{kind} {fqn} exists but cannot be read; it may be soft-deleted")
            self.summary.of(kind).created += 1
        self._known[kind, fqn] = document
        return fqn


def _columns(columns: Iterable[ColumnRef]) -> list[Document]:
    """The columns that statements name; each name once, regardless of case. Their types are unknown."""
    named: dict[str, str] = {}
    for column in columns:
        named.setdefault(column.path[0] if column.exact else column.path[0].casefold(), column.path[0])
    return [{"name": name, "dataType": "UNKNOWN"} for name in named.values()]
