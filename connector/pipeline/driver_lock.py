"""One run at a time on the tables of a storage.

On a local folder the lock is held by an open file, so it goes with the process, however that ends. Elsewhere a run shows
that it is alive by a small file of its own, whose name it changes every few seconds; whoever finds such a file watches it
for a while. The name says whether the run wants the tables or holds them. Of several runs that want them at the same moment,
each looks at the others after its own file is there, so that no two can miss each other. No clocks are compared. No file is ever replaced: on some storages (HDFS among them) a file that is replaced is
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
from typing import Any, NamedTuple
from uuid import uuid4

from connector.common.file_lock import has_ended, try_lock
from connector.errors import ConfigurationError, UnavailableError
from connector.pipeline.storage import Storage, storage_failures

_log = logging.getLogger("connector.pipeline")

_LOCAL, _REMOTE = "_lock", "_drivers"
_WANTS, _HOLDS = "wants", "holds"
_BEAT = re.compile(rf"([0-9a-f]{{32}})-(\d+)-({_WANTS}|{_HOLDS})\.json")
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
            _wait_until_free(storage, deadline)
            beat = _take(storage, deadline)
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
        self._path = ""
        self._intent = _WANTS
        self._moving = threading.Lock()
        self._over = threading.Event()
        self._show()
        self.start()

    @property
    def id(self) -> str:
        return str(self._driver["id"])

    def run(self) -> None:
        while not self._over.wait(BEAT_SECONDS):
            try:
                self._show()
            except OSError as error:  # the next one may come through; the tables are safe without any
                _log.debug("The heartbeat of this run could not be written: %s", error)

    def hold(self) -> None:
        """Show from now on that this driver holds the tables."""
        self._intent = _HOLDS
        self._show()

    def stop(self) -> None:
        self._over.set()
        self.join()
        _remove(self._storage, self._path)

    def _show(self) -> None:
        """The next file is there before the last one goes, so that others find one at any time."""
        with self._moving:
            before, path = self._path, f"{_REMOTE}/{self.id}-{self._number + 1}-{self._intent}.json"
            self._storage.write(path, json.dumps(self._driver).encode())
            self._number, self._path = self._number + 1, path
            if before:
                _remove(self._storage, before)


class _Sighting(NamedTuple):
    """Another driver that has just been seen."""

    content: bytes | None
    """What its files say, which is the same in all of them; None if each one was gone before it could be read."""
    holds: bool
    moved: bool
    """Whether it was seen before with another file: it is alive for certain."""


class _Others:
    """The other drivers that show themselves, observed for a while. Those that are dead are removed."""

    def __init__(self, storage: Storage, besides: str = "") -> None:
        self._storage = storage
        self._ignored = {besides}
        self._watched: dict[str, tuple[str, float]] = {}
        """For each driver its latest file, and since when that has been the latest."""
        self._contents: dict[str, bytes] = {}

    def look(self) -> dict[str, _Sighting]:
        """Those that are not known to be dead, by id."""
        drivers = {driver: seen for driver, seen in _drivers(self._storage).items() if driver not in self._ignored}
        return {driver: sighting for driver, seen in drivers.items() if (sighting := self._watch(driver, *seen))}

    def _watch(self, driver: str, path: str, holds: bool) -> _Sighting | None:
        now = time.monotonic()
        before, since = self._watched.get(driver, (path, now))
        self._watched[driver] = (path, since if path == before else now)
        silent = path == before and now - since > SILENT_SECONDS
        read = _content(self._storage, path)
        if read is not None:
            self._contents[driver] = read
        content = self._contents.get(driver)
        if not silent and not _has_ended(content):
            return _Sighting(content, holds, path != before)
        if silent:
            _log.warning(
                "The run%s on %s no longer responds; taking over from it", _described(content), self._storage.label
            )
        self._ignored.add(driver)
        _remove(self._storage, path)
        return None


def _wait_until_free(storage: Storage, deadline: float) -> None:
    """Return when no other driver shows itself. One that is alive is waited for until the deadline."""
    others = _Others(storage)
    while seen := others.look():
        if time.monotonic() >= deadline:
            for sighting in seen.values():
                if sighting.moved:
                    raise _busy(storage, sighting.content)
        _pause()


def _take(storage: Storage, deadline: float) -> _Beat | None:
    """Take the tables, or step back for another driver that has begun at the same moment.

    Of drivers that only want the tables, the one with the lowest id takes them. But one with a higher id may have looked
    before the other's file was there, and be about to take them: whether it does or steps back is waited for.
    """
    beat = _Beat(storage)
    others = _Others(storage, besides=beat.id)
    taken = False
    try:
        while seen := others.look():
            first = next((each for driver, each in seen.items() if each.holds or driver < beat.id), None)
            if first is not None:
                if time.monotonic() >= deadline:
                    raise _busy(storage, first.content)
                return None
            _pause()
        beat.hold()
        taken = True
        return beat
    finally:
        if not taken:
            beat.stop()


def _drivers(storage: Storage) -> dict[str, tuple[str, bool]]:
    """For each driver, by its id, its latest file, and whether it holds the tables."""
    latest: dict[str, tuple[int, str, bool]] = {}
    for name in storage.list_files(_REMOTE):
        if named := _BEAT.fullmatch(name):
            seen = (int(named[2]), f"{_REMOTE}/{name}", named[3] == _HOLDS)
            latest[named[1]] = max(latest.get(named[1], seen), seen)
    return {driver: (path, holds) for driver, (_, path, holds) in latest.items()}


def _pause() -> None:
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
    return holder is not None and holder["host"] == socket.gethostname() and has_ended(holder["pid"])


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
        f"Another run is using the tables at {storage.label}{_described(content)}. Try again when it has finished, or wait for "
        "it with --wait."
    )
