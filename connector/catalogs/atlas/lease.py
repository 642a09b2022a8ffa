"""One writer at a time for each Atlas server, wherever the writers run and however they spell its address.

Atlas does not keep names unique against two clients that create the same name at the same moment, so writers take turns.
The only thing that they share is the server, and of it this much is relied on: what one client has written, another reads.

Every run adds a lease of its own to the server's one queue, and only ever writes to that lease. It may write lineage once its
lease claims and no other one does. Of two runs that claim at the same moment at least one sees the other; the younger of
them withdraws its claim and waits. A lease is renewed while its run is alive. Its age is judged by the server's clock alone, so
that machines whose clocks differ agree on it; a run that has not renewed its lease for `_LIFETIME` has lost it. A run of the
same machine whose process is gone has lost it at once.

A lease that is released stays in the queue for a while. That shows whether another run wrote between two looks at the queue.
"""

from __future__ import annotations

import getpass
import logging
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import uuid4

from apache_atlas.model.instance import AtlasEntity, AtlasObjectId

from connector.catalogs.atlas.client import AtlasClient, compact
from connector.catalogs.atlas.typedefs import apply_changes, find_changes, load_typedefs
from connector.catalogs.http import RefusedError
from connector.common.file_lock import has_ended
from connector.common.resources import resource_folder
from connector.errors import ConfigurationError, ConnectorError, UnavailableError

_log = logging.getLogger("connector.catalogs")

_QUEUE: Final = "sql_write_queue"
_LEASE: Final = "sql_write_lease"
_NAME: Final = "lineage-connector"
_LIFETIME: Final = 120.0
"""Seconds without a renewal after which a lease is lost."""
_RENEWAL: Final = 20.0
_POLL: Final = 0.5
_SETTLING: Final = 1.5
"""Two runs may create the queue at the same moment. After a pause both are shown the same one by its name."""
_KEPT: Final = 10
"""Released leases that may lie in the queue before they are cleared away."""


@dataclass(frozen=True, slots=True)
class _Lease:
    guid: str
    name: str
    holder: str
    state: str
    created: int
    renewed: int
    """Both by the server's clock, in milliseconds."""

    @property
    def rank(self) -> tuple[int, str]:
        return self.created, self.guid


@dataclass(frozen=True, slots=True)
class _Queue:
    guid: str
    known: frozenset[str]
    """All leases, deleted ones included."""
    leases: tuple[_Lease, ...]


class Held:
    """The right to write. It has to be asked before every write, because it may be lost."""

    def __init__(self, client: AtlasClient, lease: _Lease, others: frozenset[str]) -> None:
        self._client = client
        self._lease = lease
        self._others = others
        self._renewed = time.monotonic()
        self._beats = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._keep_alive, name="atlas-lease", daemon=True)
        self._thread.start()

    def undisturbed_since(self, seen: frozenset[str] | None) -> bool:
        """Whether no other run has written since an earlier look at the queue."""
        return seen is not None and self._others <= seen

    def check(self) -> None:
        """Raise an error when another run may have taken over."""
        if time.monotonic() - self._renewed < _LIFETIME * 0.75:
            return
        found = self._client.by_guid([self._lease.guid])
        if not found or found[0].status != "ACTIVE" or found[0].get_attribute("state") != "claiming":
            raise UnavailableError(
                "This run did not renew its lease in time, and another run has taken over. What was written so far "
                "is consistent; the next run writes the rest."
            )
        self._beat()

    def release(self) -> None:
        self._ended.set()
        self._thread.join()
        try:
            self._client.set_attributes(_LEASE, self._lease.name, {"state": "released"})
        except ConnectorError as error:  # it is lost by itself after a while
            _log.debug("releasing the lease: %s", error)

    def _keep_alive(self) -> None:
        while not self._ended.wait(_RENEWAL):
            try:
                self._beat()
            except ConnectorError as error:
                _log.debug("renewing the lease: %s", error)

    def _beat(self) -> None:
        started = time.monotonic()
        self._beats += 1
        self._client.set_attributes(_LEASE, self._lease.name, {"beat": self._beats})
        self._renewed = started


class WriteQueue:
    """The runs that write to a server, or want to."""

    def __init__(self, client: AtlasClient, *, wait: float = 3600.0) -> None:
        self._client = client
        self._wait = wait

    def look(self) -> frozenset[str] | None:
        """The leases there are, for :meth:`Held.undisturbed_since`; None while a run is writing."""
        queue = self._read()
        if queue is None:
            return frozenset()
        writing = any(lease.state == "claiming" and not _is_gone(lease.holder) for lease in queue.leases)
        return None if writing else queue.known

    @contextmanager
    def hold(self) -> Iterator[Held]:
        """Wait until no other run writes, and hold the lease."""
        held = self._acquire()
        self._client.guard = held.check
        try:
            yield held
        finally:
            self._client.guard = None
            held.release()

    def _acquire(self) -> Held:
        own_guid, own_name = self._enter()
        written = deadline = time.monotonic()
        deadline += self._wait
        told = False
        beats = 0
        while True:
            queue = self._read()
            own = next((lease for lease in queue.leases if lease.guid == own_guid), None) if queue is not None else None
            if queue is None or own is None:
                raise UnavailableError("The lease of this run no longer exists in Atlas; it was deleted.")
            now = own.renewed + int((time.monotonic() - written) * 1000)
            alive = self._without_dead(queue, own, now)
            rivals = [lease for lease in alive if lease.state == "claiming"]
            if not rivals and own.state == "claiming":
                self._clear(queue, own)
                return Held(self._client, own, queue.known - {own_guid})
            if rivals and not told:
                _log.warning("Another run is writing to Atlas (%s); waiting for it to finish", rivals[0].holder)
                told = True
            if time.monotonic() > deadline:
                self._client.set_attributes(_LEASE, own_name, {"state": "released"})
                raise UnavailableError(
                    f"Another run has been writing to Atlas for {self._wait:.0f} s; gave up waiting."
                )
            first = all(own.rank < lease.rank for lease in rivals)
            if first != (own.state == "claiming"):
                self._client.set_attributes(_LEASE, own_name, {"state": "claiming" if first else "waiting"})
                written = time.monotonic()
                continue
            if time.monotonic() - written > _RENEWAL:
                beats += 1
                self._client.set_attributes(_LEASE, own_name, {"beat": -beats})
                written = time.monotonic()
            time.sleep(_POLL)

    def _without_dead(self, queue: _Queue, own: _Lease, now: int) -> list[_Lease]:
        """The other leases whose runs are alive; those of the dead are released for them."""
        alive = []
        for lease in queue.leases:
            if lease is own or lease.state == "released":
                continue
            if now - lease.renewed > _LIFETIME * 1000 or _is_gone(lease.holder):
                _log.info("The run of %s ended without releasing its lease; taking over", lease.holder)
                self._client.set_attributes(_LEASE, lease.name, {"state": "released"})
            else:
                alive.append(lease)
        return alive

    def _enter(self) -> tuple[str, str]:
        """Add a lease that claims; returns its guid and its name."""
        queue = self._read()
        if queue is None:
            self._create()
            queue = self._read()
            if queue is None:
                raise UnavailableError("Atlas does not return the write queue that was just created.")
        name = f"{_NAME}:{uuid4().hex}"
        lease = {
            "typeName": _LEASE,
            "guid": "-1",
            "attributes": {"qualifiedName": name, "holder": _me(), "state": "claiming", "beat": 0},
            "relationshipAttributes": {"queue": compact(AtlasObjectId({"typeName": _QUEUE, "guid": queue.guid}))},
        }
        answer = self._client.save([compact(AtlasEntity(lease))])
        return str(answer.get_assigned_guid("-1")), name

    def _create(self) -> None:
        """The queue, once for each server, and its types where `typedefs apply` has not created them."""
        queue = compact(AtlasEntity({"typeName": _QUEUE, "guid": "-1", "attributes": {"qualifiedName": _NAME}}))
        try:
            self._client.save([queue])
        except RefusedError as error:
            if error.status not in (400, 404):
                raise
            self._create_types()
            self._client.save([queue])
        time.sleep(_SETTLING)

    def _create_types(self) -> None:
        document = load_typedefs(resource_folder("typedefs") / "coordination.json")
        try:
            apply_changes(self._client, find_changes([document], self._client.typedefs()))
        except RefusedError as error:
            if error.status == 403:
                raise ConfigurationError(
                    "Atlas lacks the types that the connector uses to lock out other runs, and this user may not create them. "
                    "Create them as another user with: typedefs apply"
                ) from None
            if error.status != 409:  # another run was faster
                raise

    def _read(self) -> _Queue | None:
        found = [each for each in self._client.read(_QUEUE, [_NAME], relationships=True) if each.status == "ACTIVE"]
        if not found:
            return None
        related = found[0].get_relationship_attribute("leases") or ()
        known = frozenset(str(each["guid"]) for each in related)
        live = [str(each["guid"]) for each in related if each.get("entityStatus") == "ACTIVE"]
        entities = self._client.by_guid(live) if live else []
        leases = (
            _Lease(
                str(each.guid),
                str(each.get_attribute("qualifiedName")),
                str(each.get_attribute("holder") or ""),
                str(each.get_attribute("state") or "released"),
                int(each.createTime or 0),
                int(each.updateTime or 0),
            )
            for each in entities
            if each.status == "ACTIVE"
        )
        return _Queue(str(found[0].guid), known, tuple(leases))

    def _clear(self, queue: _Queue, own: _Lease) -> None:
        """Remove old leases. Only the holder of the lease does so, so that no other run misses what happened."""
        old = [lease.guid for lease in queue.leases if lease.state == "released" and lease.guid != own.guid]
        if len(old) < _KEPT:
            return
        try:
            self._client.delete(old)
            self._client.purge(old)
        except ConnectorError as error:  # without the right to purge they stay, marked as deleted
            _log.debug("clearing old leases: %s", error)


# --- who we are -------------------------------------------------------------------------------------------------------


def _me() -> str:
    """User, machine and process, and at the end what tells whether a process number means the same to another run."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = "unknown"
    return f"{user}@{platform.node()} {os.getpid()} {_process_table()}"


def _process_table() -> str:
    """The kernel that runs us, since when, and the space of its process numbers; empty where that cannot be told."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _is_gone(holder: str) -> bool:
    """Whether the run is of this machine and its process has ended. Of other machines only time tells."""
    words = holder.rsplit(" ", 2)
    if len(words) < 3 or not words[2] or words[2] != _process_table() or not words[1].isdigit():
        return False
    return has_ended(int(words[1]))
