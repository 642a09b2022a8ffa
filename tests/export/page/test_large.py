"""Two thousand tables and twenty thousand edges: quick to open, put away by schema, smooth."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import keep_screenshot
from cpu_work import loop_milliseconds, traced
from looking import search, settle, state, wait_until
from playwright.sync_api import Page, expect

from connector.export.page import (
    PageColumn,
    PageColumnEdge,
    PageObject,
    PageProcess,
    PageTableEdge,
    edges_document,
    render_page,
)

TABLES = 2000
EDGES = 20_000
MOST_LOOPS = 4
"""Of the loop that is the measure: 200 ms on a machine on which it takes 50."""
LAYERS = ("raw", "staging", "core", "mart", "report")


def large_page(schemas: int) -> str:
    """Tables in layers, each fed by some of the layers before it; every edge on both levels."""
    chance = random.Random(4711)
    objects = []
    for number in range(TABLES):
        layer = LAYERS[number * len(LAYERS) // TABLES]
        schema = f"{layer}_{number % (schemas // len(LAYERS))}" if schemas > 1 else "dwh"
        name = f"{layer}_table_{number}"
        columns = [PageColumn(f"column_{at}") for at in range(10)]
        objects.append(PageObject(number, "table", name, "shop", schema, f"shop.{schema}.{name}@prod", columns))
    pairs: dict[tuple[int, int], None] = {}
    while len(pairs) < EDGES:
        source = chance.randrange(TABLES - 1)
        pairs[source, min(TABLES - 1, source + 1 + chance.randrange(TABLES // 3))] = None
    column_edges = [
        PageColumnEdge("fdd", (a, f"column_{chance.randrange(10)}"), (b, f"column_{chance.randrange(10)}"), b)
        for a, b in pairs
    ]
    return render_page(
        edges_document(
            title="A large store",
            objects=objects,
            column_edges=column_edges,
            table_edges=[PageTableEdge("fdd", a, b, b) for a, b in pairs],
            processes=[PageProcess(number, "Insert", f"{number:032x}") for number in range(TABLES)],
        )
    )


@pytest.fixture(scope="module")
def large_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("large") / "large.html"
    file.write_text(large_page(25), encoding="utf-8")
    return file


@pytest.fixture
def large(open_page, large_file) -> Page:
    return open_page(large_file)


@pytest.fixture
def longest_task(browser, large) -> Callable[[Callable[[], None]], float]:
    """The longest task of the page during an action, in loops; the best of three, each of which leaves the page as it was."""
    loop = loop_milliseconds(browser, large)

    def longest(action: Callable[[], None]) -> float:
        best = traced(browser, large, action).longest
        for _ in range(2):
            if best >= MOST_LOOPS * loop:
                best = min(best, traced(browser, large, action).longest)
        return best / loop

    return longest


def pan(page: Page) -> None:
    """Drag the ground to and fro, as people do."""
    box = page.locator("#frame").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 90
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(30):
        page.mouse.move(x - 14 * step, y - 8 * step)
    for step in range(30):
        page.mouse.move(x - 406 + 14 * step, y - 232 + 8 * step)
    page.mouse.up()
    settle(page)


def turn_wheel(page: Page, distances: list[int]) -> None:
    """Forward to zoom in, or back; each time until what then is in sight is drawn."""
    box = page.locator("#frame").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for distance in distances:
        page.mouse.wheel(0, -distance)
        for _ in range(8):
            settle(page)


def test_it_opens_in_less_than_three_seconds(browser, open_page, large_file):
    """Until the picture stands, as time of the processor."""
    page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(large_file.as_uri())
    page.evaluate("lineagePage.ready")
    metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    assert metrics["TaskDuration"] < 3
    page.close()


def test_it_opens_put_away_by_schema(open_page, large_file):
    large = open_page(large_file)
    assert large.evaluate("lineagePage.scene().cards") == 25
    assert (state(large)["level"], state(large)["grouped"]) == ("table", True)
    expect(large.locator(".card.kind-group")).to_have_count(25)
    expect(large.get_by_text("Open a schema, or search for a table")).to_be_visible()
    keep_screenshot(large, "large-1280")


def test_panning_stays_smooth(large, longest_task):
    assert longest_task(lambda: pan(large)) < MOST_LOOPS
    large.get_by_role("button", name="Show all 2,000 objects").click()
    wait_until(large, "lineagePage.scene().cards === 2000")
    settle(large)
    assert longest_task(lambda: pan(large)) < MOST_LOOPS
    keep_screenshot(large, "large-all-1280")
    for _ in range(12):
        large.get_by_role("button", name="Zoom in").click()
    settle(large)
    assert longest_task(lambda: pan(large)) < MOST_LOOPS
    keep_screenshot(large, "large-near-1280")


def test_zooming_stays_smooth(large, longest_task):
    """From all tables as blocks to a few with everything that is said of them, and back."""
    large.get_by_role("button", name="Show all 2,000 objects").click()
    wait_until(large, "document.querySelectorAll('#picture .card.detail-block').length === 2000")
    settle(large)
    # From blocks to names and back: how long the lines take depends on where exactly one arrives.
    there_and_back = [120, -120, 160, -160, 200, -200, 240, -240]
    assert longest_task(lambda: turn_wheel(large, there_and_back)) < MOST_LOOPS
    assert longest_task(lambda: turn_wheel(large, [240] * 7 + [-240] * 8)) < MOST_LOOPS
    expect(large.locator("#picture .card.detail-block")).to_have_count(2000)
    expect(large.locator("#picture .card")).to_have_count(2000)
    turn_wheel(large, [240] * 8)
    assert 0 < large.locator("#picture .card.detail-full").count() < 200


def test_a_schema_opens_and_closes(large):
    large.locator(".card", has=large.get_by_role("button", name="Group shop.mart_3, 80 objects, collapsed")).click()
    wait_until(large, "lineagePage.scene().cards === 24 + 80")
    assert "open=shop.mart_3" in large.evaluate("location.hash")
    large.get_by_title("Close shop.mart_3").click()
    wait_until(large, "lineagePage.scene().cards === 25")


def test_a_table_is_found_and_shown_by_itself(large):
    search(large, "core_table_900")
    expect(large.locator("#details h2")).to_have_text("core_table_900")
    assert state(large)["only"] is True
    assert 1 < large.evaluate("lineagePage.scene().cards") <= 150
    expect(large.get_by_role("button", name="table shop.core_0.core_table_900@prod").first).to_be_visible()
    large.get_by_role("radio", name="Columns").click()
    wait_until(large, "document.querySelectorAll('#picture .row').length > 0")
    keep_screenshot(large, "large-found-1280")


def test_one_schema_is_put_away_by_names(open_page, tmp_path):
    file = tmp_path / "one.html"
    file.write_text(large_page(1), encoding="utf-8")
    page = open_page(file)
    assert page.evaluate("lineagePage.scene().cards") == len(LAYERS)
    expect(page.get_by_role("button", name="Group shop.dwh · mart_…, 400 objects, collapsed")).to_be_visible()
