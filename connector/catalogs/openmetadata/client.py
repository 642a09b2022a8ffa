"""OpenMetadata's REST interface and its fully qualified names, as far as lineage needs them.

The parts of a name are separated by dots, and parts that contain a dot are in quotes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal
from urllib.parse import quote

from connector.catalogs.http import PASSING, HttpClient, RefusedError, encode
from connector.errors import UnavailableError

_RESERVED = (
    ("::", "__reserved__colon__"),
    (">", "__reserved__arrow__"),
    ('"', "__reserved__quote__"),
    ("\n", "__reserved__newline__"),
    ("\r", "__reserved__carriage_return__"),
    ("\t", "__reserved__tab__"),
)
"""What may not stand in a name, and the words that its own ingestion client writes instead."""


def encode_name(name: str) -> str:
    """A name as the server takes it."""
    name = name.encode("utf-8", "replace").decode()  # half a character is in no name that the server has
    for character, word in _RESERVED:
        name = name.replace(character, word)
    return name


def decode_name(name: str) -> str:
    """The inverse of :func:`encode_name`."""
    for character, word in _RESERVED:
        name = name.replace(word, character)
    return name


def quote_part(part: str) -> str:
    """One part; quoted only when it holds a dot, because the server does not know a needlessly quoted one."""
    return f'"{part}"' if "." in part else part


def build(parts: Iterable[str]) -> str:
    """The name of these parts, which are encoded already."""
    return ".".join(quote_part(part) for part in parts)


def split(fqn: str) -> list[str]:
    """The parts of a name, without quotes."""
    parts: list[str] = []
    current: list[str] = []
    quoted = False
    for character in fqn:
        if character == '"':
            quoted = not quoted
        elif character == "." and not quoted:
            parts.append("".join(current))
            current.clear()
        else:
            current.append(character)
    parts.append("".join(current))
    return parts


def in_path(fqn: str) -> str:
    """A name as it stands in the path of a request."""
    return quote(fqn, safe="")


_log = logging.getLogger("connector.catalogs")

Document = dict[str, Any]

EntityType = Literal[
    "databaseService", "database", "databaseSchema", "table", "storedProcedure", "storageService", "container"
]

COLLECTIONS: Mapping[EntityType, str] = {
    "databaseService": "services/databaseServices",
    "database": "databases",
    "databaseSchema": "databaseSchemas",
    "table": "tables",
    "storedProcedure": "storedProcedures",
    "storageService": "services/storageServices",
    "container": "containers",
}
"""Where each type of entity is found below ``/v1``."""

_FIELDS: Mapping[EntityType, str] = {"table": "columns", "container": "dataModel"}
_INDEXES: Mapping[EntityType, str] = {
    "table": "table_search_index",
    "container": "container_search_index",
    "storedProcedure": "stored_procedure_search_index",
}
MOST_HITS = 10
"""Servers answer a search by field with no more, whatever size is asked for."""
_SHOWN = 1000
"""Edges in one answer of the lineage view."""
_PASSING_BUT_500 = PASSING - {500}
"""A 500 is looked at before anything is sent again: the server may well have done what it was asked."""


class OpenMetadataClient:
    """One OpenMetadata server. Everything here may be sent twice without harm."""

    def __init__(self, http: HttpClient, page_size: int = 100) -> None:
        self.http = http
        self._page_size = page_size
        self._searches = True

    def __enter__(self) -> OpenMetadataClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def url(self) -> str:
        return self.http.url

    # --- the server -------------------------------------------------------------------------------------------------

    def version(self) -> str:
        """The server's version; the one thing that needs no token."""
        answer = self.http.request("GET", "/v1/system/version")
        return str(answer["version"]) if isinstance(answer, dict) and "version" in answer else ""

    def check_token(self) -> None:
        """Ask for next to nothing; a token that is not accepted is found here, before anything is read or written."""
        self.http.request("GET", "/v1/services/databaseServices", params={"limit": "1"})

    # --- entities ---------------------------------------------------------------------------------------------------

    def by_name(self, kind: EntityType, fqn: str) -> Document | None:
        """An entity by its fully qualified name, in exactly this case."""
        params = {"fields": _FIELDS[kind]} if kind in _FIELDS else None
        path = f"/v1/{COLLECTIONS[kind]}/name/{in_path(fqn)}"
        answer: Document | None = self.http.request("GET", path, params=params, none_for=[404])
        return answer

    def pages(self, kind: EntityType, *, columns: bool = True, **filters: str) -> Iterator[tuple[list[Document], int]]:
        """The pages of a list, each with the number of entities in all of them."""
        params = {"limit": str(self._page_size), **filters}
        if kind in _FIELDS and columns:
            params["fields"] = _FIELDS[kind]
        after: str | None = None
        while True:
            answer = self.http.request(
                "GET", f"/v1/{COLLECTIONS[kind]}", params={**params, "after": after} if after else params
            )
            paging = answer.get("paging") or {}
            yield list(answer.get("data") or ()), int(paging.get("total") or 0)
            after = paging.get("after")
            if not after:
                return

    def listed(self, kind: EntityType, *, columns: bool = True, **filters: str) -> list[Document]:
        """All entities of a list; those of something that does not exist are none."""
        try:
            return [entity for page, _ in self.pages(kind, columns=columns, **filters) for entity in page]
        except RefusedError as error:
            if error.status == 404:
                return []
            raise

    def search(self, kind: EntityType, pattern: str) -> list[str]:
        """Fully qualified names that fit a pattern with ``*``, in whatever case, ten of them at the most.

        None when the search engine does not answer; it is not asked again then.
        """
        if not self._searches:
            return []
        params = {
            "fieldName": "fullyQualifiedName",
            "fieldValue": pattern,
            "from": "0",
            "size": str(MOST_HITS),
            "index": _INDEXES[kind],
            "deleted": "false",
        }
        try:
            answer = self.http.request("GET", "/v1/search/fieldQuery", params=params, attempts=2)
        except UnavailableError as error:
            _log.warning("Search is unavailable, falling back to listing tables: %s", error)
            self._searches = False
            return []
        hits = ((answer or {}).get("hits") or {}).get("hits") or ()
        names = (hit.get("_source", {}).get("fullyQualifiedName") for hit in hits)
        return [name for name in names if name]

    def create(self, kind: EntityType, body: Document) -> Document | None:
        """Create an entity; None when it is there already. An existing one is never changed."""
        path = f"/v1/{COLLECTIONS[kind]}"
        answer: Document | None = self.http.request("POST", path, data=encode(body), none_for=[409])
        return answer

    def add_columns(self, table: Document, columns: list[Document]) -> Document | None:
        """Add columns behind those that a table has, and return it; nothing else of it changes."""
        changes = [{"op": "add", "path": "/columns/-", "value": column} for column in columns]
        try:
            self.http.request(
                "PATCH",
                f"/v1/tables/{table['id']}",
                data=encode(changes),
                content_type="application/json-patch+json",
                passing=_PASSING_BUT_500,
            )
        except RefusedError as error:
            # The answer alone does not tell: what was done and then answered with an error is refused the second time.
            _log.debug("columns of %s: %s", table["fullyQualifiedName"], error)
        return self.by_name("table", str(table["fullyQualifiedName"]))

    # --- lineage ----------------------------------------------------------------------------------------------------

    def edge(self, source_id: str, target_id: str) -> Document | None:
        """The details of an edge; None if there is none."""
        path = f"/v1/lineage/getLineageEdge/{source_id}/{target_id}"
        answer = self.http.request("GET", path, none_for=[404])
        return None if answer is None else answer.get("edge") or {}

    def put_edge(self, source: Document, target: Document, details: Document) -> None:
        """Write an edge; what stood there is replaced as a whole. A 500 is an error at once."""
        body = {"edge": {"fromEntity": source, "toEntity": target, "lineageDetails": details}}
        self.http.request("PUT", "/v1/lineage", data=encode(body), passing=_PASSING_BUT_500)

    def delete_edge(self, source: Document, target: Document) -> None:
        """Remove an edge; one that is gone already is no mistake."""
        path = f"/v1/lineage/{source['type']}/{source['id']}/{target['type']}/{target['id']}"
        self.http.request("DELETE", path, none_for=[404])

    def edges_around(
        self, kind: EntityType, fqn: str, *, downstream: bool = True
    ) -> Iterator[tuple[Document, Document, Document]]:
        """The edges that the server stores into an entity and, with `downstream`, out of it: both ends, and the edge itself."""
        params = {"upstreamDepth": "1", "downstreamDepth": "1"}
        graph = self.http.request("GET", f"/v1/lineage/{kind}/name/{in_path(fqn)}", params=params, none_for=[404]) or {}
        entities = [*(graph.get("nodes") or ()), graph.get("entity") or {}]
        nodes = {str(node["id"]): node for node in entities if "id" in node}
        for edge in [*(graph.get("upstreamEdges") or ()), *(graph.get("downstreamEdges") or () if downstream else ())]:
            start, end = (nodes.get(_id(edge[side])) for side in ("fromEntity", "toEntity"))
            if start is not None and end is not None:
                yield start, end, edge

    def shown_upstream(self, kind: EntityType, fqn: str) -> dict[str, Document]:
        """What leads into an entity according to the search index, which the lineage view shows; by id."""
        found: dict[str, Document] = {}
        while True:
            params = {
                "fqn": fqn,
                "type": kind,
                "upstreamDepth": "1",
                "downstreamDepth": "0",
                "includeDeleted": "false",
                "from": str(len(found)),
                "size": str(_SHOWN),
            }
            answer = self.http.request("GET", "/v1/lineage/getLineage", params=params, attempts=2, none_for=[404]) or {}
            edges = answer.get("upstreamEdges") or {}
            before = len(found)
            for edge in edges.values() if isinstance(edges, dict) else edges:
                start, end = edge.get("fromEntity") or {}, edge.get("toEntity") or {}
                if end.get("fullyQualifiedName", fqn) == fqn and "id" in start:
                    found[str(start["id"])] = start
            if len(found) - before < _SHOWN:
                return found


def reference(entity: Document) -> Document:
    """An entity as requests name it."""
    return {"id": str(entity["id"]), "type": str(entity["type"])}


def _id(entity: str | Document) -> str:
    return str(entity["id"]) if isinstance(entity, dict) else str(entity)
