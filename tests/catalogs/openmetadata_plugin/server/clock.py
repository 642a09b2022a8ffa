"""Time in milliseconds that never stands still: two changes have two times, whatever the machine's clock says."""

from __future__ import annotations

import threading
import time

__all__ = ["Clock"]


class Clock:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> int:
        with self._lock:
            self._last = max(self._last + 1, time.time_ns() // 1_000_000)
            return self._last
