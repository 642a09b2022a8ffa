"""One writer at a time for each catalog on this machine.

Some catalogs do not keep names unique against two clients that create the same name at the same moment. The lock is
held by an open file, so it goes with the process that holds it, however that ends.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from connector.errors import UnavailableError

__all__ = ["only_writer", "try_lock"]

_log = logging.getLogger("connector.catalogs")


@contextmanager
def only_writer(catalog: str, wait: float = 3600.0) -> Iterator[None]:
    """Wait until no other process of this machine writes to the catalog, then go on."""
    digest = sha256(catalog.encode()).hexdigest()[:16]
    file = Path(tempfile.gettempdir()) / f"lineage-connector-{digest}.lock"
    descriptor = os.open(file, os.O_RDONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    try:
        deadline = time.monotonic() + wait
        told = False
        while not try_lock(descriptor):
            if time.monotonic() > deadline:
                raise UnavailableError(f"Another run has been writing to {catalog} for {wait:.0f} s; gave up waiting.")
            if not told:
                _log.warning("Another run is writing to %s; waiting for it to finish", catalog)
                told = True
            time.sleep(0.2)
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Lock an open file, unless another process holds it. The lock goes with the process, however that ends."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock an open file, unless another process holds it. The lock goes with the process, however that ends."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
