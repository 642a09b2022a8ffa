"""Lineage edges: one record for a pair of entities, replaced by PUT, changed by PATCH."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from metadata.generated.schema.api.lineage.addLineage import AddLineageRequest
from metadata.generated.schema.type.entityLineage import LineageDetails

from .answers import Refused
from .auth import User
from .bodies import apply_patch, check
from .clock import Clock
from .columns import relative, relative_names
from .entities import Entities, Entity
from .index import Update
from .kinds import KINDS

__all__ = ["Edges", "Pair"]

Pair = tuple[str, str]
"""The ids of the upstream and the downstream end."""

Details = dict[str, Any]

_FIELDS = tuple(LineageDetails.model_fields)
_DEEPEST = 3


class Edges:
    """All edges by their pair of ids."""

    def __init__(self, entities: Entities, clock: Clock) -> None:
        self._entities = entities
        self._clock = clock
        self._edges: dict[Pair, Details] = {}
        self._changed: list[Update] = []
        entities.on_columns_gone = self._columns_gone
        entities.on_gone = self._entity_gone

    def changes(self) -> list[Update]:
        """What the search index has to hear of since it was last asked."""
        found, self._changed = self._changed, []
        return found

    # --- writing ----------------------------------------------------------------------------------------------------

    def put(self, document: Any, user: User) -> None:
        """The body of PUT /lineage."""
        if isinstance(document, dict) and not document.keys() - {"edge"} and document.get("edge") is None:
            raise Refused(400, "[query param edge must not be null]")
        check(AddLineageRequest, _without_nulls_in_columns(document))
        edge = document["edge"]
        ends = self._entities.referred(edge["fromEntity"]), self._entities.referred(edge["toEntity"])
        self.replace(*ends, edge.get("lineageDetails") or {}, user)

    def replace(self, source: Entity, target: Entity, details: Any, user: User) -> None:
        """The whole record of a pair, as the request has it. Nothing of the former one stays but its age."""
        check(LineageDetails, _without_nulls_in_details(details))
        stored = self._edges.get((source["id"], target["id"]), {})
        fresh = self._cleaned(details, source, target)
        now = self._clock.now()
        sent = fresh.get("createdAt", now)
        fresh["createdAt"] = min(stored.get("createdAt", sent), sent)
        fresh["createdBy"] = stored.get("createdBy") or fresh.get("createdBy") or user.name
        fresh["updatedAt"] = max(stored.get("updatedAt", 0), fresh.get("updatedAt", now))
        fresh["updatedBy"] = fresh.get("updatedBy") or user.name
        self._edges[(source["id"], target["id"])] = fresh
        self._changed.append(((source["id"], target["id"]), copy.deepcopy(fresh)))
        self._count_between_services(source, target, user)
        if "source" in details and details["source"] is None:
            raise Refused(500, "Cannot invoke LineageDetails.getSource() because the value is null")

    def patch(self, source: Entity, target: Entity, body: bytes, user: User) -> Details:
        """The record after a JSON Patch."""
        pair = source["id"], target["id"]
        if pair not in self._edges:
            raise Refused(404, "Lineage edge not found")
        patched = apply_patch(self.read(pair), body)
        check(LineageDetails, _without_nulls_in_details(patched))
        fresh = self._cleaned(patched, source, target)
        fresh.update(updatedAt=self._clock.now(), updatedBy=user.name)
        self._edges[pair] = fresh
        self._changed.append((pair, copy.deepcopy(fresh)))
        return self.read(pair)

    def delete(self, source: Entity, target: Entity, user: User) -> None:
        if self._edges.pop((source["id"], target["id"]), None) is None:
            raise Refused(404, "Lineage edge not found")
        self._changed.append(((source["id"], target["id"]), None))
        self._count_between_services(source, target, user)

    def delete_into(self, target: str, source: str) -> None:
        """All edges into an entity that have the source."""
        for pair in [
            pair for pair, details in self._edges.items() if pair[1] == target and details["source"] == source
        ]:
            del self._edges[pair]
            self._changed.append((pair, None))

    def clear(self) -> None:
        self._changed.extend((pair, None) for pair in self._edges)
        self._edges.clear()

    # --- reading ----------------------------------------------------------------------------------------------------

    def read(self, pair: Pair) -> Details:
        """The record as a client sees it: without nulls, columns always there, the pipeline with its names."""
        stored = self._edges[pair]
        details = {field: stored[field] for field in _FIELDS if stored.get(field) is not None}
        pipeline = stored.get("pipeline")
        if pipeline:
            found = self._entities.any(pipeline["id"])
            details["pipeline"] = self._entities.reference(found) if found else pipeline
        return copy.deepcopy(details)

    def between(self, source: str, target: str) -> Details:
        if (source, target) not in self._edges:
            raise Refused(404, f"Lineage edge not found between {source} and  {target}")
        return {"edge": self.read((source, target))}

    def pairs(self) -> list[Pair]:
        return list(self._edges)

    def graph(self, entity: Entity, upstream: int, downstream: int) -> dict[str, Any]:
        if not (0 <= upstream <= _DEEPEST and 0 <= downstream <= _DEEPEST):
            raise Refused(400, f"[query param depth must be between 0 and {_DEEPEST}]")
        up, down = self._walk(entity["id"], upstream, 1), self._walk(entity["id"], downstream, 0)
        nodes = {identifier for pair in (*up, *down) for identifier in pair} - {entity["id"]}
        found = [self._entities.any(node) for node in sorted(nodes)]
        return {
            "entity": self._entities.reference(entity),
            "nodes": [self._entities.reference(node) for node in found if node],
            "upstreamEdges": [self._as_edge(pair) for pair in up],
            "downstreamEdges": [self._as_edge(pair) for pair in down],
        }

    # --- inside -----------------------------------------------------------------------------------------------------

    def _walk(self, start: str, depth: int, side: int) -> list[Pair]:
        found: dict[Pair, None] = {}
        border = {start}
        for _ in range(depth):
            step = [pair for pair in self._edges if pair[side] in border and pair not in found]
            found.update(dict.fromkeys(step))
            border = {pair[1 - side] for pair in step}
        return list(found)

    def _as_edge(self, pair: Pair) -> dict[str, Any]:
        return {"fromEntity": pair[0], "toEntity": pair[1], "lineageDetails": self.read(pair)}

    def _cleaned(self, details: Details, source: Entity, target: Entity) -> Details:
        """What is kept of a request: known fields, no nulls, and columns that exist."""
        kept = {field: details[field] for field in _FIELDS if details.get(field) is not None}
        kept.setdefault("source", "Manual")
        kept["columnsLineage"] = _existing_columns(details.get("columnsLineage") or [], source, target)
        pipeline = kept.get("pipeline")
        if pipeline:
            kind = KINDS.get(pipeline["type"])
            if kind is None:
                raise Refused(404, f"Entity type {pipeline['type']} not found")
            self._entities.by_id(kind, pipeline["id"], include="all")
            kept["pipeline"] = {"id": pipeline["id"], "type": pipeline["type"]}
        return copy.deepcopy(kept)

    def _columns_gone(self, entity: Entity, gone: set[str]) -> None:
        """Mappings of removed columns go, and with them the query of the edge."""
        for pair, details in self._edges.items():
            if entity["id"] not in pair:
                continue
            kept = list(_without_columns(details["columnsLineage"], entity, gone, pair))
            if kept != details["columnsLineage"]:
                details["columnsLineage"] = kept
                details.pop("sqlQuery", None)

    def _entity_gone(self, identifier: str) -> None:
        for pair in [pair for pair in self._edges if identifier in pair]:
            del self._edges[pair]
            self._changed.append((pair, None))

    def _count_between_services(self, source: Entity, target: Entity, user: User) -> None:
        """Edges between entities of two services are counted in an edge between the services."""
        if "service" not in source or "service" not in target or source["service"]["id"] == target["service"]["id"]:
            return
        services = source["service"]["id"], target["service"]["id"]
        number = sum(self._services(pair) == services for pair in self._edges)
        if not number:
            self._edges.pop(services, None)
            return
        now = self._clock.now()
        stored = self._edges.get(services, {"createdAt": now, "createdBy": user.name})
        changed = {"source": "ChildAssets", "assetEdges": number, "updatedAt": now, "updatedBy": user.name}
        self._edges[services] = {**stored, "columnsLineage": [], **changed}

    def _services(self, pair: Pair) -> Pair | None:
        ends = [self._entities.any(identifier) for identifier in pair]
        if any(end is None or "service" not in end for end in ends):
            return None
        return tuple(end["service"]["id"] for end in ends)  # type: ignore[return-value, index]


def _existing_columns(entries: list[Any], source: Entity, target: Entity) -> list[Details]:
    """The mappings whose columns are there. The others are dropped without a word."""
    sources, targets = relative_names(source), relative_names(target)
    kept = []
    for entry in entries:
        if entry.get("toColumn") is None:
            raise Refused(500, 'Cannot invoke "String.replace()" because "toColumn" is null')
        columns = entry.get("fromColumns", [])
        if columns is None or None in columns:
            raise Refused(500, 'Cannot invoke "java.util.List.iterator()" because "fromColumns" is null')
        columns = [column for column in columns if relative(column, source) in sources]
        if columns and relative(entry["toColumn"], target) in targets:
            mapping = {"fromColumns": columns, "toColumn": entry["toColumn"]}
            if entry.get("function") is not None:
                mapping["function"] = entry["function"]
            kept.append(mapping)
    return kept


def _without_columns(entries: list[Details], entity: Entity, gone: set[str], pair: Pair) -> Iterator[Details]:
    for entry in entries:
        columns = entry["fromColumns"]
        if pair[0] == entity["id"]:
            columns = [column for column in columns if relative(column, entity) not in gone]
        lost = pair[1] == entity["id"] and relative(entry["toColumn"], entity) in gone
        if columns and not lost:
            yield {**entry, "fromColumns": columns}


def _without_nulls_in_columns(document: Any) -> Any:
    """A copy for the check of the form: nulls among the columns are another error, found later."""
    try:
        details = document["edge"]["lineageDetails"]
    except (KeyError, TypeError):
        return document
    return {**document, "edge": {**document["edge"], "lineageDetails": _without_nulls_in_details(details)}}


def _without_nulls_in_details(details: Any) -> Any:
    try:
        entries = [
            {**entry, "fromColumns": [column for column in entry.get("fromColumns") or [] if column is not None]}
            for entry in details["columnsLineage"]
        ]
    except (KeyError, TypeError):
        return details
    return {**details, "columnsLineage": entries}
