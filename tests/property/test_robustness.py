"""Whatever the text, an analysis ends, says what it could not read, and gives a model that holds together.

`mutations` makes the texts, `soundness` says what has to hold, `fuzz` puts the two together. ``LINEAGE_LONG=1`` tries a
million texts instead of a few thousand.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator

import pytest
from fuzz import OtherSeed, findings
from layout import relations_by_name, spread_out
from mutations import DIALECTS, SOURCES
from soundness import check, check_ends, check_places

from connector import analyze

LONG = os.environ.get("LINEAGE_LONG") == "1"
EXAMPLES = 1_000_000 if LONG else 6_000
WHOLE_EVERY = 10 if LONG else 1
"""How often an input is also exported in every format and compared under another hash seed: that costs most of the time."""
PARTS = 20


@pytest.fixture(autouse=True)
def _quiet_parser() -> Iterator[None]:
    """sqlglot warns about what it passes over; here that is most of it."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


@pytest.mark.parametrize("part", range(PARTS))
def test_damaged_scripts_give_a_sound_model(part: int) -> None:
    """Our schemas, places, ends, ids; every export, and the same bytes under another hash seed."""
    each = EXAMPLES // PARTS
    with OtherSeed() as other:
        found = [str(finding) for finding in findings(part * each, each, other, WHOLE_EVERY)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("dialect", "text"), SOURCES, ids=[f"{dialect}-{n}" for n, (dialect, _) in enumerate(SOURCES)])
def test_whole_scripts_give_a_sound_model(dialect: str, text: str) -> None:
    check(dialect, text)


@pytest.mark.parametrize(("dialect", "text"), SOURCES, ids=[f"{dialect}-{n}" for n, (dialect, _) in enumerate(SOURCES)])
def test_comments_and_white_space_change_nothing(dialect: str, text: str) -> None:
    assert relations_by_name(spread_out(text, dialect), dialect) == relations_by_name(text, dialect)


ONCE_BROKEN = (
    ("bigquery", "SELECT FROM orders,orders.items AS(item)"),
    ("duckdb", "from read_csv((''))"),
    ("duckdb", "from read_csv((f(1)))"),
    ("mssql", "waitfor("),
    ("clickhouse", "INSERT INTO FUNCTION fromElsewhere(d u into outfile'')"),
    ("bigquery", "create analytic''using f\n  dimension ),key k references(shop_id,"),
    ("mariadb", "create table o as with b as (unnest((t1)) y) select a from b"),
    ("databricks", "create view c with metrics language yaml as $$source: s\ndimensions:\n  - name:\n    expr: a\n$$"),
    ("postgresql", "alter table c add n.amount()references s"),
    ("sparksql", "insert into o select (b)($$v) from t"),
    ("oracle", "replace analytic''using f\n  measures(sales fact(),margin as(sales sales"),
    ("bigquery", "SELECT FROM d\nu($20240101)"),
    ("snowflake", "copy known from''"),
    ("informix", "SELECT SKIP 10FIRST"),
    ("hana", "'placeholder'("),
    ("oracle", "replace attribute using"),
    ("oracle", "create attribute\n  using "),
    ("informix", "FOREACH"),
    ("oracle", "replace analytic\n  using dimension "),
    ("oracle", "create analytic using "),
    ("snowflake", "semantic_view(db()metrics total!2010)"),
    ("bigquery", "create table t\nselect $ $1,"),
    ("snowflake", "{% set methods = ['', ''] %}{% for m in methods %}'';\n\n    if{% endfor %}"),
    ("snowflake", "SEMANTIC_VIEW(sales_view DIMENSIONS (;\n    LOOP(;'"),
    ("ansi", "with recursive tree (? lvl) as (select null union select 1) select * from tree"),
    ("bigquery", "select array_agg(order by ts)[(0)].*"),
    ("postgresql", "delete select from t1 from films"),
    ("snowflake", "create table t refresh using ("),
    ("bigquery", "from t |> rename b() bb"),
    ("mssql", "@@"),
    ("teradata", "select a from table (f() returns ("),
    ("ansi", "with tree (? lvl) as (select 1 as lvl) select * from tree"),
    ("snowflake", "alter alert a modify condition exists ("),
    ("snowflake", "{%set kinds=['','']%}{%for kind in kinds%}group;\n\ncreate view%}select {%endfor%}"),
    ("snowflake", "create semantic view v tables (t) dimensions (c as c.name"),
    ("snowflake", "create semantic view tables (comment '') dimensions (c as c.name"),
    ("sparksql", "insert b (reduce.using '' @() (''))"),
    ("hive", "insert into o1 select transform (b) using '' y, (z@s)"),
    ("duckdb", "select st.* from (select {'': id} st from ww)"),
    ("redshift", "create table as\nselect clicks*$.0"),
    ("bigquery", "UPDATE t SET r=(SELECT AS tr.*REPLACE(s((.))))"),
    ("bigquery", "select $1.50 from dbo"),
    ("snowflake", "create table o as select {% for m in ['', ''] %} (''){{ m }}_amount, 1 {% endfor %} from t"),
    ("exasol", "INSERT p SELECT JSON_EXTRACT('''')EMITS(c INT,()VARCHAR)"),
    ("databricks", 'create view v with metrics language yaml as $$source: t\nmeasures:\n  - name: m\n    expr: "$$'),
    ("redshift", "select from live..orders into(v)"),
    ("clickhouse", "where>as"),
    ("oracle", "from\ud800insert all\n  into(name)values(name)into(city)values((city))select()people where"),
    ("trino", "insert a from table(mysql.system.query(query=>'select lateral.'))"),
    ("duckdb", "from ..orders"),
    ("teradata", "FROM READ_NOS(LOCATION("),
    ("mssql", "select cross apply openjson(o.doc,'')with(()varchar''"),
    ("ansi", "insert select a from t"),
    ("ansi", "insert into -- o\nselect"),
    ("clickhouse", "create table o1 engine = Memory as untuple(tup) from t"),
    ("snowflake", "SEMANTIC_VIEW(sales_view DIMENSIONS (;\n    LOOP(;'"),
    ("bigquery", "MERGE d.t USING.k WHEN INSERT VALUES(k)\nUPDATE d.t SET r(())from t,w join u on t.k"),
    ("ansi", "insert into o (a, a) select b, c from t"),
    ("ansi", "create view v as select a as x, b as x from t"),
    ("ansi", 'create view v as select 1 as "", t."" from t'),
    ("databricks", "merge into t using s on t.id = s.id when not matched then insert (*)"),
    ("ansi", "delete from\nfrom tbl a"),
    ("ansi", "merge into t using s on t.id = s.id when not matched then insert (deletes.a)"),
    ("hive", "from source s\ninsert overwrite table a "),
    ("hive", "create view v as select t.id, p.val from t lateral view posexplode(t.arr) p as pos, val, val"),
    ("mssql", "create view v as select c.id, s.value from customers c outer apply string_splitc."),
    ("oracle", "insert into o (a, b) select seq.(nextval)"),
    ("sybase", "update titles titles set x = titles.x + y.qty from titles, sales where titles.id"),
    ("hana", "delete t from dbo.target as t where not exists ( from dbo.source s where s.id.id = t.(id))"),
    ("hive", "insert into o select a from raw..orders o lateral view explode(o.items) x as i"),
    ("mssql", "select a into b..c from ...d"),
    ("oracle", "create table o as select * from (select s, m, v from k) pivot (sum(v) for x in ('x' as m, 'y' as y))"),
    ("postgresql", "create view v as select count(*) ?where s = 'ok') as n from p"),
    ("postgresql", "create view v as select t.x from t where (t.a, t(select s (select s.a, s?.b from "),
    ("postgresql", "update a set b, () = (select x, y from p)"),
    (
        "postgresql",
        "insert into c ( , a, b d, b) select e, f, g, h from i on conflict (a) do update set b = excluded.b",
    ),
    ("snowflake", "select object_construct('id', t.id, 'v') as x from t"),
    ("teradata", "update t from a t, b s set x = s.x where t.id = s.(id)"),
    ("mssql", "declare @p table (id int); insert into @p (id) select from s where y = 1"),
    ("netezza", "create external table 'f' as"),
    ("snowflake", "put file:///x @(st)"),
    ("snowflake", "copy@from from@"),
    ("mysql", "select b into @a, c from t"),
    ("bigquery", "create table region;OPEN regions;FETCH regions INTO'proj'\"\""),
    ("bigquery", "DECLARE n DEFAULT EXECUTE IMMEDIATE CONCAT('INSERT ',n''"),
    ("hana", "REPLACE PROCEDURE d\nBEGIN\n a=c.p;INTO r;UPSERT(x)l c;INTO l;INSERT p;INSERT(m)SELECT p.w FROM:A"),
    ("hive", "`()?.`from;a from"),
    ("mysql", "OPEN"),
    ("bigquery", "insert(fee)select $1 from.t"),
    ("postgresql", "INSERT (x)(,)FROM t JOIN u USING(())"),
    ("bigquery", "alter table t add'',rates as(select day,join r)"),
    ("ansi", "insert(id)select t.(id)from wherecreate"),
    ("vertica", "create view v\nfrom((d))pivot(sum(t)for m in([]))"),
    ("bigquery", "create table from b|>set=  =2"),
    ("sparksql", "--\nfrom t where then update"),
    ("clickhouse", "insert(tag)select id\ud800t"),
    ("duckdb", "--\npivot p   yr x"),
    ("clickhouse", "insert t with(tablock)(b)select"),
    ("bigquery", "{{ref('')}}"),
    ("mssql", "CREATE TABLE expired(PRIMARY AS>EXCEPT\n    SELECT h"),
    ("athena", "create table p2 as\nunpivot p on ()into name amount"),
    ("snowflake", "first_orders as(select ),last_orders as(selectnull returns)"),
    ("clickhouse", "insert select"),
    ("bigquery", "select (select()()x where x.1)"),
    ("ansi", "insert (id)select t.(id\nfrom\\t)"),
    ("ansi", "delete from from t"),
    ("postgresql", "update \r\n\nselect"),
    ("ansi", "insert into o (\ud800) select '\udc41', a\ud83d from t"),
    ("clickhouse", "from t array join tags()"),
    ("clickhouse", "insert(into)(endtag)from t array join select"),
    ("hana", "CREATE TRIGGER grade ON\nBEGIN\n    DECLARE ;DECLAREin(INTEGER:=DECLARE"),
    ("mssql", "+="),
    ("duckdb", "create table as\nselect from(pivot(''))"),
    ("duckdb", "--\ncreate table o as\npivot p"),
    ("postgresql", "IF THEN\n        PERFORM("),
    ("presto", "insert values defaultinsert values go{{}}"),
    ("dremio", "cache from(t)from c"),
    ("snowflake", "insert {target}{}()select"),
    ("ansi", "with c()insert unnest(parent)select(.)"),
    ("duckdb", "create table as select (columns(*exclude(^)))"),
    ("ansi", "insert (id)from s\n((select from target gidwhere g=merge s.))"),
    ("mysql", "delete from shop...users"),
    ("teradata", "update values set"),
    ("oracle", "END:"),
    ("snowflake", "insert into o select a from ''"),
    ("sparksql", "CREATE SEMANTIC VIEW TABLES(orders'',c AS shop."),
    ("snowflake", "CREATE SEMANTIC VIEW TABLES(orders AS SYNONYMS COMMENT"),
    ("exasol", "(IMPORT INTO(v())FROM TABLE s)"),
    ("mssql", "create function dbo as\nreturn(select"),
    ("mssql", "create function dbo as\nreturn()"),
    ("mssql", "update set(v)"),
    ("duckdb", "select(:c like'')+1"),
    ("bigquery", "from d|>with (;\n\n    FROM"),
    ("bigquery", "from t|>with (;REPEAT\n        DELETE"),
    ("ansi", "--\nmerge t\nusing s\nwhen insert values(s.())"),
    ("databricks", "DELETE FROM  VALUES(bad_rows)"),
    ("databricks", "merge into values(a) using s on s.x = 1 when matched then delete"),
    ("teradata", "SELECT COALESCE.((),'')INTO:"),
    ("db2", "DECLARE c1 ;LOAD FROM c1 OF CURSOR INTO o"),
    ("mssql", "insert into @picked exec (@"),
    ("mssql", "insert into #exec dbo''"),
    ("mssql", "create procedure p as\nbegin\n    insert into @pickedexec (@"),
    ("db2", "IF THEN\n        SET c_rows=CURSOR FOR\n            SELECT p.(region,)"),
)
"""Texts that an analysis or an exporter stumbled over once."""


@pytest.mark.parametrize(("dialect", "text"), ONCE_BROKEN)
def test_texts_that_were_stumbled_over(dialect: str, text: str) -> None:
    check(dialect, text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts_that_say_nothing(dialect: str) -> None:
    for text in ("", " \n\t", ";", ";;;", "-- only a remark", "/* open", "'", '"', "(", ")" * 50, "\x00", "\ufeff"):
        complete = analyze(text, dialect=dialect).to_dict(level="complete")
        assert complete["relations"] == []
        check_places(complete, text)


@pytest.mark.parametrize("depth", [50, 400, 2_000])
@pytest.mark.parametrize("shape", ["parentheses", "case", "derived", "functions", "not"])
def test_deep_nesting_is_an_error_at_worst(shape: str, depth: int) -> None:
    expression = {
        "parentheses": "(" * depth + "t.a" + ")" * depth,
        "case": "case when t.a = 1 then " * depth + "t.b" + " end" * depth,
        "functions": "f(" * depth + "t.a" + ")" * depth,
        "not": "not " * depth + "t.a",
    }.get(shape, "t.a")
    source = "(select * from " * depth + "t" + ")" * depth + " t" if shape == "derived" else "t"
    text = f"insert into o (x) select {expression} from {source};\ninsert into p (y) select b from u;"
    lineage = analyze(text, dialect="ansi")
    check_ends(lineage.to_dict(level="complete"))
    edges = {
        (edge["source"]["table"], edge["target"]["table"]) for edge in lineage.to_dict(level="column")["relations"]
    }
    assert ("u", "p") in edges, "the statement after the deep one was lost"
