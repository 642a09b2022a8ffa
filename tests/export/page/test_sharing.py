"""Addresses, files, the list, light and dark, narrow pages, and people who do not see the picture."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import keep_screenshot
from looking import box, card, level, lit_columns, row, search, settle, state, switch, transform
from playwright.sync_api import Browser, Page, expect

from connector import analyze
from connector.export.page import server_page

SCRIPT = """create temporary table tmp as select id, amount from shop.orders where state = 'paid';
insert into mart.daily (day, total)
select d.day, sum(t.amount) from tmp t join dim.days d on d.id = t.id group by d.day;
"""


def test_a_view_is_kept_in_the_address(open_page, warehouse_file):
    page = open_page(warehouse_file)
    assert page.evaluate("location.hash") == ""
    level(page, "Every step")
    switch(page, "Functions", False)
    switch(page, "Impact", False)
    search(page, "monthly revenue_eur")
    page.get_by_role("radio", name="2", exact=True).click()
    page.get_by_role("radio", name="Up").click()
    shared = page.evaluate("location.hash")
    other = open_page(warehouse_file, shared)
    kept = ("level", "function", "impact", "focus", "depth", "direction")
    assert {key: state(other)[key] for key in kept} == {key: state(page)[key] for key in kept}
    assert (state(other)["level"], state(other)["depth"]) == ("complete", 2)
    expect(other.locator("#details h2")).to_have_text("revenue_eur")
    other.go_back()


def test_going_back_goes_back(warehouse):
    level(warehouse, "Tables")
    search(warehouse, "fact_sales")
    expect(warehouse.locator("#details h2")).to_have_text("fact_sales")
    warehouse.go_back()
    expect(warehouse.locator("#details")).to_be_hidden()
    warehouse.go_back()
    expect(warehouse.get_by_role("radio", name="Columns")).to_be_checked()


@pytest.mark.parametrize("hash_", ["#level=none&depth=-3&focus=nobody&show=x,,y&open=", "#%%%", "#focus=|"])
def test_a_broken_address_does_no_harm(open_page, warehouse_file, hash_):
    page = open_page(warehouse_file, hash_)
    expect(page.get_by_role("radio", name="Columns")).to_be_checked()
    expect(card(page, "fact_sales")).to_have_count(1)


def download(page: Page, format: str) -> tuple[str, bytes]:
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as waiting:
        page.locator(f"#export-menu [data-format={format}]").click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_json_is_the_level_on_show(open_sql):
    page = open_sql(SCRIPT)
    lineage = analyze(SCRIPT, "postgresql")
    name, content = download(page, "json")
    assert name.endswith(".column.json")
    assert json.loads(content) == lineage.to_dict("column")
    level(page, "Tables")
    switch(page, "Temporary tables", True)
    assert json.loads(download(page, "json")[1]) == lineage.to_dict("table", temporaries=True)
    level(page, "Every step")
    switch(page, "Functions", False)
    assert json.loads(download(page, "json")[1]) == lineage.to_dict("complete", function=False)


def test_csv_is_what_a_spreadsheet_takes(open_sql):
    page = open_sql('insert into o ("=cmd()", x) select a, b from s.t where c = 1')
    rows = list(csv.DictReader(io.StringIO(download(page, "csv")[1].decode()), delimiter=";"))
    found = {(row["source_column"], row["target_column"], row["relation_type"], row["clause"]) for row in rows}
    assert found == {("a", "'=cmd()", "fdd", ""), ("b", "x", "fdd", ""), ("c", "PseudoRows", "fdr", "where")}
    assert {row["source_schema"] for row in rows} == {"s"}


def test_png_and_svg_are_the_whole_picture(warehouse):
    name, content = download(warehouse, "png")
    assert name.endswith(".png")
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert width > 2000
    assert height > 1000
    assert len(content) > 100_000
    name, content = download(warehouse, "svg")
    root = ElementTree.fromstring(content)
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"monthly_department", "revenue_eur", "fact_sales"} <= texts
    assert "class" not in content.decode()
    dashes = {path.get("stroke-dasharray") for path in root.iter("{http://www.w3.org/2000/svg}path")}
    assert len(dashes - {None, "none"}) == 2
    Path(__file__).parents[3].joinpath("build", "screenshots").mkdir(parents=True, exist_ok=True)
    Path(__file__).parents[3].joinpath("build", "screenshots", "export.svg").write_bytes(content)


def test_the_list_says_the_same(open_sql):
    page = open_sql(SCRIPT)
    page.get_by_role("radio", name="List").click()
    table = page.get_by_role("table", name=re.compile("What feeds what"))
    wanted = analyze(SCRIPT, "postgresql").to_dict("column")["relations"]
    expect(table.locator("tbody tr")).to_have_count(len(wanted))
    expect(table.get_by_role("row").nth(1)).to_contain_text("data flow")
    page.get_by_label("Filter the list").fill("amount")
    expect(table.locator("tbody tr")).to_have_count(1)
    table.get_by_role("button", name="shop.orders.amount").click()
    expect(page.locator("#details h2")).to_have_text("amount")
    expect(page.get_by_role("radio", name="List")).to_be_checked()
    page.keyboard.press("l")
    expect(page.get_by_role("radio", name="Diagram")).to_be_checked()
    expect(page.locator("#picture .row.lit")).to_have_count(2)
    assert lit_columns(page) == {"orders.amount", "daily.total"}


def test_everything_has_a_name(warehouse):
    card(warehouse, "monthly_department").click()
    row(warehouse, "monthly_department", "revenue_eur").click()
    nameless = warehouse.evaluate(
        """[...document.querySelectorAll('button, input, select, textarea, [tabindex="0"]')].filter(node =>
            node.checkVisibility() && !(node.getAttribute('aria-label') || node.textContent.trim()
                || node.labels?.length || node.placeholder)).map(node => node.outerHTML)"""
    )
    assert nameless == []
    expect(box(warehouse, "fact_sales")).to_have_attribute(
        "aria-label", "table shop.core.fact_sales@default, 13 columns"
    )
    expect(warehouse.locator("#announcer")).to_have_text(
        "monthly_department.revenue_eur: 9 objects upstream, 0 objects downstream"
    )
    for name in ("Level", "View", "Direction", "Depth"):
        expect(warehouse.get_by_role("radiogroup", name=name)).to_be_visible()


def test_the_tab_key_reaches_the_list_first(warehouse):
    warehouse.keyboard.press("Tab")
    expect(warehouse.get_by_text("Skip to the list of relations")).to_be_focused()
    warehouse.keyboard.press("Enter")
    expect(warehouse.locator("#list")).to_be_focused()
    expect(warehouse.locator("#list table")).to_be_visible()


def ground(page: Page) -> int:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])


def test_light_and_dark(open_page, warehouse_file):
    assert ground(open_page(warehouse_file)) > 600
    dark = open_page(warehouse_file, scheme="dark")
    assert ground(dark) < 150
    dark.get_by_role("button", name="Light or dark").click()
    assert ground(dark) > 600
    dark.get_by_role("button", name="Light or dark").click()
    assert ground(dark) < 150


def colours(page: Page) -> list[object]:
    """What every name of the theme gives as a colour and as a shadow, and what is drawn with them on a canvas."""
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    settle(page)
    return page.evaluate(
        """() => {
            const root = [...document.styleSheets[0].cssRules].find(rule => rule.selectorText === ':root');
            const names = [...root.style].filter(name => name.startsWith('--') && !/sans|mono/.test(name));
            const probe = document.body.appendChild(document.createElement('p'));
            const found = names.map(name => {
                probe.style.color = `var(${name})`;
                probe.style.boxShadow = `var(${name})`;
                return [name, getComputedStyle(probe).color, getComputedStyle(probe).boxShadow];
            });
            probe.remove();
            const map = document.getElementById('minimap');
            return [...found, [...map.getContext('2d').getImageData(0, 0, map.width, map.height).data].join()];
        }"""
    )


def test_dark_is_the_same_by_the_system_and_by_the_switch(open_page, warehouse_file):
    by_system = open_page(warehouse_file, scheme="dark")
    by_switch = open_page(warehouse_file)
    by_switch.get_by_role("button", name="Light or dark").click()
    dark, light = colours(by_system), colours(open_page(warehouse_file))
    assert colours(by_switch) == dark
    assert [one for one, other in zip(light, dark, strict=True) if one == other] == []
    by_system.emulate_media(color_scheme="light")
    assert ground(by_system) > 600


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (390, 844)])
def test_it_fits_any_window(open_page, warehouse_file, size, scheme):
    page = open_page(warehouse_file, size=size, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep_screenshot(page, f"open-{size[0]}-{scheme}")
    search(page, "monthly revenue_eur")
    expect(page.locator(".row.selected")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep_screenshot(page, f"column-{size[0]}-{scheme}")
    level(page, "Tables")
    expect(page.locator("#picture .row")).to_have_count(0)
    keep_screenshot(page, f"tables-{size[0]}-{scheme}")


def test_on_a_phone_one_part_at_a_time(open_page, warehouse_file):
    page = open_page(warehouse_file, size=(390, 844))
    tabs = page.get_by_role("navigation", name="Parts of the page")
    expect(page.locator("#side")).to_be_hidden()
    tabs.get_by_role("button", name="SQL").click()
    expect(page.get_by_label("SQL text")).to_be_visible()
    tabs.get_by_role("button", name="List").click()
    expect(page.locator("#list table")).to_be_visible()
    tabs.get_by_role("button", name="Diagram").click()
    expect(page.locator("#picture")).to_be_visible()
    search(page, "monthly revenue_eur")
    tabs.get_by_role("button", name="Details").click()
    expect(page.locator("#details").get_by_role("button", name="mart.v_sales")).to_be_visible()
    page.get_by_role("button", name="Export").click()
    box = page.locator("#export-menu").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_printed_it_is_the_picture_and_the_details(open_page, warehouse_file, scheme):
    page = open_page(warehouse_file, scheme=scheme)
    search(page, "monthly revenue_eur")
    page.emulate_media(media="print")
    for shown in ("#picture", "#details", "#title"):
        expect(page.locator(shown)).to_be_visible()
    for left_out in ("#search", "#levels", "#side", ".zoom", "#minimap", "#share"):
        expect(page.locator(left_out)).to_be_hidden()
    dark = page.evaluate("getComputedStyle(document.getElementById('details')).color.match(/\\d+/g).map(Number)")
    assert sum(dark[:3]) < 200  # ink on paper, whatever the screen shows
    page.emulate_media(media="screen")
    page.keyboard.press("l")
    page.emulate_media(media="print")
    expect(page.locator("#list table")).to_be_visible()
    expect(page.locator("#picture")).to_be_hidden()


CHAIN = ";".join(f"create view step_number_{at + 1} as select x from step_number_{at}" for at in range(14))


@pytest.mark.parametrize("shown", ["table", "column"])
def test_on_a_phone_a_wide_picture_opens_where_it_can_be_read(open_sql, shown):
    page = open_sql(CHAIN, level=shown, hash_="#hide=processes", size=(390, 844))
    opened = transform(page)[2]
    assert opened >= 0.45
    expect(page.locator("#picture .card").first).to_be_in_viewport()
    page.get_by_role("button", name="Fit everything").click()
    settle(page)
    assert transform(page)[2] < opened
    wide = open_sql(CHAIN, level=shown, hash_="#hide=processes")
    expect(wide.locator("#frame")).to_have_class("frame all-in-sight")


def test_on_a_phone_the_tools_take_two_lines(open_page, warehouse_file):
    page = open_page(warehouse_file, size=(390, 844))
    tops = {page.locator(f"#{name}").bounding_box()["y"] for name in ("show-button", "filter-button", "export-button")}
    assert len(tops) == 1
    assert page.locator("header.bar").bounding_box()["height"] < 100


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (1280, "Paste SQL on the left, open a file, or choose a table of the store."),
        (390, "Tap SQL below to paste a script, open a file, or choose a table of the store."),
    ],
)
def test_an_empty_page_says_where_to_begin(browser: Browser, width, words):
    """What it speaks of is there."""
    info = {"dialects": ["ansi"], "formats": [], "store": False}
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.route(
        "http://lineage.example/", lambda route: route.fulfill(body=server_page().html, content_type="text/html")
    )
    page.route("http://lineage.example/api/info", lambda route: route.fulfill(json=info))
    page.goto("http://lineage.example/")
    page.evaluate("lineagePage.ready")
    expect(page.locator("#empty p")).to_have_text(words, use_inner_text=True)
    if width == 390:
        page.get_by_role("navigation", name="Parts of the page").get_by_role("button", name="SQL").click()
    box = page.get_by_label("SQL text").bounding_box()
    assert box is not None
    assert box["x"] < width / 4
    expect(page.get_by_role("button", name="Open…")).to_be_visible()
    context.close()
