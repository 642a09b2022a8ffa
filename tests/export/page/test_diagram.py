"""The picture: cards, wires, layers, and moving around in it."""

from __future__ import annotations

import re

import pytest
from browser import keep_screenshot
from looking import box, card, level, row, settle, switch, titles, transform, wait_until
from playwright.sync_api import expect

KINDS = """
create temporary table recent as select id, amount from shop.orders where state = 'paid';
insert into mart.daily (day, total) select d.day, sum(r.amount) from recent r join dim.days d on d.id = r.id group by d.day;
create view mart.v as select day, upper(total) as t from mart.daily;
copy shop.orders from 's3://bucket/orders.csv';
"""


def places(page):
    """The left and the right edge of all cards."""
    return page.evaluate(
        """Object.fromEntries([...document.querySelectorAll('#picture .card')].map(card => {
            const box = card.querySelector('.card-box').getBoundingClientRect();
            return [card.querySelector('.card-title, .card-process, .card-large').textContent, [box.left, box.right]];
        }))"""
    )


def test_cards_have_the_colour_of_their_kind(open_sql):
    page = open_sql(KINDS, level="complete")
    kinds = {"table", "view", "resultset", "function", "path"}
    colours = page.evaluate(
        """kinds => kinds.map(kind =>
            getComputedStyle(document.querySelector(`#picture .kind-${kind} .card-icon, #picture .kind-${kind} .card-strip`))
                .getPropertyValue('--kind'))""",
        sorted(kinds),
    )
    assert len(set(colours)) == len(kinds)
    legend = page.locator("#legend")
    for words in (kinds - {"resultset"}) | {"intermediate result"}:
        expect(legend).to_contain_text(words)
    keep_screenshot(page, "kinds-1280")


def test_variables_stages_and_statements_have_theirs(open_sql):
    page = open_sql("create stage lake; copy into t from @lake/x.csv;", dialect="snowflake", level="table")
    expect(page.locator("#picture .kind-stage")).to_have_count(1)
    expect(page.locator("#picture .kind-process")).not_to_have_count(0)
    page = open_sql(
        "create procedure p() as begin declare @v int; select @v = max(a) from t; insert into u (b) values (@v); end",
        dialect="mssql",
        level="complete",
    )
    expect(page.locator("#picture .kind-variable")).not_to_have_count(0)


def test_data_is_solid_and_impact_and_joins_are_dashed(open_sql):
    page = open_sql("insert into o (x) select a from t join s on t.k = s.k where s.z > 1")
    dashes = page.evaluate(
        """Object.fromEntries(['fdd', 'fdr', 'join'].map(type =>
            [type, getComputedStyle(document.querySelector(`.wire.type-${type} .wire-line`)).strokeDasharray]))"""
    )
    assert dashes["fdd"] == "none"
    assert dashes["fdr"] != "none"
    assert dashes["join"] not in ("none", dashes["fdr"])
    assert page.locator("#legend").inner_text().split() == ["table", "data", "flow", "impact", "join"]


def test_layers_run_from_left_to_right(open_sql):
    page = open_sql(
        "create view b as select x from a; create view c as select x from b;"
        "create view d as select x from c; create view e as select x from a;"
    )
    at = places(page)
    for before, behind in (("a", "b"), ("b", "c"), ("c", "d"), ("a", "e")):
        assert at[before][1] < at[behind][0]


def test_a_circle_is_drawn_too(open_sql):
    page = open_sql("insert into a (x) select x from b; insert into b (x) select x from a; update a set x = y")
    assert titles(page) == {"a", "b"}
    expect(page.locator("#picture .wire.type-fdd")).to_have_count(3)


def test_dragging_the_ground_pans(warehouse):
    before = transform(warehouse)
    box = warehouse.locator("#frame").bounding_box()
    x, y = box["x"] + 40, box["y"] + box["height"] - 120
    warehouse.mouse.move(x, y)
    warehouse.mouse.down()
    warehouse.mouse.move(x + 90, y - 50, steps=5)
    warehouse.mouse.up()
    settle(warehouse)
    after = transform(warehouse)
    assert after[0] - before[0] == pytest.approx(90, abs=1)
    assert after[1] - before[1] == pytest.approx(-50, abs=1)
    assert after[2] == before[2]


def test_the_wheel_zooms_at_the_pointer(warehouse):
    title = card(warehouse, "fact_sales")
    box = title.bounding_box()
    x, y = box["x"] + 5, box["y"] + 5
    warehouse.mouse.move(x, y)
    before = transform(warehouse)[2]
    for _ in range(3):
        warehouse.mouse.wheel(0, -200)
    wait_until(
        warehouse,
        f"parseFloat(document.querySelector('.world').getAttribute('transform').split('scale(')[1]) > {before} * 1.5",
    )
    settle(warehouse)
    now = title.bounding_box()
    growth = transform(warehouse)[2] / before
    assert now["x"] == pytest.approx(x - 5 * growth, abs=3)
    assert now["y"] == pytest.approx(y - 5 * growth, abs=3)


def test_buttons_zoom_and_fit(warehouse):
    fitted = transform(warehouse)
    warehouse.get_by_role("button", name="Zoom in").click()
    warehouse.get_by_role("button", name="Zoom in").click()
    settle(warehouse)
    assert transform(warehouse)[2] == pytest.approx(fitted[2] * 1.3 * 1.3, rel=0.01)
    warehouse.get_by_role("button", name="Zoom out").click()
    warehouse.get_by_role("button", name="Fit everything").click()
    settle(warehouse)
    assert transform(warehouse) == pytest.approx(fitted, abs=0.5)


def test_the_minimap_shows_and_moves_the_sight(warehouse):
    minimap = warehouse.locator("#minimap")
    for _ in range(4):
        warehouse.get_by_role("button", name="Zoom in").click()
    expect(minimap).to_be_visible()
    settle(warehouse)
    painted = warehouse.evaluate(
        """() => { const c = document.getElementById('minimap');
            return new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size; }"""
    )
    assert painted > 10
    before = transform(warehouse)
    minimap.click(position={"x": 20, "y": 20})
    settle(warehouse)
    after = transform(warehouse)
    assert after[0] > before[0]
    assert after[1] > before[1]
    assert after[2] == before[2]


def test_a_card_is_dragged_and_its_wires_follow(warehouse):
    moved = card(warehouse, "monthly_department")
    wire = warehouse.locator(".wire-line").first
    paths = warehouse.evaluate("[...document.querySelectorAll('.wire-line')].map(line => line.getAttribute('d'))")
    box = moved.bounding_box()
    warehouse.mouse.move(box["x"] + 20, box["y"] + 6)
    warehouse.mouse.down()
    warehouse.mouse.move(box["x"] + 80, box["y"] - 34, steps=4)
    warehouse.mouse.up()
    now = moved.bounding_box()
    assert now["x"] - box["x"] == pytest.approx(60, abs=2)
    assert now["y"] - box["y"] == pytest.approx(-40, abs=2)
    after = warehouse.evaluate("[...document.querySelectorAll('.wire-line')].map(line => line.getAttribute('d'))")
    changed = [1 for one, other in zip(paths, after, strict=True) if one != other]
    assert 0 < len(changed) < len(paths)
    expect(wire).to_be_attached()
    expect(warehouse.locator("#details")).to_be_hidden()
    warehouse.mouse.move(now["x"] + 20, now["y"] + 6)
    warehouse.mouse.down()
    warehouse.mouse.move(now["x"] + 5, now["y"] + 26, steps=4)
    warehouse.mouse.up()
    again = moved.bounding_box()
    assert (again["x"] - now["x"], again["y"] - now["y"]) == pytest.approx((-15, 20), abs=2)
    # It stays there when it is drawn anew, in another detail.
    for name in ("Zoom in", "Zoom out"):
        for _ in range(6):
            warehouse.get_by_role("button", name=name).click()
        settle(warehouse)
    assert tuple(moved.bounding_box().values()) == pytest.approx(tuple(again.values()), abs=2)


def test_the_keyboard_moves_zooms_and_fits(warehouse):
    fitted = transform(warehouse)
    warehouse.locator("#picture").focus()
    warehouse.keyboard.press("ArrowRight")
    warehouse.keyboard.press("ArrowDown")
    settle(warehouse)
    x, y, _ = transform(warehouse)
    assert (x - fitted[0], y - fitted[1]) == pytest.approx((-80, -80))
    warehouse.keyboard.press("+")
    settle(warehouse)
    assert transform(warehouse)[2] == pytest.approx(fitted[2] * 1.25, rel=0.01)
    warehouse.keyboard.press("f")
    settle(warehouse)
    assert transform(warehouse) == pytest.approx(fitted, abs=0.5)


def test_the_keyboard_goes_from_card_to_card_and_through_columns(open_sql):
    page = open_sql("create view b as select x, y from a; create view c as select x from b;")
    box(page, "a").focus()
    page.keyboard.press("ArrowRight")
    expect(box(page, "b")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#details h2")).to_have_text("b")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#details h2")).to_have_text("x")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#details h2")).to_have_text("y")
    page.keyboard.press("ArrowLeft")
    expect(box(page, "a")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#details")).to_be_hidden()


def test_only_what_is_in_sight_is_drawn(warehouse):
    cards = warehouse.locator("#picture .card")
    expect(cards).to_have_count(19)
    warehouse.locator("#picture").focus()
    for _ in range(6):
        warehouse.keyboard.press("+")
    for _ in range(10):
        warehouse.keyboard.press("ArrowLeft")
    settle(warehouse)
    assert cards.count() < 12


def test_the_switches_change_the_picture(open_sql):
    page = open_sql(KINDS)
    wires = page.locator("#picture .wire")
    everything = wires.count()
    for label, type_ in (("Data flow", "fdd"), ("Impact", "fdr"), ("Joins", "join")):
        switch(page, label, False)
        expect(page.locator(f".wire.type-{type_}")).to_have_count(0)
        if type_ != "join":
            expect(wires.first).to_be_attached()
            assert wires.count() < everything
        switch(page, label, True)
        expect(wires).to_have_count(everything)
    switch(page, "Columns", False)
    expect(page.locator(".row")).to_have_count(0)
    switch(page, "Columns", True)
    switch(page, "Temporary tables", True)
    expect(card(page, "recent")).to_have_count(1)
    expect(card(page, "recent")).to_contain_text("temporary")
    level(page, "Every step")
    resultsets = page.locator(".card.kind-resultset")
    functions = page.locator(".card.kind-function")
    expect(resultsets).not_to_have_count(0)
    expect(functions).not_to_have_count(0)
    switch(page, "Functions", False)
    expect(functions).to_have_count(0)
    switch(page, "Intermediate results", False)
    expect(resultsets).to_have_count(0)
    level(page, "Tables")
    expect(page.locator(".card.kind-process")).not_to_have_count(0)
    switch(page, "Statements", False)
    expect(page.locator(".card.kind-process")).to_have_count(0)


def test_a_script_of_selects_shows_them(open_sql):
    page = open_sql("select a, b from t")
    expect(page.locator(".card.kind-resultset")).to_have_count(1)
    switch(page, "Results of bare SELECTs", False)
    expect(page.locator("#empty")).to_contain_text("Nothing is shown on this level")


def test_long_cards_open_when_asked(open_sql):
    columns = ", ".join(f"column_{number}" for number in range(60))
    page = open_sql(f"create view v as select {columns} from t")
    rows = card(page, "v").locator(".row")
    expect(rows).to_have_count(24)
    card(page, "v").get_by_text("37 more…").click()
    expect(rows).to_have_count(60)
    expect(row(page, "v", "column_59")).to_have_count(1)


@pytest.mark.parametrize(
    ("sql", "words"), [("", "No lineage was found"), ("selct from from", re.compile("No lineage"))]
)
def test_nothing_says_so(open_sql, sql, words):
    page = open_sql(sql)
    expect(page.locator("#empty")).to_contain_text(words)
