"""Guards for a server: one child per concurrent call."""

from __future__ import annotations

from collections.abc import Callable
from queue import LifoQueue
from types import TracebackType
from typing import Generic, TypeVar

from connector.guard.guard import Guard
from connector.guard.limits import Limits

__all__ = ["GuardPool"]

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class GuardPool(Generic[Argument, Result]):
    """Calls a task from any thread, at most `size` at once; further callers wait for their turn.

    Children are started on demand, and the most recently used one is used first, so that an idle server keeps few.
    """

    def __init__(self, task: Callable[[Argument], Result], limits: Limits | None = None, size: int = 2) -> None:
        guards = [Guard(task, limits) for _ in range(max(size, 1))]
        self._all = guards
        self._free: LifoQueue[Guard[Argument, Result]] = LifoQueue()
        for guard in guards:
            self._free.put(guard)

    def __enter__(self) -> GuardPool[Argument, Result]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start one child before the first call needs it."""
        guard = self._free.get()
        try:
            guard.start()
        finally:
            self._free.put(guard)

    def call(self, argument: Argument) -> Result:
        """The task's result, or what `Guard` raises."""
        guard = self._free.get()
        try:
            return guard(argument)
        finally:
            self._free.put(guard)

    def interrupt(self) -> None:
        """End all calls now: a server that is shutting down does not wait for them."""
        for guard in self._all:
            guard.interrupt()

    def close(self) -> None:
        """End the children as soon as their calls are done."""
        for _ in self._all:
            self._free.get().close()
        for guard in self._all:
            self._free.put(guard)
