"""Rate limits per client, including clients behind a proxy."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import TypeAlias

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from connector.errors import ConfigurationError
from connector.web.refusal import Refusal, refusal_response

_Network: TypeAlias = IPv4Network | IPv6Network

_LOOPBACK = ("127.0.0.0/8", "::1/128")


class Clients:
    """Tells clients apart.

    A proxy names the client in ``X-Forwarded-For``. Any client can send that header, so only known proxies are trusted, and
    only as far back as the chain of known proxies reaches.
    """

    def __init__(self, proxies: tuple[str, ...], *, behind_local_proxy: bool = False) -> None:
        """`behind_local_proxy`: a proxy on this machine forwards requests, as expected of a server with additional host names."""
        named = [*proxies, *(_LOOPBACK if behind_local_proxy else ())]
        self._proxies = [_network(each) for each in named]

    def address(self, scope: Scope) -> str:
        """The address of the client, as far as it can be trusted."""
        peer = scope["client"][0] if scope.get("client") else ""
        if not self._proxies or not self._is_proxy(peer):
            return peer
        said = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
        believed = peer
        for address in reversed([part.strip() for part in said.split(",") if part.strip()]):
            believed = address[:64]
            if not self._is_proxy(address):
                break
        return believed

    def _is_proxy(self, address: str) -> bool:
        try:
            parsed = ip_address(address.strip("[]"))
        except ValueError:
            return False
        return any(parsed in network for network in self._proxies)


def _network(text: str) -> _Network:
    try:
        return ip_network(text, strict=False)
    except ValueError as error:
        raise ConfigurationError(
            f"{text} is not the address of a proxy; use one such as 10.0.0.5 or 10.0.0.0/8."
        ) from error


_REMEMBERED = 10_000
"""Number of clients to remember; the least recently seen is forgotten first."""

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
                refusal = Refusal(429, "rate", "Too many requests; try again later.", retry_after=wait)
                await refusal_response(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)
