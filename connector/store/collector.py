"""Python's search for cyclic garbage, and when it is in the way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from connector.model.collector import pause, resume

__all__ = ["collector_paused"]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Work that makes very many rows and no cycles: a quarter of its time would be spent on searching them for some."""
    paused = pause()
    try:
        yield
    finally:
        resume(paused)
