"""Python's cyclic garbage collector, and when to pause it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from connector.model.collector import pause, resume

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Iterator[None]:
    """For work that creates very many rows and no cycles: the collector would take a quarter of the time."""
    paused = pause()
    try:
        yield
    finally:
        resume(paused)
