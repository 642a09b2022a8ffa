from __future__ import annotations

import pytest
from sql_reading import statement

from connector.common.hashing import text_hash
from connector.sql.dialects import get_dialect
from connector.sql.identity import canonical, identity_hash, mask_literals, shape

ANSI = get_dialect("ansi")


def test_text_hash() -> None:
    text = "INSERT INTO raw_customers (id, first_name, last_name) VALUES(0, '', '')"
    assert text_hash(text) == identity_hash(statement(text), "text") == "04ebc5aec1a07e1db80b0bc798742875"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("select a from t", "SELECT  a\r\nFROM t -- c", True),
        ("select a, b from t", "select a,b from t", True),
        ("select a from t group by a", "SELECT a FROM t GROUP\n BY a", True),
        ('select "a" from t', 'select "A" from t', False),
        ("select 'x' from t", "select 'X' from t", False),
        ("select a from t", "select a from u", False),
    ],
)
def test_canonical(one: str, other: str, same: bool) -> None:
    assert (canonical(statement(one)) == canonical(statement(other))) is same
    assert (identity_hash(statement(one), "canonical") == identity_hash(statement(other), "canonical")) is same


@pytest.mark.parametrize(
    ("dialect", "one", "other", "same"),
    [
        (
            "ansi",
            "select a from t where d = '2024-01-01' and n > 5",
            "select A from T where d = '2024-01-02' and n > 6",
            True,
        ),
        ("ansi", "select a from t where n in (1, 2)", "select a from t where n in (1, 2, 3, 4)", True),
        ("ansi", "insert into t values (1, 'a')", "insert into t values (2, 'b'), (3, 'c')", True),
        ("ansi", "insert into t values (1, 'a')", "insert into t values (1, 'a', 2)", False),
        ("sparksql", "select * from csv.`/a/b`", "select * from csv.`/a/c`", False),
        ("snowflake", "copy into t from 's3://a/b'", "copy into t from 's3://a/c'", False),
        ("hive", "load data inpath 'x' into table t", "load data inpath 'y' into table t", False),
        ("snowflake", "select v:a.b from t where c = 1", "select v:a.c from t where c = 1", False),
        ("postgresql", "select v ->> 'a' from t", "select v ->> 'b' from t", False),
        ("mysql", "select json_extract(v, '$.a') from t", "select json_extract(v, '$.b') from t", False),
        ("snowflake", "select * from identifier('a.b')", "select * from identifier('a.c')", False),
        ("snowflake", "select $1 from @s", "select $2 from @s", False),
        (
            "oracle",
            "begin execute immediate 'insert into a select 1 from b'; end",
            "begin execute immediate 'insert into c select 1 from b'; end",
            False,
        ),
        ("ansi", "select a, b from t order by 1", "select a, b from t order by 2", False),
        (
            "snowflake",
            "select * from t pivot (sum(v) for m in ('x'))",
            "select * from t pivot (sum(v) for m in ('y'))",
            False,
        ),
        ("ansi", "select a from t limit 5", "select a from t limit 50", True),
    ],
)
def test_shape(dialect: str, one: str, other: str, same: bool) -> None:
    assert (shape(statement(one, dialect)) == shape(statement(other, dialect))) is same


def test_masking_keeps_all_but_literals_and_comments() -> None:
    masked = mask_literals("select a, 'secret', 42 -- john\nfrom t /* x */ where b = 'it''s'", ANSI)
    assert masked == "select a, ?, ?\nfrom t where b = ?"


@pytest.mark.parametrize("dialect", ["ansi", "snowflake", "mysql", "bigquery", "mssql", "oracle", "postgresql"])
def test_masking_keeps_the_names_of_literals(dialect: str) -> None:
    masked = mask_literals("select 'x' as a, 'y' as \"b c\", 1 d from t", get_dialect(dialect))
    assert masked == 'select ? as a, ? as "b c", ? d from t'


@pytest.mark.parametrize(
    ("dialect", "text", "secret"),
    [
        ("oracle", "create user scott identified by tiger", "tiger"),
        ("oracle", 'create user scott identified by "Tiger"', "Tiger"),
        ("mysql", "alter user 'a'@'b' identified by 'tiger'", "tiger"),
        ("redshift", "copy t from 's3://b' credentials 'aws_access_key_id=A;aws_secret_access_key=tiger'", "tiger"),
        ("snowflake", "create stage s url='s3://b' credentials=(aws_key_id='A' aws_secret_key='tiger')", "tiger"),
        ("snowflake", "create stage s credentials=(azure_sas_token='?sv=1&sig=tiger')", "tiger"),
        ("postgresql", "create role r with password 'tiger'", "tiger"),
        ("mssql", "create login l with password = 'tiger'", "tiger"),
        ("mssql", "select * from openrowset('x', 'server=a;password=tiger', 'select 1')", "tiger"),
        ("clickhouse", "select * from s3('https://x', 'key', 'tiger')", ""),
    ],
)
@pytest.mark.parametrize("literals", [True, False])
def test_credentials_are_always_masked(dialect: str, text: str, secret: str, literals: bool) -> None:
    if secret:
        assert secret not in mask_literals(text, get_dialect(dialect), literals=literals)


def test_without_literals_only_credentials_go() -> None:
    assert mask_literals("select 'x' from t", ANSI, literals=False) == "select 'x' from t"


def test_text_that_cannot_be_tokenised_is_masked_all_the_same() -> None:
    masked = mask_literals("select 'a', 12 from t where b = 'open secret", ANSI)
    assert "secret" not in masked
    assert "12" not in masked
    assert masked.startswith("select ?")


def test_sizes_of_types_are_no_literals():
    text = (
        "create table t (a varchar(20), b number(10, 2), c char(2) default 'x') as select cast(d as decimal(18,4)), 7"
    )
    masked = mask_literals(text, get_dialect("snowflake"))
    assert masked == text.replace("'x'", "?").replace(" 7", " ?")
    assert mask_literals("select date(20240101), f(3), char(1234567)", get_dialect("mysql")).count("?") == 3


@pytest.mark.parametrize(
    ("dialect", "text", "shown"),
    [
        ("mysql", """select 'x' as "a", "y" as 'b c' from t""", """select ? as "a", ? as 'b c' from t"""),
        ("sparksql", """select 'x' as "a" """, """select ? as "a" """.rstrip()),
        ("postgresql", "select 'token' as a, password as b from t", "select ? as a, password as b from t"),
        ("snowflake", "create function f() returns int as 'select 1'", "create function f() returns int as ?"),
    ],
)
def test_the_name_of_a_column_is_no_literal(dialect: str, text: str, shown: str) -> None:
    assert mask_literals(text, get_dialect(dialect)) == shown
