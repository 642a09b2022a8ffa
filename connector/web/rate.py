"""How often a client may ask: a bucket of permissions for each, refilled steadily."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from connector.web.clients import Clients
from connector.web.refusal import Refusal, refusal_response

__all__ = ["RateGate", "RateLimit"]

_REMEMBERED = 10_000
"""Clients that are remembered; whoever has been away longest is forgotten first."""

_WORK = ("/api/analyze", "/api/export")
_READS_FOR_EACH_ANALYSIS = 10
"""Looking something up costs little, and one look at the page is several of them."""


class RateLimit:
    """At most `per_minute` in the long run, and `burst` at once. Used on the event loop alone, so it needs no lock."""

    def __init__(self, per_minute: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second = per_minute / 60
        self._burst = max(1.0, burst)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Use one permission; the seconds to wait when there is none, else 0."""
        left = self._permissions(client)
        allowed = left >= 1
        self._left.pop(client, None)
        self._left[client] = (left - 1 if allowed else left, self._clock())
        while len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if allowed else self._wait(left)

    def wait(self, client: str) -> float:
        """The seconds until there is a permission, which is not used."""
        left = self._permissions(client)
        return 0.0 if left >= 1 else self._wait(left)

    def _permissions(self, client: str) -> float:
        now = self._clock()
        left, since = self._left.get(client, (self._burst, now))
        return min(self._burst, left + (now - since) * self._per_second)

    def _wait(self, left: float) -> float:
        return (1 - left) / self._per_second


class RateGate:
    """An ASGI layer: analyses are counted one by one, everything else more generously."""

    def __init__(self, app: ASGIApp, per_minute: int, clients: Clients) -> None:
        self._app = app
        self._clients = clients
        self._analyses = RateLimit(per_minute, per_minute / 4)
        reads = per_minute * _READS_FOR_EACH_ANALYSIS
        self._reads = RateLimit(reads, reads / 4)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            limit = self._analyses if scope["path"].startswith(_WORK) else self._reads
            wait = limit.take(self._clients.address(scope))
            if wait:
                refusal = Refusal(429, "rate", "Too many requests; slow down a little.", retry_after=wait)
                await refusal_response(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)
