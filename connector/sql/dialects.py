"""The dialects by name: grammar, family, and the traits by which they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any, TypeVar

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import TokenType

from connector.errors import UnknownDialectError
from connector.sql.families import FAMILIES, Family
from connector.sql.grammars import CURRENT, MINUS, OUTER_MARK, PATTERNS, Q_QUOTES, RAW_STRINGS, TOP, build_grammar

T = TypeVar("T")

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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SqlDialect:
    """What the rest of the package needs to know of a dialect: nothing else asks for its name.

    Traits that all dialects of a family share are in `family`. Larger tables (client commands, rules of repair, names of
    pseudo columns) live with the code that uses them and are looked up with `of`.
    """

    name: str
    vendor: str
    """The reference's spelling of the name, `dbvsnowflake`."""
    sqlglot: Dialect = field(repr=False)
    family: Family = field(repr=False)
    kin: tuple[str, ...]
    """The dialect itself, those it resembles and its family: under these names, in this order, tables are searched."""
    quotes: str
    """The characters that open a quoted identifier."""

    # --- names --------------------------------------------------------------------------------------------------
    layers: int = 3
    """2: database.table, 3: database.schema.table."""
    default_schema: str = "default"
    default_cluster: str = "default"
    fold_table: Fold = field(default=_fold_any, repr=False)
    fold_column: Fold = field(default=_fold_any, repr=False)
    """For columns, aliases and the names of common table expressions."""
    dots_in_quotes: bool = False
    """A quoted name may hold several parts: `` `project.dataset.table` ``."""
    inner_table_parts: int = 0
    """With so many parts at least, the last part of a name may lie inside an Iceberg table: ``db.t.snapshots``."""
    inner_table_suffix: bool = False
    """``"t$snapshots"`` lies inside the Iceberg table t."""
    pipeline_schema: str = ""
    """The schema that stands for a pipeline: ``live.t`` is the dataset t, wherever the pipeline publishes it."""
    path_scheme: str = "file"
    """The file system of a path without a scheme."""
    schema_of_database: str = ""
    """The schema that is in use with a new database: that of USE DATABASE, and what CREATE makes is in use as well."""
    stages: bool = False
    """``@stage/path`` names files, and USE may name a warehouse."""

    # --- queries ------------------------------------------------------------------------------------------------
    labels: str = "text"
    """The rule by which the engine names select items that have no alias: see `connector.analysis.labels`."""
    lateral_aliases: bool = False
    """A select item may use the alias of an earlier one."""
    aliases_anywhere: bool = False
    """Any part of any expression may have an alias, which the whole query can use: ``(a + b AS c) * 2``. It hides a
    column of that name, everywhere but in its own expression."""
    first_source_wins: bool = False
    """A name that several tables of FROM have means the column of the first one."""
    in_reads_tables: bool = False
    """``x IN t`` compares with the rows of a table."""
    struct_columns: bool = False
    """``a.b`` may be field b of column a."""
    column_patterns: bool = False
    """A select item may choose columns by a pattern."""
    regex_columns: bool = False
    """So may a name in backticks."""
    value_tables: bool = False
    """The alias of UNNEST is the value itself, and the fields of a struct are columns."""
    spreads_structs: bool = False
    """``unnest(struct)`` makes a column of each field."""
    numbers_duplicates: bool = False
    """The second column a of a result is called a_1."""
    short_alias_lists: bool = False
    """``t AS x (a, b)`` may name fewer columns than the table has."""
    names_time_windows: bool = False
    """``GROUP BY window(ts, '1 hour')`` gives the query a column called window."""
    coalesces_merged: bool = False
    """A column of USING is COALESCE(left, right) in every join; others take the side that an outer join preserves."""
    merged_in_place: bool = False
    """``*`` shows the columns of USING where the left table has them, not before all others."""
    spelled_pivot_values: bool = False
    """PIVOT spells numbers and dates out in the names of its columns: ``_1``, ``minus_1``, ``_2024_01_31``."""
    extreme_rows: bool = False
    """A bare column beside ``max(x)`` has the value of the row with that x."""
    joined_pivot_values: bool = False
    """PIVOT joins values and aggregate in the names of its columns: ``a_1_total``."""
    recurring_ctes: bool = False
    """``recurring.r``: in a recursion with keys all rows of r so far, not only those of the step before."""
    own_query_functions: bool = False
    """``query('SELECT …')`` and ``query_table('t')`` in FROM: a text that the same server reads."""
    text_functions: bool = False
    """``crosstab('SELECT …')``: functions run queries of the same server that they are given as texts."""
    implicit_recursion: bool = False
    """A common table expression may refer to itself without the word RECURSIVE."""
    ctes_in_any_order: bool = False
    """A common table expression may refer to a later one without the word RECURSIVE."""
    implicit_unnest: bool = False
    """``FROM t, t.items`` unnests the array column items of t."""
    tables_of_arrays: bool = False
    """``FROM t.items`` reads the array column items of t as a table."""
    semi_joins_show_match: bool = False
    """Both sides of a SEMI or ANTI join can be read."""
    rows_have_functions: bool = False
    """``t.f`` may be ``f(t)``, and ``f(t)`` column f of the row t."""
    any_function_is_method: bool = False
    """``x.f(y)`` is ``f(x, y)`` for every function."""
    lateral_subqueries: bool = False
    """A query in FROM sees the tables before it without the word LATERAL."""
    merges_by_position: bool = False
    """``UPDATE SET *`` and ``INSERT *`` of a MERGE take the columns of the source by position, not by name."""
    functions_name_columns: bool = False
    """The column of a table function has the name of the function, whatever the alias."""
    generates_columns: bool = False
    """A function that makes rows may stand in a select list, where it names several columns."""
    files_by_name: bool = False
    """``FROM "events.parquet"`` reads a file."""

    # --- definitions --------------------------------------------------------------------------------------------
    partitions_last: bool = False
    """The columns of the partitions come after all others."""
    imports_files: bool = False
    """The client has a command that loads a file into a table: ``.import FILE TABLE``."""
    storage_handlers: bool = False
    """Columns may be given in the properties of a storage handler."""
    computed_aliases: bool = False
    """MATERIALIZED and ALIAS begin the expression of a computed column."""
    views_feed_tables: bool = False
    """A materialized view writes TO a table."""
    projections: bool = False
    """CREATE PROJECTION stores the result of a query."""
    copies_by_name: bool = False
    """``CREATE TABLE a AS b`` copies table b."""
    attaches_tables: bool = False
    """``ATTACH PARTITION t`` makes the table t a partition."""
    indexes_in_tables: bool = False
    """KEY and INDEX in a column list begin an index; elsewhere they are names of columns."""
    scripts_in_languages: bool = False
    """CREATE SCRIPT holds a program in Lua, Python, R or Java."""
    substitutes_variables: bool = False
    """``SET x = …`` sets the text that stands for ``${x}`` from there on."""

    def of(self, table: Mapping[str, T], default: T) -> T:
        """The entry of a table for this dialect, for one that it resembles or for its family."""
        for name in self.kin:
            if name in table:
                return table[name]
        return default


@dataclass(frozen=True, slots=True)
class _Spec:
    """One line of the table below."""

    base: str
    """The grammar that is closest."""
    family: str
    like: tuple[str, ...]
    tokenizer: dict[str, Any]
    traits: dict[str, Any]


def _spec(
    base: str, family: str = "ansi", *, like: str = "", tokenizer: dict[str, Any] | None = None, **traits: Any
) -> _Spec:
    return _Spec(base, family, tuple(like.split()), tokenizer or {}, traits)


_UPPER: dict[str, Any] = {"fold_table": _fold_upper, "fold_column": _fold_upper}
_LOWER: dict[str, Any] = {"fold_table": _fold_lower, "fold_column": _fold_lower}
_EXACT: dict[str, Any] = {"fold_table": _fold_none, "fold_column": _fold_none}
_MYSQL: dict[str, Any] = {"layers": 2, "fold_table": _fold_none, "indexes_in_tables": True}
"""Names of tables are names of files and keep their case, names of columns do not."""
_NO_PIPES = {"without_keywords": ("|>",)}
"""``|>>`` is an operator, and there is no pipe syntax."""
_NO_APPLY = {"without_keywords": ("APPLY",)}
"""``apply(a, x -> x + 1)`` is a function, and no kind of join."""
_FLAT = {"NESTED_COMMENTS": False}
"""The first ``*/`` ends a comment, even if another ``/*`` stands inside it."""
_POSTGRES: dict[str, Any] = {**_LOWER, "labels": "postgres", "short_alias_lists": True, "text_functions": True}
_ROWS: dict[str, Any] = {"struct_columns": True, "rows_have_functions": True}
_HADOOP: dict[str, Any] = {
    "layers": 2,
    "default_cluster": "primary",
    "path_scheme": "hdfs",
    "struct_columns": True,
    "partitions_last": True,
    "generates_columns": True,
    "substitutes_variables": True,
}
_SPARK: dict[str, Any] = {**_HADOOP, "labels": "spark", "regex_columns": True, "names_time_windows": True}
_TRINO: dict[str, Any] = {"labels": "trino", "struct_columns": True}
_TSQL: dict[str, Any] = {"default_schema": "dbo", "implicit_recursion": True, "indexes_in_tables": True}

_SPECS: dict[str, _Spec] = {
    "ansi": _spec(
        "",
        tokenizer={"keywords": MINUS | PATTERNS, "COMMENTS": ["--", "# ", ("/*", "*/")]},
        labels="ansi",
        coalesces_merged=True,
    ),
    "athena": _spec(
        "trino",
        like="trino",
        tokenizer={"IDENTIFIERS": ['"', "`"], **_NO_APPLY},
        **_TRINO,
        inner_table_suffix=True,
        partitions_last=True,
    ),
    "azuresql": _spec("tsql", "tsql", **_TSQL),
    "bigquery": _spec(
        "bigquery",
        "bigquery",
        tokenizer={"keywords": {"MATCH_RECOGNIZE": TokenType.MATCH_RECOGNIZE}, "RAW_STRINGS": RAW_STRINGS},
        fold_table=_fold_none,
        spelled_pivot_values=True,
        labels="bigquery",
        struct_columns=True,
        value_tables=True,
        dots_in_quotes=True,
        implicit_unnest=True,
    ),
    "clickhouse": _spec(
        "clickhouse",
        tokenizer={"HEREDOC_TAG_IS_IDENTIFIER": True, "HEREDOC_STRING_ALTERNATIVE": TokenType.PARAMETER},
        **_EXACT,
        layers=2,
        labels="clickhouse",
        lateral_aliases=True,
        aliases_anywhere=True,
        first_source_wins=True,
        in_reads_tables=True,
        struct_columns=True,
        column_patterns=True,
        semi_joins_show_match=True,
        merged_in_place=True,
        computed_aliases=True,
        views_feed_tables=True,
        copies_by_name=True,
        indexes_in_tables=True,
    ),
    "couchbase": _spec(
        "",
        tokenizer={"IDENTIFIERS": ["`"], "QUOTES": ["'", '"'], "STRING_ESCAPES": ["'", '"', "\\"], **_FLAT},
        **_EXACT,
        labels="couchbase",
        struct_columns=True,
    ),
    "databricks": _spec(
        "databricks",
        "databricks",
        tokenizer={"dollar_quotes": True},
        like="sparksql",
        labels="spark",
        lateral_aliases=True,
        struct_columns=True,
        names_time_windows=True,
        partitions_last=True,
        path_scheme="dbfs",
        pipeline_schema="live",
        generates_columns=True,
        substitutes_variables=True,
        inner_table_parts=4,
    ),
    "db2": _spec(
        "", "db2", tokenizer={"keywords": MINUS | CURRENT, "word_characters": "#"}, **_UPPER, implicit_recursion=True
    ),
    "doris": _spec("doris", "mysql", **_MYSQL),
    "dremio": _spec("dremio", tokenizer=_FLAT, labels="calcite", lateral_aliases=True, struct_columns=True),
    "drill": _spec("drill", tokenizer=_FLAT, labels="calcite", struct_columns=True),
    "druid": _spec("druid", tokenizer=_FLAT, **_EXACT, labels="calcite"),
    "duckdb": _spec(
        "duckdb",
        "duckdb",
        imports_files=True,
        tokenizer={
            "keywords": {"PIVOT_LONGER": TokenType.UNPIVOT, "PIVOT_WIDER": TokenType.PIVOT},
            **_NO_APPLY,
        },
        labels="duckdb",
        lateral_aliases=True,
        struct_columns=True,
        column_patterns=True,
        spreads_structs=True,
        numbers_duplicates=True,
        short_alias_lists=True,
        merged_in_place=True,
        any_function_is_method=True,
        lateral_subqueries=True,
        merges_by_position=True,
        functions_name_columns=True,
        files_by_name=True,
        joined_pivot_values=True,
        recurring_ctes=True,
        own_query_functions=True,
    ),
    "dune": _spec("dune", like="trino", **_TRINO),
    "exasol": _spec("exasol", "plsql", **_UPPER, lateral_aliases=True, scripts_in_languages=True),
    "fabric": _spec("fabric", "tsql", **_TSQL, **_EXACT),
    "gaussdb": _spec(
        "postgres", "plsql", tokenizer={"keywords": MINUS | OUTER_MARK}, **_POSTGRES, attaches_tables=True
    ),
    "greenplum": _spec("postgres", "plpgsql", tokenizer=_NO_PIPES, **_POSTGRES, **_ROWS, attaches_tables=True),
    "hana": _spec(
        "",
        "hana",
        tokenizer={"keywords": MINUS | TOP, "word_characters": "#", **_FLAT},
        **_UPPER,
        implicit_recursion=True,
    ),
    "hive": _spec(
        "hive",
        tokenizer=_FLAT,
        **_HADOOP,
        labels="hive",
        regex_columns=True,
        storage_handlers=True,
        dots_in_quotes=True,
        inner_table_parts=3,
        ctes_in_any_order=True,
    ),
    "impala": _spec(
        "hive", like="hive", tokenizer=_FLAT, **_HADOOP, labels="hive", tables_of_arrays=True, inner_table_parts=3
    ),
    "informix": _spec(
        "",
        "informix",
        like="db2",
        tokenizer={
            "keywords": MINUS | {"MATCHES": TokenType.LIKE},
            "COMMENTS": ["--", ("/*", "*/"), ("{", "}")],
            **_FLAT,
        },
        implicit_recursion=True,
    ),
    "mariadb": _spec("mysql", "mysql", **_MYSQL, labels="mysql"),
    "materialize": _spec("materialize", "plpgsql", **_POSTGRES, struct_columns=True),
    "mssql": _spec("tsql", "tsql", **_TSQL),
    "mysql": _spec("mysql", "mysql", **_MYSQL, labels="mysql"),
    "netezza": _spec(
        "postgres",
        "plpgsql",
        tokenizer={"keywords": MINUS},
        **_UPPER,
        labels="postgres",
        lateral_aliases=True,
        copies_by_name=True,
    ),
    "openedge": _spec("", tokenizer={"keywords": MINUS | TOP | OUTER_MARK}),
    "oracle": _spec(
        "oracle",
        "plsql",
        tokenizer={"RAW_STRINGS": Q_QUOTES, "STRING_ESCAPES_ALLOWED_IN_RAW_STRINGS": False},
        **_UPPER,
        labels="oracle",
        implicit_recursion=True,
        text_functions=True,
    ),
    "postgresql": _spec("postgres", "plpgsql", tokenizer=_NO_PIPES, **_POSTGRES, **_ROWS, attaches_tables=True),
    "presto": _spec("presto", like="trino", tokenizer=_NO_APPLY, **_TRINO, inner_table_suffix=True),
    "prql": _spec("prql"),
    "redshift": _spec(
        "redshift",
        "plpgsql",
        labels="postgres",
        lateral_aliases=True,
        short_alias_lists=True,
        implicit_unnest=True,
        struct_columns=True,
    ),
    "risingwave": _spec("risingwave", "plpgsql", **_POSTGRES, struct_columns=True),
    "singlestore": _spec("singlestore", "mysql", **_MYSQL, labels="mysql"),
    "snowflake": _spec(
        "snowflake",
        "snowflake",
        tokenizer={"COMMENTS": ["--", "//", "#", ("/*", "*/")]},
        **_UPPER,
        lateral_aliases=True,
        column_patterns=True,
        implicit_recursion=True,
        stages=True,
        schema_of_database="PUBLIC",
    ),
    "solr": _spec("solr", labels="calcite"),
    "sparksql": _spec("spark", "databricks", **_SPARK, lateral_aliases=True, inner_table_parts=4),
    "spark2": _spec("spark2", like="sparksql", **_SPARK),
    "sqlite": _spec(
        "sqlite", layers=2, merged_in_place=True, in_reads_tables=True, extreme_rows=True, imports_files=True
    ),
    "starrocks": _spec("starrocks", "mysql", **_MYSQL),
    "sybase": _spec("tsql", "tsql", **_TSQL),
    "tableau": _spec("tableau"),
    "teradata": _spec(
        "teradata",
        "teradata",
        tokenizer={"word_characters": "#", **_FLAT},
        layers=2,
        lateral_aliases=True,
        implicit_recursion=True,
        copies_by_name=True,
    ),
    "trino": _spec("trino", tokenizer={**_NO_APPLY, "dollar_quotes": True}, **_TRINO, inner_table_suffix=True),
    "vertica": _spec(
        "postgres",
        "plpgsql",
        tokenizer={"keywords": MINUS},
        labels="postgres",
        lateral_aliases=True,
        implicit_recursion=True,
        projections=True,
        struct_columns=True,
    ),
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
        family=FAMILIES[spec.family],
        kin=(name, *spec.like, spec.family),
        quotes="".join(opening),
        **spec.traits,
    )
