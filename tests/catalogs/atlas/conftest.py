"""One real Atlas for all tests and all workers of a run; see atlas_server.py."""

from __future__ import annotations

import json
import os
import shutil
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import atlas_server
import pytest
from fake_atlas import FakeAtlas
from filelock import FileLock

from connector.catalogs.atlas import AtlasSettings
from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.typedefs import apply_changes, find_changes, load_typedefs, own_typedefs
from connector.catalogs.settings import Backoff
from connector.common.resources import resource_folder

_RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
_OWNER = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
"""The process that all workers of this run belong to."""
_KNOWN = ("base", "hive", "rdbms", "paths")


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a developer has set for their own server must not reach the tests."""
    for name in [name for name in os.environ if name.startswith("ATLAS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ATLAS_PASSWORD", atlas_server.PASSWORD)


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Progress on the real stderr, so that a long start-up is not silent."""
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def tell(text: str) -> None:
        with capture.global_and_fixture_disabled():
            sys.stderr.write(f"\n[atlas] {text}\n")
            sys.stderr.flush()

    return tell


@pytest.fixture(scope="session")
def server_url(say: Callable[[str], None]) -> Iterator[str]:
    """The server of this run. The first worker that needs it starts it, the last one that is done stops it."""
    atlas_server.CACHE.mkdir(parents=True, exist_ok=True)
    state = atlas_server.CACHE / f"run-{_RUN}.json"
    lock = FileLock(atlas_server.CACHE / "run.lock")
    with lock:
        shared = json.loads(state.read_text()) if state.exists() else None
        if shared is None:
            _sweep()
            server = atlas_server.start(atlas_server.CACHE / f"run-{_RUN}", _OWNER, say)
            _apply_types(server.url)
            shared = {"url": server.url, "pid": server.pid, "home": str(server.home), "owner": _OWNER, "users": 0}
        shared["users"] += 1
        state.write_text(json.dumps(shared))
    try:
        yield shared["url"]
    finally:
        with lock:
            shared = json.loads(state.read_text())
            shared["users"] -= 1
            state.write_text(json.dumps(shared))
            if shared["users"] == 0:
                atlas_server.RunningServer(shared["url"], shared["pid"], Path(shared["home"])).stop()
                state.unlink()
        atlas_server.leave(shared["pid"])


def _sweep() -> None:
    """Remove what runs that were killed have left. Their servers have ended with them."""
    for state in atlas_server.CACHE.glob("run-*.json"):
        owner = json.loads(state.read_text())["owner"]
        try:
            os.kill(owner, 0)
        except OSError:
            shutil.rmtree(state.with_suffix(""), ignore_errors=True)
            state.unlink(missing_ok=True)


def _apply_types(url: str) -> None:
    """The types that a real installation brings along, and ours."""
    settings = AtlasSettings(url=url, user=atlas_server.USER, password_env="ATLAS_TEST_PASSWORD")
    os.environ["ATLAS_TEST_PASSWORD"] = atlas_server.PASSWORD
    known = [load_typedefs(resource_folder("typedefs") / "atlas" / f"{name}.json") for name in _KNOWN]
    documents = [*known, *(document for _, document in own_typedefs())]
    with settings.connect() as client:
        apply_changes(client, find_changes(documents, client.typedefs()))


@pytest.fixture
def settings(server_url: str, tmp_path: Path) -> AtlasSettings:
    """How to reach the real server, with a ledger of its own for each test."""
    return AtlasSettings(url=server_url, user=atlas_server.USER, state=tmp_path / "state.db")


@pytest.fixture
def client(settings: AtlasSettings) -> Iterator[AtlasClient]:
    with settings.connect() as opened:
        yield opened


@pytest.fixture
def cluster() -> str:
    """A name that no other test uses: tests share the server, and what they write must not meet."""
    return f"c{uuid.uuid4().hex[:10]}"


@pytest.fixture
def fake() -> Iterator[FakeAtlas]:
    """A few lines that answer like Atlas and fail when told to."""
    with FakeAtlas() as server:
        yield server


@pytest.fixture
def fake_settings(fake: FakeAtlas, tmp_path: Path) -> AtlasSettings:
    return AtlasSettings(url=fake.url, user="u", state=tmp_path / "state.db", attempts=3)


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Retries without their pauses; the pauses that would have been."""
    pauses: list[float] = []
    monkeypatch.setattr(Backoff, "wait", lambda self, failures, at_least=None: pauses.append(at_least or 0.0))
    return pauses
