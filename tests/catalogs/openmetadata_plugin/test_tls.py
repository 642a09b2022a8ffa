"""A server behind TLS, whose certificate only those trust who are told to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from catalog import Catalog
from sending import send
from server import OpenMetadataServer
from server.tls import make_certificate
from shop import SCRIPT, add_tables
from workflow import Workflow

from connector.catalogs.openmetadata import OpenMetadataSettings
from connector.errors import UnavailableError


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return make_certificate(tmp_path)


@pytest.fixture
def server(certificate: Path) -> Iterator[OpenMetadataServer]:
    with OpenMetadataServer(certificate=certificate) as running:
        yield running


@pytest.fixture(autouse=True)
def _tables(catalog: Catalog) -> None:
    add_tables(catalog)


def test_an_unknown_certificate_is_refused(
    settings: OpenMetadataSettings, catalog: Catalog, pauses: list[float]
) -> None:
    with pytest.raises(UnavailableError, match=r"(?i)certificate"):
        send(SCRIPT, settings)
    assert catalog.edges() == {}


def test_a_known_one_is_trusted(settings: OpenMetadataSettings, catalog: Catalog, certificate: Path) -> None:
    send(SCRIPT, settings.model_copy(update={"ca_file": certificate}))
    assert len(catalog.edges()) == 3


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_checking_can_be_left_out(settings: OpenMetadataSettings, catalog: Catalog) -> None:
    send(SCRIPT, settings.model_copy(update={"verify_tls": False}))
    assert len(catalog.edges()) == 3


@pytest.mark.parametrize(
    ("config", "number"),
    [
        ({"verifySSL": "validate", "sslConfig": {"caCertificate": "<file>"}}, 3),
        ({"verifySSL": "ignore"}, 3),
        ({"verifySSL": "validate"}, 0),
    ],
)
def test_as_the_workflow_says(
    workflow: Workflow, catalog: Catalog, certificate: Path, config: dict[str, Any], number: int
) -> None:
    workflow.write_job(SCRIPT)
    workflow.options["attempts"] = "1"
    if "sslConfig" in config:
        config = {**config, "sslConfig": {"caCertificate": str(certificate)}}
    workflow.server_config = config
    run = workflow.run()
    assert (run.code == 0) is bool(number), run.output
    assert len(catalog.edges()) == number
