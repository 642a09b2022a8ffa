"""The child's own memory: how much its tasks have taken, and a limit that is a last resort.

Resident memory is what counts, and the parent watches it. The kernel can refuse memory (`RLIMIT_DATA`), and that is no
way to hold a task to its limit. It counts addresses that are reserved and never used: Arrow's allocator reserves 1 GB
with its first array, or what it can get of that. And compiled code that is refused memory while it raises an error
brings the interpreter down, so that a statement which takes too much looks like a crash.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path

from connector.guard.processes import peak_mb

__all__ = ["TakenMemory", "bound_mb", "limit_reserved"]

_SPARE_MB = 2048
"""Far more than libraries reserve without use: pools of allocators, stacks of threads."""
_MEGABYTE = 1 << 20


class TakenMemory:
    """How much resident memory this process has had at most, beyond what it had when this object was made."""

    def __init__(self) -> None:
        try:
            self._status = os.open("/proc/self/status", os.O_RDONLY)
        except OSError:
            self._status = -1
        self.before_mb = self._own_peak_mb()

    def above(self, megabytes: float) -> float:
        """The memory taken, where that is more than so many megabytes; else 0.

        What costs next to nothing is never too little, and is asked first. It is too much in the child of a large
        process, because it starts with the peak of that one.
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
    """Resident memory that this process has never had more of."""
    return peak_mb(resource.getrusage(resource.RUSAGE_SELF))


def limit_reserved(memory_mb: int) -> None:
    """Let the kernel stop a child that the parent does not get to look at, and no other."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except (OSError, ValueError, IndexError):
        return
    limit = pages * resource.getpagesize() + (memory_mb + _SPARE_MB) * _MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or limit <= hard:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
