"""The copy of the edges in the search engine, which the lineage view is drawn from.

The document of an edge's target holds all edges into it. A write reads the document, takes its time, and puts it back; if
another write has come between, the change is passed over, and the answer to the client is 200 all the same. Nothing heals
that but another write of the same edge. Of edges that are deleted one after the other some stay, too.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from metadata.generated.schema.api.lineage.esLineageData import EsLineageData
from metadata.generated.schema.api.lineage.searchLineageResult import SearchLineageResult

from .answers import Refused
from .entities import Entities, Entity

__all__ = ["Index", "Update"]

Pair = tuple[str, str]
Update = tuple[Pair, "dict[str, Any] | None"]
"""The ids of an edge, and its details; None when it is gone."""

_LOST_DELETE = 5
"""Of so many deletions into one target one is passed over: 16 to 26 of 100 were seen to stay."""


class Index:
    def __init__(self, entities: Entities) -> None:
        self._entities = entities
        self._edges: dict[Pair, dict[str, Any]] = {}
        self._versions: dict[str, int] = {}
        self._deletions: dict[str, int] = {}
        self._lock = threading.Lock()
        self.seconds = 0.005
        """How long a change of a document takes."""
        self.passed_over: list[Pair] = []
        """The changes that did not arrive."""

    # --- writing ----------------------------------------------------------------------------------------------------

    def change(self, update: Update) -> None:
        """What a request to the server does. Not under the server's lock: requests overlap here."""
        pair, details = update
        with self._lock:
            version = self._versions.get(pair[1], 0)
        time.sleep(self.seconds)
        with self._lock:
            if self._versions.get(pair[1], 0) != version or (details is None and self._is_lost(pair[1])):
                self.passed_over.append(pair)
                return
            self._versions[pair[1]] = version + 1
            self._apply(update)

    def settle(self, updates: list[Update]) -> None:
        """What was done past the wire."""
        with self._lock:
            for update in updates:
                self._apply(update)

    def lose(self, pair: Pair) -> None:
        """An edge that a former version of somebody's program has lost."""
        with self._lock:
            del self._edges[pair]

    def _is_lost(self, target: str) -> bool:
        self._deletions[target] = self._deletions.get(target, 0) + 1
        return self._deletions[target] % _LOST_DELETE == 0

    def _apply(self, update: Update) -> None:
        pair, details = update
        if details is None:
            self._edges.pop(pair, None)
        else:
            self._edges[pair] = details

    # --- reading ----------------------------------------------------------------------------------------------------

    def pairs(self) -> set[Pair]:
        with self._lock:
            return {pair for pair in self._edges if all(map(self._entities.any, pair))}

    def lineage(self, entity: Entity, query: dict[str, str]) -> dict[str, Any]:
        """GET /lineage/getLineage: a layer is paged with `from` and `size`."""
        depths = [int(query.get(name, "3")) for name in ("upstreamDepth", "downstreamDepth")]
        start, size = int(query.get("from", "0")), int(query.get("size", "1000"))
        found: dict[str, dict[str, Any]] = {"upstreamEdges": {}, "downstreamEdges": {}}
        nodes = {entity["id"]}
        for side, name, depth in ((1, "upstreamEdges", depths[0]), (0, "downstreamEdges", depths[1])):
            border = {entity["id"]}
            for _ in range(depth):
                layer = sorted(pair for pair in self.pairs() if pair[side] in border)[start : start + size]
                found[name].update({f"{source}--->{target}": self._edge((source, target)) for source, target in layer})
                border = {pair[1 - side] for pair in layer}
                nodes |= border
        answer = {**found, "nodes": {self._named(node): {"entity": {"id": node}} for node in sorted(nodes)}}
        SearchLineageResult.model_validate(answer)
        return answer

    def _edge(self, pair: Pair) -> dict[str, Any]:
        details = self._edges[pair]
        edge = {
            "fromEntity": self._reference(pair[0]),
            "toEntity": self._reference(pair[1]),
            "columns": details["columnsLineage"],
            **{name: details[name] for name in ("source", "description", "sqlQuery") if details.get(name) is not None},
        }
        EsLineageData.model_validate(edge)
        return edge

    def _reference(self, identifier: str) -> dict[str, Any]:
        entity = self._entities.any(identifier)
        if entity is None:
            raise Refused(404, f"Entity not found: {identifier}")
        return {
            "id": identifier,
            "fullyQualifiedName": entity["fullyQualifiedName"],
            "type": self._entities.type_of(identifier),
        }

    def _named(self, identifier: str) -> str:
        return str(self._reference(identifier)["fullyQualifiedName"])
