"""The headers that every answer carries, and the answer to what nobody expected."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connector.web.refusal import Refusal, refusal_response

__all__ = ["CLOSED_POLICY", "SafeAnswers"]

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
                refusal = Refusal(
                    500, "internal", "The server could not answer this request; its log says where it failed."
                )
                await refusal_response(refusal)(scope, receive, send_safely)


def _where(error: BaseException) -> str:
    """The kind of the error and the way it took. Its text may hold SQL, and stays out of the log."""
    frames = traceback.extract_tb(error.__traceback__)[-6:]
    way = " > ".join([f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames])
    return f"{type(error).__name__} at {way}"
