"""What several folders of tests use: the statements they ask questions about, and a PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from connector import Lineage, Script, analyze_scripts
from tests.support.postgres_server import NoPostgresError, running_server

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


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL, without a database."""
    try:
        with running_server() as url:
            yield url
    except NoPostgresError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
