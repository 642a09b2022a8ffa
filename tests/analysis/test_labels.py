"""Names of unnamed select items, as the engines themselves gave them (`SELECT … FROM t` and a look at the columns)."""

from __future__ import annotations

import pytest

from connector import analyze

POSTGRES = {
    "a": "a",
    "((a))": "a",
    "a + 1": "?column?",
    "-a": "?column?",
    "'abc'": "?column?",
    "a is null": "?column?",
    "a in (select b from t)": "?column?",
    "j ->> 'x'": "?column?",
    "COUNT(*)": "count",
    "max(a) + 1": "?column?",
    "coalesce(a, b)": "coalesce",
    "nullif(a, b)": "nullif",
    "greatest(a, b)": "greatest",
    "cast(a as varchar(10))": "a",
    "a::text": "a",
    "1::int": "int4",
    "cast(a + 1 as double precision)": "float8",
    "max(a)::int": "max",
    "date '2020-01-01'": "date",
    "interval '1 day'": "interval",
    "case when a > 1 then b else c end": "c",
    "case when a > 1 then b else 0 end": "case",
    "case when a > 1 then b end": "case",
    "(case when a > 1 then b end)::int": "int4",
    "(select max(a) from t)": "max",
    "(select a + 1 from t limit 1)": "?column?",
    "(select a as z from t union select b from t)": "z",
    "exists (select 1 from t)": "exists",
    "row_number() over (partition by a order by b)": "row_number",
    "sum(a) filter (where b > 1)": "sum",
    "string_agg(s, ',' order by a)": "string_agg",
    "percentile_cont(0.5) within group (order by a)": "percentile_cont",
    "substring(s from 1 for 2)": "substring",
    "trim(s)": "btrim",
    "trim(leading 'x' from s)": "ltrim",
    "extract(year from d)": "extract",
    "position('x' in s)": "position",
    "current_date": "current_date",
    "now()": "now",
    "(st).f": "f",
    "arr[1]": "arr",
    "array[1, a]": "array",
    "array(select a from t)": "array",
    "row(a, b)": "row",
    's collate "C"': "s",
    "d at time zone 'UTC'": "timezone",
    "pg_catalog.lower(s)": "lower",
    "to_char(d, 'YYYY')": "to_char",
    '"Mixed"::text': '"Mixed"',
}

SPARK = {
    "(a)": "a",
    "t.a+1": "(a + 1)",
    "a - b * c": "(a - (b * c))",
    "-a": "(- a)",
    "'abc'": "abc",
    "'*'": "'*'",
    "''": "''",
    "a = 1 and not b = 2": "((a = 1) AND (NOT (b = 2)))",
    "a <> 1": "(NOT (a = 1))",
    "a not in (1, 2)": "(NOT (a IN (1, 2)))",
    "a is not null": "(a IS NOT NULL)",
    "s not like 'x%'": "(NOT s LIKE x%)",
    "s || 'x'": "concat(s, x)",
    "COUNT(*)": "count(1)",
    "count(distinct a, b)": "count(DISTINCT a, b)",
    "Sum( t.a )": "sum(a)",
    "nvl(a, b)": "nvl(a, b)",
    "substr(s, 1, 2)": "substr(s, 1, 2)",
    "regexp_replace(s, 'a', 'b')": "regexp_replace(s, a, b, 1)",
    "cast(a as decimal(10,2))": "a",
    "cast(max(a) as string)": "CAST(max(a) AS STRING)",
    "case a when 1 then 'x' else s end": "CASE WHEN (a = 1) THEN x ELSE s END",
    "sum(if(a = 1, b, 0))": "sum((IF((a = 1), b, 0)))",
    "arr[1]": "arr[1]",
    "st.f": "f",
    "year(d)": "year(d)",
    "current_date": "current_date()",
    "(select max(a) from t)": "scalarsubquery()",
    "sum(a) filter (where b > 1)": "sum(a) FILTER (WHERE (b > 1))",
    "sum(a) over (partition by b)": (
        "sum(a) OVER (PARTITION BY b ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)"
    ),
    "sum(a) over (order by b)": (
        "sum(a) OVER (ORDER BY b ASC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"
    ),
    "1L": "1",
}

DUCKDB = {
    "(a)": "a",
    "t.a+1": "(t.a + 1)",
    "-a": "(-(a))",
    "'it''s'": "'it''s'",
    "a = 1 or b = 2 or c = 3": "((a = 1) OR (b = 2) OR (c = 3))",
    "a <> 1": "(a != 1)",
    "a between 1 and 2": "(a BETWEEN 1 AND 2)",
    "s like 'x%'": "(s ~~ 'x%')",
    "COUNT(*)": "count_star()",
    "MAX( a )": "max(a)",
    "coalesce(a, b)": "COALESCE(a, b)",
    "a::int": "CAST(a AS INTEGER)",
    "case when a > 1 then b end": "CASE  WHEN ((a > 1)) THEN (b) ELSE NULL END",
    "left(s, 2)": '"left"(s, 2)',
    "if(a > 1, b, c)": '"if"((a > 1), b, c)',
    "sum(a) over (partition by b order by c desc)": "sum(a) OVER (PARTITION BY b ORDER BY c DESC)",
    "arr[1]": "arr[1]",
    "current_date": "current_date",
}

CLICKHOUSE = {
    "(a)": "a",
    "t.a+1": "plus(a, 1)",
    "-a": "negate(a)",
    "a = 1 and b = 2 and c = 3": "and(equals(a, 1), equals(b, 2), equals(c, 3))",
    "a not in (1, 2)": "notIn(a, (1, 2))",
    "a is not null": "isNotNull(a)",
    "s || s || 'x'": "concat(s, s, 'x')",
    "count(*)": "count()",
    "COUNT(DISTINCT a)": "COUNTDistinct(a)",
    "MAX( a )": "MAX(a)",
    "case when a > 1 then b end": "multiIf(greater(a, 1), b, NULL)",
    "case a when 1 then 'x' else s end": "caseWithExpression(a, 1, 'x', s)",
    "if(a > 1, b, c)": "if(greater(a, 1), b, c)",
    "row_number() over (partition by a order by b)": "row_number() OVER (PARTITION BY a ORDER BY b ASC)",
}

_CASES = [
    (dialect, expression, name)
    for dialect, cases in (
        ("postgresql", POSTGRES),
        ("sparksql", SPARK),
        ("duckdb", DUCKDB),
        ("clickhouse", CLICKHOUSE),
    )
    for expression, name in cases.items()
]


@pytest.mark.parametrize(("dialect", "expression", "name"), _CASES)
def test_the_name_is_the_engines_own(dialect: str, expression: str, name: str) -> None:
    assert _names(dialect, expression) == [name]


@pytest.mark.parametrize("dialect", ["sparksql", "duckdb", "clickhouse", "postgresql"])
def test_a_long_chain_keeps_its_text(dialect: str) -> None:
    chain = " + ".join(["a"] * 5_000)
    assert _names(dialect, chain) == ["?column?" if dialect == "postgresql" else chain]


def _names(dialect: str, expression: str) -> list[str]:
    complete = analyze(f"create table o as select {expression} from t", dialect).to_dict()
    (created,) = [found for found in complete["dbobjs"] if found["name"] == "o"]
    return [column["name"] for column in created["columns"] if column["name"] != "PseudoRows"]
