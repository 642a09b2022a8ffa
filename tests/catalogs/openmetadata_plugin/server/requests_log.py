"""What the server was asked, for tests to look at."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = ["Logged", "RequestLog"]


@dataclass(frozen=True, slots=True)
class Logged:
    """One request and the status it got; 0 when the connection was cut."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    status: int
    user: str | None
    agent: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def write(self) -> bool:
        return self.method != "GET"

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.status}"


class RequestLog:
    def __init__(self) -> None:
        self._requests: list[Logged] = []
        self._lock = threading.Lock()
        self._busy = 0
        self.most_at_once = 0
        """How many requests were under way at the same time."""

    @contextmanager
    def under_way(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
            self.most_at_once = max(self.most_at_once, self._busy)
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1

    def add(self, request: Logged) -> None:
        with self._lock:
            self._requests.append(request)

    def clear(self) -> None:
        with self._lock:
            self._requests.clear()

    def all(self) -> list[Logged]:
        with self._lock:
            return list(self._requests)

    def writes(self) -> list[Logged]:
        """Everything that could change something."""
        return [request for request in self.all() if request.write]

    def find(self, method: str, path: str) -> list[Logged]:
        """Requests of a method whose path starts with something."""
        return [request for request in self.all() if request.method == method and request.path.startswith(path)]
