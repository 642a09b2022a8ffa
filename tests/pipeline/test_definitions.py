"""What the scripts of a job define is known to all of them."""

from __future__ import annotations

from connector.guard import Limits
from connector.pipeline.definitions import definitions_in
from connector.sources.record import Kind, SourceStatement

LIMITS = Limits(seconds=20, memory_mb=300)


def script(text: str, kind: Kind = "script", dialect: str = "snowflake") -> SourceStatement:
    return SourceStatement(text=text, dialect=dialect, kind=kind, database="shop", schema="raw")


def test_tables_and_views_of_other_scripts_are_known() -> None:
    found = definitions_in(
        [
            script("create table orders (id int, amount number); insert into orders select * from elsewhere"),
            script("create view core.paid as select * from raw.orders where amount > 0"),
        ],
        LIMITS,
    )
    orders = found.describe("shop", "raw", "orders")
    paid = found.describe("shop", "core", "paid")
    assert orders is not None
    assert orders.columns == ("id", "amount")
    assert paid is not None
    assert paid.view
    assert paid.columns == ("id", "amount")


def test_what_does_not_last_is_left_out() -> None:
    found = definitions_in(
        [
            script("create temporary table work (a int)"),
            script("create table gone (a int); drop table gone"),
            script("create procedure p() as begin create table inner_one (a int); end"),
        ],
        LIMITS,
    )
    assert list(found.entries()) == []


def test_log_rows_define_nothing() -> None:
    assert list(definitions_in([script("create table t (a int)", "query")], LIMITS).entries()) == []


def test_a_script_that_is_too_much_costs_only_itself() -> None:
    bomb = "create table bad as select " + "(" * 400_000 + "1" + ")" * 400_000
    found = definitions_in([script("create table t (a int)"), script(bomb), script("create table u (b int)")], LIMITS)
    assert {parts[-1] for parts, _ in found.entries()} >= {"t", "u"}
