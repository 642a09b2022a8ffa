"""OpenLineage as an implementation of the catalog protocol."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import Any, ClassVar, Literal

from connector.catalogs.catalog import Catalog, DeliverySettings, Outdated, RunWatcher, Seen, Session
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.openlineage.collecting import JobEvent, Plan, collect, time_text
from connector.catalogs.openlineage.destinations import Destination, knock, open_destination
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.settings import Backoff, writable_file
from connector.catalogs.summary import DeadLetters, Failure, Summary
from connector.common.file_lock import only_writer
from connector.common.progress import Progress
from connector.errors import UnavailableError
from connector.lineage import Lineage

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
        self.summary.requests += len(chunk)
        self._progress.advance(len(chunk))


_PRODUCER = "urn:lineage-connector"
_SPEC = "https://openlineage.io/spec"

State = Literal["START", "COMPLETE", "FAIL"]


class RunEvents:
    """Tells a service or a file how a run goes."""

    def __init__(self, settings: OpenLineageSettings, *, job: str, run_id: str) -> None:
        self._settings = settings
        self._job = job
        self._run_id = run_id

    def start(self, moment: datetime) -> None:
        self._send("START", moment, {})

    def complete(self, moment: datetime) -> None:
        self._send("COMPLETE", moment, {})

    def fail(self, moment: datetime, reason: str) -> None:
        facet = {
            "_producer": _PRODUCER,
            "_schemaURL": f"{_SPEC}/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet",
            "message": reason,
            "programmingLanguage": "Python",
        }
        self._send("FAIL", moment, {"errorMessage": facet})

    def _send(self, state: State, moment: datetime, facets: dict[str, Any]) -> None:
        event = {
            "eventType": state,
            "eventTime": time_text(moment),
            "run": {"runId": self._run_id, "facets": facets},
            "job": {
                "namespace": self._settings.namespace or "lineage-connector",
                "name": self._job,
                "facets": {
                    "jobType": {
                        "_producer": _PRODUCER,
                        "_schemaURL": f"{_SPEC}/facets/2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet",
                        "processingType": "BATCH",
                        "integration": "LINEAGE_CONNECTOR",
                        "jobType": "JOB",
                    }
                },
            },
            "inputs": [],
            "outputs": [],
            "producer": _PRODUCER,
            "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        }
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
            knock(service, self.settings.endpoint)
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
