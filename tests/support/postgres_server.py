"""A real PostgreSQL for the tests: one server on loopback, shared by all the workers of a run.

The first worker that needs it starts it, the last one stops it. Who uses it is a list of process ids under a file lock; a
worker that was killed leaves an id that nobody has any more, and does not count.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.machine import account_for_server, apt_install, free_port

CACHE = Path(__file__).resolve().parents[2] / ".cache"
SETTINGS = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off", "full_page_writes": "off"}


class NoPostgresError(Exception):
    """There is no PostgreSQL, and none can be installed here."""


@contextmanager
def running_server() -> Iterator[str]:
    """The URL of the server, without a database."""
    binaries = find_binaries()
    root = _root()
    port = _enter(binaries, root)
    try:
        yield f"postgresql://lineage@127.0.0.1:{port}"
    finally:
        _leave(binaries, root)


def find_binaries() -> Path:
    """The folder with initdb and pg_ctl; Debian keeps them out of PATH."""
    found = _look()
    if found is None:
        apt_install("postgresql")
        found = _look()
    if found is None:
        raise NoPostgresError("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    return found


def _look() -> Path | None:
    known = shutil.which("initdb")
    if known:
        return Path(known).resolve().parent
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(versions, key=lambda path: float(path.parent.name), default=None)


def _root() -> Path:
    """Where the server lives: in the cache, if the account that runs it can get there."""
    account = account_for_server("postgres")
    root = CACHE / "postgres"
    root.mkdir(parents=True, exist_ok=True)
    if account is not None:
        os.chown(root, account.pw_uid, account.pw_gid)
        if _run(["test", "-w", str(root)], check=False).returncode:
            root = Path(tempfile.gettempdir()) / "lineage-connector-postgres"
            root.mkdir(exist_ok=True)
            os.chown(root, account.pw_uid, account.pw_gid)
    return root


def _run(command: list[str], *, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    account = account_for_server("postgres")
    identity = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    # The server outlives pg_ctl and would hold a pipe open.
    with tempfile.TemporaryFile() as said:
        try:
            result = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                cwd="/",
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
                check=False,
                timeout=120,
                **identity,
            )
        except PermissionError:
            return subprocess.CompletedProcess(command, 1)
        if check and result.returncode:
            said.seek(0)
            raise RuntimeError(f"{command[0]}: {said.read().decode(errors='replace')}")
    return result


@contextmanager
def _locked(root: Path) -> Iterator[dict[str, object]]:
    """What the workers agree on; written back at the end."""
    with (root / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        state_file = root / "state.json"
        state: dict[str, object] = json.loads(state_file.read_text()) if state_file.exists() else {}
        users = state.get("users", [])
        assert isinstance(users, list)
        state["users"] = [user for user in users if Path(f"/proc/{user}").exists() or user == os.getpid()]
        yield state
        state_file.write_text(json.dumps(state))


def _enter(binaries: Path, root: Path) -> object:
    data = root / "data"
    with _locked(root) as state:
        up = data.exists() and _run([str(binaries / "pg_ctl"), "status", "-D", str(data)], check=False).returncode == 0
        if not up:
            shutil.rmtree(data, ignore_errors=True)
            make = ["initdb", "-D", str(data), "-U", "lineage", "--auth=trust", "--locale=C", "--encoding=UTF8", "-N"]
            _run([str(binaries / make[0]), *make[1:]])
            state["port"] = free_port()
            options = " ".join(f"-c {name}='{value}'" for name, value in SETTINGS.items())
            start = ["start", "-w", "-D", str(data), "-l", str(root / "log"), "-o", f"-p {state['port']} {options}"]
            _run([str(binaries / "pg_ctl"), *start])
        users = state["users"]
        assert isinstance(users, list)
        users.append(os.getpid())
        return state["port"]


def _leave(binaries: Path, root: Path) -> None:
    with _locked(root) as state:
        users = state["users"]
        assert isinstance(users, list)
        users.remove(os.getpid())
        if not users:
            _run([str(binaries / "pg_ctl"), "stop", "-m", "fast", "-w", "-D", str(root / "data")])
