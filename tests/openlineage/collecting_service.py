"""A service that collects OpenLineage events, in this process."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["Collector"]


class Collector:
    """Keeps what was posted. `fault` may answer instead, with a status."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.keys: list[str | None] = []
        self.fault: Callable[[dict[str, Any]], int | None] = lambda event: None
        self.url = ""
        self._lock = threading.Lock()

    def take(self, path: str, key: str | None, body: bytes) -> tuple[int, bytes]:
        event = json.loads(body)
        with self._lock:
            self.paths.append(path)
            self.keys.append(key)
            status = self.fault(event)
            if status is not None:
                return status, b'{"message": "as told"}'
            self.events.append(event)
        return 201, b"Created"

    @property
    def requests(self) -> int:
        return len(self.paths)
