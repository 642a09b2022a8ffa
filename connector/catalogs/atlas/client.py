"""Atlas's REST interface, as far as lineage needs it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal
from urllib.parse import quote
from uuid import UUID

from connector.catalogs.http import HttpClient, RefusedError

__all__ = ["AtlasClient", "Direction"]

_V2 = "/api/atlas/v2"
_LONGEST_QUERY = 6000
"""Servers take 8 KB of request line and headers together."""

Direction = Literal["INPUT", "OUTPUT", "BOTH"]
Entity = dict[str, Any]


class AtlasClient:
    """One Atlas server. Everything here may be sent twice without harm."""

    def __init__(self, http: HttpClient) -> None:
        self.http = http

    def __enter__(self) -> AtlasClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def url(self) -> str:
        return self.http.url

    # --- types ------------------------------------------------------------------------------------------------------

    def typedefs(self) -> dict[str, list[dict[str, Any]]]:
        """All types of the server."""
        answer: dict[str, list[dict[str, Any]]] = self.http.request("GET", f"{_V2}/types/typedefs")
        return answer

    def create_typedefs(self, document: dict[str, Any]) -> None:
        self.http.request("POST", f"{_V2}/types/typedefs", data=_encode(document))

    def update_typedefs(self, document: dict[str, Any]) -> None:
        self.http.request("PUT", f"{_V2}/types/typedefs", data=_encode(document))

    # --- entities ---------------------------------------------------------------------------------------------------

    def read(self, type_name: str, names: Sequence[str], *, relationships: bool = False) -> Iterator[Entity]:
        """The entities of a type that have these qualified names; names that nobody has are passed over."""
        for query in self.read_queries(type_name, names, relationships=relationships):
            yield from self.read_query(query)

    def read_queries(self, type_name: str, names: Sequence[str], *, relationships: bool = False) -> list[str]:
        """The requests that :meth:`read` sends, so that a caller may send them from several threads."""
        ignore = "false" if relationships else "true"
        path = f"{_V2}/entity/bulk/uniqueAttribute/type/{quote(type_name, safe='')}"
        flags = f"&minExtInfo=true&ignoreRelationships={ignore}"
        return [f"{path}?{query}{flags}" for query in _name_queries(names)]

    def read_query(self, query: str) -> list[Entity]:
        """The entities that one of these requests finds."""
        try:
            answer = self.http.request("GET", query)
        except RefusedError as error:
            if error.status == 404:
                return []
            raise
        return list((answer or {}).get("entities") or ())

    def all_exist(self, guids: Iterable[str]) -> bool:
        """Whether the server has all of these entities, and none of them is deleted."""
        query = "&".join(f"guid={guid}" for guid in guids)
        try:
            answer = self.http.request("GET", f"{_V2}/entity/bulk?{query}&minExtInfo=true&ignoreRelationships=true")
        except RefusedError as error:
            if error.status == 404:
                return False
            raise
        return all(entity.get("status") == "ACTIVE" for entity in (answer or {}).get("entities") or ())

    def entity(self, guid: str) -> Entity:
        """One entity, with everything that is known of it."""
        entity: Entity = self.http.request("GET", f"{_V2}/entity/guid/{guid}")["entity"]
        return entity

    def save(self, entities: Sequence[bytes], *, attempts: int | None = None) -> dict[str, Any]:
        """Create or update entities, given as JSON; all of them or none."""
        body = b'{"entities":[' + b",".join(entities) + b"]}"
        answer: dict[str, Any] | None = self.http.request("POST", f"{_V2}/entity/bulk", data=body, attempts=attempts)
        return answer or {}

    def delete(self, guids: Sequence[str]) -> None:
        """Delete entities as the server is set up to do it: by default they are only marked."""
        for start in range(0, len(guids), 100):
            query = "&".join(f"guid={guid}" for guid in guids[start : start + 100])
            try:
                self.http.request("DELETE", f"{_V2}/entity/bulk?{query}")
            except RefusedError as error:
                if error.status != 404:  # gone already: a retry, or a server that removes parts with their whole
                    raise

    def purge(self, guids: Sequence[str]) -> None:
        """Remove deleted entities, edges included. Only then are they gone from the lineage answer."""
        for start in range(0, len(guids), 100):
            self.http.request("PUT", "/api/atlas/admin/purge", data=_encode(guids[start : start + 100]))

    def may_purge(self) -> bool:
        """Whether our user is allowed to purge. Asked with a guid that nobody has: nothing happens."""
        try:
            self.http.request("PUT", "/api/atlas/admin/purge", data=_encode([str(UUID(int=0))]))
        except RefusedError as error:
            return error.status not in (403, 405)
        return True

    def set_attributes(self, type_name: str, name: str, attributes: dict[str, Any]) -> None:
        """Change some attributes of an entity that exists, and nothing else of it."""
        path = (
            f"{_V2}/entity/uniqueAttribute/type/{quote(type_name, safe='')}?attr:qualifiedName={quote(name, safe='')}"
        )
        document = {"entity": {"typeName": type_name, "attributes": {"qualifiedName": name, **attributes}}}
        self.http.request("PUT", path, data=_encode(document))

    def search(self, type_name: str, attributes: Sequence[str]) -> Iterator[Entity]:
        """The live entities of exactly this type, with these attributes. Atlas cannot filter by what is in a list."""
        size = 500
        for offset in range(0, 1_000_000, size):
            query = {
                "typeName": type_name,
                "includeSubTypes": False,
                "excludeDeletedEntities": True,
                "limit": size,
                "offset": offset,
                "attributes": ["qualifiedName", *attributes],
            }
            found = (self.http.request("POST", f"{_V2}/search/basic", data=_encode(query)) or {}).get("entities") or []
            yield from found
            if len(found) < size:
                return

    def lineage(self, type_name: str, name: str, *, direction: Direction = "BOTH", depth: int = 3) -> dict[str, Any]:
        """Atlas's own lineage answer for an entity."""
        query = f"attr:qualifiedName={quote(name, safe='')}&direction={direction}&depth={depth}"
        path = f"{_V2}/lineage/uniqueAttribute/type/{quote(type_name, safe='')}?{query}"
        answer: dict[str, Any] = self.http.request("GET", path)
        return answer


def _encode(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _name_queries(names: Sequence[str]) -> Iterator[str]:
    """Names as numbered query parameters, as many as one request may carry."""
    parts: list[str] = []
    size = 0
    for name in names:
        part = f"attr_{len(parts)}:qualifiedName={quote(name, safe='')}"
        if parts and size + len(part) > _LONGEST_QUERY:
            yield "&".join(parts)
            parts, size = [], 0
            part = f"attr_0:qualifiedName={quote(name, safe='')}"
        parts.append(part)
        size += len(part) + 1
    if parts:
        yield "&".join(parts)
