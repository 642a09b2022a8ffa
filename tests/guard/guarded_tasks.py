"""What the guarded child is asked to do in the tests."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from connector.errors import ConfigurationError


class UnpicklableError(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.lock = threading.Lock()


def perform(order: tuple[str, Any]) -> Any:
    """One task for all tests: the order says what."""
    what, argument = order
    return _DEEDS[what](argument)


def _take_memory(megabytes: int) -> int:
    taken = [bytearray(1 << 20) for _ in range(megabytes)]
    return len(taken)


def _take_memory_and_crash(megabytes: int) -> None:
    taken = [bytearray(1 << 20) for _ in range(megabytes)]
    ctypes.string_at(0)
    del taken


_RESERVED: list[mmap.mmap] = []


def _reserve(megabytes: int) -> int:
    """Addresses for later, and no memory yet: what allocators and stacks of threads do, Arrow's among them."""
    _RESERVED.append(mmap.mmap(-1, megabytes << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    return megabytes


def _nest(depth: int) -> int:
    return 0 if depth == 0 else 1 + _nest(depth - 1)


def _raise(message: str) -> None:
    raise ConfigurationError(message)


def _raise_unpicklable(message: str) -> None:
    raise UnpicklableError(message)


def _spin(_: Any) -> None:
    while True:
        pass


def _spin_without_releasing(seconds: int) -> None:
    """Compiled code that keeps the interpreter to itself, so that neither threads nor handlers run."""
    ctypes.PyDLL(None).sleep(seconds)


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
    sys.stderr.write(text)


def _touch_then_spin(path: str) -> None:
    Path(path).write_text(str(os.getpid()))
    _spin_without_releasing(600)


_DEEDS: dict[str, Callable[[Any], Any]] = {
    "echo": lambda value: value,
    "length": len,
    "pid": lambda _: os.getpid(),
    "memory": _take_memory,
    "memory and crash": _take_memory_and_crash,
    "reserve": _reserve,
    "nest": _nest,
    "raise": _raise,
    "raise unpicklable": _raise_unpicklable,
    "return unpicklable": lambda _: threading.Lock(),
    "spin": _spin,
    "spin in C": _spin_without_releasing,
    "segfault": lambda _: ctypes.string_at(0),
    "exit": lambda code: os._exit(code),
    "abort": lambda _: os.abort(),
    "print": _print,
    "sleep": time.sleep,
    "touch and spin": _touch_then_spin,
    "session": lambda _: os.getsid(0),
}
