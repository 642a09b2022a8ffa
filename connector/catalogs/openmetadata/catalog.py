"""OpenMetadata as an implementation of the catalog protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from typing import ClassVar, Literal

from connector.addresses import safe_url
from connector.catalogs.catalog import Catalog, DeliverySettings, PruneSettings, Seen
from connector.catalogs.ledger import Ledger
from connector.catalogs.openmetadata.loading import OpenMetadataSession, check_server
from connector.catalogs.openmetadata.mapping import Mapping as CatalogMapping
from connector.catalogs.openmetadata.mapping import load_mapping
from connector.catalogs.openmetadata.plan import Plan
from connector.catalogs.openmetadata.planning import make_plan
from connector.catalogs.openmetadata.prune import Outdated
from connector.catalogs.openmetadata.settings import OpenMetadataSettings
from connector.catalogs.settings import Backoff
from connector.catalogs.summary import DeadLetters, Summary
from connector.common.file_lock import only_writer
from connector.common.progress import Progress
from connector.lineage import Lineage


class OpenMetadataDelivery(OpenMetadataSettings, DeliverySettings, PruneSettings):
    """OpenMetadata."""

    type: Literal["openmetadata"] = "openmetadata"
    """The kind of catalog."""


class OpenMetadataCatalog(Catalog[OpenMetadataSettings, Plan, Outdated]):
    """OpenMetadata: lineage as edges between the tables and containers that it knows."""

    name = "openmetadata"
    title = "OpenMetadata"
    settings_class = OpenMetadataDelivery
    login_flags: ClassVar[Mapping[str, str]] = {
        "url": "OPENMETADATA_URL",
        "token_file": "OPENMETADATA_TOKEN_FILE, or the token in OPENMETADATA_TOKEN",
        "ca_file": "OPENMETADATA_CA_FILE",
    }
    flags: ClassVar[Mapping[str, str]] = {
        "mapping": "openmetadata",
        "service": "the cluster",
        "missing": "fail",
        "workers": "4",
    }

    @property
    def place(self) -> str:
        return safe_url(self.settings.url)

    @property
    def needs_everything(self) -> bool:
        """All statements of a pair of tables share one edge, which is replaced as a whole."""
        return True

    @property
    def looks_again(self) -> bool:
        """A table that an edge needs may have been ingested since, or an edge may have been removed."""
        return True

    @cached_property
    def mapping(self) -> CatalogMapping:
        return load_mapping(self.settings.mapping)[0]

    def check(self) -> str:
        load_mapping(self.settings.mapping)
        with self.settings.connect(Backoff(attempts=1)) as client:
            version = check_server(client, self.settings)
        return f"{self.place}: reachable, version {version}"

    def plan(self, lineages: Iterable[Lineage], *, source: str, seen: Mapping[str, Seen] | None = None) -> Plan:
        """Of what a log tells (`seen`) the first day is written; the last one would change every edge on every run."""
        return make_plan(lineages, self.mapping, source, self.settings.service, seen)

    def show(self, plan: Plan) -> Iterator[str]:
        return (edge.name for edge in plan.edges.values())

    @contextmanager
    def open(self, progress: Progress, summary: Summary | None = None) -> Iterator[OpenMetadataSession]:
        settings = self.settings
        letters = DeadLetters(settings.dead_letter_file)
        with settings.connect() as client:
            check_server(client, settings)
            with (
                only_writer(client.url),
                Ledger(settings.state, client.url) as ledger,
                ThreadPoolExecutor(settings.workers, thread_name_prefix="openmetadata") as pool,
            ):
                session = OpenMetadataSession(
                    settings, self.mapping, client, ledger, pool, letters, progress, summary or Summary()
                )
                try:
                    yield session
                finally:
                    session.close()
