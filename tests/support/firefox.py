"""Debian's Firefox for the tests, driven by its own protocol (Marionette): Playwright speaks to a patched one only."""

from __future__ import annotations

import json
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

from tests.support.machine import apt_install, free_port

_START_SECONDS = 90


class NoFirefoxError(Exception):
    """There is no Firefox, and none can be installed here."""


def find_firefox() -> str:
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        apt_install("firefox-esr")
        found = shutil.which("firefox-esr")
    if found is None:
        raise NoFirefoxError("Firefox is not installed; on Debian: apt-get install firefox-esr")
    return found


class Firefox:
    """One window of a running browser."""

    def __init__(self, port: int) -> None:
        self._socket = _connected(port)
        self._number = 0
        self._received()  # the greeting
        self._call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": True}}})
        self._call("WebDriver:SetTimeouts", {"script": 60_000, "pageLoad": 60_000})

    def open(self, address: str) -> None:
        self._call("WebDriver:Navigate", {"url": address})

    def evaluate(self, script: str, *arguments: Any) -> Any:
        """The value of a function's body, which may wait."""
        body = f"const done = arguments[arguments.length - 1]; (async (...args) => {{ {script} }})(...arguments).then(done, e => done('failed: ' + e))"
        answer = self._call(
            "WebDriver:ExecuteAsyncScript",
            {"script": body, "args": list(arguments), "sandbox": None, "newSandbox": False},
        )
        return answer["value"]

    def press(self, *keys: str) -> None:
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._call("WebDriver:PerformActions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector: str) -> None:
        found = self._call("WebDriver:FindElement", {"using": "css selector", "value": selector})["value"]
        self._call("WebDriver:ElementClick", {"id": next(iter(found.values()))})

    def close(self) -> None:
        self._socket.close()

    def _call(self, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        text = json.dumps([0, self._number, name, parameters])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._received()
        if error is not None:
            raise AssertionError(f"{name}: {error['message']}")
        return result if isinstance(result, dict) else {"value": result}

    def _received(self) -> Any:
        head = b""
        while not head.endswith(b":"):
            head += self._socket.recv(1)
        length, content = int(head[:-1]), b""
        while len(content) < length:
            content += self._socket.recv(length - len(content))
        return json.loads(content)


def _connected(port: int) -> socket.socket:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=_START_SECONDS)
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)  # between two looks whether another process listens by now


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A running browser without a window, with a profile of its own."""
    program, port = find_firefox(), free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        preferences = {
            "marionette.port": port,
            "remote.prefs.recommended": True,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
            "ui.prefersReducedMotion": 1,
            "app.update.disabledForTesting": True,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (Path(profile) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        process = subprocess.Popen(
            [
                program,
                "--headless",
                "--marionette",
                "--no-remote",
                "--profile",
                profile,
                "--width",
                "1280",
                "--height",
                "800",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile, "MOZ_HEADLESS_WIDTH": "1280", "MOZ_HEADLESS_HEIGHT": "800"},
        )
        browser = None
        try:
            browser = Firefox(port)
            yield browser
        finally:
            if browser is not None:
                browser.close()
            process.terminate()
            process.wait(timeout=30)
