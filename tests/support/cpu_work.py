"""How much work something is, as time of the processor: a machine with much else to do gives the same figures as a quiet one.

A trace holds tasks that have ended: an action waits for a frame behind what it wants to measure.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["BrowserWork", "cpu_seconds", "loop_milliseconds", "traced"]

_TICKS = os.sysconf("SC_CLK_TCK")
_TASK = "ThreadControllerImpl::RunTask"
_THREADS = ("CrRendererMain", "DedicatedWorker thread")

LOOP = "() => { let x = 0; for (let i = 0; i < 1e7; i += 1) x = (x * 31 + i) | 0; return x; }"
"""Plain work of the kind that pages do, to which other work is compared."""


FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class BrowserWork(NamedTuple):
    """Milliseconds that the page and its workers have computed."""

    longest: float
    """The longest task of the page itself, during which it answers nobody."""
    total: float


def traced(browser: Browser, page: Page, action: Callable[[], object]) -> BrowserWork:
    """What the renderer does during an action."""
    browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
    try:
        action()
    finally:
        events = json.loads(browser.stop_tracing())["traceEvents"]
    names = {
        (event["pid"], event["tid"]): event["args"]["name"] for event in events if event.get("name") == "thread_name"
    }
    tasks = [
        (names.get((event["pid"], event["tid"])), event["tdur"] / 1000)
        for event in events
        if event.get("name") == _TASK and "tdur" in event
    ]
    main = [took for thread, took in tasks if thread == _THREADS[0]]
    assert main, "the browser has recorded no tasks"
    return BrowserWork(max(main), sum(took for thread, took in tasks if thread in _THREADS))


def loop_milliseconds(browser: Browser, page: Page) -> float:
    """What the loop takes in this browser on this machine; the one in the middle of three."""

    def run() -> None:
        page.evaluate(LOOP)
        page.evaluate(FRAMES)  # the task has ended, and so it is in the trace

    run()
    return sorted(traced(browser, page, run).longest for _ in range(3))[1]


def cpu_seconds(process: int) -> float:
    """What a process and those that it has started have computed so far."""
    children: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
            spent[int(entry.name)] = sum(int(each) for each in fields[11:15])  # its own, and of those that have ended
    waiting, total = [process], 0
    while waiting:
        each = waiting.pop()
        total += spent.get(each, 0)
        waiting.extend(children.get(each, ()))
    return total / _TICKS
