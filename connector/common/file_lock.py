"""File locks, and one writer at a time for each catalog on this machine.

Some catalogs create duplicates when two clients create the same name at the same time. A lock is held by an open file, so it is
released when the process ends, however it ends. The file is opened for reading only, so that several users can share it. Whoever
holds it removes it at the end.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from connector.errors import UnavailableError

_log = logging.getLogger("connector.catalogs")


@contextmanager
def only_writer(catalog: str, wait: float = 3600.0) -> Iterator[None]:
    """Wait until no other process on this machine writes to the catalog, and keep others from writing to it."""
    digest = sha256(catalog.encode()).hexdigest()[:16]
    file = Path(tempfile.gettempdir()) / f"lineage-connector-{digest}.lock"
    deadline = time.monotonic() + wait
    told = False
    while (descriptor := _locked(file)) is None:
        if time.monotonic() > deadline:
            raise UnavailableError(f"Another run has been writing to {catalog} for {wait:.0f} s; gave up waiting.")
        if not told:
            _log.warning("Another run is writing to %s; waiting for it to finish", catalog)
            told = True
        time.sleep(0.2)
    try:
        yield
    finally:
        with suppress(OSError):  # another user's, or Windows, where an open file cannot be removed
            file.unlink()
        os.close(descriptor)


def _locked(file: Path) -> int | None:
    """A descriptor that holds the file's lock; None if another process has it.

    A file that was removed between opening and locking it is no lock any more: the next writer creates a new one.
    """
    descriptor = os.open(file, os.O_RDONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    with suppress(FileNotFoundError):
        if try_lock(descriptor) and os.path.samestat(os.fstat(descriptor), file.stat()):
            return descriptor
    os.close(descriptor)
    return None


def has_ended(pid: int) -> bool:
    """Whether this machine has no process with this number. One of another user is there, too."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Lock an open file, unless another process has locked it. The lock is released when the process ends."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock an open file, unless another process has locked it. The lock is released when the process ends."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
