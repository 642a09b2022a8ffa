"""What a person asks a `Lineage`: edges, statements, sources and targets, upstream and downstream, data frames, graphs."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from typing import Any

import pytest

from connector import ConfigurationError, ConnectorError, Lineage, analyze


def names(found: Any) -> list[str]:
    return [str(each) for each in found]


def test_column_edges_say_how_and_by_what(sales: Lineage) -> None:
    (edge,) = [edge for edge in sales.column_edges(impact=False) if edge.target.column == "doubled"]
    assert (edge.type, str(edge.source), str(edge.target)) == (
        "fdd",
        "core.daily_revenue.revenue",
        "mart.v_sales.doubled",
    )
    assert (edge.transformation, edge.expression, edge.clause) == ("transformation", "revenue * 2", None)
    assert edge.source.qualified_name == "default.core.daily_revenue.revenue@default"
    assert edge.statement is not None
    assert (edge.statement.type, edge.statement.file, edge.statement.line) == ("Create View", "load.sql", 6)
    assert edge.statement.text.startswith("create view mart.v_sales")


def test_impact_is_a_switch(sales: Lineage) -> None:
    filters = [edge for edge in sales.column_edges() if edge.transformation == "filter"]
    assert names(edge.source for edge in filters) == ["raw.orders.status"]
    assert {edge.type for edge in sales.column_edges(impact=False, joins=False)} == {"fdd"}


def test_tables_and_statements(sales: Lineage) -> None:
    assert [(str(edge.source), str(edge.target)) for edge in sales.table_edges()] == [
        ("raw.orders", "core.daily_revenue"),
        ("raw.order_lines", "core.daily_revenue"),
        ("core.daily_revenue", "mart.v_sales"),
    ]
    assert [(each.type, names(each.sources), names(each.targets)) for each in sales.statements] == [
        ("Insert", ["raw.orders", "raw.order_lines"], ["core.daily_revenue"]),
        ("Create View", ["core.daily_revenue"], ["mart.v_sales"]),
    ]
    assert names(sales.sources) == ["raw.orders", "raw.order_lines", "core.daily_revenue"]
    assert names(sales.targets) == ["core.daily_revenue", "mart.v_sales"]


def test_a_table_does_not_read_what_it_puts_out() -> None:
    found = analyze("INSERT INTO o (a) OUTPUT inserted.id INTO log (id) SELECT a FROM s", dialect="mssql")
    assert sorted((str(edge.source), str(edge.target)) for edge in found.table_edges()) == [
        ("o", "log"),
        ("s", "log"),
        ("s", "o"),
    ]


def test_upstream_and_downstream_of_tables(sales: Lineage) -> None:
    assert names(sales.upstream("mart.v_sales")) == ["core.daily_revenue", "raw.orders", "raw.order_lines"]
    assert names(sales.downstream("ORDERS")) == ["core.daily_revenue", "mart.v_sales"]
    assert sales.upstream("raw.orders") == []


def test_upstream_and_downstream_of_columns(sales: Lineage) -> None:
    direct = ["core.daily_revenue.revenue", "raw.order_lines.quantity", "raw.order_lines.unit_price"]
    assert names(sales.upstream("mart.v_sales.doubled", impact=False)) == direct
    assert "raw.orders.status" in names(sales.upstream("mart.v_sales.doubled"))
    assert names(sales.downstream("unit_price")) == ["core.daily_revenue.revenue", "mart.v_sales.doubled"]
    # What decides the rows decides about every column.
    assert set(names(sales.downstream("raw.orders.status"))) == {
        "core.daily_revenue.day",
        "core.daily_revenue.revenue",
        "mart.v_sales.day",
        "mart.v_sales.doubled",
    }


def test_a_circle_ends() -> None:
    lineage = analyze("insert into a (x) select x from b; insert into b (x) select x from a")
    assert names(lineage.upstream("a")) == ["b"]
    assert names(lineage.downstream("b.x")) == ["a.x"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("raw.ordres", "No table or column 'raw.ordres' in this lineage; did you mean raw.orders"),
        ("day", "'day' is ambiguous; choose one of core.daily_revenue.day, mart.v_sales.day"),
        ("", "The name of a table or column must be text, not ''"),
        (7, "The name of a table or column must be text, not 7"),
        ("qqqqqqqqqqqq", "It has raw.orders, core.daily_revenue, raw.order_lines, mart.v_sales"),
    ],
)
def test_names_that_are_not_there(sales: Lineage, name: Any, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        sales.upstream(name)
    assert message in str(caught.value)


def test_a_notebook_shows_the_page(sales: Lineage) -> None:
    html = sales._repr_html_()
    assert html.startswith("<iframe srcdoc='")
    assert unescape(html.split("'")[1]).lstrip().lower().startswith("<!doctype html>")
    assert len(html) < 450_000  # a notebook keeps it with every cell that shows one


def test_repr_counts(sales: Lineage) -> None:
    assert repr(sales) == "<Lineage: 2 statements, 4 tables, 0 problems>"
    assert repr(analyze("insert into o (x) select from where")).endswith("1 problem>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sql": None}, "sql must be the text of a script, not NoneType"),
        ({"sql": Path("load.sql")}, "read the file first: analyze(path.read_text())"),
        ({"sql": "select 1", "dialect": 7}, "dialect must be the name of a dialect, not int"),
        ({"sql": "select 1", "dialect": "klingon"}, "unknown dialect 'klingon'; supported dialects: "),
        ({"sql": "select 1", "options": {"impact": False}}, "options must be a connector.Options"),
        ({"sql": "select 1", "metadata": {"t": "a"}}, "metadata of 't' must be a list of columns, not 'a'"),
        ({"sql": "select 1", "metadata": "tables.json"}, "metadata file tables.json: No such file or directory"),
    ],
)
def test_wrong_arguments_are_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConnectorError) as caught:
        analyze(**arguments)
    assert message in str(caught.value)


def test_wrong_switches_are_explained(sales: Lineage) -> None:
    with pytest.raises(ConnectorError, match="unknown switch 'impacts'"):
        sales.column_edges(impacts=False)
