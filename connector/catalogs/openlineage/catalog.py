"""OpenLineage as an implementation of the catalog protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import ClassVar, Literal

from connector.catalogs.catalog import Catalog, DeliverySettings, Outdated, RunWatcher, Seen
from connector.catalogs.ledger import Ledger
from connector.catalogs.openlineage.collecting import Plan, collect
from connector.catalogs.openlineage.destinations import knock, open_destination
from connector.catalogs.openlineage.loading import OpenLineageSession, RunEvents
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.settings import Backoff, writable_file
from connector.catalogs.summary import DeadLetters
from connector.common.file_lock import only_writer
from connector.common.progress import Progress
from connector.lineage import Lineage


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
        letters = DeadLetters(settings.dead_letter_file)
        with (
            only_writer(settings.place),
            Ledger(settings.state, settings.place) as ledger,
            open_destination(settings) as destination,
        ):
            try:
                yield OpenLineageSession(destination, ledger, letters, progress)
            finally:
                letters.close()

    def watch(self, job: str, run_id: str) -> RunWatcher | None:
        return RunEvents(self.settings, job=job, run_id=run_id) if self.settings.runs else None
