"""What another process takes of the machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

__all__ = ["resident_mb", "starved_seconds"]


def resident_mb(pid: int) -> float:
    """Resident memory of a process in megabytes; 0 where nobody tells."""
    if sys.platform == "darwin":
        asked = subprocess.run(["/bin/ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return int(asked.stdout.strip() or 0) / 1024
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def starved_seconds(pid: int) -> float:
    """How long the threads of a process have waited for a processor in all; 0 where nobody tells."""
    waited = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            waited += int((thread / "schedstat").read_text(encoding="ascii").split()[1])
    return waited / 1e9
