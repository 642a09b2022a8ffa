"""The page's data, and the files it is made of."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest
from browser import keep_screenshot
from looking import card, lit_columns, row
from playwright.sync_api import expect

from connector import Options, analyze
from connector.api import analyze_scripts
from connector.export import read_xml
from connector.export.page import (
    PageColumn,
    PageColumnEdge,
    PageObject,
    PageProcess,
    PageTableEdge,
    edges_document,
    page_document,
    render_page,
)
from connector.export.page.assemble import _STYLES
from connector.lineage import Lineage
from connector.model import Script

ASSETS = Path(__file__).parents[3] / "connector" / "export" / "page" / "assets"


def store_document(**more):
    return edges_document(
        title="a store",
        objects=[
            PageObject(
                "t", "table", "orders", "shop", "raw", "shop.raw.orders@prod", [PageColumn("id", data_type="int")]
            ),
            PageObject("v", "view", "daily", "shop", "mart", "shop.mart.daily@prod"),
            PageObject(
                "p", "path", "s3://bucket/x.csv", qualified_name="s3://bucket/x.csv@prod", uri="s3://bucket/x.csv"
            ),
        ],
        column_edges=[
            PageColumnEdge("fdd", ("t", "amount"), ("v", "total"), 7, "insert"),
            PageColumnEdge("fdr", ("t", "id"), ("v", "total"), 7, "insert", "where", count=3),
        ],
        table_edges=[PageTableEdge("fdd", "t", "v", 7), PageTableEdge("fdd", "p", "t")],
        processes=[
            PageProcess(
                7,
                "Insert",
                "abc",
                text="insert into mart.daily select ?",
                users=["ann", "bob"],
                last_seen=datetime(2026, 3, 1, 4, 5, tzinfo=timezone.utc),
                count=12,
                origin="nightly.log",
            )
        ],
        **more,
    )


def test_what_a_store_holds_becomes_a_page(open_page, tmp_path):
    file = tmp_path / "store.html"
    file.write_text(render_page(store_document(truncated=True)), encoding="utf-8")
    page = open_page(file)
    expect(page.locator("#side")).to_be_hidden()
    expect(page.get_by_text("The store holds more than is shown here")).to_be_visible()
    row(page, "daily", "total").click()
    assert lit_columns(page) == {"orders.amount", "orders.id", "daily.total"}
    page.locator("#details").get_by_role("button", name="Insert").click()
    details = page.locator("#details")
    for words in ("seen 12 times", "by ann, bob", "1 Mar 2026", "from nightly.log", "insert into mart.daily select ?"):
        expect(details).to_contain_text(words)
    expect(page.get_by_role("radio", name="Every step")).to_be_disabled()
    page.get_by_role("radio", name="Tables").click()
    expect(card(page, "s3://bucket/x.csv")).to_have_count(1)
    keep_screenshot(page, "store-1280")


def test_edges_need_their_ends():
    with pytest.raises(KeyError):
        edges_document(title="x", objects=[], table_edges=[PageTableEdge("fdd", 1, 2)])
    with pytest.raises(KeyError):
        edges_document(title="x", objects=[], column_edges=[PageColumnEdge("fdd", (1, "a"), (2, "b"))])


def test_columns_that_only_edges_name_are_there():
    names = [[column[0] for column in entity["columns"]] for entity in store_document()["entities"]]
    assert names == [["id", "amount"], ["total"], []]


def test_a_model_without_text_has_a_page_too(open_page, tmp_path):
    xml = analyze("create view v as select a from t").to_xml()
    file = tmp_path / "read.html"
    file.write_text(Lineage(read_xml(xml)).render("html", "column"), encoding="utf-8")
    page = open_page(file)
    row(page, "v", "a").click()
    assert lit_columns(page) == {"t.a", "v.a"}
    expect(page.locator("#side")).to_be_hidden()


@pytest.mark.parametrize(
    ("names", "title"),
    [
        ([""], "SQL lineage"),
        (["-"], "SQL lineage"),
        (["jobs/load.sql"], "load.sql"),
        (["jobs/a.sql", "jobs/b.sql"], "jobs (2 scripts)"),
        (["a.sql", "b.sql"], "2 scripts"),
        (["x/a.sql", "y/b.sql", "y/c.sql"], "3 scripts"),
    ],
)
def test_the_title_says_what_was_read(names, title):
    scripts = [Script("select a from t", at, name) for at, name in enumerate(names)]
    assert page_document(analyze_scripts(scripts).model)["title"] == title


def test_options_and_level_say_how_it_opens():
    model = analyze("create view v as select a from t").model
    opens = page_document(model, Options(impact=False, function=False), level="table")["opens"]
    assert (opens["level"], opens["impact"], opens["function"], opens["joins"]) == ("table", False, False, True)
    assert page_document(model)["opens"]["select"] is False
    assert page_document(analyze("select a from t").model)["opens"]["select"] is True


def test_a_huge_model_comes_without_every_step(monkeypatch):
    monkeypatch.setattr("connector.export.page.document.MOST_RELATIONS", 1)
    document = page_document(analyze("create view v as select a from t").model, level="complete")
    assert "complete" not in document["levels"]
    assert document["opens"]["level"] == "column"


def test_every_style_of_the_page_is_used():
    files = sorted((ASSETS / "css").glob("*.css"))
    assert sorted(_STYLES) == [file.name for file in files]
    for file in files:
        assert len(file.read_text(encoding="utf-8").splitlines()) < 500


def test_the_vendored_library_keeps_its_licences():
    licences = (ASSETS / "vendor" / "graphviz.LICENSE.txt").read_text(encoding="utf-8")
    for text in (
        "Apache License\n",
        "Eclipse Public License - v 1.0\n",
        "Permission is hereby granted, free of charge",
    ):
        assert text in licences
    for part in ("Expat", "fzstd", "Emscripten", "https://gitlab.com/graphviz/graphviz/-/releases/16.1.0"):
        assert part in licences


def test_every_page_says_whose_layout_it_carries():
    """Graphviz is passed on with each page, and its license asks to be named with the place of its source."""
    html = render_page(edges_document(title="t", objects=[]))
    notice = html.partition("/*! @license")[2].partition("*/")[0]
    assert "Graphviz 16.1.0 (EPL-1.0" in notice
    assert "https://gitlab.com/graphviz/graphviz/-/releases/16.1.0" in notice
    assert "Its contributors give no warranties" in notice
