"""OpenLineage as an implementation of the catalog protocol: events for a service, or for a file.

Both take one event after the other, and each event once.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from connector.catalogs.catalog import Catalog, DeliverySettings, Outdated, RunState, RunWatcher, Seen, Session
from connector.catalogs.http import HttpClient, RefusedError
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.openlineage.collecting import JobEvent, Plan, collect, time_text
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.settings import Backoff, writable_file
from connector.catalogs.summary import DeadLetters, Failure, Summary
from connector.common.file_lock import only_writer
from connector.common.progress import Progress
from connector.errors import UnavailableError, cannot_write
from connector.export.as_openlineage import facet, job_type, run_event
from connector.lineage import Lineage

_WRONG_PLACE = frozenset({403, 404, 405})
"""Answers that say something about the address or the key, and nothing about the event."""

_RUN_ID = re.compile(rb'"runId": "([0-9a-f-]{36})"')
_EVENT_TYPE = re.compile(rb'"eventType": "([A-Z]+)"')

Event = dict[str, Any]
Outcome = str | None
"""Why an event was refused, or None."""


class Destination(Protocol):
    """Takes events."""

    def send(self, events: Sequence[Event]) -> list[Outcome]:
        """Hand over some events; what comes back says of each whether it was taken."""
        ...


@contextmanager
def open_destination(settings: OpenLineageSettings) -> Iterator[Destination]:
    """The place that the settings name."""
    if settings.file is not None:
        yield _EventFile(settings.file)
        return
    with settings.connect() as client, ThreadPoolExecutor(settings.workers, thread_name_prefix="openlineage") as pool:
        yield _Service(client, settings.endpoint, pool)


def check_service(client: HttpClient, endpoint: str) -> None:
    """Check that the service responds and accepts our credentials. It offers nothing but to post events, so any response will do."""
    try:
        client.request("GET", "/" + endpoint.strip("/"), expects_json=False)
    except RefusedError as error:
        if error.status == 403:
            raise UnavailableError(f"OpenLineage at {client.url} denied access: {error}") from None


class _Service:
    """An HTTP service. It takes one event in a request; several requests are under way at once."""

    def __init__(self, client: HttpClient, endpoint: str, pool: ThreadPoolExecutor) -> None:
        self._client = client
        self._path = "/" + endpoint.strip("/")
        self._pool = pool

    def send(self, events: Sequence[Event]) -> list[Outcome]:
        return list(self._pool.map(self._post, events))

    def _post(self, event: Event) -> Outcome:
        body = json.dumps(event, ensure_ascii=False).encode()
        try:
            self._client.request("POST", self._path, data=body, expects_json=False)
        except RefusedError as error:
            if error.status in _WRONG_PLACE:
                raise UnavailableError(
                    f"OpenLineage at {self._client.url} rejected the event at {self._path}: {error}"
                ) from None
            return str(error)
        return None


class _EventFile:
    """A file of JSON lines that grows.

    A run may be killed between writing an event and remembering it. So what stands in the file already is not written again,
    and a line that was cut off is taken away.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._present = _present(file)
        except OSError as error:
            raise cannot_write(file, error) from error

    def send(self, events: Sequence[Event]) -> list[Outcome]:
        new = [event for event in events if _key(event) not in self._present]
        text = "".join([json.dumps(event, ensure_ascii=False) + "\n" for event in new])
        try:
            with self._file.open("ab") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise cannot_write(self._file, error) from error
        self._present.update(map(_key, new))
        return [None] * len(events)


def _key(event: Event) -> tuple[bytes, bytes]:
    return event["run"]["runId"].encode(), event["eventType"].encode()


def _present(file: Path) -> set[tuple[bytes, bytes]]:
    """Run and type of the events in a file, which ends with a whole line afterwards."""
    found: set[tuple[bytes, bytes]] = set()
    if not file.exists():
        return found
    whole = 0
    with file.open("rb") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            run = _RUN_ID.search(line)
            kind = _EVENT_TYPE.search(line)
            if run and kind:
                found.add((run[1], kind[1]))
    if whole < file.stat().st_size:
        os.truncate(file, whole)
    return found


_TYPE = "job"
_CHUNK = 100
"""How many events are handed over before the ledger remembers them: what a killed run may send again."""


class OpenLineageSession(Session[Plan, Outdated]):
    def __init__(self, destination: Destination, ledger: Ledger, letters: DeadLetters, progress: Progress) -> None:
        self.summary = Summary()
        self._destination = destination
        self._ledger = ledger
        self._letters = letters
        self._progress = progress

    def write(self, plan: Plan, *, verify: bool) -> None:
        started = time.monotonic()
        known = self._ledger.records()
        wanted = []
        for event in plan.events:
            record = known.get((_TYPE, event.name))
            if record is not None and record.digest == event.digest and not verify:
                self.summary.of(_TYPE).unchanged += 1
            else:
                wanted.append(event)
        self._progress.begin("Sending events", len(wanted))
        try:
            for start in range(0, len(wanted), _CHUNK):
                self._send(wanted[start : start + _CHUNK], known, plan.source)
        finally:
            self._progress.end()
        self.summary.seconds = time.monotonic() - started

    def _send(self, chunk: Sequence[JobEvent], known: Mapping[tuple[str, str], Record], source: str) -> None:
        outcomes = self._destination.send([event.content for event in chunk])
        counts = self.summary.of(_TYPE)
        taken = []
        for event, refused in zip(chunk, outcomes, strict=True):
            if refused is None:
                taken.append(event)
                if (_TYPE, event.name) in known:
                    counts.updated += 1
                else:
                    counts.created += 1
            else:
                counts.failed += 1
                self.summary.failures.append(Failure(_TYPE, event.name, refused))
                self._letters.add(_TYPE, event.name, refused, event.content)
        self._ledger.save(
            [Record(_TYPE, event.name, event.run_id, event.digest) for event in taken],
            [(_TYPE, event.name) for event in taken],
            source,
        )
        self._progress.advance(len(chunk))


class RunEvents:
    """Tells a service or a file how a run goes."""

    def __init__(self, settings: OpenLineageSettings, *, job: str, run_id: str) -> None:
        self._settings = settings
        self._job = job
        self._run_id = run_id

    def tell(self, state: RunState, moment: datetime, reason: str = "") -> None:
        facets = {}
        if state == "FAIL":
            error = facet("ErrorMessageRunFacet", "1-0-1", message=reason, programmingLanguage="Python")
            facets["errorMessage"] = error
        job = {
            "namespace": self._settings.namespace or "lineage-connector",
            "name": self._job,
            "facets": {"jobType": job_type("LINEAGE_CONNECTOR", "JOB")},
        }
        event = run_event(state, time_text(moment), {"runId": self._run_id, "facets": facets}, job)
        with open_destination(self._settings) as destination:
            (refused,) = destination.send([event])
        if refused is not None:
            raise UnavailableError(f"OpenLineage at {self._settings.place} rejected the event of this run: {refused}")


class OpenLineageDelivery(OpenLineageSettings, DeliverySettings):
    """A service that takes OpenLineage events, or a file of them."""

    type: Literal["openlineage"] = "openlineage"
    """The kind of catalog."""


class OpenLineageCatalog(Catalog[OpenLineageSettings, Plan, Outdated]):
    """OpenLineage: an event for each statement, sent to a service or written to a file."""

    name = "openlineage"
    title = "OpenLineage"
    settings_class = OpenLineageDelivery
    login_flags: ClassVar[Mapping[str, str]] = {
        "url": "OPENLINEAGE_URL",
        "endpoint": "OPENLINEAGE_ENDPOINT, or api/v1/lineage",
        "file": "none",
        "api_key_file": "the key in OPENLINEAGE_API_KEY",
        "ca_file": "none",
    }
    flags: ClassVar[Mapping[str, str]] = {
        "namespace": "OPENLINEAGE_NAMESPACE, or the cluster",
        "level": "column",
        "query": "masked",
    }

    def __init__(self, settings: OpenLineageSettings, now: datetime | None = None) -> None:
        super().__init__(settings)
        self._now = now

    @property
    def place(self) -> str:
        return self.settings.place

    def check(self) -> str:
        if self.settings.file is not None:
            return writable_file(self.settings.file)
        with self.settings.connect(Backoff(attempts=1)) as service:
            check_service(service, self.settings.endpoint)
        return f"{self.place}: reachable; whether it accepts events is known once the first is sent"

    def plan(self, lineages: Iterable[Lineage], *, source: str, seen: Mapping[str, Seen] | None = None) -> Plan:
        now = self._now or datetime.now(timezone.utc)
        return Plan(source, collect(lineages, self.settings, now=now, seen=seen))

    def show(self, plan: Plan) -> Iterator[str]:
        return (event.name for event in plan.events)

    @contextmanager
    def open(self, progress: Progress) -> Iterator[OpenLineageSession]:
        settings = self.settings
        with (
            DeadLetters(settings.dead_letter_file) as letters,
            only_writer(settings.place),
            Ledger(settings.state, settings.place) as ledger,
            open_destination(settings) as destination,
        ):
            yield OpenLineageSession(destination, ledger, letters, progress)

    def watch(self, job: str, run_id: str) -> RunWatcher | None:
        return RunEvents(self.settings, job=job, run_id=run_id) if self.settings.runs else None
