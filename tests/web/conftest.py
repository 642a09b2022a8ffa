"""The server in this process for most tests, and as the command that people start for those that need a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from live_server import LiveServer, running
from starlette.testclient import TestClient

from connector import Lineage, analyze, analyze_scripts
from connector.sql.encoding import read_scripts
from connector.store import Store
from connector.store.processes import LogHistory
from connector.web.app import create_app
from connector.web.settings import ServeSettings

WAREHOUSE = Path(__file__).parents[2] / "examples" / "warehouse"
EVIL = "<script>alert(1)</script>"
LOCAL = "http://127.0.0.1:8080"

FIRST, LAST = (datetime(2024, month, 1, 3, 15, tzinfo=timezone.utc) for month in (5, 6))
"""When the query log saw the statement that it holds."""

MakeClient = Callable[..., TestClient]


@pytest.fixture(scope="session")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example warehouse, loaded twice as a nightly job would, and one statement of somebody with bad intentions."""
    path = tmp_path_factory.mktemp("store") / "lineage.db"
    lineage = analyze_scripts(read_scripts([WAREHOUSE]), "snowflake", default_database="shop")
    evil = analyze(
        f"""insert into "{EVIL}" ("{EVIL}") select "{EVIL}" from lake."<img src=x onerror=alert(2)>" where k = 'secret-4711'""",
        "postgresql",
        cluster="evil",
    )
    bucket = analyze("copy into lake.events from 's3://bucket/in/events.csv'", "snowflake", default_database="shop")
    with Store.open(path) as store:
        for run in ("monday", "tuesday"):
            store.load(lineage, source="warehouse", run=run)
        store.load(evil, source="evil")
        store.load(bucket, source="bucket")
        nightly = LogHistory(
            _writer(lineage, "monthly_department"), "query log", FIRST, LAST, 31, ("ann", "etl_nightly")
        )
        store.load_rows([], source="query log", run="log", started=LAST, history=[nightly])
    return path


def _writer(lineage: Lineage, table: str) -> str:
    """The hash of the statement that writes a table."""
    written = [(process, flow.target) for process in lineage.model.processes for flow in process.flows]
    return next(process.identity for process, target in written if target is not None and table in target.name)


@pytest.fixture(scope="session")
def make_client() -> Iterator[MakeClient]:
    """Starts a server with any settings; all of them end with the tests."""
    open_clients: list[TestClient] = []

    def make(base_url: str = LOCAL, **settings: Any) -> TestClient:
        chosen = {"workers": 1, "rate": 1_000_000, **settings}
        client = TestClient(create_app(ServeSettings(**chosen)), base_url=base_url, follow_redirects=False)
        client.__enter__()
        open_clients.append(client)
        return client

    yield make
    for client in open_clients:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def client(make_client: MakeClient, store_file: Path) -> TestClient:
    """A server on loopback with a store."""
    return make_client(store=str(store_file))


@pytest.fixture(scope="session")
def bare(make_client: MakeClient) -> TestClient:
    """A server on loopback without a store."""
    return make_client()


@pytest.fixture(scope="session")
def live(store_file: Path) -> Iterator[LiveServer]:
    """The command, serving the store."""
    with running("--store", store_file, "--workers", "1", "--rate", "100000") as server:
        yield server
