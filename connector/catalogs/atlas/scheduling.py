"""Which entities go together, and which may travel at the same time.

Writing an edge changes both of its ends, so two requests that touch the same table make the server roll one of them
back. A batch is therefore put together when a worker is free, out of what touches nothing that is on its way. Batches
are small: what a server does for one entity grows with the number of new entities in the same request.
"""

from __future__ import annotations

from collections import Counter

from connector.catalogs.atlas.payload import Letter, Limits
from connector.catalogs.atlas.plan import Key

__all__ = ["Schedule"]

_LOOK_AHEAD = 2000
"""How many waiting entities are looked at for one batch."""


class Schedule:
    """Entities of one kind that wait to be sent."""

    def __init__(self, letters: list[Letter], limits: Limits) -> None:
        self._waiting = letters
        self._limits = limits
        self._busy: Counter[Key] = Counter()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self) -> list[Letter]:
        """The next batch, its objects marked as busy; empty when all that waits has to wait for a batch under way."""
        batch: list[Letter] = []
        passed: list[Letter] = []
        size = 0
        at = 0
        for at, letter in enumerate(self._waiting[:_LOOK_AHEAD], start=1):
            if batch and (len(batch) >= self._limits.entities or size + len(letter.body) > self._limits.bytes):
                at -= 1
                break
            if any(key in self._busy for key in letter.planned.needs):
                passed.append(letter)
            else:
                batch.append(letter)
                size += len(letter.body)
        self._waiting = passed + self._waiting[at:]
        self._busy.update(key for letter in batch for key in letter.planned.needs)
        return batch

    def done(self, batch: list[Letter]) -> None:
        """A batch has arrived, or never will."""
        self._busy.subtract(key for letter in batch for key in letter.planned.needs)
        self._busy = +self._busy
