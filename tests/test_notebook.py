"""Lineage as data frames and graphs, which need the extra `notebook`."""

from __future__ import annotations

import pytest

from connector import ConnectorError, Lineage, analyze


def test_data_frames(sales: Lineage) -> None:
    frame = sales.to_pandas(impact=False, joins=False)
    assert list(frame.columns[:5]) == ["type", "source", "target", "transformation", "expression"]
    assert frame[frame.target == "mart.v_sales.doubled"].expression.tolist() == ["revenue * 2"]
    assert sales.to_pandas("table").shape == (3, 6)
    assert list(analyze("select 1").to_pandas().columns) == list(sales.to_pandas().columns)


def test_graphs(sales: Lineage) -> None:
    import networkx

    graph = sales.to_networkx("table")
    assert networkx.ancestors(graph, "mart.v_sales") == {"raw.orders", "raw.order_lines", "core.daily_revenue"}
    columns = sales.to_networkx()
    assert columns.nodes["mart.v_sales.doubled"] == {"table": "mart.v_sales", "kind": "view"}
    ((_, _, data),) = columns.in_edges("mart.v_sales.doubled", data=True)
    assert data["expression"] == "revenue * 2"


def test_an_unknown_level_is_explained(sales: Lineage) -> None:
    with pytest.raises(ConnectorError, match="unknown level 'row': choose column or table"):
        sales.to_pandas("row")  # type: ignore[arg-type]
