"""The statements that several folders of tests ask questions about."""

from __future__ import annotations

import pytest

from connector import Lineage, Script, analyze_scripts

_SALES = """\
insert into core.daily_revenue (day, revenue)
select o.order_date, sum(l.quantity * l.unit_price)
from raw.orders o join raw.order_lines l on l.order_id = o.order_id
where o.status = 'paid' group by o.order_date;

create view mart.v_sales as select revenue * 2 as doubled, day from core.daily_revenue;
"""


@pytest.fixture(scope="module")
def sales() -> Lineage:
    """A day's revenue, and a view on it."""
    return analyze_scripts([Script(_SALES, name="load.sql")], "snowflake")
