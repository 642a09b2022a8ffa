"""Clauses that the grammar does not know and that carry no lineage: the statement around them is read in full."""

from __future__ import annotations

from typing import Any

import pytest

from connector import analyze
from connector.sql.dialects import get_dialect
from connector.sql.repair import repaired

CASES = [
    (
        "mysql",
        "insert into o (x) select j.a from t, json_table(t.d, '$[*]' columns (a int path '$.a' default '0' on empty null on error)) j",
        "t.d -> o.x",
    ),
    (
        "mysql",
        "insert into o (x) select json_value(d, '$.a' returning char(20) character set utf8mb4) from t",
        "t.d -> o.x",
    ),
    (
        "mysql",
        "insert into o (x) select j.a from t, json_table(t.d, '$' columns (a int exists path '$.a')) j",
        "t.d -> o.x",
    ),
    ("mssql", "insert into o (x) select json_query(d, '$.a' with array wrapper) from t", "t.d -> o.x"),
    ("mssql", "insert into o (x) select json_array(d null on null) from t", "t.d -> o.x"),
    (
        "teradata",
        "insert into o (x) select cast(d as varchar(5) character set latin not casespecific) from t",
        "t.d -> o.x",
    ),
    ("mariadb", "insert into o (x, y) select d, next value for s.q from t", "t.d -> o.x"),
    ("mariadb", "update o for portion of p from '2001-01-01' to '2018-01-01' set x = y", "o.y -> o.x"),
    ("hive", "insert overwrite table o partition (p = '1') if not exists select d as x from t", "t.d -> o.x"),
    ("redshift", "insert into o (x) select cast(d as information_schema.sql_identifier) from t", "t.d -> o.x"),
    ("oracle", "insert into o (x) select d from t where 3 < = e and f ! = 2", "t.d -> o.x"),
    ("oracle", "insert into o (x) select d from t returning x into :v", "t.d -> o.x"),
    ("mssql", "update o set x = y where current of c", "o.y -> o.x"),
    ("mysql", "delete low_priority quick ignore from o where x in (select d from t)", ""),
    ("mysql", "delete o.*, p.* from o inner join p on o.a = p.a", ""),
    ("mariadb", "delete history from o before system_time '2020-01-01'", ""),
    ("mariadb", "insert into o (x) select sql_cache * from t", "t.* -> o.x"),
    ("mysql", "insert into o (x) select d from t where e = @v := 1", "t.d -> o.x"),
    ("doris", "insert into o with label l (x) select d from t", "t.d -> o.x"),
    ("mssql", "insert into o (x) select d from t option (optimize for (@c = 'x'), use hint ('y'))", "t.d -> o.x"),
    ("mssql", "insert into o (x) select d from t with (index = ix, forceseek)", "t.d -> o.x"),
    (
        "mssql",
        "insert into o (x) select t.d from t join containstable(u, *, 'w', language N'English') k on t.id = k.[key]",
        "t.d -> o.x",
    ),
    (
        "mssql",
        "insert into o (x) select d.a from predict(model = @m, data = dbo.t as d) with (score float) as p",
        "t.a -> o.x",
    ),
    (
        "mssql",
        "insert into o (x) select j.a from t cross apply openjson(t.d, isnull(t.p, '$.a')) with (a int) j",
        "t.d -> o.x, t.p -> o.x",
    ),
    ("oracle", "insert into o (x) select d multiset union all e from t", "t.d -> o.x, t.e -> o.x"),
    ("oracle", "insert into o (x) select d ** 2 + e mod 3 from t", "t.d -> o.x, t.e -> o.x"),
    (
        "oracle",
        "insert into o (x) select d from t where e is not empty and (f multiset except g) is empty",
        "t.d -> o.x",
    ),
    ("oracle", "insert into o (x) select case when e > 1 then d end case as v from t", "t.d -> o.x, t.e -> o.x"),
    (
        "oracle",
        "insert into o (x) select d from t log errors into errlog ('bad') reject limit 10",
        "t.d -> o.x, t.d -> errlog.x",
    ),
    ("oracle", "insert into (select x, y from o where x > 1) values (1, 2)", ""),
    ("oracle", "insert into o (x) select json_object(d) from t", "t.d -> o.x"),
    ("postgresql", "insert into o (x) select d from t order by e using <", "t.d -> o.x"),
    ("postgresql", "insert into o (x) overriding system value select d from t", "t.d -> o.x"),
    ("postgresql", "insert into o (x) select U&\"d\" uescape '!' from t", "t.d -> o.x"),
    ("postgresql", "insert into o (x) select substring(d similar 'a' escape '#') from t", "t.d -> o.x"),
    ("vertica", "insert into o (x) select d::!int from t", "t.d -> o.x"),
    ("vertica", "insert into o (x) select d from t limit 2 over (partition by e order by f)", "t.d -> o.x"),
    ("vertica", "insert into o (x) select t.d from t nullaware anti join u on t.a = u.a", "t.d -> o.x"),
    ("exasol", "insert into o (x) select d from t preferring high e partition by f", "t.d -> o.x"),
    ("exasol", "insert into o (x) select d with invalid unique (e) from t", "t.d -> o.x, t.e -> o.x"),
    ("exasol", "insert into o (x) select t.d from t, values between 1 and 9 as v (v)", "t.d -> o.x"),
    ("exasol", "delete * from o", ""),
    ("teradata", "insert into o (x) select d from t where e = 'a' (not casespecific)", "t.d -> o.x"),
    ("teradata", "insert into o (x) select normalize on meets or overlaps d from t", "t.d -> o.x"),
    ("db2", "insert into o (x) select case when e > 1 then d - 1 days end from t", "t.d -> o.x, t.e -> o.x"),
    ("sparksql", "insert into o (x) select c from t lateral view explode(d) n c", "t.d -> o.x"),
    ("sqlite", "update or ignore o set x = y", "o.y -> o.x"),
    ("sqlite", "insert into o (x) select d from t where e = ?2", "t.d -> o.x"),
    ("clickhouse", "insert into o (x) select studentTTest(0.95)(d, e) from t", "t.d -> o.x, t.e -> o.x"),
    ("impala", "insert into o (x) select d from t where e iregexp 'a'", "t.d -> o.x"),
    ("athena", "using external function f(a varchar) returns varchar lambda 'l' select f(d) from t", ""),
    ("bigquery", "insert into o (x) select weight from ml.weights(model `p.d.m`)", None),
    ("duckdb", "pivot t on a using sum(b) order by c limit 1", ""),
]


def end_name(end: dict[str, Any]) -> str:
    return f"{end['table']}.{end['column']}".replace('"', "")


@pytest.mark.parametrize(("dialect", "script", "expected"), CASES)
def test_the_rest_of_the_statement_is_read(dialect: str, script: str, expected: str | None) -> None:
    lineage = analyze(script, dialect=dialect).to_dict(level="column")
    assert not lineage["errors"]
    edges = {
        f"{end_name(edge['source'])} -> {end_name(edge['target'])}"
        for edge in lineage["relations"]
        if edge["type"] == "fdd"
    }
    if expected is not None:
        assert edges == {text for text in expected.split(", ") if text}


@pytest.mark.parametrize("dialect", ["mysql", "mssql", "oracle", "postgresql", "teradata", "snowflake", "exasol"])
def test_tokens_without_such_clauses_are_left_alone(dialect: str) -> None:
    grammar = get_dialect(dialect)
    tokens = grammar.sqlglot.tokenize(
        "insert into o (x) select t.d from t join u on t.a = u.a where t.b > 1 and not t.c is null"
    )
    assert repaired(tokens, grammar) is tokens


def test_a_whole_table_is_a_query() -> None:
    grammar = get_dialect("mysql")
    tokens = repaired(grammar.sqlglot.tokenize("insert into o (x) table t as n (m)"), grammar)
    assert " ".join(token.text for token in tokens) == "insert into o ( x ) SELECT * FROM t"


def test_offsets_stay() -> None:
    script = "insert into o (x) select d from t with (index = ix) where e = 1"
    lineage = analyze(script, dialect="mssql").to_dict(level="complete")
    (table,) = [entity for entity in lineage["dbobjs"] if entity["name"] == "t"]
    assert [place[1] for place in table["coordinates"]] == [33, 34]
    (column,) = [column for column in table["columns"] if column["name"] == "e"]
    assert [place[1] for place in column["coordinates"]] == [script.index("e = 1") + 1, script.index("e = 1") + 2]
