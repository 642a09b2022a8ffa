"""The wire: HTTP/1.1 with connections that are kept, and sometimes cut."""

from __future__ import annotations

import socket
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from .answers import Answer, Refused, json_answer
from .auth import User
from .requests_log import Logged
from .resources import Call

if TYPE_CHECKING:
    from . import OpenMetadataServer

__all__ = ["HttpServer"]

_LARGE = 8192
_PREFIX = "/api"


class HttpServer(ThreadingHTTPServer):
    """Listens on a free port of this machine."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, owner: OpenMetadataServer, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        if tls is not None:
            self.socket = tls.wrap_socket(self.socket, server_side=True)
        self.owner = owner
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._guard:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._guard:
            self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End all connections, kept ones too: nobody must reach a server that is down."""
        with self._guard:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the client was faster


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: HttpServer

    def setup(self) -> None:
        super().setup()
        self._cut_next = False

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *arguments: Any) -> None:
        """The request log has it all."""

    def _serve(self) -> None:
        with self.server.owner.log.under_way():
            self._answer()

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self._cut_next:
            self._cut()
            return
        parts = urlsplit(self.path)
        path = parts.path.removeprefix(_PREFIX)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        owner = self.server.owner
        user: User | None = None
        fault = owner.faults.striking(self.command, path)
        answer: Answer | None = None
        if fault is None or fault.moment == "after":
            user, answer = self._carry_out(path, query, body)
        if fault is not None:
            answer = None if fault.status is None else _injected(fault.status, fault.message)
        status = 0 if answer is None else answer.status
        agent = self.headers.get("User-Agent") or ""
        owner.log.add(Logged(self.command, path, query, body, status, user.name if user else None, agent))
        if answer is None:
            self._cut()
            return
        self._cut_next = status in (405, 415) or (status == 401 and len(body) > _LARGE)
        self._send(answer)

    def _carry_out(self, path: str, query: dict[str, str], body: bytes) -> tuple[User | None, Answer]:
        owner = self.server.owner
        user = None
        try:
            if not self.path.startswith(f"{_PREFIX}/v1/"):
                raise Refused(404, "HTTP 404 Not Found")
            if (self.command, path) == ("GET", "/v1/system/version"):
                return None, json_answer(200, owner.version_document())
            handler, parts = owner.resources.find(self.command, path.removeprefix("/v1/"))
            user = owner.authority.user(self.headers.get("Authorization"))
            content_type = self.headers.get("Content-Type") or ""
            with owner.lock:
                try:
                    answer = handler(Call(self.command, parts, query, body, content_type, user))
                finally:
                    changes = owner.edges.changes()
            for change in changes:
                owner.index.change(change)
        except Refused as refused:
            return user, refused.answer()
        return user, answer

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        if answer.content_type is not None:
            self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)
        self.wfile.flush()

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815


def _injected(status: int, message: str | None) -> Answer:
    return Answer(status) if message is None else Refused(status, message).answer()
