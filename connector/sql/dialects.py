"""The dialects by name: grammar, layers, defaults and the rules by which two spellings are one name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

from sqlglot.dialects.dialect import Dialect

from connector.errors import UnknownDialectError
from connector.sql.grammars import MINUS, OUTER_MARK, Q_QUOTES, TOP, build_grammar

__all__ = ["Fold", "SqlDialect", "get_dialect", "supported_dialects"]

Fold = Callable[[str, bool], str]
"""(name without quotes, whether it was quoted) -> key; two spellings are one object when their keys are equal."""


def _fold_upper(name: str, quoted: bool) -> str:
    return name if quoted else name.upper()


def _fold_lower(name: str, quoted: bool) -> str:
    return name if quoted else name.lower()


def _fold_any(name: str, quoted: bool) -> str:
    return name.lower()


def _fold_none(name: str, quoted: bool) -> str:
    return name


@dataclass(frozen=True, slots=True, eq=False)
class SqlDialect:
    """What the rest of the package needs to know of a dialect."""

    name: str
    vendor: str
    """The reference's spelling of the name, `dbvsnowflake`."""
    sqlglot: Dialect = field(repr=False)
    layers: int
    """2: database.table, 3: database.schema.table."""
    default_schema: str
    default_cluster: str
    family: str
    """Which kind of routine bodies the dialect has."""
    fold_table: Fold = field(repr=False)
    fold_column: Fold = field(repr=False)
    """For columns, aliases and the names of common table expressions."""
    quotes: str
    """The characters that open a quoted identifier."""
    labels: str
    """The rule by which the engine names select items that have no alias: see `connector.analysis.labels`."""


@dataclass(frozen=True, slots=True)
class _Spec:
    """One line of the table below."""

    base: str
    family: str = "ansi"
    layers: int = 3
    fold_table: Fold = _fold_any
    fold_column: Fold = _fold_any
    schema: str = "default"
    cluster: str = "default"
    labels: str = "text"
    tokenizer: dict[str, Any] = field(default_factory=dict)


def _upper(base: str, family: str = "ansi", **more: Any) -> _Spec:
    return _Spec(base, family, fold_table=_fold_upper, fold_column=_fold_upper, **more)


def _lower(base: str, family: str = "plpgsql", **more: Any) -> _Spec:
    return _Spec(base, family, fold_table=_fold_lower, fold_column=_fold_lower, **more)


def _exact_tables(base: str, family: str, **more: Any) -> _Spec:
    """Table names are files or keys and keep their case, column names do not."""
    return _Spec(base, family, fold_table=_fold_none, **more)


_SPECS: dict[str, _Spec] = {
    "ansi": _Spec("", tokenizer={"keywords": MINUS, "COMMENTS": ["--", "# ", ("/*", "*/")]}, labels="ansi"),
    "athena": _Spec("trino", tokenizer={"IDENTIFIERS": ['"', "`"]}, labels="trino"),
    "azuresql": _Spec("tsql", "tsql", schema="dbo"),
    "bigquery": _exact_tables("bigquery", "bigquery", labels="bigquery"),
    "clickhouse": _Spec("clickhouse", layers=2, fold_table=_fold_none, fold_column=_fold_none, labels="clickhouse"),
    "couchbase": _Spec(
        "",
        fold_table=_fold_none,
        fold_column=_fold_none,
        tokenizer={"IDENTIFIERS": ["`"], "QUOTES": ["'", '"'], "STRING_ESCAPES": ["'", '"', "\\"]},
        labels="couchbase",
    ),
    "databricks": _Spec("databricks", "databricks", labels="spark"),
    "db2": _upper("", "db2", tokenizer={"keywords": MINUS, "word_characters": "#"}),
    "doris": _exact_tables("doris", "mysql", layers=2),
    "dremio": _Spec("dremio", labels="calcite"),
    "drill": _Spec("drill", labels="calcite"),
    "druid": _Spec("druid", fold_table=_fold_none, fold_column=_fold_none, labels="calcite"),
    "duckdb": _Spec("duckdb", labels="duckdb"),
    "dune": _Spec("dune", labels="trino"),
    "exasol": _upper("exasol", "plsql"),
    "fabric": _Spec("fabric", "tsql", schema="dbo", fold_table=_fold_none, fold_column=_fold_none),
    "gaussdb": _lower("postgres", "plsql", tokenizer={"keywords": MINUS | OUTER_MARK}, labels="postgres"),
    "greenplum": _lower("postgres", labels="postgres"),
    "hana": _upper("", "hana", tokenizer={"keywords": MINUS | TOP, "word_characters": "#"}),
    "hive": _Spec("hive", layers=2, cluster="primary", labels="hive"),
    "impala": _Spec("hive", layers=2, cluster="primary", labels="hive"),
    "informix": _Spec("", "db2", tokenizer={"keywords": MINUS}),
    "mariadb": _exact_tables("mysql", "mysql", layers=2, labels="mysql"),
    "materialize": _lower("materialize", labels="postgres"),
    "mssql": _Spec("tsql", "tsql", schema="dbo"),
    "mysql": _exact_tables("mysql", "mysql", layers=2, labels="mysql"),
    "netezza": _upper("postgres", "plpgsql", tokenizer={"keywords": MINUS}, labels="postgres"),
    "openedge": _Spec("", tokenizer={"keywords": MINUS | TOP | OUTER_MARK}),
    "oracle": _upper(
        "oracle",
        "plsql",
        tokenizer={"RAW_STRINGS": Q_QUOTES, "STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS": False},
        labels="oracle",
    ),
    "postgresql": _lower("postgres", labels="postgres"),
    "presto": _Spec("presto", labels="trino"),
    "prql": _Spec("prql"),
    "redshift": _Spec("redshift", "plpgsql", labels="postgres"),
    "risingwave": _lower("risingwave", labels="postgres"),
    "singlestore": _exact_tables("singlestore", "mysql", layers=2, labels="mysql"),
    "snowflake": _upper("snowflake", "snowflake", tokenizer={"COMMENTS": ["--", "//", "#", ("/*", "*/")]}),
    "solr": _Spec("solr", labels="calcite"),
    "sparksql": _Spec("spark", "databricks", layers=2, cluster="primary", labels="spark"),
    "spark2": _Spec("spark2", layers=2, cluster="primary", labels="spark"),
    "sqlite": _Spec("sqlite", layers=2),
    "starrocks": _exact_tables("starrocks", "mysql", layers=2),
    "sybase": _Spec("tsql", "tsql", schema="dbo"),
    "tableau": _Spec("tableau"),
    "teradata": _Spec("teradata", "teradata", layers=2, tokenizer={"word_characters": "#"}),
    "trino": _Spec("trino", labels="trino"),
    "vertica": _Spec("postgres", "plpgsql", tokenizer={"keywords": MINUS}, labels="postgres"),
}

_ALIASES: dict[str, str] = {
    "": "ansi",
    "azure": "azuresql",
    "azuresynapse": "azuresql",
    "db2luw": "db2",
    "db2zos": "db2",
    "generic": "ansi",
    "gauss": "gaussdb",
    "googlebigquery": "bigquery",
    "hiveql": "hive",
    "microsoftsqlserver": "mssql",
    "n1ql": "couchbase",
    "opengauss": "gaussdb",
    "pg": "postgresql",
    "plsql": "oracle",
    "postgres": "postgresql",
    "progress": "openedge",
    "saphana": "hana",
    "sapase": "sybase",
    "spark": "sparksql",
    "sparksql3": "sparksql",
    "sql92": "ansi",
    "sqlserver": "mssql",
    "standard": "ansi",
    "synapse": "azuresql",
    "transactsql": "mssql",
    "tsql": "mssql",
}

_NOT_SQL = frozenset({"dax", "mdx"})


def supported_dialects() -> list[str]:
    """The canonical names, sorted."""
    return sorted(_SPECS)


@lru_cache(maxsize=256)
def get_dialect(name: str) -> SqlDialect:
    """The dialect called `name`: the reference's names with or without ``dbv``, sqlglot's names and common aliases."""
    key = "".join(character for character in name.lower() if character.isalnum())
    if key.startswith("dbv") and key != "dbv":
        key = key[3:]
    key = _ALIASES.get(key, key)
    if key not in _SPECS:
        reason = f"{name!r} is not a SQL dialect" if key in _NOT_SQL else f"unknown dialect {name!r}"
        near = get_close_matches(key, [*_SPECS, *_ALIASES], n=1, cutoff=0.7)
        meant = f"; did you mean {_ALIASES.get(near[0], near[0])}?" if near and key not in _NOT_SQL else ";"
        raise UnknownDialectError(f"{reason}{meant} supported dialects: {', '.join(supported_dialects())}")
    return _build(key)


@cache
def _build(name: str) -> SqlDialect:
    spec = _SPECS[name]
    grammar = build_grammar(spec.base, name, **spec.tokenizer)
    opening = [quote if isinstance(quote, str) else quote[0] for quote in grammar.tokenizer_class.IDENTIFIERS]
    return SqlDialect(
        name=name,
        vendor=f"dbv{name}",
        sqlglot=grammar,
        layers=spec.layers,
        default_schema=spec.schema,
        default_cluster=spec.cluster,
        family=spec.family,
        fold_table=spec.fold_table,
        fold_column=spec.fold_column,
        quotes="".join(opening),
        labels=spec.labels,
    )
