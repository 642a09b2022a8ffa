"""Types and comments of tables and columns, as definitions and metadata give them."""

from __future__ import annotations

import pytest

from connector import analyze
from connector.model import Description


def described(sql: str, dialect: str, **settings: object) -> dict[str, Description]:
    model = analyze(sql, dialect=dialect, **settings).model
    assert not model.problems
    return {entity.name: entity.description for entity in model.entities if entity.description is not None}


@pytest.mark.parametrize(
    ("dialect", "definition", "types"),
    [
        (
            "snowflake",
            "id number(12, 2) not null primary key, at timestamp with time zone default now(), x array",
            {"ID": "number(12, 2)", "AT": "timestamp with time zone", "X": "array"},
        ),
        ("bigquery", "r STRUCT<a INT64, b ARRAY<STRING>> NOT NULL", {"r": "STRUCT<a INT64, b ARRAY<STRING>>"}),
        (
            "mysql",
            "id int unsigned auto_increment, kind enum('a', 'b') not null, d double precision, primary key (id)",
            {"id": "int unsigned", "kind": "enum('a', 'b')", "d": "double precision"},
        ),
        (
            "mssql",
            "a nvarchar(max) collate Latin1_General_CI_AS null, twice as (a + a), b int identity(1, 1)",
            {"a": "nvarchar(max)", "b": "int"},
        ),
        ("oracle", "a varchar2(20 byte) default on null 'x' not null, b number", {"A": "varchar2(20 byte)", "B": "number"}),
        (
            "teradata",
            "a VARCHAR(10) CHARACTER SET LATIN NOT CASESPECIFIC, b DECIMAL(5,2) FORMAT '-9'",
            {"a": "VARCHAR(10) CHARACTER SET LATIN", "b": "DECIMAL(5,2)"},
        ),
    ],
)  # fmt: skip
def test_types_of_a_definition_are_kept_as_written(dialect, definition, types):
    [found] = described(f"create table t ({definition})", dialect).values()
    assert found.types == types


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("snowflake", "create table t (a int comment 'of a') comment = 'of t'"),
        ("hive", "create table t (a int comment 'of a') comment 'of t' stored as orc"),
        ("clickhouse", "create table t (a Int8 comment 'of a') engine = Memory comment 'of t'"),
        ("bigquery", "create table t (a INT64 options(description='of a')) options(labels=[], description='of t')"),
        ("postgresql", "create table t (a int); comment on table t is 'of t'; comment on column t.a is 'of a'"),
        ("oracle", "create table s.t (a int); comment on table s.t is 'of t'; comment on column s.t.a is 'of a'"),
        ("teradata", "create table t (a int); comment on table t as 'of t'; comment on column t.a as 'of a'"),
    ],
)
def test_comments_are_kept(dialect, sql):
    [found] = described(sql, dialect).values()
    assert (found.comment, list(found.comments.values())) == ("of t", ["of a"])


def test_a_view_has_its_comment():
    assert described("create view v comment = 'sums' as select a from t", "snowflake")["v"].comment == "sums"


def test_a_comment_alone_makes_no_table_known():
    model = analyze("comment on table nowhere is 'x'; comment on role r is 'y'", dialect="snowflake").model
    assert (model.entities, model.problems) == ([], [])


def test_metadata_gives_types():
    found = described("select a from t", "snowflake", metadata={"t": {"a": "int", "B": "date"}})
    assert found["t"].types == {"A": "int", "B": "date"}


def test_a_new_definition_replaces_what_was_said():
    found = described("create table t (a int) comment = 'old'; create or replace table t (a date)", "snowflake")
    assert (found["t"].comment, found["t"].types) == (None, {"A": "date"})
