"""Text that would be read wrongly, or not at all."""

from __future__ import annotations

from looking import card, search, settle
from playwright.sync_api import expect

TURNED = "or\u202edn\u200bers"


def test_characters_that_nobody_sees_are_written_out(open_sql):
    page = open_sql(f'create view v as select "{TURNED}" as x from "{TURNED}" -- \u2066 hidden', "postgresql")
    shown = "or⟨U+202E⟩dn⟨U+200B⟩ers"
    expect(page.locator(".card-title").filter(has_text=shown)).to_have_count(1)
    expect(page.locator("#sql-layer")).to_contain_text(shown)
    expect(page.locator("#sql-layer")).to_contain_text("⟨U+2066⟩ hidden")
    search(page, "dn")
    expect(page.locator("#details h2")).to_have_text(shown)
    page.keyboard.press("l")
    expect(page.locator("#list tbody")).to_contain_text(shown)
    drawn = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(n => !['SCRIPT', 'TEXTAREA', 'STYLE'].includes(n.tagName))"
        ".flatMap(n => [...n.childNodes]).filter(n => n.nodeType === 3 && /[\\u202e\\u200b\\u2066]/.test(n.data)).length"
    )
    assert drawn == 0


def test_code_does_not_show_through_the_line_numbers(open_sql):
    page = open_sql("create view v as select " + ", ".join(f"a{n}" for n in range(200)) + " from t")
    page.locator("#sql-input").evaluate("input => { input.scrollLeft = 300; }")
    settle(page)
    opacity, covers = page.evaluate(
        """() => {
            const number = document.querySelector('.sql-number');
            const covered = number.getBoundingClientRect().right >= document.getElementById('sql-input').getBoundingClientRect().left;
            return [getComputedStyle(number).opacity, covered];
        }"""
    )
    assert (opacity, covers) == ("1", True)


def test_names_that_are_found_are_not_squeezed(open_sql):
    page = open_sql(
        "create view reporting_department.monthly_revenue_by_region as select a from some_source_table_name"
    )
    page.get_by_role("combobox").fill("monthly_revenue")
    name = page.locator("#search-results .found-name").first
    assert name.bounding_box()["height"] < 30


def test_two_spellings_of_a_schema_are_one_group(open_sql):
    page = open_sql(
        "create view SHOP.v as select a from shop.t; create view shop.w as select a from SHOP.v",
        "snowflake",
        hash_="#level=table&grouped=1",
    )
    expect(page.locator(".card.kind-group")).to_have_count(1)
    expect(card(page, "nothing")).to_have_count(0)
