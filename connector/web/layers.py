"""The ASGI layers that every request passes: safe headers, a known host and origin, and a body within its limits."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
