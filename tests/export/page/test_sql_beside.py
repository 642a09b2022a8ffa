"""The SQL beside the picture: both ways, errors, several scripts, and characters that are two units long."""

from __future__ import annotations

from browser import keep_screenshot
from looking import lit_cards, lit_columns, row, settle
from playwright.sync_api import Page, expect

from connector.api import analyze_scripts
from connector.model import Script

SCRIPT = "insert into o (x)\nselect t.amount\nfrom shop.t\nwhere t.state = 1;\n"


def put_cursor(page: Page, offset: int) -> None:
    page.get_by_label("SQL text").focus()
    page.evaluate("at => document.getElementById('sql-input').setSelectionRange(at, at)", offset)
    settle(page)


def marked(page: Page, name: str) -> list[str]:
    settle(page)
    return page.locator(f"#sql-layer .{name}").all_inner_texts()


def test_the_cursor_lights_what_stands_there(open_sql):
    page = open_sql(SCRIPT)
    put_cursor(page, SCRIPT.index("t.amount") + 4)
    expect(page.locator("#details h2")).to_have_text("amount")
    assert lit_columns(page) == {"t.amount", "o.x"}
    put_cursor(page, SCRIPT.index("shop.t") + 2)
    expect(page.locator("#details h2")).to_have_text("t")
    put_cursor(page, SCRIPT.index("o (x)"))
    expect(page.locator("#details h2")).to_have_text("o")
    assert "o" in lit_cards(page)


def test_the_arrow_keys_move_the_cursor_but_nothing_can_be_typed(open_sql):
    page = open_sql(SCRIPT)
    put_cursor(page, SCRIPT.index("t.amount") - 1)
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#details h2")).to_have_text("amount")
    page.keyboard.type("drop table")
    expect(page.get_by_label("SQL text")).to_have_value(SCRIPT)


def test_hovering_a_column_lights_its_places(open_sql):
    page = open_sql(SCRIPT)
    row(page, "t", "amount").hover()
    assert marked(page, "mark-pointed") == ["t.amount"]
    row(page, "t", "state").hover()
    assert marked(page, "mark-pointed") == ["t.state"]
    page.mouse.move(700, 790)
    assert marked(page, "mark-pointed") == []


def test_choosing_a_column_scrolls_to_it(open_sql):
    page = open_sql("select 1;\n" * 300 + SCRIPT)
    row(page, "t", "amount").click()
    expect(page.locator("#sql-layer .mark-strong")).to_be_visible()
    assert marked(page, "mark-strong") == ["t.amount"]
    assert page.locator("#sql-layer .sql-line").count() < 80


def test_pointing_into_the_text_points_into_the_picture(open_sql):
    page = open_sql(SCRIPT)
    box = page.get_by_label("SQL text").bounding_box()
    page.mouse.move(box["x"] + 80, box["y"] + 30)
    expect(row(page, "t", "amount")).to_have_class("row row-connected pointed")


def test_errors_are_underlined_with_their_message(open_sql):
    page = open_sql("create view v as select a from t;\nselct broken from;\ncreate view w as select b from u;\n")
    underlined = page.locator("#sql-layer .mark-problem")
    expect(underlined.first).to_be_visible()
    style = underlined.first.evaluate("mark => getComputedStyle(mark).textDecorationStyle")
    assert style == "wavy"
    problems = page.locator("#sql-problems")
    expect(problems).to_contain_text("1 problem")
    box = underlined.first.bounding_box()
    page.mouse.move(box["x"] + 3, box["y"] + 8)
    message = problems.locator("button span").nth(1).inner_text()
    expect(page.locator("#tooltip")).to_contain_text(message)
    problems.get_by_role("button").click()
    expect(page.locator("#sql-layer .mark-strong")).to_be_visible()
    keep_screenshot(page, "problem-1280")


def test_several_scripts(open_page, tmp_path):
    scripts = [
        Script("create view b as select x from a;", 0, "one.sql"),
        Script("\n\ncreate view c as select x from b;", 1, "two.sql"),
    ]
    file = tmp_path / "two.html"
    file.write_text(analyze_scripts(scripts, "postgresql").render("html", "column"), encoding="utf-8")
    page = open_page(file)
    choice = page.get_by_label("Script")
    expect(choice).to_have_value("0")
    row(page, "c", "x").click()
    expect(choice).to_have_value("1")
    assert marked(page, "mark-strong") == ["x"]
    choice.select_option("0")
    expect(page.get_by_label("SQL text")).to_have_value(scripts[0].text)


def test_places_behind_long_characters_are_right(open_sql):
    text = "-- \U0001f600\U0001f600\ninsert into o (w, x) select '\U0001f600', t.amount from t;"
    page = open_sql(text)
    row(page, "t", "amount").hover()
    assert marked(page, "mark-pointed") == ["t.amount"]
    put_cursor(page, len(text[: text.index("t.amount")].encode("utf-16-le")) // 2 + 3)
    expect(page.locator("#details h2")).to_have_text("amount")
