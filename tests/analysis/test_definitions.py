"""Definitions that move or link data: foreign keys, generated columns, tasks, and column lists with slips."""

from __future__ import annotations

import pytest

from connector import analyze
from connector.options import Options


def test_foreign_keys_are_er_where_asked() -> None:
    script = "create table p (id int primary key); create table c (pid int references p (id))"
    lineage = analyze(script, dialect="postgresql", options=Options(foreign_key_as_er=True)).to_dict(level="complete")
    assert [(relation["type"], relation["effectType"]) for relation in lineage["relations"]] == [("er", "foreign_key")]


def test_a_generated_column_that_cannot_be_read_costs_nothing_else() -> None:
    script = "create table t (a int, b int generated always as (case when a) stored, c int references p (x))"
    lineage = analyze(script, dialect="postgresql").to_dict(level="complete")
    assert [error["errorType"] for error in lineage["errors"]] == ["SyntaxError"]
    assert [relation["effectType"] for relation in lineage["relations"]] == ["foreign_key"]


def test_the_statement_of_a_task_has_its_own_process() -> None:
    script = "create task db.s.nightly warehouse = w as insert into o select a from t"
    (process,) = analyze(script, dialect="snowflake").to_dict(level="complete")["processes"]
    assert process["type"] == "Insert"
    assert process["procedureName"] == "db.s.nightly"
    assert process["coordinates"][0][:2] == [1, 43]


@pytest.mark.parametrize(
    "script",
    [
        "create table t (a int, b int,)",
        "create table t (a int, b int foreign key (b) references p (x))",
        "create table t (a int b int, c int)",
    ],
)
def test_column_lists_with_slips_are_read(script: str) -> None:
    lineage = analyze(script, dialect="mssql").to_dict(level="complete")
    assert not lineage["errors"]
    assert {"a"} <= {column["name"] for column in lineage["dbobjs"][0]["columns"]}
