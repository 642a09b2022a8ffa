"""A server that answers like OpenMetadata: it keeps state, checks every body with the generated models, and fails when told to.

It runs in the process of the tests, on a port of this machine, and stands for a real server of version 2.0: what it
answers was seen there. Where nothing was seen it refuses rather than guesses.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from .auth import BOT, PERSON, READER, Authority, User
from .clock import Clock
from .entities import Entities
from .faults import Faults
from .http import HttpServer
from .index import Index
from .lineage import Edges
from .requests_log import Logged, RequestLog
from .resources import Resources
from .search import Search
from .tls import server_context

__all__ = ["BOT", "PERSON", "READER", "Logged", "OpenMetadataServer", "User"]


class OpenMetadataServer:
    """Use as a context manager; `url` is what goes into hostPort."""

    def __init__(self, version: str = "2.0.0", certificate: Path | None = None) -> None:
        self.version = version
        self._certificate = certificate
        self.lock = threading.RLock()
        clock = Clock()
        self.entities = Entities(clock)
        self.edges = Edges(self.entities, clock)
        self.search = Search(self.entities)
        self.index = Index(self.entities)
        self.resources = Resources(self.entities, self.edges, self.search, self.index)
        self.authority = Authority()
        self.faults = Faults()
        self.log = RequestLog()
        self._clock = clock
        self._port = 0
        self._http: HttpServer | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> OpenMetadataServer:
        self.start()
        return self

    def __exit__(self, *details: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        scheme = "http" if self._certificate is None else "https"
        return f"{scheme}://127.0.0.1:{self._port}/api"

    def token(self, user: User = BOT, *, key_id: bool = True, expired: bool = False) -> str:
        return self.authority.token(user, key_id=key_id, expired=expired)

    def start(self) -> None:
        """Listen; after a `stop` on the same port and with the same content."""
        context = None if self._certificate is None else server_context(self._certificate)
        self._http = HttpServer(self, self._port, context)
        self._port = self._http.server_address[1]
        self.entities.base = self.url
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Be down: connections are refused, open ones are ended. The content stays."""
        if self._http is None or self._thread is None:
            return
        self._http.shutdown()
        self._http.server_close()
        self._http.hang_up()
        self._thread.join()
        self._http = self._thread = None

    def version_document(self) -> dict[str, Any]:
        return {"version": self.version, "revision": "0" * 40, "timestamp": self._clock.now()}
