"""Pausing Python's cyclic garbage collector while a large structure is built.

Syntax trees and models are made of very many objects that all stay alive until the work is done. The collector
looks at all of them again and again as their number grows, which makes linear work cost more than linear time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["paused_collector"]


@contextmanager
def paused_collector() -> Iterator[None]:
    """No collection until the block ends. Nested blocks and other threads at worst lose the benefit."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
