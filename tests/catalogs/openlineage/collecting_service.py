"""A service that collects OpenLineage events, in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["Collector", "collecting_service"]


class Collector:
    """Keeps what was posted. `fault` may answer instead, with a status."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.fault: Callable[[dict[str, Any]], int | None] = lambda event: None
        self.url = ""
        self._lock = threading.Lock()

    def take(self, path: str, key: str | None, body: bytes) -> tuple[int, bytes]:
        event = json.loads(body)
        with self._lock:
            self.paths.append(path)
            self.keys.append(key)
            status = self.fault(event)
            if status is not None:
                return status, b'{"message": "as told"}'
            self.events.append(event)
        return 201, b"Created"

    @property
    def requests(self) -> int:
        return len(self.paths)


@contextmanager
def collecting_service() -> Iterator[Collector]:
    """A collector behind an address of this machine."""
    found = Collector()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, answer = found.take(self.path, self.headers.get("Authorization"), body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
