"""One hop more, columns open and closed, the way between two things, and filters."""

from __future__ import annotations

import pytest
from looking import box, card, search, settle, state, titles, wait_until
from playwright.sync_api import expect

from connector.export.page import PageObject, PageProcess, PageTableEdge, edges_document, render_page

CHAIN = """create view s.b as select x from s.a where k > 0;
create view s.c as select x from s.b;
create view r.d as select sum(x) as x from s.c join s.z on z.k = c.x;
create view r.e as select x from r.d;"""


def test_one_hop_more_on_a_card(open_sql):
    page = open_sql(CHAIN, hash_="#level=table&hide=processes")
    search(page, "s.c")
    page.get_by_role("radiogroup", name="Depth").get_by_role("radio", name="1").click()
    page.get_by_role("checkbox", name="Only these").check()
    wait_until(page, "lineagePage.scene().cards === 3")
    card(page, "b").locator(".tool-grow").click()
    wait_until(page, "lineagePage.scene().cards === 4")
    assert titles(page) == {"a", "b", "c", "d"}
    box(page, "d").focus()
    page.keyboard.press("d")
    wait_until(page, "lineagePage.scene().cards === 5")
    address = page.evaluate("location.hash")
    page.reload()
    page.evaluate("lineagePage.ready")
    assert page.evaluate("location.hash") == address
    assert page.evaluate("lineagePage.scene().cards") == 5


def test_columns_open_and_close_for_each_table(open_sql):
    page = open_sql(CHAIN)
    rows = page.locator("#picture .row").count()
    card(page, "c").locator(".tool-toggle").click()
    wait_until(page, f"document.querySelectorAll('#picture .row').length < {rows}")
    expect(card(page, "c").locator(".row")).to_have_count(0)
    expect(card(page, "d").locator(".row").first).to_be_visible()
    box(page, "c").focus()
    page.keyboard.press("c")
    wait_until(page, f"document.querySelectorAll('#picture .row').length === {rows}")


@pytest.mark.parametrize(
    ("start", "end", "between"), [("a", "r.d", {"a", "b", "c", "d"}), ("r.e", "s.c", {"c", "d", "e"})]
)
def test_the_way_between_two_things(open_sql, start, end, between):
    page = open_sql(CHAIN, hash_="#level=table&hide=processes")
    search(page, start)
    page.get_by_role("button", name="Path to…").click()
    page.keyboard.type(end)
    page.keyboard.press("Enter")
    wait_until(page, f"lineagePage.scene().cards === {len(between)}")
    settle(page)
    assert titles(page) == between
    assert state(page)["path"] != ""
    page.get_by_role("button", name="Show everything again").or_(page.locator("#path-to")).first.click()
    wait_until(page, "lineagePage.scene().cards === 6")


def test_no_way_between_two_things(open_sql):
    page = open_sql(CHAIN, hash_="#level=table&hide=processes")
    search(page, "s.z")
    page.get_by_role("button", name="Path to…").click()
    page.get_by_role("button", name="Fit everything").click()
    settle(page)
    card(page, "a").click()
    expect(page.locator("#toast")).to_contain_text("No lineage leads from z to a")


def test_filters(open_page, tmp_path):
    objects = [
        PageObject(name, kind, name, "shop", schema)
        for name, kind, schema in [
            ("a", "table", "raw"),
            ("b", "table", "core"),
            ("v", "view", "mart"),
            ("w", "view", "mart"),
        ]
    ]
    edges = [PageTableEdge("fdd", "a", "b", 1), PageTableEdge("fdd", "b", "v", 2), PageTableEdge("fdd", "b", "w", 3)]
    processes = [
        PageProcess(1, "Insert", "1" * 32, users=["etl"], last_seen="2024-05-01T00:00:00+00:00"),
        PageProcess(2, "Create View", "2" * 32, users=["ann"], last_seen="2024-06-01T00:00:00+00:00"),
        PageProcess(3, "Create View", "3" * 32, users=["ann", "etl"], last_seen="2024-04-01T00:00:00+00:00"),
    ]
    file = tmp_path / "filters.html"
    file.write_text(
        render_page(edges_document(title="F", objects=objects, table_edges=edges, processes=processes)),
        encoding="utf-8",
    )
    page = open_page(file, "#hide=processes")
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("checkbox", name="shop.raw").uncheck()
    wait_until(page, "lineagePage.scene().cards === 3")
    expect(page.get_by_role("checkbox", name="shop.raw")).to_be_focused()
    page.get_by_role("checkbox", name="view").uncheck()
    wait_until(page, "lineagePage.scene().cards === 0")
    page.get_by_role("button", name="Show everything").click()
    wait_until(page, "lineagePage.scene().cards === 4")
    page.get_by_label("Statements of").select_option("ann")
    wait_until(page, "lineagePage.scene().cards === 3")
    page.get_by_label("Seen since").fill("2024-05-15")
    page.get_by_label("Seen since").blur()
    wait_until(page, "lineagePage.scene().cards === 2")
    assert "user=ann&since=2024-05-15" in page.evaluate("location.hash")
    page.reload()
    page.evaluate("lineagePage.ready")
    assert titles(page) == {"b", "v"}


@pytest.mark.parametrize("typed", ["custmoer", "costumer", "dim_custmer", "custommer core"])
def test_a_misspelled_name_is_found(open_sql, typed):
    page = open_sql(
        "create table core.dim_customer as select id from raw.t; create view core.c as select a from raw.u;"
    )
    page.get_by_role("combobox", name="Find a table or column").fill(typed)
    expect(page.get_by_role("option").first).to_contain_text("dim_customer")
    page.get_by_role("combobox", name="Find a table or column").fill("quite something else")
    expect(page.get_by_role("option").filter(has_text="dim_customer")).to_have_count(0)
