"""The resource usage of another process.

The limit applies to resident memory, and the parent watches it. The kernel can refuse memory (`RLIMIT_DATA`), but that is not
suitable for enforcing the limit. It counts addresses that are reserved and never used: Arrow's allocator reserves up to 1 GB with
its first array. And compiled code that is refused memory while it raises an error crashes the interpreter, so that a statement
that uses too much memory looks like a crash.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import resource  # not available everywhere, but this module is imported everywhere


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


_SPARE_MB = 2048
"""Far more than libraries reserve without using it: allocator pools, thread stacks."""
_MEGABYTE = 1 << 20


class TakenMemory:
    """The peak of this process's resident memory, relative to when this object was created."""

    def __init__(self) -> None:
        try:
            self._status = os.open("/proc/self/status", os.O_RDONLY)
        except OSError:
            self._status = -1
        self.before_mb = self._own_peak_mb()

    def above(self, megabytes: float) -> float:
        """The memory used if it exceeds the given number of megabytes; otherwise 0.

        The cheap measurement never underestimates and is tried first. It overestimates in the child of a large process, which
        inherits that process's peak.
        """
        if bound_mb() - self.before_mb <= megabytes:
            return 0.0
        taken = self._own_peak_mb() - self.before_mb
        return taken if taken > megabytes else 0.0

    def _own_peak_mb(self) -> float:
        try:
            status = os.pread(self._status, 4096, 0)
            return int(status.partition(b"VmHWM:")[2].split(maxsplit=1)[0]) / 1024
        except (OSError, ValueError, IndexError):
            return bound_mb()


def bound_mb() -> float:
    """An upper bound of this process's resident memory so far."""
    return peak_mb(resource.getrusage(resource.RUSAGE_SELF))


def limit_reserved(memory_mb: int) -> None:
    """Lets the kernel stop a child, but only one that the parent cannot check in time."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, ValueError, IndexError):
        return
    limit = pages * resource.getpagesize() + (memory_mb + _SPARE_MB) * _MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or limit <= hard:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
