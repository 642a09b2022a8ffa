"""Statements that the grammar refuses, in words that it knows.

Each rule looks at the tokens of a statement that could not be parsed and takes out one kind of clause that carries no
lineage, or says it in other words; else it gives the same list. No rule drops a column or a table. Tokens keep their
offsets, so places in the text stay right. Nothing is done to statements that parse.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token

from connector.sql.dialects import SqlDialect
from connector.sql.repair.clickhouse import CLICKHOUSE
from connector.sql.repair.common import COMMON, cut_trailing, join_keywords, with_name
from connector.sql.repair.hive import HIVE_ALONE, map_reduce
from connector.sql.repair.oracle import ORACLE, external_rows, inline_view
from connector.sql.repair.others import (
    BIGQUERY,
    DB2,
    DUCKDB,
    EXASOL,
    HIVE,
    MYSQL,
    SQLITE,
    TERADATA,
    replace_on,
    version_sign,
)
from connector.sql.repair.postgres import POSTGRES, REDSHIFT, VERTICA
from connector.sql.repair.tools import Rule
from connector.sql.repair.tsql import TSQL
from connector.sql.words import drop_where

__all__ = ["cut_trailing", "repaired", "with_name"]

_RULES: dict[str, tuple[Rule, ...]] = {
    "bigquery": BIGQUERY,
    "clickhouse": CLICKHOUSE,
    "db2": (*DB2, inline_view, external_rows),
    "duckdb": DUCKDB,
    "exasol": (*ORACLE, *EXASOL),
    "gaussdb": (*POSTGRES, *ORACLE),
    "hive": (*HIVE, *HIVE_ALONE),
    "impala": HIVE,
    "mysql": MYSQL,
    "plpgsql": POSTGRES,
    "plsql": ORACLE,
    "redshift": (*POSTGRES, *REDSHIFT),
    "sparksql": (*HIVE, map_reduce, drop_where(version_sign), replace_on),
    "sqlite": SQLITE,
    "teradata": TERADATA,
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
