"""Requests to a server by hand."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any
from urllib.parse import quote

import requests

__all__ = ["Rest", "encoded"]


def encoded(name: str) -> str:
    """A fully qualified name as part of a path."""
    return quote(name, safe="")


class Rest:
    def __init__(self, url: str, token: str | None) -> None:
        self.url = f"{url}/v1"
        self._session = requests.Session()
        self._session.trust_env = False
        if token is not None:
            self._session.headers["Authorization"] = f"Bearer {token}"

    def __enter__(self) -> Rest:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.close()

    def get(self, path: str, **query: str | int) -> requests.Response:
        return self._session.get(f"{self.url}/{path}", params=query, timeout=30)

    def send(
        self, method: str, path: str, document: Any = None, *, type: str = "application/json", raw: bytes | None = None
    ) -> requests.Response:
        body = raw if raw is not None else b"" if document is None else json.dumps(document).encode()
        return self._session.request(
            method, f"{self.url}/{path}", data=body, headers={"Content-Type": type}, timeout=30
        )

    def put(self, path: str, document: Any = None) -> requests.Response:
        return self.send("PUT", path, document)

    def patch(self, path: str, operations: Any) -> requests.Response:
        return self.send("PATCH", path, operations, type="application/json-patch+json")

    def delete(self, path: str) -> requests.Response:
        return self._session.delete(f"{self.url}/{path}", timeout=30)
