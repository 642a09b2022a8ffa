"""Reads the body of a request before anybody works on it: not more than allowed, and not for longer than allowed."""

from __future__ import annotations

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connector.web.refusal import Refusal, refusal_response

__all__ = ["BodyLimit", "read_body"]


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
    return Refusal(413, "too_large", f"The request is larger than the {max_bytes:,} bytes that this server takes.")
