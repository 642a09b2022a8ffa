from __future__ import annotations

import pytest
from sql_reading import statement

from connector.sql.tokens import TokenIndex


def items(text: str, at: str, dialect: str = "ansi") -> list[str]:
    index = statement(text, dialect).index
    return [text[start:end] for start, end in index.select_items(text.index(at))]


@pytest.mark.parametrize(
    ("dialect", "head"),
    [
        ("ansi", "select"),
        ("ansi", "select all"),
        ("ansi", "select distinct"),
        ("postgresql", "select distinct on (p, q)"),
        ("mssql", "select top 10"),
        ("mssql", "select distinct top (10) percent with ties"),
        ("mssql", "select top (@n)"),
        ("mssql", "select top @n"),
        ("mysql", "select straight_join"),
        ("mysql", "select sql_calc_found_rows distinct"),
        ("bigquery", "select as struct"),
        ("bigquery", "select distinct as value"),
        ("informix", "select skip 5 first 10"),
        ("oracle", "select /*+ full(t) */"),
        ("teradata", "sel top 5"),
    ],
)
@pytest.mark.parametrize(
    "tail",
    [
        " from t",
        " into v from t",
        " where p = 1",
        " union all select 1, 2, 3",
        "",
        " order by 1",
        " limit 5",
        ", from t",
        ") as x",
    ],
)
def test_items_between_the_head_and_the_end_of_the_list(dialect: str, head: str, tail: str) -> None:
    text = f"{head} xa, f(xb, 2) as xc{tail}"
    if tail.startswith(")"):
        text = f"select y from ({text}"
    assert items(text, "xa", dialect) == ["xa", "f(xb, 2) as xc"]
    assert items(text, "xb", dialect) == ["xa", "f(xb, 2) as xc"]


@pytest.mark.parametrize(
    ("dialect", "item"),
    [
        ("ansi", "case when xa is distinct from b then 1 else 2 end"),
        ("ansi", "extract(year from xa)"),
        ("bigquery", "struct<p int64, q array<string>>(xa, 'x')"),
        ("bigquery", "xa.* except (p, q) replace (1 as r)"),
        ("snowflake", "xa.* exclude (p, q)"),
        ("duckdb", "{'p': xa, 'q': [1, 2]}"),
        ("ansi", "sum(xa) over (partition by p, q order by r)"),
        ("sparksql", "window(xa, '1 hour')"),
        ("postgresql", "xa[1:2]"),
        ("ansi", "'a, b' || xa"),
    ],
)
def test_commas_and_clause_words_inside_an_item(dialect: str, item: str) -> None:
    assert items(f"select p, {item}, z from t", "xa", dialect) == ["p", item, "z"]


def test_inner_and_enclosing_lists() -> None:
    text = "select a, (select max(b), 1 from u where c = 1) as m, d from (select e, f from v) w"
    index = statement(text).index

    def spans(found: list[tuple[int, int]]) -> list[str]:
        return [text[start:end] for start, end in found]

    outer = ["a", "(select max(b), 1 from u where c = 1) as m", "d"]
    assert spans(index.select_items(text.index("b)"))) == ["max(b)", "1"]
    assert spans(index.enclosing_items(text.index("b)"))) == outer
    assert spans(index.select_items(text.index("c ="))) == outer
    assert spans(index.select_items(text.index("e,"))) == ["e", "f"]
    assert index.enclosing_items(text.index("e,")) == []
    assert index.select_items(text.rindex("w")) == []


def test_set_operators_start_a_new_list() -> None:
    text = "select a1, a2 from t union all select b1, b2 from u"
    assert items(text, "b1") == ["b1", "b2"]


def test_except_between_queries_is_a_set_operator() -> None:
    text = "select * except (select b1 from u)"
    assert items(text, "*", "snowflake") == ["*"]


def test_multi_insert_lists() -> None:
    text = "from s insert overwrite table a select a1, a2 insert overwrite table b select b1"
    assert items(text, "a2", "hive") == ["a1", "a2"]
    assert items(text, "b1", "hive") == ["b1"]


def test_at_finds_the_token_that_covers_an_offset() -> None:
    index = statement("select  abc from t").index
    assert index.at(0) == 0
    assert index.at(8) == index.at(10) == 1
    assert index.at(7) == -1
    assert index.at(100) == -1


def test_close_matches_parentheses_of_all_kinds() -> None:
    found = statement("select (a[f(1)]), (b", "duckdb")
    opened = [i for i, token in enumerate(found.tokens) if token.text in "(["]
    closed = [found.index.close(i) for i in opened]
    assert [found.tokens[i].text for i in closed] == [")", "]", ")", "b"]
    assert closed[0] > closed[1] > closed[2]


@pytest.mark.parametrize(
    ("text", "at", "end"),
    [
        ("select coalesce(a, f(b)) x", "coalesce", "coalesce(a, f(b))"),
        ("select cast(a as decimal(10, 2)) x", "cast", "cast(a as decimal(10, 2))"),
        (
            "select case when case when a then 1 end = 1 then 2 end x",
            "case",
            "case when case when a then 1 end = 1 then 2 end",
        ),
        ("select s.f(a) x", "s.f", "s.f(a)"),
        ("select current_date x", "current_date", "current_date"),
        ("select sum(a) over (order by b) x", "sum", "sum(a)"),
    ],
)
def test_call_end(text: str, at: str, end: str) -> None:
    start = text.index(at)
    assert text[start : statement(text).index.call_end(start)] == end


def test_an_index_of_nothing() -> None:
    index = TokenIndex([])
    assert index.at(0) == -1
    assert index.select_items(0) == []
