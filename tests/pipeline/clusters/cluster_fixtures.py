"""Clusters, shared by all workers of a run: the first that needs one starts it, the last one stops it."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest
import servers
from filelock import FileLock
from jobs import Content, Quickstart, on_this_machine
from servers import CACHE, ConnectServer, HadoopServer, S3Server, Server, StandaloneServer

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
_OWNER = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
"""The process that all workers of this run belong to."""

_KEPT_SECONDS = 24 * 3600
"""How long the archives and results of other runs stay: longer than any of them takes."""

AnyServer = TypeVar("AnyServer", bound=Server)


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Progress on the real stderr, so that a long start-up is not silent."""
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def tell(text: str) -> None:
        with capture.global_and_fixture_disabled():
            sys.stderr.write(f"\n[clusters] {text}\n")
            sys.stderr.flush()

    return tell


@contextmanager
def shared(kind: type[AnyServer], start: Callable[[AnyServer], None]) -> Iterator[AnyServer]:
    CACHE.mkdir(parents=True, exist_ok=True)
    home = CACHE / f"{kind.__name__.lower()}-{RUN}"
    state, lock = home.with_suffix(".json"), FileLock(home.with_suffix(".lock"))
    with lock:
        _sweep()
        if state.exists():
            written = json.loads(state.read_text())
        else:
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            server = kind(str(home), _OWNER)
            try:
                start(server)
            except BaseException:
                server.stop()
                raise
            written = {"users": 0, "server": server.written()}
        written["users"] += 1
        state.write_text(json.dumps(written))
    try:
        yield kind(**written["server"])
    finally:
        with lock:
            written = json.loads(state.read_text())
            written["users"] -= 1
            if written["users"]:
                state.write_text(json.dumps(written))
            else:
                kind(**written["server"]).stop()
                state.unlink()


def refresh(server: Server) -> None:
    """Learn what other workers have restarted."""
    with FileLock(Path(server.home).with_suffix(".lock")):
        written = json.loads(Path(server.home).with_suffix(".json").read_text())
    server.kept = written["server"]["kept"]


def remember(server: Server) -> None:
    """Let the other workers know that a server has other processes now."""
    state = Path(server.home).with_suffix(".json")
    with FileLock(Path(server.home).with_suffix(".lock")):
        written = json.loads(state.read_text())
        state.write_text(json.dumps({**written, "server": server.written()}))


def _sweep() -> None:
    """Remove what runs that were killed have left. Their servers have ended with them."""
    for state in CACHE.glob("*-*.json"):
        try:
            server = json.loads(state.read_text())["server"]
        except (FileNotFoundError, ValueError):  # another run, maybe of another checkout, is removing or writing it
            continue
        if not servers.is_running(server["owner"]):
            shutil.rmtree(server["home"], ignore_errors=True)
            state.unlink(missing_ok=True)
            state.with_suffix(".lock").unlink(missing_ok=True)
    for pattern in ("environment-*.tar.gz", "expected-*.pickle"):
        for file in CACHE.glob(pattern):
            with suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > _KEPT_SECONDS:
                    file.unlink()


@pytest.fixture(scope="session")
def environment(say: Callable[[str], None]) -> Path:
    """The archive of this environment. It is named after the code: other checkouts that share the cache have their own."""
    from connector.cli.pack import pack
    from connector.errors import ConfigurationError
    from connector.pipeline.environment import read_manifest
    from connector.pipeline.spark.probe import installed

    CACHE.mkdir(parents=True, exist_ok=True)
    wanted = {**installed(), "host": "", "interpreter": None}
    archive = CACHE / f"environment-{wanted['code']}.tar.gz"
    with FileLock(CACHE / "environment.lock"):
        try:
            fresh = read_manifest(archive) == wanted
        except ConfigurationError:
            fresh = False
        if not fresh:
            say("packing this environment")
            pack(archive, quiet=True)
    return archive


@pytest.fixture(scope="session")
def hadoop(say: Callable[[str], None]) -> Iterator[HadoopServer]:
    with shared(HadoopServer, lambda server: server.start(say)) as server:
        yield server


@pytest.fixture(scope="session")
def standalone(say: Callable[[str], None]) -> Iterator[StandaloneServer]:
    with shared(StandaloneServer, lambda server: server.start(say)) as server:
        yield server


@pytest.fixture(scope="session")
def s3(say: Callable[[str], None]) -> Iterator[S3Server]:
    with shared(S3Server, lambda server: server.start(say)) as server:
        yield server


@pytest.fixture(scope="session")
def connect(say: Callable[[str], None]) -> Iterator[ConnectServer]:
    with shared(ConnectServer, lambda server: server.start(say)) as server:
        yield server


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Content:
    """What a run on this machine gives; worked out once for all workers."""
    CACHE.mkdir(parents=True, exist_ok=True)
    kept = CACHE / f"expected-{RUN}.pickle"
    with FileLock(CACHE / "expected.lock"):
        if not kept.exists():
            job = Quickstart(tmp_path_factory.mktemp("local"), on_this_machine())
            job.run()
            kept.write_bytes(pickle.dumps(job.content()))
        content: Content = pickle.loads(kept.read_bytes())
    return content
