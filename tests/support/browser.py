"""A real Chromium for the tests: Debian's, installed where it is missing, without a window.

Tests that need it use `chromium` in a fixture of their own.
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.machine import apt_install

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
"""Where pictures of the page are kept."""

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


class NoBrowserError(Exception):
    """There is no Chromium, and none can be installed here."""


def find_chromium() -> str:
    """The browser's program. Workers of one run wait for each other: only one of them installs it."""
    found = _look()
    if found is None:
        (ROOT / ".cache").mkdir(exist_ok=True)
        with (ROOT / ".cache" / "chromium.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if _look() is None:
                apt_install("chromium", "fonts-dejavu-core")
            found = _look()
    if found is None:
        raise NoBrowserError("Chromium is not installed; on Debian: apt-get install chromium")
    return found


def _look() -> str | None:
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A running browser. Root has no use for the browser's own sandbox, and containers often forbid it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()


def keep_screenshot(page: Page, name: str) -> Path:
    """Keep a picture of the page; the file says what it shows."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path)
    return path
