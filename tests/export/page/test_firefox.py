"""The main ways through the page in Firefox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from firefox import Firefox, firefox

ENTER, ESCAPE = "\ue007", "\ue00c"


@pytest.fixture(scope="module")
def page() -> Iterator[Firefox]:
    with firefox() as started:
        yield started


@pytest.fixture
def opened(page: Firefox, warehouse_file: Path) -> Firefox:
    page.open("about:blank")
    page.open(warehouse_file.as_uri())
    page.evaluate("await window.lineagePage.ready")
    return page


def wait_until(page: Firefox, condition: str) -> None:
    page.evaluate(f"while (!({condition})) await new Promise(done => setTimeout(done, 20));")


def test_the_picture_stands(opened):
    """Graphviz runs: its picture has columns, and no line lies under a card."""
    found = opened.evaluate("return [lineagePage.scene().cards, document.querySelectorAll('#picture .row').length > 0]")
    assert found == [19, True]


def test_search_choose_let_go(opened):
    opened.click("#search")
    opened.press(*"monthly revenue_eur", ENTER)
    wait_until(opened, "document.querySelector('#details h2')?.textContent === 'revenue_eur'")
    assert "focus=" in opened.evaluate("return location.hash")
    assert opened.evaluate("return document.querySelectorAll('.wire.lit').length") > 3
    opened.press(ESCAPE)
    wait_until(opened, "document.getElementById('details').hidden")


@pytest.mark.parametrize("level", ["table", "complete"])
def test_levels(opened, level):
    opened.click(f'[data-level="{level}"]')
    wait_until(opened, f"lineagePage.state().level === '{level}' && document.getElementById('busy').hidden")
    assert opened.evaluate("return lineagePage.scene().cards") >= 19


def test_list_and_sql(opened):
    opened.click('[data-view="list"]')
    wait_until(opened, "document.querySelectorAll('#list tbody tr').length > 100")
    assert opened.evaluate("return document.querySelectorAll('#sql-layer .sql-keyword').length") > 3


def test_summary_and_text(opened):
    opened.click('[data-view="summary"]')
    wait_until(opened, "document.querySelectorAll('#summary .figure').length > 5")
    opened.click('[data-view="text"]')
    wait_until(opened, "document.querySelector('#text pre').textContent.includes('└─ staging.customers')")
    opened.click('[data-view="diagram"]')
    wait_until(opened, "!document.getElementById('frame').hidden")


def test_a_column_says_how_it_is_computed(opened):
    opened.click("#search")
    opened.press(*"staging.order_lines gross_eur", ENTER)
    wait_until(opened, "document.querySelector('#details .computed code') !== null")
    assert "quantity" in opened.evaluate("return document.querySelector('#details .computed code').textContent")
    assert opened.evaluate("return document.querySelectorAll('.wire-label').length") >= 1
    opened.press(ESCAPE)


def test_only_these_and_one_hop_more(opened):
    opened.click("#search")
    opened.press(*"mart.v_sales", ENTER)
    wait_until(opened, "document.getElementById('only') !== null")
    opened.click('[data-choice="depth-1"]')
    opened.click("#only")
    wait_until(
        opened, "lineagePage.state().only && document.getElementById('busy').hidden && lineagePage.scene().cards < 19"
    )
    before = opened.evaluate("return lineagePage.scene().cards")
    opened.evaluate(
        "document.querySelector('.card-tool[data-grow=up]').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    wait_until(opened, f"lineagePage.scene().cards > {before}")
