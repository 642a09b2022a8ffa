"""Every column edge says how: its expression as written, and what that does to the value."""

from __future__ import annotations

import pytest

from connector import analyze

How = tuple[str, str, str, str | None]


def how(sql: str, dialect: str = "snowflake", **known: list[str]) -> set[How]:
    """Source, target, transformation and expression of the data flow."""
    edges = analyze(sql, dialect, metadata=known or None).to_dict("column")["relations"]
    return {
        (edge["source"]["column"], edge["target"]["column"], edge["transformation"], edge["expression"])
        for edge in edges
        if edge["type"] == "fdd"
    }


@pytest.mark.parametrize(
    ("item", "transformation", "expression"),
    [
        ("a", "identity", "a"),
        ("a as x", "identity", "a"),
        ('t."A" x', "identity", 't."A"'),
        ("(a) as x", "identity", "(a)"),
        ("a * 2 as a", "transformation", "a * 2"),
        ("a::int as x", "transformation", "a::int"),
        ("upper(a) /* loud */ as x", "transformation", "upper(a)"),
        ("case when a > 1 then 'as' end as x", "transformation", "case when a > 1 then 'as' end"),
        ("sum( a )  x", "aggregation", "sum( a )"),
        ("1 + max(a) as x", "aggregation", "1 + max(a)"),
        ("(select max(t.a)) as x", "aggregation", "max(t.a)"),
        ("'-- ' || a as x", "transformation", "'-- ' || a"),
    ],
)
def test_select_items(item: str, transformation: str, expression: str) -> None:
    ((_, _, found, text),) = how(f"create table o as select {item} from t")
    assert (found, text) == (transformation, expression)


def test_a_star_stands_for_its_columns() -> None:
    assert how("create table o as select t.* from t", t=["a", "b"]) == {
        ("a", "a", "identity", "t.*"),
        ("b", "b", "identity", "t.*"),
    }


def test_an_alias_before_its_expression() -> None:
    assert how("select x = a + 1, y = b into o from t", "mssql") == {
        ("a", "x", "transformation", "a + 1"),
        ("b", "y", "identity", "b"),
    }


def test_steps_from_the_inner_one_outwards() -> None:
    sql = "with c as (select a * 2 as d, b as e from t) insert into o (x, y) select sum(d), c.e from c group by c.e"
    assert how(sql) == {("a", "x", "aggregation", "a * 2 → sum(d)"), ("b", "y", "identity", "b")}


def test_the_branch_that_changes_most_speaks_for_the_edge() -> None:
    sql = "insert into o (x) select a from t union all select a * 2 from t"
    assert how(sql) == {("a", "x", "transformation", "a * 2")}


def test_values_of_set_merge_and_values() -> None:
    assert how("update o set x = s.b + 1, y = case when s.c = 1 then 2 end, z = s.d from s where s.k = o.k") == {
        ("b", "x", "transformation", "s.b + 1"),
        ("c", "y", "transformation", "case when s.c = 1 then 2 end"),
        ("d", "z", "identity", "s.d"),
    }
    assert how("update o set (x, y) = (s.b + 1, coalesce(s.c, 0)) from s", "postgresql") == {
        ("b", "x", "transformation", "s.b + 1"),
        ("c", "y", "transformation", "coalesce(s.c, 0)"),
    }
    merge = "merge into o using s on o.k = s.k when not matched then insert (k, x) values (s.k, f(s.a, 1))"
    assert how(merge) == {("k", "k", "identity", "s.k"), ("a", "x", "transformation", "f(s.a, 1)")}
    upsert = "insert into o (k, n) select k, n from s on conflict (k) do update set n = o.n + excluded.n"
    assert ("n", "n", "transformation", "o.n + excluded.n") in how(upsert, "postgresql")


def test_expressions_of_a_routine() -> None:
    sql = """create procedure p as begin
      declare @v int;
      set @v = (select max(a) from t) * 2;
      insert into o (x, y) values (@v + 1, 5);
    end"""
    assert how(sql, "mssql") == {("a", "x", "aggregation", "max(a) → (select max(a) from t) * 2 → @v + 1")}


def test_impact_is_named_by_its_clause() -> None:
    sql = """insert into o (x, n) select sum(t.a) over (partition by t.p order by t.s), s.b
             from t join s on s.k = t.k where t.w > 1"""
    edges = analyze(sql, "snowflake").to_dict("column")["relations"]
    found = {(edge["source"]["column"], edge["transformation"]) for edge in edges if edge["type"] == "fdr"}
    assert found == {("p", "window"), ("s", "window"), ("k", "join"), ("w", "filter")}
    (join,) = [edge for edge in edges if edge["type"] == "join"]
    assert (join["transformation"], join["expression"]) == ("join", "s.k = t.k")


def test_counting_rows() -> None:
    (edge,) = analyze("create table o as select count(*) as n from t").to_dict("column")["relations"]
    assert (edge["transformation"], edge["expression"]) == ("influence", "count(*)")


def test_long_expressions_are_cut() -> None:
    terms = " + ".join(f"c{number}" for number in range(1000))
    found = how(f"create table o as select {terms} as x from t")
    assert len(found) == 1000
    assert all(text is not None and len(text) == 2001 and text.endswith("…") for *_, text in found)
