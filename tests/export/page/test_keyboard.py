"""Everything can be done with keys, and nobody loses their place while doing it."""

from __future__ import annotations

from looking import box, search, settle, state, transform
from playwright.sync_api import Page, expect

SQL = "create view v as select t.a, u.b from t join u on t.k = u.k where t.c > 0"


def focused(page: Page) -> str:
    """What the focus is on, in words."""
    found: str = page.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? ''"
    )
    return found


def is_lost(page: Page) -> bool:
    lost: bool = page.evaluate("document.activeElement === document.body")
    return lost


def test_the_focus_stays_on_a_card_that_is_drawn_anew(warehouse):
    """From far away a card is drawn in another way."""
    box(warehouse, "fact_sales").focus()
    before = transform(warehouse)[2]
    for key in ["-"] * 8 + ["+"] * 12:
        warehouse.keyboard.press(key)
        settle(warehouse)
        assert "fact_sales" in focused(warehouse)
    assert transform(warehouse)[2] > before


def test_the_focus_goes_to_what_was_searched_for(warehouse):
    search(warehouse, "fact_sales")
    expect(warehouse.locator("#details h2")).to_have_text("fact_sales")
    expect(warehouse.locator("#picture .card-box:focus")).to_have_count(1)
    assert "fact_sales" in focused(warehouse)
    warehouse.keyboard.press("ArrowDown")
    expect(warehouse.locator(".row.selected")).to_have_count(1)


def test_the_focus_stays_in_the_bar_and_in_the_details(warehouse):
    search(warehouse, "fact_sales")
    depth = warehouse.get_by_role("radiogroup", name="Depth").get_by_role("radio", name="1")
    depth.focus()
    warehouse.keyboard.press("Enter")
    assert state(warehouse)["depth"] == 1
    expect(warehouse.get_by_role("radiogroup", name="Depth").get_by_role("radio", name="1")).to_be_focused()
    link = warehouse.locator("#details .owner button.link").first
    name = link.inner_text().rpartition(".")[2]
    link.focus()
    warehouse.keyboard.press("Enter")
    expect(warehouse.locator("#details h2")).to_have_text(name)
    expect(warehouse.locator("#details h2")).to_be_focused()
    warehouse.get_by_role("button", name="Close details").focus()
    warehouse.keyboard.press("Enter")
    expect(warehouse.locator("#details")).to_be_hidden()
    assert not is_lost(warehouse)


def test_the_menu_of_files_has_arrow_keys(warehouse):
    button = warehouse.get_by_role("button", name="Export")
    button.focus()
    warehouse.keyboard.press("Enter")
    items = warehouse.get_by_role("menuitem")
    expect(items.first).to_be_focused()
    for key, at in [("ArrowDown", 1), ("End", items.count() - 1), ("ArrowDown", 0), ("ArrowUp", -1), ("Home", 0)]:
        warehouse.keyboard.press(key)
        expect(items.nth(at)).to_be_focused()
    warehouse.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(warehouse.locator("#export-menu")).to_be_hidden()


def test_lines_can_be_reached(open_sql):
    page = open_sql(SQL)
    box(page, "t").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".wire:focus")).to_have_count(1)
    first = focused(page)
    assert " from t." in first
    page.keyboard.press("ArrowDown")
    assert " from t." in focused(page)
    assert focused(page) != first
    page.keyboard.press("ArrowUp")
    assert focused(page) == first
    page.keyboard.press("Enter")
    expect(page.locator("#details .wire-title")).to_be_visible()
    expect(page.locator(".wire:focus")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    assert "table t" in focused(page) or "t," in focused(page)
