"""The processes that a test has started, found through their parents."""

from __future__ import annotations

import os
from pathlib import Path


def descendants(of: int) -> dict[int, str]:
    """Process ids and command lines of all that a process has started, directly or not."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    found: dict[int, str] = {}
    queue = [of]
    for parent in queue:
        for pid, its_parent in parents.items():
            if its_parent == parent and pid not in found:
                try:
                    found[pid] = (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                except OSError:
                    continue
                queue.append(pid)
    return found


def python_workers() -> list[int]:
    """Spark's Python workers below this process: forked by a daemon, and called as it is."""
    below = descendants(os.getpid())
    daemons = [pid for pid, command in below.items() if "pyspark.worker" in command]
    return [pid for daemon in daemons for pid in descendants(daemon) if "pyspark.worker" in below.get(pid, "")]
