"""Files, stages and other places outside of the database, and the secrets in their addresses that must not get out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from connector import analyze
from connector.sql.dialects import get_dialect
from connector.sql.locations import scheme_of, without_credentials


def places(script: str, dialect: str) -> list[tuple[Any, ...]]:
    lineage = analyze(script, dialect=dialect).to_dict(level="complete")
    assert not lineage["errors"]
    return [
        (entity["type"], entity["name"], entity.get("subType"), entity.get("fileFormat"))
        for entity in lineage["dbobjs"]
        if entity["type"] in ("path", "stage")
    ]


@pytest.mark.parametrize(
    ("dialect", "script", "expected"),
    [
        ("hive", "load data local inpath '/a/b' into table t", ("path", "/a/b", "file", None)),
        ("hive", "load data inpath '/a/b' into table t", ("path", "/a/b", "hdfs", None)),
        (
            "hive",
            "create external table t (a int) stored as orc location 's3n://b/t'",
            ("path", "s3n://b/t", "s3", "orc"),
        ),
        ("redshift", "copy t from 's3://b/k' csv", ("path", "s3://b/k", "s3", "csv")),
        (
            "bigquery",
            "create external table d.t options (format = 'CSV', uris = ['gs://b/x'])",
            ("path", "gs://b/x", "gs", "CSV"),
        ),
        (
            "snowflake",
            "create stage s url = 'gcs://b/x' file_format = (type = json)",
            ("path", "gcs://b/x", "gs", "json"),
        ),
        (
            "sparksql",
            "select * from json.`abfss://c@a.dfs.core.windows.net/x`",
            ("path", "abfss://c@a.dfs.core.windows.net/x", "abfs", "json"),
        ),
        ("duckdb", "copy t to 'o.parquet' (format parquet)", ("path", "o.parquet", "file", "parquet")),
        ("snowflake", "copy into t from @db.s.st/a/b.csv", ("stage", "db.s.st", None, None)),
        ("snowflake", "copy into t from '@st/a b/c.csv'", ("stage", "st", None, None)),
        ("snowflake", "copy into @s.%t from t", ("stage", "s.%t", None, None)),
    ],
)
def test_places(dialect: str, script: str, expected: tuple[Any, ...]) -> None:
    assert expected in places(script, dialect)


def test_one_place_is_one_entity() -> None:
    script = "copy a from 's3://b/k'; copy c from 's3://b/k'; unload ('select x from a') to 's3://b/k'"
    assert [name for _, name, _, _ in places(script, "redshift")] == ["s3://b/k"]


def test_coordinates_inside_of_a_quoted_query() -> None:
    script = "unload ('select v.a from venue v where v.b = ''x'' ') to 's3://b/k'"
    lineage = analyze(script, dialect="redshift").to_dict(level="complete")
    (venue,) = [entity for entity in lineage["dbobjs"] if entity["name"] == "venue"]
    assert [place[1] for place in venue["coordinates"]] == [26, 33]


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("s3://bucket/key?X-Amz-Signature=abc", "s3://bucket/key"),
        ("https://user:pass@host:8080/x.csv", "https://host:8080/x.csv"),
        ("https://user@host/x.csv", "https://host/x.csv"),
        ("ftp://u:p@h", "ftp://h"),
        ("abfss://container@account.dfs.core.windows.net/x", "abfss://container@account.dfs.core.windows.net/x"),
        ("abfss://container:secret@account.dfs.core.windows.net/x", "abfss://account.dfs.core.windows.net/x"),
        ("s3://bucket/file?.csv", "s3://bucket/file?.csv"),
        ("/data/a@b/x", "/data/a@b/x"),
    ],
)
def test_credentials_leave_a_uri(uri: str, expected: str) -> None:
    assert without_credentials(uri) == expected


@pytest.mark.parametrize(
    ("uri", "dialect", "local", "expected"),
    [
        ("s3a://b/x", "hive", False, "s3"),
        ("/x", "hive", True, "file"),
        ("/x", "databricks", False, "dbfs"),
        ("dbfs:/x", "databricks", False, "dbfs"),
        ("C:\\x", "mssql", False, "file"),
        ("https://h/x", "clickhouse", False, "http"),
        ("d:a.dat", "oracle", False, "file"),
    ],
)
def test_schemes(uri: str, dialect: str, local: bool, expected: str) -> None:
    assert scheme_of(uri, get_dialect(dialect).path_scheme, local) == expected


SECRET = "TOPSECRET"

WITH_SECRETS = [
    (
        "snowflake",
        "create stage s url = 's3://b/x/' credentials = (aws_key_id = 'TOPSECRET' aws_secret_key = 'TOPSECRET') encryption = (type = 'AWS_CSE' master_key = 'TOPSECRET')",
    ),
    (
        "snowflake",
        "copy into t from 'azure://a.blob.core.windows.net/c/' credentials = (azure_sas_token = '?sig=TOPSECRET')",
    ),
    ("snowflake", "copy into t from 's3://b/x?AWSAccessKeyId=TOPSECRET&Signature=TOPSECRET'"),
    ("redshift", "copy t from 's3://b/k' credentials 'aws_access_key_id=TOPSECRET;aws_secret_access_key=TOPSECRET'"),
    (
        "redshift",
        "copy t from 's3://b/k' access_key_id 'TOPSECRET' secret_access_key 'TOPSECRET' session_token 'TOPSECRET'",
    ),
    (
        "redshift",
        "unload ('select a from t') to 's3://b/k' credentials 'aws_secret_access_key=TOPSECRET' nonsense nonsense",
    ),
    ("redshift", "create external schema s from postgres database 'd' uri 'h' secret_arn 'TOPSECRET'"),
    (
        "mssql",
        "copy into t from 'https://a/c.csv?sv=1&sig=TOPSECRET' with (credential = (identity = 'x', secret = 'TOPSECRET'))",
    ),
    ("mssql", "select a into x from openrowset(bulk 'https://a/c.csv?sig=TOPSECRET', format = 'CSV') as r"),
    ("mssql", "select a into x from openrowset('SQLNCLI', 'Server=s;Uid=u;Pwd=TOPSECRET;', 'select a from t') as r"),
    ("mssql", "create database scoped credential c with identity = 'x', secret = 'TOPSECRET'"),
    ("clickhouse", "insert into t select a from s3('https://u:TOPSECRET@b/x.csv', 'TOPSECRET', 'TOPSECRET', 'CSV')"),
    ("clickhouse", "create table e (a Int32) engine = S3('https://b/x', 'TOPSECRET', 'TOPSECRET')"),
    ("clickhouse", "create table e (a Int32) engine = MySQL('h:1', 'd', 't', 'u', 'TOPSECRET')"),
    ("clickhouse", "insert into t select a from mysql('h:1', 'd', 't', 'u', 'TOPSECRET')"),
    ("exasol", "import into t from csv at 'ftp://u:TOPSECRET@h/x' user 'u' identified by 'TOPSECRET' file 'f.csv'"),
    ("exasol", "export t into csv at 'http://h' user 'u' identified by 'TOPSECRET' file 'o.csv'"),
    (
        "sparksql",
        "create temporary view v using jdbc options (url 'jdbc:oracle:thin:u/TOPSECRET@h:1/s', dbtable 't', password 'TOPSECRET')",
    ),
    ("sparksql", "create table t using csv options (path 's3a://k:TOPSECRET@b/x')"),
    ("sparksql", "select a from csv.`s3a://k:TOPSECRET@b/x`"),
    ("duckdb", "create secret s (type s3, key_id 'TOPSECRET', secret 'TOPSECRET')"),
    ("duckdb", "insert into t select a from read_csv('https://h/x.csv?token=TOPSECRET')"),
    ("postgresql", "create user mapping for u server s options (user 'u', password 'TOPSECRET')"),
    ("postgresql", "insert into t select a from dblink('host=h password=TOPSECRET', 'select a from u') as d (a int)"),
    ("bigquery", "export data options (uri = 'gs://b/x?access_token=TOPSECRET', format = 'CSV') as select a from t"),
    ("oracle", 'create user u identified by "TOPSECRET"'),
    ("mysql", "create user u identified by 'TOPSECRET'"),
    ("vertica", "copy t from 's3://b/k' parameters aws_auth = 'TOPSECRET' nonsense 'TOPSECRET'"),
    ("hive", "insert overwrite directory 'https://u:TOPSECRET@h/x' select a from t"),
    (
        "starrocks",
        "load label l (data infile ('hdfs://h/x') into table t) with broker ('username' = 'u', 'password' = 'TOPSECRET')",
    ),
    ("teradata", "create authorization a user 'u' password 'TOPSECRET'"),
    ("ansi", "select a from t wherre 'TOPSECRET' 'TOPSECRET' identified by 'TOPSECRET'"),
]


@pytest.mark.parametrize(("dialect", "script"), WITH_SECRETS)
def test_credentials_never_reach_any_output(dialect: str, script: str) -> None:
    assert SECRET in script
    lineage = analyze(script, dialect=dialect)
    for level in ("complete", "column", "table"):
        assert SECRET not in json.dumps(lineage.to_dict(level=level))
        assert SECRET not in lineage.to_xml(level)
