"""Repairs statements that the grammar rejects, by rewriting them with syntax that it knows.

Each rule looks at the tokens of a statement that could not be parsed and takes out one kind of clause that carries no
lineage, or says it in other words; else it gives the same list. No rule drops a column or a table. Tokens keep their
offsets, so places in the text stay right. Nothing is done to statements that parse.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from connector.sql.dialects import SqlDialect
from connector.sql.repair.bigquery import BIGQUERY
from connector.sql.repair.calcite import DREMIO, DRUID
from connector.sql.repair.clickhouse import CLICKHOUSE
from connector.sql.repair.common import COMMON
from connector.sql.repair.db2 import DB2
from connector.sql.repair.duckdb import DUCKDB
from connector.sql.repair.exasol import EXASOL
from connector.sql.repair.hive import HIVE, HIVE_ALONE, SPARK
from connector.sql.repair.informix import INFORMIX
from connector.sql.repair.keywords import OWN, cut_trailing, join_keywords, with_name, with_own_function
from connector.sql.repair.mysql import MYSQL
from connector.sql.repair.oracle import ORACLE, external_rows, inline_view
from connector.sql.repair.postgres import POSTGRES, REDSHIFT, VERTICA
from connector.sql.repair.spark import DATABRICKS, DEALT_ROWS
from connector.sql.repair.sqlite import SQLITE
from connector.sql.repair.teradata import TERADATA
from connector.sql.repair.tools import Rule
from connector.sql.repair.tsql import TSQL

__all__ = ["OWN", "cut_trailing", "repaired", "with_name", "with_own_function"]

_RULES: dict[str, tuple[Rule, ...]] = {
    "bigquery": BIGQUERY,
    "clickhouse": CLICKHOUSE,
    "db2": (*DB2, inline_view, external_rows),
    "dremio": DREMIO,
    "druid": DRUID,
    "duckdb": DUCKDB,
    "exasol": (*ORACLE, *EXASOL),
    "gaussdb": (*POSTGRES, *ORACLE),
    "hive": (*HIVE, *HIVE_ALONE),
    "impala": HIVE,
    "informix": (*INFORMIX, *DB2),
    "mysql": MYSQL,
    "netezza": (*POSTGRES, external_rows),
    "plpgsql": POSTGRES,
    "plsql": ORACLE,
    "redshift": (*POSTGRES, *REDSHIFT),
    "sparksql": (*HIVE, *SPARK, *DATABRICKS),
    "sqlite": SQLITE,
    "teradata": TERADATA,
    "trino": (DEALT_ROWS,),
    "tsql": TSQL,
    "vertica": (*POSTGRES, *VERTICA),
}
"""By dialect or family."""


def repaired(tokens: list[Token], dialect: SqlDialect) -> list[Token]:
    """The tokens after all rules of the dialect; the same list when no rule finds anything."""
    tokens = join_keywords(tokens, dialect)
    for rule in (*dialect.of(_RULES, ()), *COMMON):
        if tokens:
            tokens = rule(tokens)
    return tokens
