"""Runs the application: one process, one socket, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from connector.errors import ConfigurationError
from connector.web.app import create_app
from connector.web.settings import ServeSettings

_HEAD_BYTES = 32_768
_CONNECTIONS = 500
_IDLE_SECONDS = 30
_STOP_SECONDS = 5
"""How long requests that are being answered may hold up the end."""


def serve(settings: ServeSettings, announce: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. `announce` is told the address once the server answers there."""
    app = create_app(settings)
    listening = _bind(settings.host, settings.port)
    config = uvicorn.Config(
        app,
        http=_prompt_protocol(settings.head_seconds),
        ws="none",
        lifespan="on",
        log_config=None,
        log_level=logging.ERROR,  # requests that are none are everyday noise
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_CONNECTIONS,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_STOP_SECONDS,
        h11_max_incomplete_event_size=_HEAD_BYTES,
    )
    server = _Server(config, lambda: announce(_address(settings.host, listening)))
    # uvicorn raises the signal once more when it has stopped, for handlers that were there before it.
    before = {number: signal.signal(number, _stopped_already) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        listening.close()


class _Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def _prompt_protocol(seconds: float) -> type[asyncio.Protocol]:
    """HTTP that closes connections on which no request arrives in time."""

    class PromptProtocol(H11Protocol):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            self._patience: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
                self._wait()
            else:
                self._stop_waiting()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def _wait(self) -> None:
            if self._patience is None:
                self._patience = self.loop.call_later(seconds, self.transport.abort)

        def _stop_waiting(self) -> None:
            if self._patience is not None:
                self._patience.cancel()
                self._patience = None

    return PromptProtocol


def _stopped_already(number: int, frame: FrameType | None) -> None:
    """The server has ended in good order; there is nothing left for the signal to do."""


def _bind(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except BaseException:
            listening.close()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ConfigurationError(f"Cannot serve on {host}, port {port}: {reason}.") from error
    return listening


def _address(host: str, listening: socket.socket) -> str:
    port = listening.getsockname()[1]
    name = host.strip("[]")
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"
