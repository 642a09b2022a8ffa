"""Trying again: how often, and after how long."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["Backoff"]


@dataclass(frozen=True)
class Backoff:
    """Waits that double, each cut to a random part, so that clients that failed together do not return together."""

    attempts: int = 6
    first: float = 0.5
    longest: float = 30.0
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    share: Callable[[], float] = field(default=random.random, repr=False)

    def wait(self, failures: int, at_least: float | None = None) -> None:
        """Pause after the given number of failures. What the server asks for (`at_least`) is kept to, within reason."""
        pause = min(self.longest, self.first * 2 ** (failures - 1)) * self.share()
        if at_least is not None:
            pause = max(pause, min(at_least, 2 * self.longest))
        self.sleep(pause)
