"""Tests with the real ingestion package, which lives in an environment of its own; elsewhere they are not collected."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from catalog import Catalog
    from metadata.ingestion.ometa.ometa_api import OpenMetadata
    from rest import Rest
    from server import OpenMetadataServer
    from workflow import Launcher, Workflow

    from connector.catalogs.openmetadata import OpenMetadataSettings


def _installed() -> bool:
    try:
        importlib.metadata.version("openmetadata-ingestion")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


if _installed():
    sys.path.insert(0, str(Path(__file__).parent))
else:
    collect_ignore_glob = ["*"]


def pytest_collectstart() -> None:
    """Load the package before the first test file does: it takes seconds, and it warns, which is an error here.

    Not when this file is read, because the process that only hands tests to workers reads it too.
    """
    if _installed():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module("metadata.ingestion.ometa.ometa_api")


@pytest.fixture
def server() -> Iterator[OpenMetadataServer]:
    from server import OpenMetadataServer

    with OpenMetadataServer() as running:
        yield running


@pytest.fixture
def rest(server: OpenMetadataServer) -> Iterator[Rest]:
    """Plain requests in the name of the ingestion bot."""
    from rest import Rest

    with Rest(server.url, server.token()) as opened:
        yield opened


@pytest.fixture
def catalog(server: OpenMetadataServer) -> Catalog:
    """What the server holds."""
    from catalog import Catalog

    return Catalog(server)


@pytest.fixture
def client(server: OpenMetadataServer) -> Iterator[OpenMetadata]:
    """The real client of the ingestion package."""
    from metadata.generated.schema.entity.services.connections.metadata.openMetadataConnection import (
        OpenMetadataConnection,
    )
    from metadata.ingestion.ometa.ometa_api import OpenMetadata

    connection = OpenMetadataConnection.model_validate(
        {
            "hostPort": server.url,
            "authProvider": "openmetadata",
            "securityConfig": {"jwtToken": server.token()},
        }
    )
    opened = OpenMetadata(connection)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    """Imports the ingestion package once for all workflows of this worker."""
    from workflow import Launcher

    started = Launcher()
    yield started
    started.close()


@pytest.fixture
def workflow(tmp_path: Path, server: OpenMetadataServer, launcher: Launcher) -> Workflow:
    from workflow import Workflow

    return Workflow(tmp_path, server, launcher)


@pytest.fixture
def settings(server: OpenMetadataServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OpenMetadataSettings:
    """How to reach the server without the workflow, with a ledger of its own."""
    from shop import SERVICE

    from connector.catalogs.openmetadata import OpenMetadataSettings

    for name in [name for name in os.environ if name.startswith("OPENMETADATA_")]:
        monkeypatch.delenv(name)
    return OpenMetadataSettings(url=server.url, token=server.token(), state=tmp_path / "state.db", service=SERVICE)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Retries without their pauses; the pauses that would have been."""
    from connector.catalogs.settings import Backoff

    found: list[float] = []
    monkeypatch.setattr(Backoff, "wait", lambda self, failures, at_least=None: found.append(at_least or 0.0))
    return found
