"""What goes back over the wire, and the exception that carries a refusal there."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "Refused", "empty", "error_body", "json_answer"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, a body and its type. A body without a type goes out without Content-Type, as the real server does it."""

    status: int
    body: bytes = b""
    content_type: str | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Refused(Exception):  # noqa: N818
    """The request is answered with an error."""

    def __init__(self, status: int, message: str, *, headers: dict[str, str] | None = None, plain: bool = False):
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = headers or {}
        self.plain = plain

    def answer(self) -> Answer:
        if self.plain:
            return Answer(self.status, self.message.encode(), "text/plain", self.headers)
        body = json.dumps(error_body(self.status, self.message)).encode()
        return Answer(self.status, body, "application/json", self.headers)


def error_body(status: int, message: str) -> dict[str, Any]:
    if status == 500:
        return {"code": 500, "errorType": "UNHANDLED_SERVER_EXCEPTION", "message": message}
    return {"code": status, "message": message}


def json_answer(status: int, document: Any) -> Answer:
    return Answer(status, json.dumps(document, ensure_ascii=False).encode(), "application/json")


def empty(status: int = 200) -> Answer:
    return Answer(status)
