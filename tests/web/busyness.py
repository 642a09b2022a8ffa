"""How busy the machine is: what takes longer only because of others must not fail a test."""

from __future__ import annotations

import time

__all__ = ["busyness"]


def busyness() -> float:
    """How many times longer than on a quiet machine things take just now."""
    wall, own = time.perf_counter(), time.process_time()
    sum(number * number for number in range(300_000))
    return max(1.0, (time.perf_counter() - wall) / (time.process_time() - own))
