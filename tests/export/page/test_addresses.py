"""A view has an address, a chosen line included, and depth counts tables."""

from __future__ import annotations

from looking import choose_wire, level, lit_cards, search, settle, state, wait_until
from playwright.sync_api import expect

CHAIN = """create view b as select x from a where k > 0;
create view c as select x from b;
create view d as select sum(x) as x from c;"""


def test_a_chosen_line_has_an_address(open_page, warehouse_file):
    page = open_page(warehouse_file, "#level=column")
    choose_wire(page, "fdd", 3)
    title = page.locator("#details .wire-title").inner_text()
    address = page.evaluate("location.hash")
    assert "line=fdd" in address
    again = open_page(warehouse_file, address)
    expect(again.locator("#details .wire-title")).to_have_text(title)
    expect(again.locator(".wire.lit")).to_have_count(1)
    again.get_by_role("button", name="Let go").click()
    expect(again.locator("#details")).to_be_hidden()
    assert "line=" not in again.evaluate("location.hash")
    again.go_back()
    expect(again.locator("#details .wire-title")).to_have_text(title)


def test_a_line_of_what_is_shown_alone(open_page, warehouse_file):
    """The picture stays what it was, and letting go of the line leaves the table chosen."""
    page = open_page(warehouse_file)
    search(page, "cohort_retention")
    page.get_by_role("radiogroup", name="Depth").get_by_role("radio", name="1").click()
    page.get_by_label("Only these").check()
    page.get_by_role("button", name="Fit everything").click()
    settle(page)
    cards = page.evaluate("lineagePage.scene().cards")
    choose_wire(page, "fdd")
    expect(page.locator("#details .wire-title")).to_be_visible()
    assert state(page)["only"] is True
    assert page.evaluate("lineagePage.scene().cards") == cards
    page.keyboard.press("Escape")
    expect(page.locator("#details h2")).to_have_text("cohort_retention")
    assert page.evaluate("lineagePage.scene().cards") == cards


def test_a_line_that_is_not_there_is_ignored(open_page, warehouse_file):
    page = open_page(warehouse_file, "#line=fdd&from=nobody&to=nowhere")
    expect(page.locator("#details")).to_be_hidden()


def test_depth_counts_tables(open_sql):
    page = open_sql(CHAIN, level="table")
    assert page.locator("#picture .card.kind-process").count() == 3
    search(page, "c")
    page.get_by_role("radiogroup", name="Depth").get_by_role("radio", name="1").click()
    wait_until(page, "document.querySelectorAll('#picture .card.lit').length === 5")
    assert {"b", "c", "d"} <= lit_cards(page)
    fed = page.locator("#details section").filter(has=page.get_by_role("heading", name="Fed by"))
    expect(fed).to_contain_text("b")
    level(page, "Every step")
    search(page, "d")
    wait_until(page, "document.querySelectorAll('#picture .card.lit').length > 1")
    assert "c" in lit_cards(page)
    assert "b" not in lit_cards(page)


def test_a_link_to_a_column_shows_where_it_stands_in_the_sql(open_sql):
    sql = "".join(f"create view v{at} as select x as x{at} from t{at};\n" for at in range(300))
    page = open_sql(sql, hash_="#level=column&focus=default.default.v280@default|x280")
    expect(page.locator("#details h2")).to_have_text("x280")
    expect(page.locator("#sql-layer .mark-strong").first).to_be_attached()
    assert "x280" in "".join(page.locator("#sql-layer .mark-strong").all_inner_texts())
    assert page.evaluate("document.getElementById('sql-input').scrollTop") > 1000
