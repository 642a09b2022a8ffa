"""Finding the table of a column, with and without metadata; nothing is invented and nothing is dropped silently."""

from __future__ import annotations

import pytest

from connector import Options, analyze

ORPHANS = "pseudo_table_include_orphan_column"


def edges(sql: str, dialect: str = "ansi", **settings: object) -> set[str]:
    found = analyze(sql, dialect, **settings).to_dict("column", impact=False)["relations"]  # type: ignore[arg-type]
    return {
        f"{edge['source']['table']}.{edge['source']['column']} > {edge['target']['table']}.{edge['target']['column']}"
        for edge in found
        if edge["type"] == "fdd"
    }


def test_an_ambiguous_column_is_an_orphan() -> None:
    assert edges("create view v as select a from t, u") == {f"{ORPHANS}.a > v.a"}


def test_metadata_decides() -> None:
    assert edges("create view v as select a from t, u", metadata={"t": ["b"], "u": ["a"]}) == {"u.a > v.a"}


def test_what_one_table_surely_lacks_belongs_to_the_other() -> None:
    assert edges("create view v as select a from t, u", metadata={"t": ["b"]}) == {"u.a > v.a"}


def test_the_option_links_an_orphan_to_the_first_table_and_says_so() -> None:
    lineage = analyze("create view v as select a from t, u", options=Options(link_orphans=True))
    assert [problem.type for problem in lineage.problems] == ["LinkOrphanColumn"]
    assert "linked to the first, t" in lineage.problems[0].message


def test_a_column_that_no_known_table_has_is_an_orphan() -> None:
    assert edges("create view v as select zz from t", metadata={"t": ["a"]}) == {f"{ORPHANS}.zz > v.zz"}


def test_a_correlated_column_is_found_outside() -> None:
    sql = "create view v as select (select max(x) from s where k = id) as m from t"
    found = analyze(sql, metadata={"s": ["x", "k"], "t": ["id"]}).to_dict("column")["relations"]
    assert ("t", "id", "fdr") in {(edge["source"]["table"], edge["source"]["column"], edge["type"]) for edge in found}


def test_a_star_stays_a_star_until_the_columns_are_known() -> None:
    assert edges("insert into o select * from t") == {"t.* > o.*"}
    assert edges("insert into o select * from t", metadata={"t": ["a", "b"]}) == {"t.a > o.a", "t.b > o.b"}


def test_what_the_script_created_is_known_to_later_statements() -> None:
    script = "create table t (a int, b int); create view v as select * from t; drop table t; create view w as select * from t"
    assert edges(script) == {"t.a > v.a", "t.b > v.b", "t.* > w.*"}


def test_a_name_is_looked_up_through_a_star() -> None:
    assert edges("create view v as select x from (select * from t) s") == {"t.x > v.x"}


def test_a_star_over_two_unknown_tables_is_not_guessed_through() -> None:
    assert edges("create view v as select x from (select * from t, u) s") == {"t.* > v.x", "u.* > v.x"}


@pytest.mark.parametrize(
    ("dialect", "same"),
    [
        ("snowflake", False),
        ("oracle", False),
        ("postgresql", False),
        ("mssql", True),
        ("hive", True),
        ("bigquery", False),
    ],
)
def test_quoted_spellings_are_one_table_where_the_dialect_says_so(dialect: str, same: bool) -> None:
    quote = "`" if dialect in ("hive", "bigquery") else '"'
    sql = f"insert into o select a from {quote}Tab{quote}; insert into p select b from tab"
    tables = [entity for entity in analyze(sql, dialect).model.entities if entity.table.lower() == "tab"]
    assert (len(tables) == 1) is same


def test_an_unqualified_name_in_sql_server_is_dbo() -> None:
    model = analyze("insert into dbo.o select a from t; insert into p select b from dbo.t", "mssql").model
    assert [entity.name for entity in model.entities if entity.table == "t"] == ["t"]


def test_defaults_apply_to_bare_names_only() -> None:
    found = analyze("insert into o select a from x.t", default_database="d", default_schema="s").to_dict("table")
    names = [end["qualifiedName"] for end in found["statements"][0]["inputs"] + found["statements"][0]["outputs"]]
    assert names == ["d.x.t@default", "d.s.o@default"]
