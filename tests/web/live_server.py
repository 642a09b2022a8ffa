"""`lineage-connector serve` as a process of its own, on a free port of this machine."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from cpu_work import cpu_seconds

_START_SECONDS = 180


class LiveServer:
    """A server that answers."""

    def __init__(self, process: subprocess.Popen[bytes], messages: Path) -> None:
        self._process = process
        self._messages = messages
        self.address = self._await_address()

    @property
    def host(self) -> str:
        return urlsplit(self.address).hostname or ""

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    @property
    def cpu_seconds(self) -> float:
        """What it and the processes that it has started have computed so far."""
        return cpu_seconds(self._process.pid)

    def messages(self) -> str:
        """What it has said on stderr so far."""
        return self._messages.read_text(encoding="utf-8")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """The exit code after a signal."""
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self._process.wait(timeout=30)

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def _await_address(self) -> str:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            said = re.search(r"Serving on (\S+)", self.messages())
            if said:
                return said[1]
            if self._process.poll() is not None:
                break
            time.sleep(0.02)  # between two looks at a file that another process writes
        raise AssertionError(f"The server did not start: {self.messages()}")


@contextmanager
def running(*arguments: str | Path, **environment: str) -> Iterator[LiveServer]:
    """The command with these arguments, and more in its environment."""
    with _started(["-m", "connector", "serve", "--port", "0", *map(str, arguments)], environment) as server:
        yield server


@contextmanager
def running_with(**settings: object) -> Iterator[LiveServer]:
    """The server with settings that the command has no flags for."""
    code = (
        "import sys; from connector.web.server import serve; from connector.web.settings import ServeSettings;"
        f"serve(ServeSettings(port=0, **{settings!r}), lambda address: print('Serving on', address, file=sys.stderr))"
    )
    with _started(["-c", code], {}) as server:
        yield server


@contextmanager
def _started(arguments: list[str], environment: dict[str, str]) -> Iterator[LiveServer]:
    with tempfile.TemporaryDirectory() as folder:
        messages = Path(folder) / "messages"
        with messages.open("wb") as told:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=told,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **environment},
            )
        try:
            server = LiveServer(process, messages)
            yield server
            assert server.stop() == 0, server.messages()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
