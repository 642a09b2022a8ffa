"""What is told of tables and columns beside their lineage: types, comments, and what computes a column."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import choose_wire, search, settle
from playwright.sync_api import Page, expect

from connector.export.page import (
    PageColumn,
    PageColumnEdge,
    PageObject,
    PageProcess,
    PageTableEdge,
    edges_document,
    render_page,
)

DDL = """create table raw.orders (id int, amount numeric(10, 2));
comment on table raw.orders is 'As the shop sends them';
comment on column raw.orders.amount is 'In euros';
create view mart.v as select sum(amount) as total from raw.orders;"""

SUM = "sum(o.quantity * o.unit_price)"


@pytest.fixture
def computed(open_page, tmp_path: Path) -> Page:
    """Three tables: one column is aggregated of two, and copied on."""
    document = edges_document(
        title="computed",
        objects=[
            PageObject(1, "table", "orders", "shop", "raw", columns=[PageColumn("quantity"), PageColumn("unit_price")]),
            PageObject(2, "table", "daily", "shop", "mart", columns=[PageColumn("revenue", comment="In euros")]),
            PageObject(3, "view", "report", "shop", "mart", columns=[PageColumn("revenue")]),
        ],
        column_edges=[
            PageColumnEdge("fdd", (1, "quantity"), (2, "revenue"), "p", transformation="aggregation", expression=SUM),
            PageColumnEdge("fdd", (1, "unit_price"), (2, "revenue"), "p", transformation="aggregation", expression=SUM),
            PageColumnEdge(
                "fdd", (2, "revenue"), (3, "revenue"), "q", transformation="identity", expression="d.revenue"
            ),
        ],
        table_edges=[PageTableEdge("fdd", 1, 2, "p"), PageTableEdge("fdd", 2, 3, "q")],
        processes=[PageProcess("p", "Insert", "h1"), PageProcess("q", "Create View", "h2")],
    )
    file = tmp_path / "computed.html"
    file.write_text(render_page(document), encoding="utf-8")
    return open_page(file)


def computed_as(page: Page):
    return page.locator("#details section").filter(has=page.get_by_role("heading", name="Computed as"))


def test_a_column_says_how_it_is_computed(computed):
    search(computed, "daily.revenue")
    expect(computed_as(computed).locator("code")).to_have_text(SUM)
    expect(computed_as(computed)).to_contain_text("aggregated")
    expect(computed.locator("#details")).to_contain_text("In euros")
    search(computed, "report.revenue")
    expect(computed_as(computed)).to_have_count(0)


def test_the_lines_of_a_chosen_column_carry_their_expression_once(computed):
    search(computed, "report.revenue")
    labels = computed.locator("#picture .wire-label")
    expect(labels).to_have_count(1)
    assert labels.locator("title").text_content() == f"Σ {SUM}"
    assert (labels.locator("text").text_content() or "").startswith("Σ")
    computed.locator("#only").check()
    settle(computed)
    words = computed.locator("#picture .wire-label text").text_content() or ""
    assert words.startswith("Σ sum(o.quantity")
    computed.keyboard.press("Escape")
    expect(labels).to_have_count(0)


def test_labels_stay_between_the_cards(computed):
    search(computed, "report.revenue")
    computed.locator("#only").check()
    settle(computed)
    label = computed.locator("#picture .wire-label rect").bounding_box()
    boxes = [card.bounding_box() for card in computed.locator("#picture .card-box").all()]
    assert label is not None
    for box in boxes:
        assert box is not None
        assert label["x"] >= box["x"] + box["width"] or label["x"] + label["width"] <= box["x"]


def test_a_line_says_what_it_computes(computed):
    choose_wire(computed, "fdd")
    expect(computed.locator("#details code.condition")).to_have_text(SUM)
    expect(computed.locator("#details")).to_contain_text("aggregated")
    expect(computed.locator("#picture .wire-label")).to_have_count(1)


def test_the_list_says_it_as_well(computed):
    computed.keyboard.press("l")
    cells = computed.locator("#list tbody td:nth-child(4)").all_inner_texts()
    assert cells == [SUM, SUM, "copied as it is"]
    computed.locator("#list-filter").fill("unit_price)")
    expect(computed.locator("#list tbody tr")).to_have_count(2)


def test_types_and_comments_stand_in_the_details(open_sql):
    page = open_sql(DDL, level="table")
    search(page, "orders")
    details = page.locator("#details")
    expect(details.locator(".details-comment")).to_have_text("As the shop sends them")
    columns = details.locator("section").filter(has=page.get_by_role("heading", name="Columns"))
    assert [text.split("\n") for text in columns.locator("li").all_inner_texts()] == [
        ["id", "int"],
        ["amount", "numeric(10, 2)", "In euros"],
    ]
    columns.get_by_role("button", name="amount").click()
    expect(details.locator(".tag")).to_have_text("numeric(10, 2)")
    expect(details.locator(".details-comment")).to_have_text("In euros")


def test_types_and_comments_stand_in_what_one_points_at(open_sql):
    page = open_sql(DDL)
    page.locator("#picture .row", has_text="amount").hover()
    expect(page.locator("#tooltip")).to_contain_text("numeric(10, 2)")
    expect(page.locator("#tooltip")).to_contain_text("In euros")


def test_an_analysed_script_says_how_its_columns_are_computed(open_sql):
    page = open_sql("insert into o (t, n) select sum(q * p) as t, name from i group by name")
    search(page, "o.t")
    expect(computed_as(page).locator("code")).to_have_text("sum(q * p)")
    search(page, "o.n")
    expect(computed_as(page)).to_have_count(0)
