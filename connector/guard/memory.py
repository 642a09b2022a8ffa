"""The child's own memory: how much its tasks have used, and a limit as a last resort.

The limit applies to resident memory, and the parent watches it. The kernel can refuse memory (`RLIMIT_DATA`), but that is not
suitable for enforcing the limit. It counts addresses that are reserved and never used: Arrow's allocator reserves up to 1 GB with
its first array. And compiled code that is refused memory while it raises an error crashes the interpreter, so that a statement
that uses too much memory looks like a crash.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path

from connector.guard.processes import peak_mb

__all__ = ["TakenMemory", "bound_mb", "limit_reserved"]

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
