"""Who may talk to the server from inside a browser: the page that it serves itself, and nobody else.

Any web page can send requests to 127.0.0.1, and a domain can be pointed there (DNS rebinding) so that the browser takes the
answers for its own. The name in the request gives the second away, its origin the first.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from connector.web.refusal import Refusal, refusal_response
from connector.web.settings import ServeSettings, is_loopback

__all__ = ["SameOrigin"]

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class SameOrigin:
    """An ASGI layer that turns other names and other origins away."""

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
            return Refusal(421, "forbidden", "This server does not answer to that name; --allowed-host adds one.")
        if _is_foreign(headers, host):
            return Refusal(403, "forbidden", "Requests from other sites are not answered.")
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
