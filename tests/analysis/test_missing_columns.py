"""A column that none of the known tables in scope has is reported as such."""

from __future__ import annotations

import pytest

from connector import analyze

TABLES = {"mart.v_sales": ["id", "amount"], "k": ["id", "b"]}


@pytest.mark.parametrize(
    ("sql", "messages"),
    [
        ("create view v as select refund_eur from mart.v_sales", ["mart.v_sales has no column refund_eur"]),
        ("create view v as select s.refund_eur from mart.v_sales s", ["mart.v_sales has no column refund_eur"]),
        (
            "create view v as select refund_eur from mart.v_sales s join k on k.id = s.id",
            ["None of mart.v_sales, k has a column refund_eur"],
        ),
        (
            "create view v as select amount from mart.v_sales s where refund_eur > 1 and refund_eur < 9",
            ["mart.v_sales has no column refund_eur"],
        ),
        ("select q.z from (select id from k) q", ["q has no column z"]),
        ("create table x (a int); create view v as select b from x", ["x has no column b"]),
    ],
)
def test_it_is_said_which_table_lacks_it(sql: str, messages: list[str]) -> None:
    found = analyze(sql, "postgresql", metadata=TABLES).problems
    assert [problem.message for problem in found if "column" in problem.message] == messages
    script, start, end = found[0].span
    assert script.text[start:end].rpartition(".")[2] == messages[0].rpartition(" ")[2]


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("select anything from mart.v_sales, unknown_table", "postgresql"),
        ("select u.anything from unknown_table u", "postgresql"),
        ("select s.ctid, ctid from mart.v_sales s", "postgresql"),
        ("select rowid, s.rowid from mart.v_sales s", "oracle"),
        ("select amount, current_date from mart.v_sales", "postgresql"),
        ("select (select b from k where k.id = s.id and amount > 1) from mart.v_sales s", "postgresql"),
        ("select amount * 2 as double_amount from mart.v_sales order by double_amount", "postgresql"),
        ("select l.sku from mart.v_sales s, unnest(s.amount) l", "bigquery"),
        ("alter table k add column c int; select c from k", "postgresql"),
    ],
)
def test_what_may_be_there_is_not_missed(sql: str, dialect: str) -> None:
    problems = analyze(sql, dialect, metadata=TABLES).problems
    assert [problem.message for problem in problems if "column" in problem.message] == []
