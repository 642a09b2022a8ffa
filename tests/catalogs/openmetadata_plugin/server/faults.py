"""Failures that a test asks for."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import Literal

__all__ = ["Fault", "Faults"]

Moment = Literal["before", "after"]


@dataclass(slots=True)
class Fault:
    """What goes wrong, with which requests, and how often."""

    status: int | None
    """The answer; None cuts the connection instead."""
    moment: Moment
    """Whether the request is carried out all the same."""
    methods: frozenset[str]
    path: re.Pattern[str]
    skip: int
    times: int | None
    message: str | None
    """None: an empty body."""

    def strikes(self, method: str, path: str) -> bool:
        """Whether this request is hit. Counts it."""
        if method not in self.methods or not self.path.search(path) or self.times == 0:
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


class Faults:
    """The faults that are set, asked in order for each request."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._lock = threading.Lock()

    def answer(
        self,
        status: int,
        *,
        methods: str = "PUT",
        path: str = r"^/v1/lineage$",
        skip: int = 0,
        times: int | None = 1,
        after_writing: bool = False,
        message: str | None = "An exception with message [injected] was thrown while processing request.",
    ) -> None:
        """Answer requests with an error, after the first `skip`, `times` times (None: always)."""
        moment: Moment = "after" if after_writing else "before"
        self._add(Fault(status, moment, frozenset(methods.split()), re.compile(path), skip, times, message))

    def overload(
        self, times: int | None = 1, *, methods: str = "GET PUT POST PATCH DELETE", path: str = "^/v1/"
    ) -> None:
        """503 with an empty body."""
        self.answer(503, methods=methods, path=path, times=times, message=None)

    def cut(
        self,
        *,
        methods: str = "PUT",
        path: str = r"^/v1/lineage$",
        skip: int = 0,
        times: int | None = 1,
        after_writing: bool = False,
    ) -> None:
        """End the connection instead of answering."""
        moment: Moment = "after" if after_writing else "before"
        self._add(Fault(None, moment, frozenset(methods.split()), re.compile(path), skip, times, None))

    def clear(self) -> None:
        with self._lock:
            self._faults.clear()

    def striking(self, method: str, path: str) -> Fault | None:
        with self._lock:
            return next((fault for fault in self._faults if fault.strikes(method, path)), None)

    def _add(self, fault: Fault) -> None:
        with self._lock:
            self._faults.append(fault)
