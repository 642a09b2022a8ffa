"""Lineage as data frames and graphs, which need the extra `notebook`."""

from __future__ import annotations

import pytest

from connector import ConnectorError, Lineage, Script, analyze, analyze_scripts

SQL = """\
insert into core.daily_revenue (day, revenue)
select o.order_date, sum(l.quantity * l.unit_price)
from raw.orders o join raw.order_lines l on l.order_id = o.order_id
where o.status = 'paid' group by o.order_date;

create view mart.v_sales as select revenue * 2 as doubled, day from core.daily_revenue;
"""


@pytest.fixture(scope="module")
def lineage() -> Lineage:
    return analyze_scripts([Script(SQL, name="load.sql")], "snowflake")


def test_data_frames(lineage: Lineage) -> None:
    frame = lineage.to_pandas(impact=False, joins=False)
    assert list(frame.columns[:5]) == ["type", "source", "target", "transformation", "expression"]
    assert frame[frame.target == "mart.v_sales.doubled"].expression.tolist() == ["revenue * 2"]
    assert lineage.to_pandas("table").shape == (3, 6)
    assert list(analyze("select 1").to_pandas().columns) == list(lineage.to_pandas().columns)


def test_graphs(lineage: Lineage) -> None:
    import networkx

    graph = lineage.to_networkx("table")
    assert networkx.ancestors(graph, "mart.v_sales") == {"raw.orders", "raw.order_lines", "core.daily_revenue"}
    columns = lineage.to_networkx()
    assert columns.nodes["mart.v_sales.doubled"] == {"table": "mart.v_sales", "kind": "view"}
    ((_, _, data),) = columns.in_edges("mart.v_sales.doubled", data=True)
    assert data["expression"] == "revenue * 2"


def test_an_unknown_level_is_explained(lineage: Lineage) -> None:
    with pytest.raises(ConnectorError, match="unknown level 'row': choose column or table"):
        lineage.to_pandas("row")  # type: ignore[arg-type]
