"""How far away things are, in which order, and as files."""

from __future__ import annotations

import csv
import io

from looking import search
from playwright.sync_api import Page, expect

CHAIN = """create view b as select x from a where k > 0;
create view c as select x from b;
create view d as select sum(x) as x from c join z on z.k = c.x;"""


def saved(page: Page, click) -> list[list[str]]:
    with page.expect_download() as download:
        click()
    text = download.value.path().read_text(encoding="utf-8")
    return list(csv.reader(io.StringIO(text), delimiter=";"))


def fed_by(page: Page):
    return page.locator("#details section").filter(has=page.get_by_role("heading", name="Fed by"))


def test_what_feeds_a_table_has_a_distance_and_an_order(open_sql):
    page = open_sql(CHAIN, level="table")
    search(page, "d")
    items = fed_by(page).locator("li.owner")
    assert [text.split()[-3:-1] for text in items.all_inner_texts()] == [["c", "1"], ["z", "1"], ["b", "2"], ["a", "3"]]
    fed_by(page).get_by_role("combobox").select_option(label="by name")
    assert [text.split()[0] for text in fed_by(page).locator("li.owner").all_inner_texts()] == ["a", "b", "c", "z"]


def test_the_list_is_saved_as_csv(open_sql):
    page = open_sql(CHAIN)
    search(page, "d")
    header, *rows = saved(page, lambda: fed_by(page).get_by_role("button", name="CSV").click())
    assert header == ["direction", "kind", "database", "schema", "object", "column", "relation", "distance"]
    assert ["upstream", "view", "", "", "c", "x", "data", "1"] in rows
    assert ["upstream", "table", "", "", "a", "x", "data", "3"] in rows
    assert ["upstream", "table", "", "", "z", "k", "impact", "1"] in rows


def test_an_export_follows_what_is_chosen(open_sql):
    page = open_sql(CHAIN, level="table")

    def export() -> list[list[str]]:
        page.get_by_role("button", name="Export").click()
        return saved(page, lambda: page.get_by_role("menuitem", name="CSV").click())[1:]

    assert {(row[2], row[5]) for row in export()} == {("a", "b"), ("b", "c"), ("c", "d"), ("z", "d")}
    search(page, "c")
    page.get_by_role("radiogroup", name="Direction").get_by_role("radio", name="Up").click()
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("menuitem", name="CSV")).to_contain_text("what is chosen")
    page.keyboard.press("Escape")
    assert {(row[2], row[5]) for row in export()} == {("a", "b"), ("b", "c")}
