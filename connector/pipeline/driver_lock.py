"""One run at a time on the tables of a storage.

On a local folder the lock is held by an open file, so it goes with the process, however that ends. Elsewhere a run keeps
writing a small file, and whoever finds that file watches it for a while: where it changes, its owner is alive. No clocks
are compared. A run that is only slow, and is taken for dead, is stopped by the tables themselves: they refuse its commits.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from connector.catalogs.locking import try_lock
from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.storage import Storage, storage_failures

__all__ = ["BEAT_SECONDS", "SILENT_SECONDS", "only_driver"]

_log = logging.getLogger("connector.pipeline")

_LOCAL, _REMOTE = "_lock", "_driver.json"
BEAT_SECONDS = 3.0
SILENT_SECONDS = 12.0
"""How often a run shows that it is alive, and after how long a silence it is taken for dead."""


@contextmanager
def only_driver(storage: Storage, wait: float = 0.0) -> Iterator[None]:
    """Hold the tables for the time of a run. Another run is waited for; after `wait` seconds it is an error."""
    with _local_lock(storage, wait) if storage.is_local else _remote_lock(storage, wait):
        yield


@contextmanager
def _local_lock(storage: Storage, wait: float) -> Iterator[None]:
    folder = Path(storage.address)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"The folder {folder} for the tables cannot be created: {error.strerror}") from error
    lock = folder / _LOCAL
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    try:
        deadline = time.monotonic() + wait
        while not try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise _busy(storage, lock.read_bytes())
            time.sleep(0.2)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(_this_driver()).encode(), 0)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


@contextmanager
def _remote_lock(storage: Storage, wait: float) -> Iterator[None]:
    with storage_failures(storage):
        _wait_for_silence(storage, time.monotonic() + wait)
        beat = _Beat(storage)
    beat.start()
    try:
        yield
    finally:
        beat.stop()


class _Beat(threading.Thread):
    """Writes the file of this driver again and again, until it is stopped."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(daemon=True)
        self._storage = storage
        self._driver = _this_driver()
        self._over = threading.Event()
        self._write()

    def run(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            try:
                self._write()
            except OSError as error:  # the next one may come through; the tables are safe without any
                _log.debug("The tables were not told that this run is alive: %s", error)

    def stop(self) -> None:
        self._over.set()
        self.join()
        if (_holder(self._storage.read(_REMOTE)) or {}).get("id") == self._driver["id"]:
            self._storage.delete(_REMOTE)

    def _write(self) -> None:
        self._driver["beat"] = self._driver.get("beat", 0) + 1
        self._storage.write(_REMOTE, json.dumps(self._driver).encode())


def _wait_for_silence(storage: Storage, deadline: float) -> None:
    """Come back when nobody holds the tables."""
    seen = _look(storage)
    silent_since = time.monotonic()
    while seen is not None and not _has_ended(seen):
        time.sleep(min(BEAT_SECONDS / 3, 0.5))
        now = _look(storage)
        if now != seen:
            if now is not None and time.monotonic() >= deadline:
                raise _busy(storage, now)
            seen, silent_since = now, time.monotonic()
        elif time.monotonic() - silent_since > SILENT_SECONDS:
            _log.warning("The run%s on %s no longer responds; taking over from it", _described(seen), storage.label)
            return


def _look(storage: Storage) -> bytes | None:
    """What the file says. On some storages it is away for a moment while it is written again."""
    try:
        return storage.read(_REMOTE)
    except OSError:
        time.sleep(0.5)
        return storage.read(_REMOTE)


def _has_ended(content: bytes) -> bool:
    """Whether it was a process of this machine, which is gone."""
    holder = _holder(content)
    if holder is None or holder["host"] != socket.gethostname():
        return False
    try:
        os.kill(holder["pid"], 0)
    except ProcessLookupError:
        return True
    except OSError:  # somebody else's
        return False
    return False


def _this_driver() -> dict[str, Any]:
    return {
        "id": uuid4().hex,
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "since": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }


def _holder(content: bytes | None) -> dict[str, Any] | None:
    try:
        holder = json.loads(content or b"")
    except ValueError:
        return None
    return holder if isinstance(holder, dict) and {"id", "pid", "host", "since"} <= holder.keys() else None


def _described(content: bytes) -> str:
    holder = _holder(content)
    return f" (process {holder['pid']} on {holder['host']}, since {holder['since']})" if holder else ""


def _busy(storage: Storage, content: bytes) -> UnavailableError:
    return UnavailableError(
        f"Another run is using the tables at {storage.label}{_described(content)}. Try again when it is done, or wait for "
        "it with --wait."
    )
