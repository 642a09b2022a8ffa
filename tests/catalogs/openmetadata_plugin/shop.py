"""The small warehouse that most tests are about."""

from __future__ import annotations

from catalog import Catalog

__all__ = ["COUNTRIES", "DAILY", "MAILS", "ORDERS", "SCRIPT", "SERVICE", "add_tables", "named"]

SERVICE = "warehouse"

SCRIPT = """\
create table mart.daily as
select o.day, sum(o.amount * o.quantity) as revenue, count(*) as orders
from raw.orders o join raw.countries c on c.code = o.country
where c.region = 'secret region'
group by o.day;

insert into mart.mails (id, mail) select id, lower(email) from raw.orders where amount > 12345;
"""


def named(schema: str, table: str) -> str:
    return f"{SERVICE}.shop.{schema}.{table}"


ORDERS, COUNTRIES = named("raw", "orders"), named("raw", "countries")
DAILY, MAILS = named("mart", "daily"), named("mart", "mails")


def add_tables(catalog: Catalog, service: str = SERVICE) -> None:
    """Everything that the script speaks of."""
    columns = {
        "raw.orders": ["id", "day", "country", "amount", "quantity", "email"],
        "raw.countries": ["code", "region"],
        "mart.daily": ["day", "revenue", "orders"],
        "mart.mails": ["id", "mail"],
    }
    for name, listed in columns.items():
        schema, table = name.split(".")
        catalog.table(service, "shop", schema, table, listed)
