"""Error responses of the server, in one form: a sentence for people and a code for programs."""

from __future__ import annotations

import math
from typing import Any, Literal

from starlette.responses import JSONResponse

Code = Literal[
    "ambiguous",
    "busy",
    "crash",
    "depth",
    "forbidden",
    "internal",
    "invalid",
    "memory",
    "no_store",
    "not_found",
    "rate",
    "slow",
    "store",
    "timeout",
    "too_large",
    "unauthorized",
]


class Refusal(Exception):  # noqa: N818  it is an answer, not a fault of the server
    """A request that is not answered, and why."""

    def __init__(
        self,
        status: int,
        code: Code,
        message: str,
        *,
        retry_after: float | None = None,
        candidates: list[str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code: Code = code
        self.message = message
        self.retry_after = retry_after
        self.candidates = candidates


def refusal_response(refusal: Refusal) -> JSONResponse:
    """The refusal as it is sent."""
    content: dict[str, Any] = {"detail": refusal.message, "code": refusal.code}
    if refusal.candidates is not None:
        content["candidates"] = refusal.candidates
    headers = {}
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(max(1, math.ceil(refusal.retry_after)))
    if refusal.status == 401:
        content["login"] = "login"
        headers["WWW-Authenticate"] = "Bearer"
    if refusal.status in (408, 413):
        headers["Connection"] = "close"  # what the client still sends is not read
    return JSONResponse(content, refusal.status, headers)
