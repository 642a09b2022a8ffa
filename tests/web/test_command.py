"""`lineage-connector serve` as people start and stop it."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx2
import pytest
from live_server import running
from typer.testing import CliRunner

from connector.cli import app

TOKEN = "a-token-that-nobody-guesses"


def refused(*arguments: str | Path, **environment: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["serve", *map(str, arguments)], env=environment)
    assert result.stdout == ""
    return result.exit_code, result.stderr.strip()


def test_another_address_needs_a_token():
    code, said = refused("--host", "0.0.0.0", "--port", "0")
    assert code == 2
    assert "token" in said
    assert len(said.splitlines()) == 1


def test_the_token_has_to_be_one(tmp_path):
    empty, short = tmp_path / "empty", tmp_path / "short"
    empty.write_text("\n", encoding="utf-8")
    short.write_text("123\n", encoding="utf-8")
    for file in (empty, short, tmp_path / "missing"):
        code, said = refused("--host", "0.0.0.0", "--token-file", file)
        assert code == 2
        assert "token" in said


def test_a_store_that_is_not_there(tmp_path):
    code, said = refused("--store", tmp_path / "none.db", "--port", "0")
    assert code == 3
    assert "none.db" in said


def test_a_port_that_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, said = refused("--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "in use" in said


def test_wrong_values_are_refused():
    for flag, value in (("--port", "70000"), ("--timeout", "0"), ("--workers", "0"), ("--rate", "x")):
        assert refused(flag, value)[0] == 2


def test_the_token_of_a_file_or_of_the_environment(tmp_path, store_file):
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    header = {"authorization": f"Bearer {TOKEN}"}
    with running("--host", "0.0.0.0", "--token-file", file, "--store", store_file, "--workers", "1") as server:
        address = f"http://127.0.0.1:{server.port}/"
        assert httpx2.get(f"{address}api/info").status_code == 401
        assert httpx2.get(f"{address}api/info", headers=header).json()["store"] is True
        assert TOKEN not in server.messages()
    with running("--workers", "1", LINEAGE_TOKEN=TOKEN) as server:
        assert httpx2.get(f"{server.address}api/info").status_code == 401
        assert httpx2.get(f"{server.address}api/info", headers=header).json()["store"] is False
        assert "lineage.db does not exist, so you can only analyse scripts" in server.messages()


def test_listens_on_this_machine_alone(live):
    with socket.socket() as elsewhere:
        elsewhere.bind(("127.0.0.2", live.port))  # somebody else may still have the port on another address


def test_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("this machine has no IPv6")
    with running("--host", "::1", "--workers", "1") as server:
        assert server.address.startswith("http://[::1]:")
        assert httpx2.get(f"{server.address}api/info").status_code == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stops_in_good_order(number):
    with running("--workers", "1") as server:
        assert httpx2.get(f"{server.address}api/info").status_code == 200
        assert server.stop(number) == 0
        assert "Traceback" not in server.messages()
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(f"{server.address}api/info")


def test_stops_although_an_analysis_runs():
    """The children end with the server, and nobody waits for the analysis."""
    long = {"sql": "insert into t (a) select b from s where c = 1;\n" * 60_000}
    with running("--workers", "1", "--timeout", "120") as server:
        httpx2.post(f"{server.address}api/analyze", json={"sql": "select 1"}, timeout=60)
        began = threading.Event()

        def ask() -> None:
            began.set()
            with pytest.raises(httpx2.HTTPError):
                httpx2.post(f"{server.address}api/analyze", json=long, timeout=60).raise_for_status()

        asking = threading.Thread(target=ask)
        asking.start()
        began.wait()
        assert server.stop() == 0
        asking.join(30)
        assert not asking.is_alive()


def test_the_command_starts_without_the_server_libraries(tmp_path):
    """Other commands do not load them, and serve says what to install."""
    for name in ("fastapi", "uvicorn", "starlette"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('No module named {name}', name='{name}')")
    call = [sys.executable, "-m", "connector"]
    environment = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}", "PATH": ""}
    done = subprocess.run([*call, "dialects"], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*call, "serve"], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "is missing. Install it with: pip install 'fastapi>=" in done.stderr
