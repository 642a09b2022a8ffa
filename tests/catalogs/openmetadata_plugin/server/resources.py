"""The addresses of the interface and what each of them does."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from .answers import Answer, Refused, empty, json_answer
from .auth import Authority, User
from .bodies import read_json
from .entities import Entities, Entity
from .index import Index
from .kinds import KINDS, KINDS_BY_COLLECTION, Kind
from .lineage import Edges
from .search import Search

__all__ = ["Call", "Resources"]

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_COLLECTION = "|".join(KINDS_BY_COLLECTION)
_NAMES = r"(?P<from_type>\w+)/name/(?P<from_name>[^/]+)/(?P<to_type>\w+)/name/(?P<to_name>[^/]+)"
_IDS = rf"(?P<from_type>\w+)/(?P<from_id>{_UUID})/(?P<to_type>\w+)/(?P<to_id>{_UUID})"
_LARGEST_PAGE = 1_000_000


@dataclass(frozen=True, slots=True)
class Call:
    """One request, taken apart."""

    method: str
    parts: dict[str, str]
    query: dict[str, str]
    body: bytes
    content_type: str
    user: User

    @property
    def kind(self) -> Kind:
        return KINDS_BY_COLLECTION[self.parts["collection"]]

    def flag(self, name: str) -> bool:
        return self.query.get(name, "false").lower() == "true"

    def json(self) -> Any:
        if not self.content_type.startswith("application/json"):
            raise Refused(415, "HTTP 415 Unsupported Media Type")
        return read_json(self.body)

    def patch(self) -> bytes:
        if not self.content_type.startswith("application/json-patch+json"):
            raise Refused(415, "HTTP 415 Unsupported Media Type")
        return self.body


Handler = Callable[[Call], Answer]


class Resources:
    """Everything below /api/v1 that needs a token."""

    def __init__(self, entities: Entities, edges: Edges, search: Search, index: Index) -> None:
        self._entities = entities
        self._edges = edges
        self._search = search
        self._index = index
        self._routes: list[tuple[re.Pattern[str], dict[str, Handler]]] = [
            (re.compile(pattern), handlers)
            for pattern, handlers in (
                (r"users/loggedInUser", {"GET": self._whoami}),
                (r"search/fieldQuery", {"GET": lambda call: json_answer(200, search.by_field(call.query))}),
                (r"search/query", {"GET": lambda call: json_answer(200, search.by_query(call.query))}),
                (rf"(?P<collection>{_COLLECTION})", {"GET": self._list, "POST": self._post, "PUT": self._put}),
                (rf"(?P<collection>{_COLLECTION})/bulk", {"PUT": self._bulk}),
                (rf"(?P<collection>{_COLLECTION})/name/(?P<name>[^/]+)", self._for_one()),
                (rf"(?P<collection>{_COLLECTION})/(?P<id>{_UUID})", self._for_one()),
                (r"lineage", {"PUT": self._put_edge}),
                (r"lineage/getLineage", {"GET": self._search_lineage}),
                (rf"lineage/getLineageEdge/(?P<from_id>{_UUID})/(?P<to_id>{_UUID})", {"GET": self._get_edge}),
                (rf"lineage/getLineageEdge/{_NAMES}", {"GET": self._get_edge_by_name}),
                (
                    r"lineage/source/name/(?P<type>\w+)/(?P<name>[^/]+)/type/(?P<source>\w+)",
                    {"DELETE": self._delete_into},
                ),
                (rf"lineage/(?P<type>\w+)/(?P<id>{_UUID})/type/(?P<source>\w+)", {"DELETE": self._delete_into}),
                (rf"lineage/{_NAMES}", {**self._for_edge(), "PUT": self._put_edge_by_name}),
                (rf"lineage/{_IDS}", self._for_edge()),
                (rf"lineage/(?P<type>\w+)/(?:name/(?P<name>[^/]+)|(?P<id>{_UUID}))", {"GET": self._graph}),
            )
        ]

    def find(self, method: str, path: str) -> tuple[Handler, dict[str, str]]:
        """The handler of an address, with the decoded parts of its path."""
        for pattern, handlers in self._routes:
            match = pattern.fullmatch(path)
            if match is not None:
                if method not in handlers:
                    raise Refused(405, "HTTP 405 Method Not Allowed")
                parts = {name: unquote(part) for name, part in match.groupdict().items() if part is not None}
                return handlers[method], parts
        raise Refused(404, "HTTP 404 Not Found")

    # --- entities ---------------------------------------------------------------------------------------------------

    def _for_one(self) -> dict[str, Handler]:
        return {"GET": self._get, "PATCH": self._patch, "DELETE": self._delete}

    def _whoami(self, call: Call) -> Answer:
        return json_answer(200, {"name": call.user.name, "isBot": call.user.bot})

    def _one(self, call: Call, include: str = "non-deleted") -> Entity:
        if "name" in call.parts:
            return self._entities.by_name(call.kind, call.parts["name"], include)
        return self._entities.by_id(call.kind, call.parts["id"].lower(), include)

    def _get(self, call: Call) -> Answer:
        _check_fields(call)
        return json_answer(200, self._one(call, call.query.get("include", "non-deleted")))

    def _list(self, call: Call) -> Answer:
        """A page, with the cursors of its neighbours."""
        _check_fields(call)
        limit = int(call.query.get("limit", "10"))
        if not 0 <= limit <= _LARGEST_PAGE:
            raise Refused(400, f"[query param limit must be between 0 and {_LARGEST_PAGE}]")
        found = self._entities.of(call.kind, call.query.get("include", "non-deleted"))
        for field in ("service", "database", "databaseSchema"):
            if field in call.query:
                wanted = call.query[field]
                found = [entity for entity in found if (entity.get(field) or {}).get("fullyQualifiedName") == wanted]
        start = 0
        if "after" in call.query:
            start = _read_cursor(call.query["after"])
        elif "before" in call.query:
            start = max(0, _read_cursor(call.query["before"]) - limit)
        paging: dict[str, Any] = {"total": len(found)}
        if start:
            paging["before"] = _cursor(start)
        if start + limit < len(found):
            paging["after"] = _cursor(start + limit)
        return json_answer(200, {"data": found[start : start + limit], "paging": paging})

    def _post(self, call: Call) -> Answer:
        Authority.allow(call.user, "Create")
        return json_answer(201, self._entities.create(call.kind, call.json(), call.user))

    def _put(self, call: Call) -> Answer:
        Authority.allow(call.user, "Create")
        entity, new = self._entities.upsert(call.kind, call.json(), call.user)
        return json_answer(201 if new else 200, entity)

    def _patch(self, call: Call) -> Answer:
        Authority.allow(call.user, "EditAll")
        body = call.patch()
        return json_answer(200, self._entities.patch(call.kind, self._one(call), body, call.user))

    def _delete(self, call: Call) -> Answer:
        Authority.allow(call.user, "Delete")
        hard = call.flag("hardDelete")
        entity = self._one(call, "all" if hard else "non-deleted")
        answer = json_answer(200, {**entity, "deleted": True})
        self._entities.delete(entity, hard=hard, recursive=call.flag("recursive"))
        return answer

    def _bulk(self, call: Call) -> Answer:
        """Several at once. What fails is in the answer, which is 200 all the same."""
        Authority.allow(call.user, "Create")
        requests = call.json()
        if not isinstance(requests, list):
            raise Refused(400, "Invalid request format")
        if call.query.get("async") != "false":
            raise Refused(400, "only bulk requests with async=false are kept here")
        good, bad = [], []
        for request in requests:
            try:
                entity, new = self._entities.upsert(call.kind, request, call.user)
            except Refused as error:
                failed = {"message": error.message, "status": error.status, "hasSideEffects": False}
                bad.append({"request": request, **failed})
            else:
                done = {"status": 201 if new else 200, "hasSideEffects": False}
                good.append({"request": entity["fullyQualifiedName"], **done})
        status = "success" if not bad else "partialSuccess" if good else "failure"
        return json_answer(
            200,
            {
                "dryRun": False,
                "status": status,
                "numberOfRowsProcessed": len(requests),
                "numberOfRowsPassed": len(good),
                "numberOfRowsFailed": len(bad),
                "successRequest": good,
                "failedRequest": bad,
            },
        )

    # --- lineage ----------------------------------------------------------------------------------------------------

    def _for_edge(self) -> dict[str, Handler]:
        return {"PATCH": self._patch_edge, "DELETE": self._delete_edge}

    def _ends(self, call: Call) -> tuple[Entity, Entity]:
        ends = []
        for side in ("from", "to"):
            kind = _kind(call.parts[f"{side}_type"])
            if f"{side}_name" in call.parts:
                ends.append(self._entities.by_name(kind, call.parts[f"{side}_name"]))
            else:
                ends.append(self._entities.referred({"type": kind.type, "id": call.parts[f"{side}_id"].lower()}))
        return ends[0], ends[1]

    def _put_edge(self, call: Call) -> Answer:
        Authority.allow(call.user, "EditLineage")
        self._edges.put(call.json(), call.user)
        return self._written()

    def _put_edge_by_name(self, call: Call) -> Answer:
        Authority.allow(call.user, "EditLineage")
        details = call.json() if call.body else {}
        self._edges.replace(*self._ends(call), details, call.user)
        return self._written()

    def _written(self) -> Answer:
        """The edge is stored before the search index hears of it; without the index the answer is an error."""
        if self._search.down:
            raise Refused(500, "Connection refused")
        return empty()

    def _patch_edge(self, call: Call) -> Answer:
        Authority.allow(call.user, "EditLineage")
        body = call.patch()
        return json_answer(200, self._edges.patch(*self._ends(call), body, call.user))

    def _delete_edge(self, call: Call) -> Answer:
        Authority.allow(call.user, "EditLineage")
        self._edges.delete(*self._ends(call), call.user)
        return empty()

    def _delete_into(self, call: Call) -> Answer:
        Authority.allow(call.user, "EditLineage")
        kind = _kind(call.parts["type"])
        try:
            if "name" in call.parts:
                entity = self._entities.by_name(kind, call.parts["name"])
            else:
                entity = self._entities.by_id(kind, call.parts["id"].lower())
        except Refused:
            return empty()
        self._edges.delete_into(entity["id"], call.parts["source"])
        return empty()

    def _get_edge(self, call: Call) -> Answer:
        return json_answer(200, self._edges.between(call.parts["from_id"].lower(), call.parts["to_id"].lower()))

    def _get_edge_by_name(self, call: Call) -> Answer:
        source, target = self._ends(call)
        return json_answer(200, self._edges.between(source["id"], target["id"]))

    def _search_lineage(self, call: Call) -> Answer:
        """The lineage view: answered from the search index."""
        if self._search.down:
            raise Refused(500, "Connection refused")
        entity = self._entities.by_name(_kind(call.query.get("type", "table")), call.query["fqn"], include="all")
        return json_answer(200, self._index.lineage(entity, call.query))

    def _graph(self, call: Call) -> Answer:
        kind = _kind(call.parts["type"])
        if "name" in call.parts:
            entity = self._entities.by_name(kind, call.parts["name"], include="all")
        else:
            entity = self._entities.by_id(kind, call.parts["id"].lower(), include="all")
        depths = (int(call.query.get(name, "1")) for name in ("upstreamDepth", "downstreamDepth"))
        return json_answer(200, self._edges.graph(entity, *depths))


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise Refused(404, f"Entity type {name} not found")
    return KINDS[name]


def _check_fields(call: Call) -> None:
    for field in filter(None, call.query.get("fields", "").split(",")):
        if field.strip() not in call.kind.entity.model_fields:
            raise Refused(400, f"Invalid field name {field.strip()}")


def _cursor(position: int) -> str:
    return base64.urlsafe_b64encode(json.dumps({"position": position}).encode()).decode()


def _read_cursor(text: str) -> int:
    try:
        return int(json.loads(base64.urlsafe_b64decode(text))["position"])
    except (ValueError, KeyError) as error:
        raise Refused(400, "Invalid cursor") from error
