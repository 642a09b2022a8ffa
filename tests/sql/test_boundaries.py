"""Statements without semicolons in dialects that ask for them."""

from __future__ import annotations

import pytest
from sql_reading import texts

SEQUENCES = [
    [
        "drop table a",
        "create table a as\nselect 1 as x\nfrom b",
        "insert into c\nselect * from a",
        "update c set x = 1",
        "delete from c",
    ],
    ["select a from t\nwhere b in (\nselect 1\n)", "select b from u", "insert overwrite table o select 1"],
    ["with c as (\nselect 1 as a\n)\ninsert into o\nselect a from c", "truncate table x", "select 1 from y"],
    ["create table t (a int,\nb int)", "alter table t\ndrop column b", "drop table t"],
    ["insert into t\nvalues (1, 2)", "insert into t\nvalues (3, 4)", "select * from t\nunion all\nselect * from u"],
]


@pytest.mark.parametrize(
    "dialect", ["ansi", "teradata", "hive", "snowflake", "oracle", "postgresql", "bigquery", "mysql"]
)
@pytest.mark.parametrize("statements", SEQUENCES, ids=[sequence[0][:20] for sequence in SEQUENCES])
def test_a_line_that_can_only_begin_a_statement_does(dialect: str, statements: list[str]) -> None:
    assert texts("\n".join(statements), dialect) == statements


WHOLE = [
    ("hive", "from s\ninsert overwrite table a\nselect 1\ninsert overwrite table b\nselect 2"),
    ("hive", "with q as (select 1)\nfrom q\ninsert overwrite table a\nselect 1\ninsert into b\nselect 2"),
    ("oracle", "insert all\nwhen a = 1 then\ninto b values (1)\nselect a\nfrom t"),
    (
        "oracle",
        "merge into t using s on (t.a = s.a)\nwhen matched then\nupdate set t.b = 1\ndelete where t.c = 1\nwhen not matched then\ninsert (a) values (1)",
    ),
    ("postgresql", "insert into t\nselect 1 as a\nfrom b\non conflict (a) do\nupdate set a = 1"),
    ("mysql", "alter table t\ndrop index i,\nalter column b set default 1"),
    ("postgresql", "create rule r as on insert to t do instead\ninsert into u\nselect 1"),
    ("ansi", "grant\nselect,\ninsert\non t to u"),
    ("ansi", "explain\nselect a from t"),
    ("ansi", "create view v (a) as\nselect 1\nfrom t"),
    ("snowflake", "create task k schedule = '1 minute' as\ninsert into t\nselect 1"),
    ("ansi", "insert into t (a, b)\nselect 1, 2 from u"),
    ("teradata", "create volatile table t as (\nselect 1 as a\n) with data"),
    ("ansi", "select a\nfrom t\nwhere exists (\nselect 1 from u\n) and b = all (\nselect 2 from w)"),
]


@pytest.mark.parametrize(
    ("dialect", "statement"), WHOLE, ids=[f"{dialect}-{i}" for i, (dialect, _) in enumerate(WHOLE)]
)
def test_clauses_that_look_like_statements_are_not_cut(dialect: str, statement: str) -> None:
    assert texts(f"{statement};\nselect 1", dialect) == [statement, "select 1"]
