"""The resource usage of another process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import resource  # not available everywhere, but this module is imported everywhere

__all__ = ["End", "await_end", "peak_mb", "resident_mb", "starved_seconds"]


def resident_mb(pid: int) -> float:
    """Resident memory of a process in megabytes; 0 if it is not known."""
    if sys.platform == "darwin":
        asked = subprocess.run(["/bin/ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return int(asked.stdout.strip() or 0) / 1024
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def starved_seconds(pid: int) -> float:
    """The total time the threads of a process have waited for a processor; 0 if it is not known."""
    waited = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            waited += int((thread / "schedstat").read_text(encoding="ascii").split()[1])
    return waited / 1e9


def peak_mb(usage: resource.struct_rusage) -> float:
    """The most resident memory of a process in megabytes. Not less than that, and more where a larger process has
    started it: Linux lets a process begin with the peak of its parent.
    """
    return usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


class End(NamedTuple):
    """The outcome of a process."""

    code: int | None
    """Like `Popen.returncode`; None if it has not ended."""
    peak_mb: float
    """As returned by `peak_mb`; 0 if it is not known."""


def await_end(process: subprocess.Popen[bytes], seconds: float) -> End:
    """Wait for a child that is about to end. `Popen.wait` would discard its memory usage."""
    deadline = time.monotonic() + seconds
    while process.returncode is None:
        try:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        except ChildProcessError:
            break  # another thread, which interrupted the child, has already waited for it
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return End(process.returncode, peak_mb(usage))
        if time.monotonic() >= deadline:
            return End(None, 0.0)
        time.sleep(0.002)
    return End(process.wait(), 0.0)
