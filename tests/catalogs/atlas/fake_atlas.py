"""An Atlas in a few lines, in this process: for the faults that a healthy server does not show."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from connector.catalogs.atlas.typedefs import load_typedefs, own_typedefs
from connector.common.resources import resource_folder

__all__ = ["FakeAtlas", "Request"]

Answer = tuple[int, Any]


class Request:
    def __init__(self, method: str, path: str, body: Any, headers: dict[str, str]) -> None:
        self.method = method
        self.path = path
        self.body = body
        self.headers = headers


class FakeAtlas:
    """Keeps entities by type and name. `fault` may answer instead: with a status, or with None to drop the line."""

    def __init__(self) -> None:
        self.entities: dict[tuple[str, str], dict[str, Any]] = {}
        self.requests: list[Request] = []
        self.coordination: list[Request] = []
        """The requests by which runs keep out of each other's way. They never fail."""
        self.fault: Callable[[Request], Answer | str | None] = lambda request: "pass"
        self.purge_allowed = True
        self.purged: list[str] = []
        documents = [document for _, document in own_typedefs()]
        documents.extend(load_typedefs(file) for file in sorted((resource_folder("typedefs") / "atlas").glob("*.json")))
        self.typedefs: dict[str, list[Any]] = {}
        for document in documents:
            for category, items in document.items():
                self.typedefs.setdefault(category, []).extend(items)
        self._lock = threading.Lock()
        self._number = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> FakeAtlas:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def sent(self, method: str, part: str) -> list[Request]:
        return [request for request in self.requests if request.method == method and part in request.path]

    def answer(self, request: Request) -> Answer:
        path, _, query = request.path.partition("?")
        values = [value for _, value in parse_qsl(query)]
        if path.endswith("/types/typedefs"):
            return 200, self.typedefs
        if path.endswith("/admin/purge"):
            if not self.purge_allowed:
                return 403, {"errorCode": "ATLAS-403-00-001", "errorMessage": "not allowed"}
            self.purged.extend(request.body)
            return (200, {}) if request.body else (400, {"errorMessage": "Guid(s) not specified"})
        named = re.search(r"/entity/bulk/uniqueAttribute/type/(\w+)$", path)
        if named:
            found = [self.entities[(named[1], value)] for value in values if (named[1], value) in self.entities]
            if named[1] == "sql_write_queue":
                leases = [{"guid": e["guid"], "entityStatus": "ACTIVE"} for e in self.all_of("sql_write_lease")]
                found = [{**each, "relationshipAttributes": {"leases": leases}} for each in found]
            return 200, {"entities": found}
        if path.endswith("/entity/bulk") and request.method == "GET":
            known = {entity["guid"]: entity for entity in self.entities.values()}
            wanted = [value for name, value in parse_qsl(query) if name == "guid"]
            missing = [value for value in wanted if value not in known]
            return (404, {"errorMessage": missing[0]}) if missing else (200, {"entities": [known[g] for g in wanted]})
        if path.endswith("/entity/bulk") and request.method == "DELETE":
            for key in [key for key, entity in self.entities.items() if entity["guid"] in values]:
                del self.entities[key]
            return 200, {}
        partly = re.search(r"/entity/uniqueAttribute/type/(\w+)$", path)
        if partly and request.method == "PUT":
            self.entities[(partly[1], values[0])]["attributes"].update(request.body["entity"]["attributes"])
            return 200, {}
        guid = re.search(r"/entity/guid/(\S+)$", path)
        if guid:
            found = [entity for entity in self.entities.values() if entity["guid"] == guid[1]]
            return (200, {"entity": found[0]}) if found else (404, {"errorMessage": "no such guid"})
        if path.endswith("/search/basic"):
            return 200, {"entities": [e for key, e in self.entities.items() if key[0] == request.body["typeName"]]}
        return self._save(request.body["entities"])

    def all_of(self, type_name: str) -> list[dict[str, Any]]:
        return [entity for key, entity in self.entities.items() if key[0] == type_name]

    @property
    def lineage(self) -> dict[tuple[str, str], dict[str, Any]]:
        """What was written, without the leases of the writers."""
        return {key: entity for key, entity in self.entities.items() if not key[0].startswith("sql_write_")}

    def _coordinates(self, request: Request) -> bool:
        leases = [entity["guid"] for entity in self.all_of("sql_write_lease")]
        asked = [value for name, value in parse_qsl(request.path.partition("?")[2]) if name == "guid"]
        return "sql_write_" in request.path + str(request.body) or any(guid in leases for guid in asked)

    def _save(self, entities: list[dict[str, Any]]) -> Answer:
        assigned, created, updated = {}, [], []
        numbered = {entity["guid"]: entity["attributes"]["qualifiedName"] for entity in entities}
        for entity in entities:
            ends = [*entity["attributes"].get("inputs", ()), *entity["attributes"].get("outputs", ())]
            for end in [*ends, *entity.get("relationshipAttributes", {}).values()]:
                if end.get("guid") in {known["guid"] for known in self.entities.values()}:
                    continue
                if "guid" in end:
                    end["uniqueAttributes"] = {"qualifiedName": numbered[end.pop("guid")]}
                elif (end["typeName"], end["uniqueAttributes"]["qualifiedName"]) not in self.entities:
                    return 404, {"errorCode": "ATLAS-404-00-00A", "errorMessage": "Referenced entity is not found"}
        for entity in entities:
            key = (entity["typeName"], entity["attributes"]["qualifiedName"])
            known = self.entities.get(key)
            if known is None:
                self._number += 1
                known = {
                    **entity,
                    "guid": f"guid-{self._number:06}",
                    "status": "ACTIVE",
                    "createTime": 1,
                    "updateTime": 1,
                }
                self.entities[key] = known
                created.append({"guid": known["guid"]})
            else:
                if any(known["attributes"].get(k) != v for k, v in entity["attributes"].items()):
                    updated.append({"guid": known["guid"]})
                known["attributes"].update(entity["attributes"])
            assigned[entity["guid"]] = known["guid"]
        return 200, {"guidAssignments": assigned, "mutatedEntities": {"CREATE": created, "UPDATE": updated}}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(size)) if size else None
                request = Request(self.command, urlsplit(self.path)._replace().geturl(), body, dict(self.headers))
                with fake._lock:
                    apart = fake._coordinates(request)
                    (fake.coordination if apart else fake.requests).append(request)
                    wanted = "pass" if apart else fake.fault(request)
                    if wanted == "pass":
                        wanted = fake.answer(request)
                if wanted is None:
                    self.close_connection = True
                    self.connection.close()
                    return
                assert not isinstance(wanted, str)
                status, document = wanted
                content = json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler
