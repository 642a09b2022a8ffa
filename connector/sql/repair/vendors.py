"""Which rules belong to which dialect."""

from __future__ import annotations

from connector.sql.repair.exasol import EXASOL
from connector.sql.repair.mysql import MYSQL
from connector.sql.repair.oracle import ORACLE
from connector.sql.repair.others import ATHENA, BIGQUERY, CLICKHOUSE, DB2, DUCKDB, HIVE, SQLITE
from connector.sql.repair.postgres import POSTGRES, VERTICA
from connector.sql.repair.teradata import TERADATA
from connector.sql.repair.tools import Rule
from connector.sql.repair.tsql import TSQL

__all__ = ["BY_DIALECT", "BY_FAMILY"]

BY_FAMILY: dict[str, tuple[Rule, ...]] = {
    "mysql": MYSQL,
    "tsql": TSQL,
    "plsql": ORACLE,
    "teradata": TERADATA,
    "db2": DB2,
}

BY_DIALECT: dict[str, tuple[Rule, ...]] = {
    "athena": ATHENA,
    "bigquery": BIGQUERY,
    "clickhouse": CLICKHOUSE,
    "databricks": HIVE,
    "duckdb": DUCKDB,
    "exasol": EXASOL,
    "gaussdb": POSTGRES,
    "greenplum": POSTGRES,
    "hive": HIVE,
    "impala": HIVE,
    "netezza": POSTGRES,
    "postgresql": POSTGRES,
    "redshift": POSTGRES,
    "spark2": HIVE,
    "sparksql": HIVE,
    "sqlite": SQLITE,
    "vertica": (*POSTGRES, *VERTICA),
}
