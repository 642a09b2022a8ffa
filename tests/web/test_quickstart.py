"""Somebody who has read nothing, before the quickstart's store: what feeds a report, who made it, what a change would break."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from browser import chromium, keep_screenshot
from live_server import running
from playwright.sync_api import Page, expect
from quickstart_store import make_quickstart

expect.set_options(timeout=20_000)  # a busy machine is slow, not wrong


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    store = make_quickstart(tmp_path_factory.mktemp("quickstart"))
    with running("--store", store, "--workers", "1", "--rate", "100000") as server:
        yield server.address


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(params=[(1280, 800), (1920, 1080), (390, 844)], ids=["laptop", "desk", "phone"])
def page(request: pytest.FixtureRequest, browser, address) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(20_000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert faults == []


def width_of(page: Page) -> int:
    size = page.viewport_size
    assert size is not None
    return size["width"]


def test_what_feeds_a_report_and_who_made_it(page):
    expect(page.locator("#title")).to_have_text("All tables")
    keep_screenshot(page, f"quickstart-first-look-{width_of(page)}")
    if width_of(page) < 600:
        page.locator("#tabs").get_by_role("button", name=re.compile("SQL|Store")).first.click()
    page.get_by_label("Search the store").fill("v_management")
    page.locator("#store-list").get_by_role("button", name="v_management").click()
    page.wait_for_url(re.compile("object="))
    if width_of(page) < 600:
        page.locator("#tabs").get_by_role("button", name="Details").click()
    details = page.locator("#details")
    fed_by = details.locator("section").filter(has=page.get_by_role("heading", name=re.compile("^Fed by")))
    expect(fed_by.get_by_role("button", name="mart.monthly_department")).to_be_visible()
    expect(fed_by).to_contain_text("core.fact_sales")
    keep_screenshot(page, f"quickstart-report-{width_of(page)}")
    details.get_by_role("heading", name="Definition").scroll_into_view_if_needed()
    expect(details).to_contain_text("left join mart.budget_check")


def test_what_a_change_would_break(page):
    if width_of(page) < 600:
        page.locator("#tabs").get_by_role("button", name=re.compile("SQL|Store")).first.click()
    page.get_by_label("Search the store").fill("core.fact_sales")
    page.locator("#store-list").get_by_role("button", name="fact_sales").first.click()
    page.wait_for_url(re.compile("object="))  # the picture stands, and the address says what it shows
    if width_of(page) < 600:
        page.locator("#tabs").get_by_role("button", name="Details").click()
    page.get_by_role("button", name="Impact of a change").click()
    touched = page.locator("#details").locator(".impact-list")
    expect(touched).to_contain_text("daily_sales")
    expect(touched).to_contain_text("ETL_SERVICE")
    touched.scroll_into_view_if_needed()
    keep_screenshot(page, f"quickstart-impact-{width_of(page)}")
