"""Pausing Python's cyclic garbage collector while a large structure is built.

Syntax trees, models and the objects of an export are made of very many objects that all stay alive until the work is
done. The collector looks at all of them again and again as their number grows, finds nothing, and makes linear work
cost more than linear time.
"""

from __future__ import annotations

import gc

__all__ = ["pause", "relieve", "resume"]

_MANY = 5_000
"""Objects that may wait for a collection during a pause: so few that they still lie in the processor's cache."""


def pause() -> bool:
    """No collection from here on. Says whether it was this call that stopped them: then `resume` has to follow.

    Two functions and no context manager, since making one is an allocation that may start the very collection.
    Nested pauses and other threads at worst lose the benefit.
    """
    if gc.isenabled():
        gc.disable()
        return True
    return False


def resume(paused: bool) -> None:
    """Ends a pause, if there is one."""
    if paused:
        gc.enable()


def relieve(paused: bool) -> None:
    """In the middle of a long pause: a collection, where so much was made that it is time for one."""
    if paused and gc.get_count()[0] > _MANY:
        gc.collect(0)
