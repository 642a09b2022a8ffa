"""A source for OpenMetadata's ingestion framework that reads SQL and writes lineage.

The workflow's own sink is not given the edges: it merges what it gets into what is stored, loses functions and keeps
columns that are gone. The edges are written by :mod:`connector.catalogs.openmetadata`, which leaves the state that is
meant, and are reported to the workflow's status one by one.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from metadata.generated.schema.api.lineage.addLineage import AddLineageRequest
from metadata.generated.schema.metadataIngestion.workflow import Source as WorkflowSource
from metadata.generated.schema.security.ssl.verifySSLConfig import VerifySSL
from metadata.generated.schema.type.entityLineage import EntitiesEdge, LineageDetails
from metadata.generated.schema.type.entityReference import EntityReference
from metadata.ingestion.api.models import Either, StackTraceError
from metadata.ingestion.api.status import Status
from metadata.ingestion.api.steps import InvalidSourceException, Source
from metadata.ingestion.ometa.ometa_api import OpenMetadata
from metadata.utils.logger import StatusWarningHandler, ingestion_logger
from pydantic import ValidationError

from connector.addresses import safe_url
from connector.catalogs.openmetadata import OpenMetadataCatalog, Summary
from connector.catalogs.openmetadata.catalog import check_server, known_columns, services_of
from connector.catalogs.openmetadata.lookup import Found
from connector.catalogs.openmetadata.mapping import Mapping, load_mapping
from connector.catalogs.openmetadata.plan import Plan
from connector.catalogs.openmetadata.plugin_options import Input, PluginOptions, ServerLogin, read_options
from connector.catalogs.openmetadata.writing import Outcome
from connector.common.progress import LogProgress
from connector.errors import ConfigurationError, ConnectorError
from connector.settings import Job

_log = ingestion_logger()


class EdgeStatus(Status):  # type: ignore[misc]  # the client is not there where types are checked
    """As any status, but an edge that failed is a failure of the workflow, however many others succeeded."""

    failed_edges: int = 0
    """Also what stopped the run as a whole. Statements that cannot be read are not counted here."""

    def scanned(self, record: Any) -> None:
        if isinstance(record, AddLineageRequest):
            edge = record.edge
            self.records.append(f"{edge.fromEntity.fullyQualifiedName} -> {edge.toEntity.fullyQualifiedName}")
        else:
            super().scanned(record)

    def calculate_success(self) -> float:
        return 0.0 if self.failed_edges else float(super().calculate_success())


class LineageSource(Source):  # type: ignore[misc]  # the client is not there where types are checked
    """Reads the sources of a job and writes their lineage to the server of the workflow."""

    def __init__(self, options: PluginOptions, metadata: OpenMetadata) -> None:
        super().__init__()
        self.status = EdgeStatus()
        self._warning_handler = StatusWarningHandler(self.status)
        self.metadata = metadata
        self.options = options
        self.summary = Summary()
        """What became of the edges, once the workflow has run."""

    @classmethod
    def create(
        cls, config_dict: dict[str, Any], metadata: OpenMetadata, pipeline_name: str | None = None
    ) -> LineageSource:
        """Check the options. Nothing is read or asked yet."""
        source = WorkflowSource.model_validate(config_dict)
        connection = source.serviceConnection.root.config if source.serviceConnection else None
        options = getattr(connection, "connectionOptions", None)
        try:
            read = read_options(options.root if options else {}, _login(metadata), source.serviceName)
            load_mapping(read.catalog.mapping)
        except ConfigurationError as error:
            raise InvalidSourceException(str(error)) from None
        return cls(read, metadata)

    def prepare(self) -> None:
        """See that the server answers and lets us in, before any work is done."""
        # Our own messages, how far a load is among them, come out where and as far as those of the workflow do.
        logging.getLogger("connector").setLevel(_log.getEffectiveLevel())
        self.test_connection()

    def test_connection(self) -> None:
        settings = self.options.catalog
        with settings.connect() as client:
            version = check_server(client, settings)
        _log.info(
            f"OpenMetadata {version} at {safe_url(settings.url)} responds; lineage is written as {self.options.source!r}"
        )

    def run(self) -> Iterator[None]:
        """Iterate, and give nothing on to the sink: what is yielded here stands on the server already."""
        for _ in super().run():
            yield None

    def _iter(self) -> Iterable[Either]:
        """What becomes of each edge: the lineage that the server holds now, or the failure."""
        try:
            yield from self._work()
        except ConnectorError as error:
            yield self._failure(type(error).__name__, str(error))
        except Exception as error:  # noqa: BLE001  the framework counts it as one failure among all the edges that are written
            yield self._failure("Unexpected", f"{type(error).__name__}: {error}", traceback.format_exc())
        for note in (*dict.fromkeys(self.summary.notes), *self.summary.missing_lines()):
            self.status.warning("lineage", note)
            _log.info(f"Lineage: {note}")

    def _work(self) -> Iterator[Either]:
        options = self.options
        catalog = OpenMetadataCatalog(options.catalog)
        with TemporaryDirectory(prefix="lineage-connector-") as folder:
            job = self._with_columns(catalog.mapping, Path(folder)) if options.server_columns else options.job
            found = Input(job)
            plan = catalog.plan(found.lineages(), source=options.source)
        self.summary.notes.extend(found.notes)
        for name, problem in found.failures:
            yield Either(left=StackTraceError(name=name, error=problem))
        _log.info(f"{found.statements} statements, {len(plan.edges)} edges")
        complete = not found.failures
        if options.prune and not complete:
            self.status.warning("lineage", "Nothing is removed, because some statements could not be read")
        for outcome in self._outcomes(catalog, plan, prune=options.prune and complete):
            yield from self._told(outcome)
        for part, counts in self.summary.parts.items():
            _log.info(
                f"{part.capitalize()}: {counts.created} created, {counts.updated} updated, {counts.unchanged} unchanged, "
                f"{counts.removed} removed, {counts.missing} missing, {counts.failed} failed"
            )

    def _outcomes(self, catalog: OpenMetadataCatalog, plan: Plan, *, prune: bool) -> Iterator[Outcome]:
        with catalog.open(LogProgress(), self.summary) as session:
            yield from session.written(plan, verify=self.options.verify)
            if prune and session.summary.failures:
                self.summary.notes.append("Nothing was removed, because something failed.")
            elif prune and (outdated := session.outdated(plan)):
                yield from session.pruned(plan, outdated)

    def _with_columns(self, mapping: Mapping, folder: Path) -> Job:
        """The job, with the columns of the server's tables as one more file of metadata."""
        settings, job = self.options.catalog, self.options.job
        with settings.connect() as client:
            tables = dict(known_columns(client, services_of(mapping, settings.service)))
        _log.info(f"OpenMetadata knows the columns of {len(tables)} tables")
        file = folder / "openmetadata.json"
        file.write_text(json.dumps(tables), encoding="utf-8")
        return job.model_copy(update={"metadata": (*job.metadata, file)})

    def _told(self, outcome: Outcome) -> Iterator[Either]:
        failed = outcome.verdict == "failed" or (
            outcome.verdict == "missing" and self.options.catalog.missing == "fail"
        )
        if failed:
            yield self._failure(outcome.name, f"{outcome.name}: {outcome.reason}")
        elif outcome.edge is not None:
            yield Either(right=_request(outcome.edge.source, outcome.edge.target, outcome.details))
        elif outcome.verdict in ("removed", "updated"):
            _log.info(f"{outcome.name}: {outcome.reason or outcome.verdict}")

    def _failure(self, name: str, reason: str, trace: str | None = None) -> Either:
        self.status.failed_edges += 1
        return Either(left=StackTraceError(name=name, error=reason, stackTrace=trace))

    def close(self) -> None:
        """Everything that was opened is closed where it was used."""


def _login(metadata: OpenMetadata) -> ServerLogin:
    """The server and the token that the workflow's own client uses."""
    config = metadata.config
    token = config.securityConfig.jwtToken.get_secret_value() if config.securityConfig else None
    certificate = config.sslConfig.root.caCertificate if config.sslConfig else None
    trusted = None
    if config.verifySSL == VerifySSL.validate and certificate is not None:
        trusted = certificate.get_secret_value()
    headers = config.extraHeaders.root if config.extraHeaders else None
    return ServerLogin(config.hostPort, token, trusted, config.verifySSL != VerifySSL.ignore, headers)


def _request(source: Found, target: Found, details: dict[str, Any] | None) -> AddLineageRequest:
    """An edge in the framework's own form."""
    try:
        known = LineageDetails.model_validate(details) if details is not None else None
    except ValidationError:
        known = (
            None  # a newer server may keep details that this client does not know; the edge stands there all the same
        )
    return AddLineageRequest(
        edge=EntitiesEdge(fromEntity=_reference(source), toEntity=_reference(target), lineageDetails=known)
    )


def _reference(found: Found) -> EntityReference:
    return EntityReference(id=found.id, type=found.type, fullyQualifiedName=found.fqn)
