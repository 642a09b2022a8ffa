"""The picture of a store."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

from connector import analyze
from connector.store import Store
from connector.store.picture import store_picture


def document(page: str) -> dict[str, Any]:
    found = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def picture(sql: str, folder: Path) -> str:
    target = folder / "lineage.db"
    with Store.open(target) as store:
        store.load(analyze(sql, dialect="snowflake", cluster="c"))
    return store_picture(str(target), "nightly")


def test_it_has_objects_columns_and_statements_and_no_literals(tmp_path: Path) -> None:
    page = picture("insert into core.o (x) select a from raw.t where p = 'hunter2' and q = 12345", tmp_path)
    assert "hunter2" not in page
    assert "12345" not in page
    shown = document(page)
    assert (shown["title"], shown["opens"]["level"]) == ("nightly", "column")
    text = json.dumps(shown)
    for name in ("default.core.o@c", "default.raw.t@c", '"x"', '"a"', "where p = ?"):
        assert name in text


def test_many_objects_open_as_tables(tmp_path: Path) -> None:
    sql = "".join(f"insert into o{i} (x) select a from t{i};\n" for i in range(40))
    assert document(picture(sql, tmp_path))["opens"]["level"] == "table"


def test_a_store_without_lineage_is_a_page_too(tmp_path: Path) -> None:
    assert picture("", tmp_path).startswith("<!doctype html>")


def test_it_shows_types_and_comments(tmp_path: Path) -> None:
    shown = document(picture("create table t (a int comment 'Of the customer') comment = 'All of them'", tmp_path))
    table = shown["entities"][0]
    assert table["comment"] == "All of them"
    assert table["columns"] == [["a", "c0", 0, None, None, "int", "Of the customer"]]


def test_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    picture("insert into o (x) select a from t", tmp_path)
    target = tmp_path / "lineage.db"
    with sqlite3.connect(target) as connection:
        connection.execute("drop table lineage_descriptions")
        connection.execute("update lineage_schema_version set version = 4")
    connection.close()
    assert len(document(store_picture(str(target), "nightly"))["entities"]) == 2
