"""Pages in a real Chromium. Whatever the browser complains about, runs by mistake or asks of a network fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import chromium
from looking import settle
from playwright.sync_api import Browser, BrowserContext, Page

from connector import Options, analyze
from connector.api import analyze_scripts
from connector.sql.encoding import read_scripts

WAREHOUSE = Path(__file__).parents[3] / "examples" / "warehouse"

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not for the whole session: while it runs, nothing else in the process can run an event loop."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def warehouse_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example warehouse: thirteen scripts, nineteen tables and views."""
    file = tmp_path_factory.mktemp("pages") / "warehouse.html"
    lineage = analyze_scripts(read_scripts([WAREHOUSE]), "snowflake", default_database="shop")
    file.write_text(lineage.render("html", "column"), encoding="utf-8")
    return file


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a file and waits until its picture stands."""
    faults: list[str] = []
    contexts: list[BrowserContext] = []

    def open_file(
        file: Path,
        hash_: str = "",
        *,
        size: tuple[int, int] = (1280, 800),
        scheme: Any = "light",
        script: str = "",
        ready: bool = True,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(90_000)  # a busy machine may take long, and must not fail for it
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on(
            "console", lambda message: faults.append(f"console: {message.text}") if message.type == "error" else None
        )
        page.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("about:", "data:", "blob:", file.as_uri()))
                else faults.append(f"request: {request.url}")
            ),
        )
        if script:
            page.add_init_script(script)
        page.goto(file.as_uri() + hash_)
        if ready:
            page.evaluate("lineagePage.ready")
            settle(page)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def open_sql(open_page: OpenPage, tmp_path: Path) -> Callable[..., Page]:
    """Analyses a text and opens its page."""

    def open_text(sql: str, dialect: str = "postgresql", level: str = "column", **wishes: Any) -> Page:
        file = tmp_path / f"page{len(list(tmp_path.iterdir()))}.html"
        options = wishes.pop("options", Options())
        file.write_text(analyze(sql, dialect, options=options).render("html", level), encoding="utf-8")
        return open_page(file, **wishes)

    return open_text


@pytest.fixture
def warehouse(open_page: OpenPage, warehouse_file: Path) -> Page:
    return open_page(warehouse_file)
