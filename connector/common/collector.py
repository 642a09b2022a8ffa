"""Python's cyclic garbage collector: how often it runs in processes of our own, and when to pause it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


def collect_rarely() -> None:
    """For a process of our own, never for that of a user of the package.

    Trees and models are made of many objects that stay alive. Looking through them as often as Python does takes a third
    of the time that a script of some megabytes needs, and saves no memory.
    """
    gc.set_threshold(10_000, 50, 100)


@contextmanager
def collector_paused() -> Iterator[None]:
    """For work that creates very many rows and no cycles: the collector would take a quarter of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
