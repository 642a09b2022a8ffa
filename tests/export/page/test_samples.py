"""The reference's samples and a store, opened as people would open them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from browser import keep_screenshot
from looking import level, row, search
from page import MEASURE
from playwright.sync_api import expect

from connector import analyze
from connector.api import analyze_scripts
from connector.sql.encoding import read_scripts
from connector.store import Store
from connector.store.picture import store_picture

ROOT = Path(__file__).parents[3]
SAMPLES = sorted((ROOT / "tests" / "analysis" / "reference").glob("*.sql"))


@pytest.mark.parametrize("part", range(3))
def test_a_sample_of_the_reference_is_drawn_on_every_level(open_page, tmp_path, part):
    """One card for each entity of the complete model, and on the other levels those that relations name."""
    assert len(SAMPLES) > 20
    for sample in SAMPLES[part::3]:
        lineage = analyze(sample.read_text(encoding="utf-8"), sample.name.split(".")[1])
        file = tmp_path / f"{sample.name}.html"
        file.write_text(lineage.render("html", "complete", top_select=True), encoding="utf-8")
        page = open_page(file)
        entities = lineage.model.entities
        expect(page.locator("#picture .card")).to_have_count(len(entities))
        level(page, "Columns")
        edges = lineage.to_dict("column", top_select=True)["relations"]
        ends = {
            (end["qualifiedName"] or "").rpartition(".")[0]
            for edge in edges
            for end in (edge["source"], edge["target"])
        }
        if edges:
            expect(page.locator("#picture .wire")).not_to_have_count(0)
            expect(page.locator("#picture .card").nth(len(ends - {""}) - 1)).to_be_attached()  # so many, or more
        else:
            expect(page.locator("#empty")).to_be_visible()
        page.context.close()


def test_the_quickstart_opens_as_tables_and_a_column_by_itself(open_page, tmp_path):
    """The store of the quickstart's scripts: too many tables for their columns, until one of them is asked for."""
    make = [sys.executable, str(ROOT / "examples" / "quickstart" / "generate.py"), str(tmp_path), "--rows", "100"]
    subprocess.run(make, capture_output=True, timeout=120, check=True)
    lineage = analyze_scripts(read_scripts([tmp_path / "sql" / "warehouse"]), "snowflake", default_database="SHOP")
    with Store.open(tmp_path / "lineage.db") as store:
        store.load(lineage, source="scripts", run="monday")
    file = tmp_path / "quickstart.html"
    file.write_text(store_picture(str(tmp_path / "lineage.db"), "quickstart"), encoding="utf-8")
    page = open_page(file)
    expect(page.get_by_role("radio", name="Tables")).to_be_checked()
    keep_screenshot(page, "quickstart-1280")
    everything = page.evaluate("lineagePage.scene().cards")
    assert 40 < everything <= 300
    drawn = page.evaluate(MEASURE)
    assert drawn["under"] == 0
    assert drawn["fit"] > 0.35
    assert drawn["crossings"] < 180
    search(page, "v_sales net_eur")
    expect(page.get_by_role("radio", name="Columns")).to_be_checked()
    expect(row(page, "v_sales", "net_eur")).to_be_visible()
    fed = page.locator("#details section").filter(has_text="Fed by")
    expect(fed.get_by_role("button", name="core.fact_sales")).to_be_visible()
    expect(fed.get_by_role("button", name="landing.web_order_items")).to_be_visible()
    assert page.evaluate("lineagePage.scene().cards") < everything
    keep_screenshot(page, "quickstart-column-1280")
    page.keyboard.press("Escape")
    expect(page.get_by_role("radio", name="Tables")).to_be_checked()
    assert page.evaluate("lineagePage.scene().cards") == everything


def test_the_page_of_a_store(open_page, tmp_path):
    lineage = analyze_scripts(read_scripts([ROOT / "examples" / "warehouse"]), "snowflake", default_database="shop")
    with Store.open(tmp_path / "lineage.db") as store:
        store.load(lineage, source="warehouse", run="monday")
    file = tmp_path / "store.html"
    file.write_text(store_picture(str(tmp_path / "lineage.db"), "The warehouse"), encoding="utf-8")
    page = open_page(file)
    expect(page.locator("#title")).to_have_text("The warehouse")
    search(page, "monthly revenue_eur")
    expect(page.locator("#details").get_by_role("button", name="mart.v_sales")).to_be_visible()
    page.locator("#details section").filter(has_text="Statements").get_by_role("button").first.click()
    expect(page.locator("#details pre.statement")).to_contain_text("create")
