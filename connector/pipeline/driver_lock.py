"""One run at a time on the tables of a storage.

On a local folder the lock is held by an open file, so it goes with the process, however that ends. Elsewhere a run shows
that it is alive by a small file of its own, whose name it changes every few seconds; whoever finds such a file watches it
for a while. No clocks are compared. No file is ever replaced: on some storages (HDFS among them) a file that is replaced is
missing for a moment, and a run that looked at that moment would take the tables for free. A run that is only slow, and is
taken for dead, is stopped by the tables themselves: they refuse its commits.
"""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from connector.common.file_lock import try_lock
from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.storage import Storage, storage_failures

_log = logging.getLogger("connector.pipeline")

_LOCAL, _REMOTE = "_lock", "_drivers"
_BEAT = re.compile(r"([0-9a-f]{32})-(\d+)\.json")
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
    deadline = time.monotonic() + wait
    with storage_failures(storage):
        beat = None
        while beat is None:
            _wait_for_silence(storage, deadline)
            beat = _first_of_all(storage, deadline)
    beat.start()
    try:
        yield
    finally:
        beat.stop()


class _Beat(threading.Thread):
    """Shows that this driver is alive, again and again, until it is stopped."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(daemon=True)
        self._storage = storage
        self._driver = _this_driver()
        self._number = 0
        self._over = threading.Event()
        self._show()

    @property
    def id(self) -> str:
        return str(self._driver["id"])

    def run(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            try:
                self._show()
            except OSError as error:  # the next one may come through; the tables are safe without any
                _log.debug("The heartbeat of this run could not be written: %s", error)

    def stop(self) -> None:
        self._over.set()
        if self.ident is not None:
            self.join()
        _remove(self._storage, self._path(self._number))

    def _show(self) -> None:
        """The next file is there before the last one goes, so that others find one at any time."""
        self._storage.write(self._path(self._number + 1), json.dumps(self._driver).encode())
        self._number += 1
        if self._number > 1:
            _remove(self._storage, self._path(self._number - 1))

    def _path(self, number: int) -> str:
        return f"{_REMOTE}/{self.id}-{number}.json"


def _first_of_all(storage: Storage, deadline: float) -> _Beat | None:
    """Begin to show this driver. Of several that begin at the same moment all but one step back."""
    beat = _Beat(storage)
    rivals = [driver for driver in _drivers(storage) if driver < beat.id]
    if not rivals:
        return beat
    beat.stop()
    if time.monotonic() >= deadline:
        raise _busy(storage, None)
    return None


def _drivers(storage: Storage) -> dict[str, str]:
    """The latest file of each driver that has one, by its id."""
    latest: dict[str, tuple[int, str]] = {}
    for name in storage.list_files(_REMOTE):
        if named := _BEAT.fullmatch(name):
            latest[named[1]] = max(latest.get(named[1], (0, "")), (int(named[2]), f"{_REMOTE}/{name}"))
    return {driver: path for driver, (_, path) in latest.items()}


def _wait_for_silence(storage: Storage, deadline: float) -> None:
    """Return when nobody holds the tables. A driver that moves is waited for until the deadline."""
    watched: dict[str, tuple[str, float]] = {}
    """For each driver its latest file, and since when that has been the latest."""
    gone: set[str] = set()
    while drivers := {driver: path for driver, path in _drivers(storage).items() if driver not in gone}:
        now = time.monotonic()
        for driver, path in drivers.items():
            content = _content(storage, path)
            before, since = watched.setdefault(driver, (path, now))
            if path != before:
                if now >= deadline:
                    raise _busy(storage, content)
                watched[driver] = (path, now)
            silent = path == before and now - since > SILENT_SECONDS
            if silent:
                _log.warning(
                    "The run%s on %s no longer responds; taking over from it", _described(content), storage.label
                )
            if silent or _has_ended(content):
                gone.add(driver)
                _remove(storage, path)
        if drivers.keys() - gone:
            time.sleep(min(BEAT_SECONDS / 3, 0.5))


def _content(storage: Storage, path: str) -> bytes | None:
    """What the file of a driver says; None where the driver has moved on in the meantime."""
    try:
        return storage.read(path)
    except OSError:
        return None


def _remove(storage: Storage, path: str) -> None:
    """Remove the file of a driver. One that stays behind does no harm: its driver no longer moves, and others see that."""
    try:
        storage.delete(path)
    except OSError as error:
        _log.debug("%s was not removed: %s", path, error)


def _has_ended(content: bytes | None) -> bool:
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


def _described(content: bytes | None) -> str:
    holder = _holder(content)
    return f" (process {holder['pid']} on {holder['host']}, since {holder['since']})" if holder else ""


def _busy(storage: Storage, content: bytes | None) -> UnavailableError:
    return UnavailableError(
        f"Another run is using the tables at {storage.label}{_described(content)}. Try again when it is done, or wait for "
        "it with --wait."
    )
