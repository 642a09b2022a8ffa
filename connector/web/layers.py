"""The ASGI layers that every request passes: safe headers, a known host and origin, a rate per client, and a body within its
limits."""

from __future__ import annotations

import logging
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connector.errors import ConfigurationError
from connector.web.refusal import Refusal, refusal_response
from connector.web.settings import ServeSettings, is_loopback

_log = logging.getLogger("connector")

CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
"""The policy of whatever is not the page: a browser that is shown it runs and loads nothing."""

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-store",
    "Content-Security-Policy": CLOSED_POLICY,
}


class SafeAnswers:
    """The outermost ASGI layer. A header that an answer has set itself stays."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_safely(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, send_safely)
        except Exception as error:  # noqa: BLE001  the last line: the client gets a sentence, whatever went wrong
            _log.error("A request failed: %s", _where(error))
            if not begun:
                refusal = Refusal(500, "internal", "The server could not answer this request; see its log for details.")
                await refusal_response(refusal)(scope, receive, send_safely)


def _where(error: BaseException) -> str:
    """The kind of the error and the way it took. Its text may hold SQL, and stays out of the log."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    way = " > ".join([f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames])
    return f"{type(error).__name__} at {way}"


_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class SameOrigin:
    """An ASGI layer that turns other names and other origins away.

    Any web page can send requests to 127.0.0.1, and a domain can be pointed there (DNS rebinding) so that the browser takes
    the answers for its own. The name in the request gives the second away, its origin the first.
    """

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        self._app = app
        self._names: frozenset[str] | None = None
        """The names the server answers to; any, where a token decides and no names were given."""
        given = frozenset(name.lower() for name in settings.allowed_hosts)
        if is_loopback(settings.host):
            self._names = _LOOPBACK | given | {settings.host.lower().strip("[]")}
        elif given:
            self._names = given

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            refusal = self._check(Headers(scope=scope))
            if refusal is not None:
                await refusal_response(refusal)(scope, receive, send)
                return
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        await self._app(scope, receive, send)

    def _check(self, headers: Headers) -> Refusal | None:
        host = headers.get("host", "")
        if self._names is not None and _name(host) not in self._names:
            return Refusal(421, "forbidden", "This host name is not allowed; allow it with --allowed-host.")
        if _is_foreign(headers, host):
            return Refusal(403, "forbidden", "Requests from other sites are not allowed.")
        return None


def _is_foreign(headers: Headers, host: str) -> bool:
    """Whether another site made the browser ask. A program that is no browser sends neither header.

    Following a link to the page is no harm. The session goes along with that and with nothing else (`SameSite=Lax`).
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none") and headers.get("sec-fetch-mode") != "navigate"
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc.lower() != host.lower()


def _name(host: str) -> str:
    """The name in a Host header, without port and brackets; empty when it cannot be read."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


class BodyLimit:
    """An ASGI layer that has the whole body when it hands the request on."""

    def __init__(self, app: ASGIApp, max_bytes: int, seconds: float) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await read_body(scope, receive, self._max_bytes, self._seconds)
        except Refusal as refusal:
            await refusal_response(refusal)(scope, receive, send)
            return
        if body is None:
            return
        given = False

        async def replay() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, replay, send)


async def read_body(scope: Scope, receive: Receive, max_bytes: int, seconds: float) -> bytes | None:
    """The body; None when the client has gone away, `Refusal` when it is too large or too slow.

    The limit counts what really comes in, whatever the header of the request says.
    """
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if declared.isdigit() and int(declared) > max_bytes:
        raise _too_large(max_bytes)
    parts: list[bytes] = []
    size = 0
    try:
        with anyio.fail_after(seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                size += len(part)
                if size > max_bytes:
                    raise _too_large(max_bytes)
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise Refusal(408, "slow", f"The request did not arrive within {seconds:g} seconds.") from None


def _too_large(max_bytes: int) -> Refusal:
    return Refusal(413, "too_large", f"The request exceeds the limit of {max_bytes:,} bytes.")


_Network: TypeAlias = IPv4Network | IPv6Network

_LOOPBACK_NETWORKS = ("127.0.0.0/8", "::1/128")


class Clients:
    """Tells clients apart.

    A proxy names the client in ``X-Forwarded-For``. Any client can send that header, so only known proxies are trusted, and
    only as far back as the chain of known proxies reaches.
    """

    def __init__(self, proxies: tuple[str, ...], *, behind_local_proxy: bool = False) -> None:
        """`behind_local_proxy`: a proxy on this machine forwards requests, as expected of a server with additional host names."""
        named = [*proxies, *(_LOOPBACK_NETWORKS if behind_local_proxy else ())]
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
        now = self._clock()
        left, since = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        self._left[client] = (left - 1 if left >= 1 else left, now)
        while len(self._left) > _REMEMBERED:
            self._left.popitem(last=False)
        return 0.0 if left >= 1 else (1 - left) / self._per_second


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
