"""A real MariaDB for the tests, on a loopback port, as an unprivileged process in a folder of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.machine import account_for_server, apt_install, free_port

_SECONDS = 120


class NoMariaDBError(Exception):
    """There is no MariaDB, and none can be installed here."""


@contextmanager
def running_mariadb() -> Iterator[str]:
    """The URL of a server, without a database; the user is root and has no password."""
    install, server = _find("mariadb-install-db"), _find("mariadbd")
    folder = Path(tempfile.mkdtemp(prefix="lineage-mariadb-"))
    identity: dict[str, Any] = {}
    if account := account_for_server("mysql"):
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        os.chown(folder, account.pw_uid, account.pw_gid)
    data, log = folder / "data", folder / "log"
    try:
        make = [
            install,
            "--no-defaults",
            f"--datadir={data}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        ]
        _run([*make, *_basedir(server)], identity)
        port = free_port()
        command = [
            server,
            "--no-defaults",
            *_basedir(server),
            f"--datadir={data}",
            f"--socket={folder / 'socket'}",
            f"--pid-file={folder / 'pid'}",
            "--bind-address=127.0.0.1",
            f"--port={port}",
            "--innodb-flush-log-at-trx-commit=0",
            "--innodb-buffer-pool-size=16M",
            "--skip-log-bin",
            "--skip-name-resolve",
        ]
        with log.open("wb") as said:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd="/", **identity)
        try:
            _wait(process, port, log)
            yield f"mysql://root@127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _find(name: str) -> str:
    found = _look(name)
    if found is None:
        apt_install("mariadb-server")
        found = _look(name)
    if found is None:
        raise NoMariaDBError("MariaDB is not installed; on Debian: apt-get install mariadb-server")
    return found


def _look(name: str) -> str | None:
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))


def _basedir(server: str) -> list[str]:
    """Packages of Debian know where their files are; a server that was unpacked somewhere has to be told."""
    base = Path(server).resolve().parents[1]
    return [] if base == Path("/usr") else [f"--basedir={base}"]


def _run(command: list[str], identity: dict[str, Any]) -> None:
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, cwd="/", check=False, timeout=_SECONDS, **identity
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {(done.stdout + done.stderr).decode(errors='replace')}")


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Until the server takes connections; a server that cannot start fails the test with what it said."""
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"MariaDB did not start: {log.read_text(errors='replace')}")
