"""The lineage in figures and as text, beside the picture and the list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from looking import level, search, state
from playwright.sync_api import Page, expect

from connector import Options, analyze
from connector.api import analyze_scripts
from connector.sql.encoding import read_scripts

WAREHOUSE = Path(__file__).parents[3] / "examples" / "warehouse"
SQL = """create table raw.orders (id int, amount numeric(10, 2)); comment on table raw.orders is 'As the shop sends them';
comment on column raw.orders.amount is 'In euros';
insert into mart.daily (total, n) select sum(o.amount), count(*) from raw.orders o join raw.shops s on s.id = o.id where s.open;
create view mart.v as select total from mart.daily;
select broken from;"""


def view(page: Page, name: str) -> None:
    page.get_by_role("radiogroup", name="View").get_by_role("radio", name=name).click()


def text_of(page: Page) -> str:
    return page.locator("#text pre").text_content() or ""


def part(page: Page, title: str):
    return page.locator("#summary section").filter(has=page.get_by_role("heading", name=title))


def test_the_summary_says_what_there_is(open_sql):
    page = open_sql(SQL)
    view(page, "Summary")
    figures = page.evaluate(
        """[...document.querySelectorAll('#summary .figure')].map(each =>
            `${each.querySelector('dd').textContent} ${each.querySelector('dt').textContent}`)"""
    )
    assert {"1 script", "3 tables", "1 view", "1 error"} <= set(figures)
    assert part(page, "Sources").get_by_role("button").all_inner_texts() == ["raw.orders", "raw.shops"]
    expect(part(page, "Sources")).to_contain_text("As the shop sends them")
    assert part(page, "Final targets").get_by_role("button").all_inner_texts() == ["mart.v"]
    assert part(page, "Most used").locator("li").first.inner_text().split() == [
        "raw.orders",
        "2",
        "As",
        "the",
        "shop",
        "sends",
        "them",
    ]
    expect(part(page, "Problems")).to_contain_text("SyntaxError")


def test_names_of_the_summary_lead_into_the_picture(open_sql):
    page = open_sql(SQL)
    view(page, "Summary")
    part(page, "Final targets").get_by_role("button", name="mart.v").click()
    expect(page.locator("#details h2")).to_have_text("v")
    expect(page.locator("#picture")).to_be_visible()
    view(page, "Summary")
    part(page, "Schemas").get_by_role("button", name="mart").click()
    expect(page.locator("#filter-count")).to_have_text("1")
    expect(page.locator("#picture")).to_be_visible()


@pytest.mark.parametrize(("name", "key"), [("Tables", "table"), ("Columns", "column"), ("Every step", "complete")])
def test_the_tree_is_what_the_command_line_writes(open_page, warehouse_file, name, key):
    page = open_page(warehouse_file)
    level(page, name)
    view(page, "Text")
    expect(page.get_by_role("radio", name="Tree")).to_be_checked()
    lineage = analyze_scripts(read_scripts([WAREHOUSE]), "snowflake", default_database="shop")
    assert text_of(page) == lineage.render("text", key)


def test_the_tree_names_statements_that_are_not_understood(open_sql):
    page = open_sql(SQL)
    view(page, "Text")
    # The command line writes its problems to stderr; the page has one text for both.
    problem = "SyntaxError  line 5, column 15  expected a table name after 'from'\n"
    assert text_of(page) == analyze(SQL, "postgresql", options=Options()).render("text", "column") + problem


def test_csv_and_json_follow_what_is_chosen(open_sql):
    page = open_sql(SQL, level="table")
    search(page, "daily")
    page.get_by_role("radiogroup", name="Direction").get_by_role("radio", name="Down").click()
    view(page, "Text")
    page.get_by_role("radio", name="JSON").click()
    relations = json.loads(text_of(page))["relations"]
    assert [(each["source"]["table"], each["target"]["table"]) for each in relations] == [("daily", "v")]
    page.get_by_role("radio", name="CSV").click()
    expect(page.get_by_role("radio", name="CSV")).to_be_focused()
    assert len(text_of(page).splitlines()) == 2
    expect(page.locator("#text [role=status]")).to_have_text("2 lines · lineage of daily")
    with page.expect_download() as download:
        page.locator("#text-save").click()
    assert download.value.suggested_filename.endswith(".csv")
    assert download.value.path().read_text(encoding="utf-8") == text_of(page)


def test_a_view_has_an_address(open_sql):
    page = open_sql(SQL, hash_="#view=summary")
    expect(page.locator("#summary")).to_be_visible()
    assert state(page)["view"] == "summary"
    view(page, "Text")
    page.go_back()
    expect(page.locator("#summary")).to_be_visible()


def test_a_phone_has_all_views(open_sql):
    page = open_sql(SQL, size=(390, 844))
    for name in ("List", "Summary", "Text", "Diagram"):
        page.locator("#tabs").get_by_role("button", name=name).click()
        expect(page.locator({"Diagram": "#picture"}.get(name, f"#{name.lower()}"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(
        "[...document.querySelectorAll('#tabs button')].every(tab => tab.scrollWidth <= tab.clientWidth)"
    )
