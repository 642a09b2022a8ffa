from __future__ import annotations

import pytest
from sqlglot.dialects import DIALECT_MODULE_NAMES

from connector.errors import UnknownDialectError
from connector.sql.dialects import get_dialect, supported_dialects

REFERENCE_NAMES = """
bigquery couchbase db2 exasol greenplum hana hive impala informix mssql sqlserver mysql netezza openedge oracle postgresql
redshift snowflake sparksql sybase teradata vertica athena azuresql databricks mariadb presto trino gaussdb ansi
""".split()


@pytest.mark.parametrize("name", REFERENCE_NAMES)
def test_reference_names_with_and_without_prefix_in_any_case(name: str) -> None:
    assert get_dialect(name) is get_dialect(f"dbv{name}")
    assert get_dialect(name.upper()) is get_dialect(name)
    assert get_dialect(name).vendor == f"dbv{get_dialect(name).name}"


@pytest.mark.parametrize("name", sorted(set(DIALECT_MODULE_NAMES) - {"dax", "dialect"}))
def test_names_of_the_parser_library(name: str) -> None:
    assert get_dialect(name).sqlglot.tokenize("select 1")


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("tsql", "mssql"),
        ("sqlserver", "mssql"),
        ("SQL Server", "mssql"),
        ("postgres", "postgresql"),
        ("spark", "sparksql"),
        ("", "ansi"),
        ("generic", "ansi"),
        ("DBVMSSQL", "mssql"),
    ],
)
def test_aliases(alias: str, name: str) -> None:
    assert get_dialect(alias).name == name


@pytest.mark.parametrize("name", ["dax", "mdx", "dbvdax", "cobol"])
def test_unknown_names_list_what_is_supported(name: str) -> None:
    with pytest.raises(UnknownDialectError) as caught:
        get_dialect(name)
    assert name in str(caught.value)
    assert "snowflake" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "layers", "schema", "cluster"),
    [
        ("mysql", 2, "default", "default"),
        ("mariadb", 2, "default", "default"),
        ("teradata", 2, "default", "default"),
        ("hive", 2, "default", "primary"),
        ("impala", 2, "default", "primary"),
        ("sparksql", 2, "default", "primary"),
        ("snowflake", 3, "default", "default"),
        ("mssql", 3, "dbo", "default"),
        ("azuresql", 3, "dbo", "default"),
        ("sybase", 3, "dbo", "default"),
        ("fabric", 3, "dbo", "default"),
    ],
)
def test_layers_and_defaults(name: str, layers: int, schema: str, cluster: str) -> None:
    dialect = get_dialect(name)
    assert (dialect.layers, dialect.default_schema, dialect.default_cluster) == (layers, schema, cluster)


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("snowflake", ("orders", False), ("ORDERS", True), True),
        ("snowflake", ("orders", False), ("orders", True), False),
        ("oracle", ("Emp", False), ("EMP", False), True),
        ("postgresql", ("Emp", False), ("emp", True), True),
        ("postgresql", ("Emp", True), ("emp", False), False),
        ("mssql", ("Emp", True), ("emp", False), True),
        ("hive", ("Emp", True), ("emp", False), True),
        ("bigquery", ("Emp", False), ("emp", False), False),
        ("mysql", ("Emp", False), ("emp", False), False),
        ("clickhouse", ("Emp", False), ("emp", False), False),
    ],
)
def test_when_two_spellings_are_one_table(
    name: str, one: tuple[str, bool], other: tuple[str, bool], same: bool
) -> None:
    fold = get_dialect(name).fold_table
    assert (fold(*one) == fold(*other)) is same


@pytest.mark.parametrize("name", ["bigquery", "mysql", "mssql", "sparksql"])
def test_columns_ignore_case_even_where_tables_do_not(name: str) -> None:
    fold = get_dialect(name).fold_column
    assert fold("Id", False) == fold("ID", True)


def test_quotes_of_names() -> None:
    assert get_dialect("mssql").quotes == '["'
    assert get_dialect("mysql").quotes == "`"
    assert get_dialect("oracle").quotes == '"'


def test_every_dialect_keeps_statements_open() -> None:
    """No statement may be folded into one opaque string, whatever word it begins with."""
    for name in supported_dialects():
        tokens = get_dialect(name).sqlglot.tokenize("CALL p (1, 2)")
        assert [token.text for token in tokens][1:] == ["p", "(", "1", ",", "2", ")"]
