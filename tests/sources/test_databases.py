"""Views, routines and columns of real databases: PostgreSQL, MariaDB and SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from connector import analyze
from connector.addresses import safe_url
from connector.errors import ConfigurationError, SourceError, UnavailableError
from connector.sources import (
    DatabaseSource,
    Defaults,
    LogSource,
    SourceStatement,
    TableColumns,
    Tally,
    check_source,
    metadata_of,
    read_plain,
    table_columns,
)
from connector.sources.addresses import sqlalchemy_url
from connector.sources.databases.engine import connecting, parse_url
from connector.sources.databases.vendors import Scope, read_standard, routines_of_lines

POSTGRESQL = """
CREATE SCHEMA raw;
CREATE SCHEMA "Mart";
CREATE TABLE raw.orders (id int PRIMARY KEY, customer text, amount numeric);
CREATE TABLE customers (id int, name text);
CREATE VIEW raw.big AS SELECT o.id, o.amount * 2 AS twice FROM raw.orders o WHERE o.amount > 100;
CREATE VIEW "Mart"."All Orders" (number, "Name") AS SELECT o.id, c.name FROM raw.orders o JOIN customers c ON c.name = o.customer;
CREATE MATERIALIZED VIEW "Mart".sums AS SELECT customer, sum(amount) AS total FROM raw.orders GROUP BY 1;
CREATE FUNCTION raw.total(c text) RETURNS numeric LANGUAGE sql AS $$ SELECT sum(amount) FROM raw.orders WHERE customer = c $$;
CREATE PROCEDURE copy_customers() LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customers (id, name) SELECT id, customer FROM raw.orders;
END $$;
CREATE TABLE raw.audit (id int, amount numeric);
CREATE FUNCTION raw.log_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO raw.audit (id, amount) VALUES (NEW.id, NEW.amount);
  RETURN NEW;
END $$;
CREATE TRIGGER orders_logged AFTER INSERT ON raw.orders FOR EACH ROW EXECUTE FUNCTION raw.log_order();
CREATE EXTENSION IF NOT EXISTS pg_stat_statements;
"""

MARIADB = [
    "CREATE TABLE orders (id int PRIMARY KEY, customer varchar(20), amount decimal(10,2))",
    "CREATE TABLE audit (id int, amount decimal(10,2))",
    "CREATE VIEW `big orders` AS SELECT id, amount * 2 AS twice FROM orders WHERE amount > 100",
    "CREATE PROCEDURE copy_orders(IN p int) BEGIN INSERT INTO audit (id, amount) SELECT id, amount FROM orders WHERE id > p; END",
    "CREATE FUNCTION total() RETURNS decimal(10,2) READS SQL DATA RETURN (SELECT sum(amount) FROM orders)",
    "CREATE TRIGGER orders_logged AFTER INSERT ON orders FOR EACH ROW INSERT INTO audit VALUES (NEW.id, NEW.amount)",
    "CREATE EVENT nightly ON SCHEDULE EVERY 1 DAY DO INSERT INTO audit SELECT id, amount FROM orders",
]

SQLITE = """
CREATE TABLE orders (id integer PRIMARY KEY, customer text, amount real);
CREATE TABLE audit (id integer, amount real);
CREATE VIEW big AS SELECT id, amount * 2 AS twice FROM orders;
CREATE TRIGGER logged AFTER INSERT ON orders BEGIN INSERT INTO audit VALUES (NEW.id, NEW.amount); END;
"""


def execute(url: str, *statements: str) -> None:
    engine = create_engine(parse_url(url), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.fixture(scope="module")
def shop_postgresql(postgres_server: str) -> Iterator[str]:
    name = f"shop_{uuid4().hex[:8]}"
    execute(f"{postgres_server}/postgres", f"CREATE DATABASE {name}")
    execute(f"{postgres_server}/{name}", POSTGRESQL)
    yield f"{postgres_server}/{name}"
    execute(f"{postgres_server}/postgres", f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def shop_mariadb(mariadb_server: str) -> Iterator[str]:
    execute(f"{mariadb_server}/", "CREATE DATABASE shop", "CREATE DATABASE other")
    execute(f"{mariadb_server}/shop", *MARIADB)
    execute(f"{mariadb_server}/other", "CREATE VIEW twice AS SELECT amount FROM shop.audit")
    yield mariadb_server
    execute(f"{mariadb_server}/", "DROP DATABASE shop", "DROP DATABASE other")


@pytest.fixture
def shop_sqlite(tmp_path: Path) -> str:
    file = tmp_path / "shop.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(SQLITE)
    connection.close()
    return f"sqlite:///{file}"


def by_name(statements: Iterable[SourceStatement]) -> dict[str, SourceStatement]:
    return {statement.origin: statement for statement in statements}


def edges(statement: SourceStatement, tables: Iterable[TableColumns] = ()) -> set[tuple[str, str]]:
    """The column lineage that the analyser finds, as qualified names."""
    lineage = analyze(
        statement.text,
        statement.dialect,
        metadata=metadata_of(tables),
        default_database=statement.database,
        default_schema=statement.schema,
    )
    assert lineage.problems == []
    return {
        (relation["source"]["qualifiedName"].split("@")[0], relation["target"]["qualifiedName"].split("@")[0])
        for relation in lineage.to_dict("column")["relations"]
        if relation["type"] == "fdd"
    }


def test_postgresql_shows_its_views_and_routines(shop_postgresql: str) -> None:
    source = DatabaseSource(name="shop", url=shop_postgresql, default_database=None)
    database = shop_postgresql.rpartition("/")[2]
    found = by_name(read_plain(source, Defaults("oracle", "prod")))
    assert {name: (each.kind, each.dialect, each.database, each.cluster) for name, each in found.items()} == {
        name: (kind, "postgresql", database, "prod")
        for name, kind in {
            "Mart.All Orders": "view",
            "Mart.sums": "view",
            "raw.big": "view",
            "public.copy_customers": "routine",
            "raw.log_order": "routine",
            "raw.total": "routine",
        }.items()
    }
    assert found["Mart.sums"].text.startswith('create materialized view "Mart"."sums" as\n')
    assert edges(found["raw.big"]) == {
        (f"{database}.raw.orders.id", f"{database}.raw.big.id"),
        (f"{database}.raw.orders.amount", f"{database}.raw.big.twice"),
    }
    assert edges(found["Mart.All Orders"]) == {
        (f"{database}.raw.orders.id", f"{database}.Mart.All Orders.number"),
        (f"{database}.public.customers.name", f"{database}.Mart.All Orders.Name"),
    }
    assert edges(found["public.copy_customers"]) == {
        (f"{database}.raw.orders.id", f"{database}.public.customers.id"),
        (f"{database}.raw.orders.customer", f"{database}.public.customers.name"),
    }
    assert edges(found["raw.log_order"]) == {
        (f"{database}.raw.orders.id", f"{database}.raw.audit.id"),
        (f"{database}.raw.orders.amount", f"{database}.raw.audit.amount"),
    }


def test_postgresql_shows_its_columns(shop_postgresql: str) -> None:
    database = shop_postgresql.rpartition("/")[2]
    tables = table_columns(DatabaseSource(url=shop_postgresql, exclude=("pg_stat*",)))
    assert tables == (
        TableColumns(database, "Mart", "All Orders", ("number", "Name"), True, ("INTEGER", "TEXT")),
        TableColumns(database, "Mart", "sums", ("customer", "total"), True, ("TEXT", "NUMERIC")),
        TableColumns(database, "public", "customers", ("id", "name"), False, ("INTEGER", "TEXT")),
        TableColumns(database, "raw", "audit", ("id", "amount"), False, ("INTEGER", "NUMERIC")),
        TableColumns(database, "raw", "big", ("id", "twice"), True, ("INTEGER", "NUMERIC")),
        TableColumns(database, "raw", "orders", ("id", "customer", "amount"), False, ("INTEGER", "TEXT", "NUMERIC")),
    )
    star = SourceStatement("create view v as select * from customers", "postgresql", database=database, schema="public")
    assert edges(star, tables) == {
        (f"{database}.public.customers.{column}", f"{database}.public.v.{column}") for column in ("id", "name")
    }
    assert table_columns(DatabaseSource(url=shop_postgresql, columns=False)) == ()


def test_what_is_wanted_can_be_chosen(shop_postgresql: str) -> None:
    def names(**settings: Any) -> list[str]:
        return [each.origin for each in read_plain(DatabaseSource(url=shop_postgresql, **settings))]

    assert names(schemas=("RAW",), exclude=("raw.l*",)) == ["raw.big", "raw.total"]
    assert names(views=False, schemas=("public",)) == ["public.copy_customers"]
    assert names(routines=False, schemas=("m*",)) == ["Mart.All Orders", "Mart.sums"]


def test_the_reader_for_all_databases_knows_postgresql_too(shop_postgresql: str) -> None:
    """It is what databases without a reader of their own get."""
    with connecting(parse_url(shop_postgresql)) as connection:
        found = list(read_standard(connection, Scope((), ("pg_stat*",), True, True)))
    views = {each.name: each.text for each in found if each.kind == "view"}
    assert set(views) == {"All Orders", "big"}
    assert str(views["All Orders"]).startswith('create view "Mart"."All Orders" as\n')
    # The information schema has bodies without heads, which are no statements.
    assert {each.text for each in found if each.kind == "routine"} == {None}


def test_mariadb_shows_its_views_and_routines(shop_mariadb: str) -> None:
    found = by_name(read_plain(DatabaseSource(url=f"{shop_mariadb}/shop")))
    assert {name: each.kind for name, each in found.items()} == {
        "shop.big orders": "view",
        "shop.copy_orders": "routine",
        "shop.total": "routine",
        "shop.orders_logged": "routine",
        "shop.nightly": "routine",
    }
    assert {(each.dialect, each.database, each.schema) for each in found.values()} == {("mysql", "shop", None)}
    assert edges(found["shop.big orders"]) == {
        ("shop.orders.id", "shop.big orders.id"),
        ("shop.orders.amount", "shop.big orders.twice"),
    }
    assert edges(found["shop.copy_orders"]) == {
        ("shop.orders.id", "shop.audit.id"),
        ("shop.orders.amount", "shop.audit.amount"),
    }
    assert ("shop.orders.amount", "shop.audit.amount") in edges(
        found["shop.orders_logged"], table_columns(DatabaseSource(url=f"{shop_mariadb}/shop"))
    )


def test_mariadb_without_a_database_in_the_address_shows_all(shop_mariadb: str) -> None:
    source = DatabaseSource(url=shop_mariadb.replace("mysql:", "mariadb:"), routines=False)
    assert [(each.origin, each.dialect) for each in read_plain(source)] == [
        ("other.twice", "mariadb"),
        ("shop.big orders", "mariadb"),
    ]
    assert table_columns(source) == (
        TableColumns("other", None, "twice", ("amount",), True, ("decimal(10,2)",)),
        TableColumns("shop", None, "audit", ("id", "amount"), False, ("int(11)", "decimal(10,2)")),
        TableColumns("shop", None, "big orders", ("id", "twice"), True, ("int(11)", "decimal(11,2)")),
        TableColumns(
            "shop", None, "orders", ("id", "customer", "amount"), False, ("int(11)", "varchar(20)", "decimal(10,2)")
        ),
    )


def test_what_a_user_may_not_see_is_counted(shop_mariadb: str) -> None:
    execute(
        f"{shop_mariadb}/shop",
        "CREATE OR REPLACE USER guest@'127.0.0.1' IDENTIFIED BY 'secret'",
        "GRANT SELECT, EXECUTE ON shop.* TO guest@'127.0.0.1'",
    )
    source = DatabaseSource.model_validate({"url": f"{shop_mariadb}/shop", "user": "guest", "password": "secret"})
    tally = Tally()
    assert list(read_plain(source, tally=tally)) == []
    assert (tally.read, tally.hidden) == (0, 3)
    assert [finding.level for finding in check_source(source)] == ["ok", "warning"]


def test_sqlite_shows_its_views_and_triggers(shop_sqlite: str) -> None:
    source = DatabaseSource(url=shop_sqlite)
    found = by_name(read_plain(source, Defaults("ansi", database="main")))
    assert {name: (each.kind, each.dialect, each.database) for name, each in found.items()} == {
        "big": ("view", "sqlite", "main"),
        "logged": ("routine", "sqlite", "main"),
    }
    assert edges(found["big"]) == {("main.orders.id", "main.big.id"), ("main.orders.amount", "main.big.twice")}
    assert table_columns(source) == (
        TableColumns(None, None, "audit", ("id", "amount"), False, ("INTEGER", "REAL")),
        TableColumns(None, None, "big", ("id", "twice"), True, ("INTEGER", None)),
        TableColumns(None, None, "orders", ("id", "customer", "amount"), False, ("INTEGER", "TEXT", "REAL")),
    )


def test_a_log_in_postgresql(shop_postgresql: str) -> None:
    """A table of one's own, and the server's own statistics where they are collected."""
    execute(
        shop_postgresql,
        "CREATE TABLE IF NOT EXISTS query_log (q text, who text, at timestamptz, failed boolean)",
        "TRUNCATE query_log",
        "INSERT INTO query_log VALUES ('select a::int, '':b'' from t', 'ana', '2024-05-01 11:00+02', false)",
        "INSERT INTO query_log VALUES ('select', 'bob', '2024-05-01 11:00+02', true)",
    )
    settings = {
        "url": shop_postgresql,
        "columns": {"text": "q", "user": "who", "started_at": "at"},
        "without": {"failed": True},
    }
    for place in ({"table": "query_log"}, {"query": "SELECT q, who, at, failed FROM query_log WHERE q <> '%s:x';"}):
        (found,) = read_plain(LogSource.model_validate({**settings, **place}))
        assert (found.text, found.user) == ("select a::int, ':b' from t", "ana")
        assert found.started_at is not None
        assert found.started_at.isoformat() == "2024-05-01T09:00:00+00:00"


@pytest.mark.parametrize(
    ("database", "type_", "zone"),
    [
        ("postgresql", "timestamptz", "UTC"),
        ("postgresql", "timestamp", "Europe/Berlin"),
        ("mariadb", "datetime", "Europe/Berlin"),
        ("sqlite", "text", "Europe/Berlin"),
    ],
)
def test_what_is_new_in_a_log_is_asked_of_the_database(
    request: pytest.FixtureRequest, database: str, type_: str, zone: str
) -> None:
    """Where the database keeps times as times it leaves out the rest; elsewhere the reader does."""
    url = request.getfixturevalue(f"shop_{database}") + ("/shop" if database == "mariadb" else "")
    # The same moments, seen from the zone of the log: nine o'clock in UTC is eleven in Berlin.
    hours = (9, 10, 11) if zone == "UTC" else (11, 12, 13)
    execute(
        url,
        "DROP TABLE IF EXISTS timed_log",
        f"CREATE TABLE timed_log (q text, at {type_} NULL)",
        *(f"INSERT INTO timed_log VALUES ('select {hour}', '2024-05-01 {hour}:00:00')" for hour in hours),
        "INSERT INTO timed_log VALUES ('select 0', NULL)",
    )
    since = datetime(2024, 5, 1, 10, tzinfo=timezone.utc)
    for place in ({"table": "timed_log"}, {"query": "SELECT at, q FROM timed_log WHERE q <> ':x' ORDER BY q"}):
        tally = Tally()
        source = LogSource.model_validate(
            {"url": url, "columns": {"text": "q", "started_at": "at"}, "timezone": zone, **place}
        )
        found = sorted(statement.text for statement in read_plain(source, since=since, tally=tally))
        assert found == sorted(["select 0", f"select {hours[1]}", f"select {hours[2]}"])
        assert tally.old == (1 if database == "sqlite" else 0)


def test_a_log_in_a_database_of_which_nothing_is_said(shop_sqlite: str) -> None:
    with pytest.raises(ConfigurationError, match="set table or query to select the log"):
        list(read_plain(LogSource(url=shop_sqlite)))
    with pytest.raises(SourceError, match="no such table: missing_log"):
        list(read_plain(LogSource(url=shop_sqlite, table="missing_log")))


@pytest.mark.parametrize(
    ("url", "error", "message"),
    [
        ("postgresql://u:hunter2@127.0.0.1:1/d", UnavailableError, "The database postgresql://127.0.0.1:1/d cannot be reached"),
        ("mysql://u:hunter2@127.0.0.1:1/d", UnavailableError, "The database mysql://127.0.0.1:1/d cannot be reached"),
        ("sqlite:////nowhere/x.db", UnavailableError, "unable to open database file"),
        ("nonsense hunter2", ConfigurationError, "Invalid database URL"),
        ("martian://u:hunter2@h/d", ConfigurationError, "The database martian://h/d needs the driver"),
        ("snowflake://u:hunter2@h/d", ConfigurationError, "pip install 'snowflake-sqlalchemy'"),
    ],
)  # fmt: skip
def test_a_database_that_cannot_be_reached_is_said_without_its_password(url: str, error: type, message: str) -> None:
    with pytest.raises(error) as caught:
        list(read_plain(DatabaseSource(url=url)))
    assert message in str(caught.value)
    seen = "".join(str(each) for each in (caught.value, caught.value.__cause__) if each is not None)
    assert "hunter2" not in seen
    (finding,) = check_source(DatabaseSource(url=url))
    assert finding.level == ("unavailable" if error is UnavailableError else "error")


def test_a_file_that_is_missing_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError):
        list(read_plain(DatabaseSource(url=f"sqlite:///{tmp_path}/none.db")))
    assert list(tmp_path.iterdir()) == []


def test_lines_of_oracle_become_routines() -> None:
    lines = [
        ("ETL", "P", "PACKAGE", "PACKAGE p IS\n"),
        ("ETL", "P", "PACKAGE", "  PROCEDURE run;\nEND;"),
        ("ETL", "P", "PACKAGE BODY", "PACKAGE BODY p IS\n"),
        ("ETL", "P", "PACKAGE BODY", "  PROCEDURE run IS BEGIN\n"),
        ("ETL", "P", "PACKAGE BODY", "    INSERT INTO core.t (a) SELECT b FROM raw.s;\n"),
        ("ETL", "P", "PACKAGE BODY", None),
        ("ETL", "P", "PACKAGE BODY", "  END;\nEND;\n"),
        ("SYSTEMS", "X", "PROCEDURE", "PROCEDURE x IS BEGIN NULL; END;"),
    ]
    (routine,) = routines_of_lines(lines, Scope(("ETL",), (), True, True))  # type: ignore[arg-type]
    assert routine.text is not None
    assert edges(SourceStatement(routine.text, "oracle")) == {("default.raw.s.b", "default.core.t.a")}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ana:x@h:1/d", "postgresql://h:1/d"),
        ("postgresql://ana:p/w@x?y z@h:1/d", "postgresql://h:1/d"),
        ("jdbc:oracle:thin:ana/x@//h:1521/s", "jdbc:oracle:thin:@//h:1521/s"),
        ("jdbc:sqlserver://h:1;databaseName=d;user=ana;password=x", "jdbc:sqlserver://h:1;databaseName=d;user=ana;password=***"),
        ("snowflake://a@h/d?token=abc&warehouse=w", "snowflake://h/d?token=***&warehouse=w"),
        ("lineage.db", "lineage.db"),
    ],
)  # fmt: skip
def test_addresses_are_shown_without_secrets(url: str, shown: str) -> None:
    assert safe_url(url) == shown


@pytest.mark.parametrize(
    ("jdbc", "plain"),
    [
        ("jdbc:postgresql://h:1/d?user=a%40b&password=c/d&ssl=true", "postgresql://a%40b:c%2Fd@h:1/d?ssl=true"),
        ("jdbc:mysql://h/d", "mysql://h/d"),
        ("jdbc:sqlite:/data/x.db", "sqlite:////data/x.db"),
        ("jdbc:sqlserver://h:1433;encrypt=true;databaseName=d", "mssql://h:1433/d?driver=ODBC+Driver+18+for+SQL+Server"),
        ("jdbc:oracle:thin:@//h:1521/svc", "oracle://h:1521/?service_name=svc"),
        ("postgresql://h/d", "postgresql://h/d"),
    ],
)  # fmt: skip
def test_addresses_of_jdbc_are_understood(jdbc: str, plain: str) -> None:
    assert sqlalchemy_url(jdbc) == plain


def test_an_address_that_only_jdbc_knows_is_said() -> None:
    with pytest.raises(ConfigurationError, match="only Spark can read a JDBC address"):
        sqlalchemy_url("jdbc:derby:x;user=a;password=b")
