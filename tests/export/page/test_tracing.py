"""Choosing: what is lit, how far, what the words beside it say, and finding things in the first place."""

from __future__ import annotations

import re

from browser import keep_screenshot
from looking import card, choose_wire, level, lit_cards, lit_columns, point_of_wire, row, search, state, titles
from playwright.sync_api import expect

CHAIN = """create view b as select x, y from a where z > 1;
create view c as select x + y as s, y from b;
create view d as select s from c;
create view e as select s from d;
create view other as select q from elsewhere;
"""


def test_a_column_lights_what_feeds_it_and_what_it_feeds(open_sql):
    page = open_sql(CHAIN)
    row(page, "c", "s").click()
    assert lit_columns(page) == {"a.x", "a.y", "b.x", "b.y", "c.s", "d.s", "e.s"}
    expect(row(page, "c", "s")).to_have_class(re.compile("selected"))
    faded = card(page, "other").evaluate("card => getComputedStyle(card).opacity")
    assert float(faded) < 0.5
    assert float(card(page, "a").evaluate("card => getComputedStyle(card).opacity")) == 1


def test_a_table_lights_everything_around_it(open_sql):
    page = open_sql(CHAIN)
    card(page, "d").locator(".card-title").click()
    assert lit_cards(page) == {"a", "b", "c", "d", "e"}
    page.locator("#frame").click(position={"x": 5, "y": 300})
    assert lit_cards(page) == set()
    expect(page.locator("#details")).to_be_hidden()


def test_depth_and_direction(open_sql):
    page = open_sql(CHAIN)
    row(page, "c", "s").click()
    bar = page.locator("#trace-bar")
    bar.get_by_role("radio", name="1", exact=True).click()
    assert lit_columns(page) == {"b.x", "b.y", "c.s", "d.s"}
    bar.get_by_role("radio", name="2", exact=True).click()
    assert lit_columns(page) == {"a.x", "a.y", "b.x", "b.y", "c.s", "d.s", "e.s"}
    bar.get_by_role("radio", name="Up").click()
    assert lit_columns(page) == {"a.x", "a.y", "b.x", "b.y", "c.s"}
    bar.get_by_role("radio", name="Down").click()
    assert lit_columns(page) == {"c.s", "d.s", "e.s"}
    bar.get_by_role("radio", name="1", exact=True).click()
    assert lit_columns(page) == {"c.s", "d.s"}
    assert (state(page)["depth"], state(page)["direction"]) == (1, "down")


def test_only_what_is_lit(open_sql):
    page = open_sql(CHAIN)
    row(page, "c", "s").click()
    page.get_by_role("checkbox", name="Only these").check()
    expect(card(page, "other")).to_have_count(0)
    assert titles(page) == {"a", "b", "c", "d", "e"}
    expect(card(page, "c").locator(".row")).to_have_count(1)
    page.get_by_role("button", name="Let go").click()
    expect(card(page, "other")).to_have_count(1)


def test_which_columns_feed_a_report_column_in_three_clicks(warehouse):
    """The report, which comes near, and its column: both the picture and the words answer."""
    card(warehouse, "monthly_department").click()
    row(warehouse, "monthly_department", "revenue_eur").click()
    details = warehouse.locator("#details")
    expect(details.locator("h2")).to_have_text("revenue_eur")
    fed = details.locator("section").filter(has_text="Fed by")
    for name in ("mart.v_sales", "core.fact_sales", "raw.order_lines", "raw.exchange_rates"):
        expect(fed.get_by_role("button", name=name)).to_be_visible()
    expect(fed.get_by_role("button", name="unit_price")).to_be_visible()
    assert {"v_sales.net_eur", "v_sales.order_date", "monthly_department.revenue_eur"} <= lit_columns(warehouse)
    keep_screenshot(warehouse, "chosen-column-1280")


def test_data_and_impact_are_told_apart(open_sql):
    page = open_sql("insert into o (day, total) select t.d, sum(t.a) from t where t.s = 1 group by t.d")
    row(page, "o", "total").click()
    fed = page.locator("#details section").filter(has_text="Fed by")
    expect(fed.locator("li li").filter(has=page.get_by_role("button", name="a", exact=True))).to_contain_text("data")
    expect(fed.locator("li li").filter(has=page.get_by_role("button", name="d", exact=True))).to_contain_text("impact")
    rows = page.locator("#details section").filter(has_text="Its rows depend on")
    expect(rows.get_by_role("button", name="t.s")).to_be_visible()
    expect(rows).to_contain_text("WHERE")


def test_hovering_says_what_it_is(open_sql):
    page = open_sql("insert into s.o (x) select t.a from s.t where t.b > 1")
    tooltip = page.locator("#tooltip")
    row(page, "o", "x").hover()
    expect(tooltip).to_contain_text("default.s.o.x@")
    expect(tooltip).to_contain_text("written by Insert")
    expect(tooltip).to_contain_text("select t.a from s.t")
    page.mouse.move(*point_of_wire(page, "fdr"))
    expect(tooltip).to_contain_text("t.b → o.rows")
    expect(tooltip).to_contain_text("impact · WHERE")
    expect(tooltip).to_contain_text("Insert")
    expect(tooltip).to_contain_text("insert into s.o (x)")
    page.mouse.move(400, 790)
    expect(tooltip).to_be_hidden()


def test_a_line_shows_its_statement(open_sql):
    page = open_sql("select 1;\n\ninsert into o (x)\nselect t.a\nfrom t join u on t.id = u.id;")
    choose_wire(page, "fdd")
    details = page.locator("#details")
    expect(details).to_contain_text("t.a → o.x")
    expect(details.locator(".badge").first).to_have_text("data flow")
    expect(details.locator("pre.statement")).to_contain_text("insert into o (x)")
    assert "select 1" not in details.locator("pre.statement").inner_text()
    assert details.locator("pre.statement .mark-strong").all_inner_texts() == ["x", "t.a"]
    lit = page.locator("#sql-layer .sql-line", has=page.locator(".mark-lit"))
    assert lit.evaluate_all("lines => lines.map(line => line.dataset.line)") == ["3", "4", "5"]
    choose_wire(page, "join")
    expect(details).to_contain_text("t.id = u.id")
    keep_screenshot(page, "line-1280")


def test_search_forgives(warehouse):
    box = warehouse.get_by_role("combobox", name="Find a table or column")
    found = warehouse.locator("#search-results [role=option]")
    for typed, first in (
        ("fact_sales", "fact_sales"),
        ("fctsales", "fact_sales"),
        ("monthly revenue", "revenue_eur"),
        ("MONTHLY_DEPARTMENT", "monthly_department"),
        ("mart.v_sales", "v_sales"),
    ):
        box.fill(typed)
        expect(found.first).to_contain_text(first)
    box.fill("no such thing at all")
    expect(warehouse.locator("#search-results")).to_contain_text("Nothing is called")
    box.fill("v_cust")
    warehouse.keyboard.press("ArrowDown")
    warehouse.keyboard.press("ArrowUp")
    warehouse.keyboard.press("Enter")
    expect(warehouse.locator("#details h2")).to_have_text("v_customer_value")
    warehouse.locator("#picture").focus()
    warehouse.keyboard.press("/")
    expect(box).to_be_focused()


def test_search_finds_what_another_level_shows(open_sql):
    page = open_sql("with recent as (select a from t) insert into o (x) select a from recent")
    search(page, "recent")
    expect(page.get_by_role("radio", name="Every step")).to_be_checked()
    expect(page.locator("#details h2")).to_have_text("recent")


def test_a_statement_can_be_chosen(open_sql):
    page = open_sql("insert into o (x) select a from t; insert into p (x) select a from u;")
    level(page, "Tables")
    page.locator(".card.kind-process").first.click()
    details = page.locator("#details")
    expect(details.locator("h2")).to_have_text("Insert")
    expect(
        details.locator("section").filter(has_text="Reads").get_by_role("button", name="t", exact=True)
    ).to_be_visible()
    expect(
        details.locator("section").filter(has_text="Writes").get_by_role("button", name="o", exact=True)
    ).to_be_visible()
    assert lit_cards(page) == {"t", "Insert", "o"}
