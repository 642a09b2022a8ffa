"""Runs one server and ends it, with everything it has started, as soon as the process that wanted it is gone.

    python keeper.py OWNER COMMAND …

Cluster managers start processes of their own (executors, containers), and these outlive a manager that is killed. The keeper
makes itself the parent of such orphans, so nothing that a test has started can be left behind.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36


def main(owner: int, command: list[str]) -> int:
    """Run the command until it ends, until the owner ends, or until SIGTERM."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    asked_to_stop = False

    def stop(*_: object) -> None:
        nonlocal asked_to_stop
        asked_to_stop = True

    signal.signal(signal.SIGTERM, stop)
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    while server.poll() is None and not asked_to_stop and _is_running(owner):
        time.sleep(0.2)
    while below := _descendants(os.getpid()):
        for pid in below:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        _reap()
        time.sleep(0.05)
    return 0 if asked_to_stop else 1


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _descendants(root: int) -> list[int]:
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue
    reached: list[int] = []
    queue = [root]
    while queue:
        parent = queue.pop()
        below = [pid for pid, its_parent in parents.items() if its_parent == parent]
        reached.extend(below)
        queue.extend(below)
    return reached


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
