"""Which rules belong to which dialect."""

from __future__ import annotations

from connector.sql.repair.hive import HIVE_ALONE, map_reduce
from connector.sql.repair.mysql import MYSQL
from connector.sql.repair.oracle import ORACLE
from connector.sql.repair.others import BIGQUERY, CLICKHOUSE, DB2, DUCKDB, HIVE
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
    "bigquery": BIGQUERY,
    "clickhouse": CLICKHOUSE,
    "databricks": (*HIVE, map_reduce),
    "duckdb": DUCKDB,
    "gaussdb": POSTGRES,
    "greenplum": POSTGRES,
    "hive": (*HIVE, *HIVE_ALONE),
    "impala": HIVE,
    "netezza": POSTGRES,
    "postgresql": POSTGRES,
    "redshift": POSTGRES,
    "spark2": (*HIVE, map_reduce),
    "sparksql": (*HIVE, map_reduce),
    "vertica": (*POSTGRES, *VERTICA),
}
