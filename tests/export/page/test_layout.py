"""Pictures that can be read: lines around cards, names told apart, data from left to right, tall layers folded."""

from __future__ import annotations

from pathlib import Path

import pytest
from looking import card, settle, wait_until
from page import MEASURE, warehouse_page
from playwright.sync_api import Page, expect

from connector.export.page import PageObject, PageTableEdge, edges_document, render_page


def write(folder: Path, text: str) -> Path:
    file = folder / "picture.html"
    file.write_text(text, encoding="utf-8")
    return file


def left_of(page: Page, title: str) -> float:
    return float(card(page, title).locator(".card-box").get_attribute("x") or 0)


@pytest.mark.parametrize("level", ["table", "column", "complete"])
def test_no_line_runs_under_a_card(open_page, warehouse_file, level):
    page = open_page(warehouse_file, f"#level={level}")
    assert page.evaluate(MEASURE)["under"] == 0


NAMES = """[...document.querySelectorAll('#picture .card')].map(
    card => [...card.querySelectorAll('text')].map(text => text.textContent).join(''))"""


def test_names_of_many_tables_can_be_told_apart(open_page, tmp_path):
    page = open_page(write(tmp_path, warehouse_page(120)), "#level=table&grouped=0")
    found = page.evaluate(MEASURE)
    assert found["under"] == 0
    assert found["fit"] > 0.38
    names = page.evaluate(NAMES)
    assert len(names) == len(set(names)) == found["tables"]
    assert not [name for name in names if "…" in name]


def fans(hubs: int, leaves: int) -> str:
    """Hubs in a chain, each of which feeds many reports: what a warehouse with a few large tables looks like."""
    objects, edges = [], []
    for hub in range(hubs):
        objects.append(PageObject(f"hub{hub}", "table", f"fact_{hub}", "shop", "core"))
        if hub > 0:
            edges.append(PageTableEdge("fdd", f"hub{hub - 1}", f"hub{hub}"))
        for leaf in range(leaves):
            objects.append(PageObject(f"leaf{hub}.{leaf}", "view", f"report_{hub}_{leaf}", "shop", "mart"))
            edges.append(PageTableEdge("fdd", f"hub{hub}", f"leaf{hub}.{leaf}"))
            if leaf % 4 == 0 and hub > 0:
                edges.append(PageTableEdge("fdd", f"hub{hub - 1}", f"leaf{hub}.{leaf}"))
    return render_page(edges_document(title="fans", objects=objects, table_edges=edges, level="table"))


def test_a_tall_picture_uses_the_room_it_has(open_page, tmp_path):
    """Straight lines are not worth a picture that is twice as tall as its columns."""
    page = open_page(write(tmp_path, fans(5, 18)))
    found = page.evaluate(MEASURE)
    assert (found["tables"], found["under"]) == (95, 0)
    assert found["fit"] > 0.42
    assert found["crossings"] < 130
    left, right, top, bottom = page.evaluate(
        """() => {
            const cards = lineagePage.picture().cards;
            return [Math.min(...cards.map(([x]) => x)), Math.max(...cards.map(([x, , w]) => x + w)),
                    Math.min(...cards.map(([, y]) => y)), Math.max(...cards.map(([, y, , h]) => y + h))];
        }"""
    )
    assert 0.5 < (right - left) / (bottom - top) / (1216 / 628) < 2


def test_cards_keep_their_distance(open_page, tmp_path):
    page = open_page(write(tmp_path, fans(5, 18)))
    overlapping = page.evaluate(
        """() => {
            const cards = lineagePage.picture().cards;
            return cards.flatMap(([x, y, w, h], at) => cards.slice(at + 1).filter(
                ([x2, y2, w2, h2]) => x < x2 + w2 + 8 && x2 < x + w + 8 && y < y2 + h2 + 8 && y2 < y + h + 8)).length;
        }"""
    )
    assert overlapping == 0


def test_names_without_rows_are_large_until_one_is_near(open_page, tmp_path):
    page = open_page(write(tmp_path, fans(5, 18)))
    expect(page.locator("#picture .card-large").first).to_be_attached()
    for _ in range(6):
        page.get_by_role("button", name="Zoom in").click()
    settle(page)
    expect(page.locator("#picture .card-caption").first).to_be_attached()
    expect(page.locator("#picture .card-large")).to_have_count(0)


def test_long_paths_keep_their_ends(open_sql):
    paths = [f"s3://a-very-long-name-of-a-bucket/with/folders/in/folders/{name}" for name in ("orders", "returns")]
    page = open_sql(
        ";".join(f"copy into lake.t{at} from '{path}/'" for at, path in enumerate(paths)), "snowflake", "table"
    )
    shown = "".join(page.locator("#picture .card").all_text_contents())
    assert "orders/" in shown
    assert "returns/" in shown


def test_impact_yields_to_data(open_sql):
    page = open_sql(
        "insert into c select x from a; insert into a select x from b where exists (select 1 from c where c.x = b.x)",
        hash_="#level=table&hide=processes",
    )
    assert left_of(page, "b") < left_of(page, "a") < left_of(page, "c")


def test_tall_layers_are_folded(open_page, tmp_path):
    objects = [PageObject(number, "table", f"source_{number}") for number in range(80)]
    edges = [PageTableEdge("fdd", number, 80) for number in range(80)]
    text = render_page(
        edges_document(title="T", objects=[*objects, PageObject(80, "table", "target")], table_edges=edges)
    )
    page = open_page(write(tmp_path, text))
    found = page.evaluate(MEASURE)
    assert found["under"] == 0
    assert found["fit"] > 0.35
    lefts = page.evaluate("lineagePage.picture().cards.map(([x]) => Math.round(x / 40))")
    assert len(set(lefts)) > 3


def test_an_open_schema_is_a_box(open_page, tmp_path):
    page = open_page(write(tmp_path, warehouse_page(120)), "#level=table&grouped=1&open=shop.core")
    expect(page.locator(".schema-box")).to_have_count(1)
    expect(page.locator(".schema-box")).to_have_text("shop.core")
    wait_until(page, "lineagePage.scene().cards > 10")
    settle(page)
    outside = page.evaluate(
        """() => {
            const box = document.querySelector('.box-ground').getBBox();
            const inside = [...document.querySelectorAll('#picture .card')].filter(card => {
                const {x, y} = card.querySelector('.card-box').getBBox();
                return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
            });
            return inside.filter(card => card.classList.contains('kind-group')).length;
        }"""
    )
    assert outside == 0


def test_every_step_of_many_tables_fits(open_sql):
    """A picture that is larger than the smallest zoom was."""
    sql = ";".join(f"create view v{at} as select a, sum(b) as b from t{at} group by a" for at in range(400))
    page = open_sql(sql, level="complete", hash_="#level=complete&grouped=0")
    page.get_by_role("button", name="Fit everything").click()
    settle(page)
    expect(page.locator("#frame")).to_have_class("frame all-in-sight")
