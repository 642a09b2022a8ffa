"""A month of the warehouse's query log, in the layout of Snowflake's QUERY_HISTORY.

It contains everything that makes such logs difficult: the same statement every night with different dates, sessions that depend
on their own temporary tables and on USE, dashboards that run one query with thousands of literals, failed queries, and truncated
texts.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from random import Random
from uuid import UUID

__all__ = ["COLUMNS", "write_history"]

COLUMNS = (
    *("QUERY_ID", "QUERY_TEXT", "DATABASE_NAME", "SCHEMA_NAME", "QUERY_TYPE", "SESSION_ID", "USER_NAME", "ROLE_NAME"),
    *("WAREHOUSE_NAME", "EXECUTION_STATUS", "ERROR_CODE", "ERROR_MESSAGE", "START_TIME", "END_TIME"),
    *("TOTAL_ELAPSED_TIME", "ROWS_PRODUCED", "BYTES_SCANNED"),
)
FIRST_DAY = date(2026, 1, 1)
DAYS = 30
COUNTRIES = ("DE", "AT", "CH", "NL", "DK", "SE", "NO", "PL")
DEPARTMENTS = ("Tents", "Boots", "Jackets", "Climbing", "Kayaks", "Cooking", "Maps", "Kids")
ANALYSTS = ("anna", "bilal", "chiara", "dmitri", "elif", "femi", "greta", "hugo", "ines", "jonas")


@dataclass
class _Log:
    random: Random
    rows: list[dict[str, object]] = field(default_factory=list)
    sessions: int = 0

    def session(self) -> int:
        self.sessions += 1
        return 70_000_000 + self.sessions * 17

    def add(self, text: str, session: int, user: str, at: datetime, *, schema: str | None, error: str = "") -> datetime:
        """Adds one row and returns the time at which the statement ended."""
        ended = at + timedelta(milliseconds=self.random.randrange(30, 9_000))
        code, _, message = error.partition(" ")
        self.rows.append(
            {
                "QUERY_ID": str(UUID(int=self.random.getrandbits(128))),
                "QUERY_TEXT": text,
                "DATABASE_NAME": "SHOP",
                "SCHEMA_NAME": schema or "",
                "QUERY_TYPE": _type(text),
                "SESSION_ID": session,
                "USER_NAME": user.upper(),
                "ROLE_NAME": "LOADER" if user == "etl_service" else "READER",
                "WAREHOUSE_NAME": "LOAD_WH" if user == "etl_service" else "BI_WH",
                "EXECUTION_STATUS": "FAIL" if error else "SUCCESS",
                "ERROR_CODE": code,
                "ERROR_MESSAGE": message,
                "START_TIME": _time(at),
                "END_TIME": _time(ended),
                "TOTAL_ELAPSED_TIME": int((ended - at).total_seconds() * 1000),
                "ROWS_PRODUCED": self.random.randrange(1, 50_000),
                "BYTES_SCANNED": self.random.randrange(10_000, 10**9),
            }
        )
        return ended


def write_history(file: Path, scripts: Mapping[str, str], rows: int, seed: int) -> None:
    """Writes a log with the given number of rows. The nightly runs execute the scripts."""
    log = _Log(Random(seed))
    _nights(log, scripts)
    _analysts(log)
    del log.rows[max(rows - 12, 0) :]
    _broken(log)
    _dashboards(log, rows)
    log.rows.sort(key=lambda row: (str(row["START_TIME"]), str(row["QUERY_ID"])))
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(log.rows[:rows])


# --- the nightly loads ----------------------------------------------------------------------------------------------


def _nights(log: _Log, scripts: Mapping[str, str]) -> None:
    areas: dict[str, list[str]] = {}
    for name in sorted(scripts):
        area = name.split("/")[0].split("_", 1)[1]
        if area in ("landing", "staging", "core", "mart") and not name.endswith("_tables.sql"):
            areas.setdefault(area, []).extend(_statements(scripts[name]))
    for number in range(DAYS):
        day = FIRST_DAY + timedelta(days=number)
        at = _at(day, 2 * 3600)
        for area, statements in areas.items():
            session = log.session()
            at = log.add("use database shop", session, "etl_service", at, schema=None)
            at = log.add(f"use schema {area}", session, "etl_service", at, schema=None)
            at = log.add("alter session set query_tag = 'nightly'", session, "etl_service", at, schema=area.upper())
            for text in statements:
                text = text.replace("current_date() - 1", f"'{day - timedelta(days=1)}'::date")
                if log.random.random() < 0.01:
                    error = "000630 Statement reached its statement or warehouse timeout of 3,600 second(s)."
                    at = log.add(text, session, "etl_service", at, schema=area.upper(), error=error)
                at = log.add(text, session, "etl_service", at, schema=area.upper())
        if day.day == 1:
            log.add(f"call operations.close_month('{day}')", log.session(), "etl_service", at, schema="OPERATIONS")


def _statements(script: str) -> list[str]:
    """The statements of one of our own scripts, in which semicolons only end statements."""
    without_comments = "\n".join(line for line in script.splitlines() if not line.startswith("--"))
    return [text.strip() for text in without_comments.split(";\n") if text.strip()]


# --- people ---------------------------------------------------------------------------------------------------------


def _analysts(log: _Log) -> None:
    work = (_best_customers, _price_test, _campaign_question, _stock_question)
    for number in range(DAYS):
        day = FIRST_DAY + timedelta(days=number)
        for name in ANALYSTS:
            for _ in range(log.random.randrange(1, 3)):
                at = _at(day, log.random.randrange(8 * 3600, 17 * 3600))
                session = log.session()
                at = log.add("select current_version()", session, name, at, schema=None)
                for text in log.random.choice(work)(log.random, name, day):
                    if log.random.random() < 0.06:
                        wrong = text.replace("net_eur", "nett_eur")
                        error = "000904 SQL compilation error: invalid identifier 'NETT_EUR'"
                        at = log.add(wrong, session, name, at, schema="SANDBOX", error=error)
                    at = log.add(text, session, name, at + timedelta(seconds=20), schema="SANDBOX")


def _best_customers(random: Random, name: str, day: date) -> Iterator[str]:
    country = random.choice(COUNTRIES)
    yield "use schema sandbox"
    yield (
        "create or replace temporary table best as\n"
        "select customer_key, sum(net_eur) as net_eur, count(*) as lines\n"
        "from shop.core.fact_sales\n"
        f"where sale_date >= '{day - timedelta(days=random.randrange(30, 400))}'\ngroup by customer_key\n"
        f"qualify row_number() over (order by net_eur desc) <= {random.choice((50, 100, 250, 1000))}"
    )
    yield "select count(*), avg(net_eur) from best"
    yield (
        f"create or replace table sandbox.{name}_best_customers as\n"
        "select c.customer_id, c.full_name, c.segment, b.net_eur, b.lines\n"
        f"from best b join shop.core.dim_customer c using (customer_key)\nwhere c.country = '{country}'"
    )
    yield "drop table best"


def _price_test(random: Random, name: str, day: date) -> Iterator[str]:
    yield "use database shop"
    yield "use schema sandbox"
    yield (f"create or replace table {name}_price_test (sku varchar, old_price number(12,2), new_price number(12,2))")
    yield (
        f"insert into {name}_price_test\n"
        f"select sku, list_price, round(list_price * {random.choice((0.9, 0.95, 1.03, 1.1))}, 2)\n"
        f"from core.dim_product where department = '{random.choice(DEPARTMENTS)}' and active"
    )
    yield (
        f"update {name}_price_test t set new_price = p.unit_cost * 1.2\n"
        "from core.dim_product p where p.sku = t.sku and t.new_price < p.unit_cost * 1.2"
    )


def _campaign_question(random: Random, name: str, day: date) -> Iterator[str]:
    yield f"set since = '{day - timedelta(days=random.randrange(10, 90))}'"
    yield (
        "create temporary table sandbox.seen as\n"
        "select v.campaign_key, v.customer_key, min(v.visit_date) as first_visit\n"
        "from shop.core.fact_visits v where v.visit_date >= $since group by 1, 2"
    )
    yield (
        f"create or replace view sandbox.{name}_campaign_check as\n"
        "select campaign_key, campaign_title, return_on_spend from shop.mart.campaign_result "
        f"where cost_eur > {random.randrange(1, 40) * 250}"
    )
    yield (
        f"insert into sandbox.campaign_notes (who, campaign_key, customers, net_eur)\n"
        f"select '{name}', s.campaign_key, count(distinct s.customer_key), sum(f.net_eur)\n"
        "from sandbox.seen s\njoin shop.core.fact_sales f "
        "on f.customer_key = s.customer_key and f.sale_date >= s.first_visit\ngroup by s.campaign_key"
    )


def _stock_question(random: Random, name: str, day: date) -> Iterator[str]:
    sku = f"HP-{random.randrange(10_000, 99_999)}"
    yield f"select * from shop.core.fact_stock where sku = '{sku}' order by counted_on desc limit 30"
    yield f"select title, list_price from shop.core.dim_product where sku = '{sku}'"
    yield (
        "merge into sandbox.watch_list w\n"
        f"using (select sku, max(available) as available from shop.core.fact_stock where sku = '{sku}' group by sku) s\n"
        "on w.sku = s.sku\n"
        "when matched then update set available = s.available\n"
        f"when not matched then insert (sku, available, who) values (s.sku, s.available, '{name}')"
    )


# --- texts that cannot be read whole --------------------------------------------------------------------------------


def _broken(log: _Log) -> None:
    texts = (
        "insert into sandbox.greta_wide select a.sale_date, a.net_eur, b.title from core.fact_sales a join core.dim_prod",
        "create or replace table sandbox.hugo_list as select sku, case when list_price > 100 then 'expensive' when",
        "insert into sandbox.femi_notes (select customer_key, , segment from core.dim_customer",
        "create or replace view sandbox.ines_totals as select day, sum(net_eur from mart.daily_sales group by day",
    )
    for number, text in enumerate(texts):
        at = _at(FIRST_DAY + timedelta(days=3 + 7 * number), 11 * 3600)
        log.add(text, log.session(), ANALYSTS[number], at, schema="SANDBOX")


# --- dashboards: most of the log ------------------------------------------------------------------------------------


def _dashboards(log: _Log, rows: int) -> None:
    random = log.random
    while len(log.rows) < rows:
        day = FIRST_DAY + timedelta(days=random.randrange(DAYS))
        at = _at(day, random.randrange(6 * 3600, 22 * 3600))
        session = log.session()
        user = random.choice(("tableau_service", "looker_service"))
        for _ in range(random.randrange(5, 60)):
            text = random.choice(_QUESTIONS)(random, day)
            if random.random() < 0.015:
                error = "000604 SQL execution canceled"
                at = log.add(text, session, user, at, schema="REPORT", error=error)
                continue
            at = log.add(text, session, user, at + timedelta(milliseconds=random.randrange(5_000)), schema="REPORT")
            if len(log.rows) >= rows:
                break


def _since(random: Random, day: date) -> str:
    return f"'{day - timedelta(days=random.choice((7, 28, 90, 365)))}'"


_Question = Callable[[Random, date], str]
_QUESTIONS: tuple[_Question, ...] = (
    lambda r, d: (
        f"select country, sum(net_eur) from v_sales where sale_date between {_since(r, d)} and '{d}' group by country"
    ),
    lambda r, d: (
        "select department, year_month, sum(net_eur) as net, sum(margin_eur) as margin from report.v_sales\n"
        f"where country in ('{r.choice(COUNTRIES)}', '{r.choice(COUNTRIES)}') and sale_date >= {_since(r, d)}\n"
        "group by department, year_month order by 2, 3 desc"
    ),
    lambda r, d: (
        f"select * from report.v_management where department = '{r.choice(DEPARTMENTS)}' and month >= '{d:%Y}-01-01'"
    ),
    lambda r, d: f"select * from report.v_customer_card where customer_id = {r.randrange(1, 400_000)}",
    lambda r, d: (
        f"select product, sum(quantity) q from report.v_sales where store_name = 'Store {r.randrange(80)}' "
        f"and sale_date = '{d}' group by product order by q desc limit {r.choice((10, 20, 50))}"
    ),
    lambda r, d: f"select day, net_eur from report.daily_totals where day >= {_since(r, d)} order by day",
    lambda r, d: (
        f"select store_name, count(*) from report.v_sold_out where turnover > {r.randrange(1, 9)} group by store_name"
    ),
    lambda r, d: f"select m12 / m0 as kept from mart.cohorts where cohort = '{d:%Y-%m}-01'",
    lambda r, d: (
        f"select with_sku, support from mart.basket_pairs where sku = 'HP-{r.randrange(10_000, 99_999)}' limit 5"
    ),
    lambda r, d: (
        "with w as (select sale_date, sum(net_eur) as net from report.v_sales where is_weekend group by sale_date)\n"
        f"select avg(net) from w where sale_date > {_since(r, d)}"
    ),
    lambda r, d: (
        f"select campaign_title, return_on_spend from mart.campaign_result where net_eur > {r.randrange(1, 90) * 1000}"
    ),
    lambda r, d: f"select supplier_name, late_rate from mart.supplier_scores where orders > {r.randrange(3, 60)}",
    lambda r, d: "show tables in schema mart",
    lambda r, d: "describe view report.v_sales",
)


# --- small things ---------------------------------------------------------------------------------------------------


def _at(day: date, seconds: int) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=timezone.utc) + timedelta(seconds=seconds)


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 1000:03} +0000"


def _type(text: str) -> str:
    words = text.upper().split()
    if words[0] == "CREATE":
        kind = next(word for word in words[1:] if word in ("TABLE", "VIEW", "STAGE", "PROCEDURE"))
        return "CREATE_TABLE_AS_SELECT" if kind == "TABLE" and " AS\n" in text.upper() + "\n" else f"CREATE_{kind}"
    return {"WITH": "SELECT", "DROP": "DROP_TABLE", "COPY": "COPY"}.get(words[0], words[0])
