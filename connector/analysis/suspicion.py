"""Scripts in another dialect than the one they are read in: most statements fail, and another grammar reads them."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from connector.sql.dialects import SqlDialect, get_dialect
from connector.sql.statement import Statement

__all__ = ["suspected_dialect"]

_CANDIDATES = (
    "postgresql mysql mssql oracle bigquery snowflake databricks hive redshift clickhouse teradata trino duckdb sqlite exasol"
).split()
_FEWEST = 2
_TRIED = 12
"""How many statements are tried in other dialects, and how long they may be."""
_LONGEST = 20_000


def suspected_dialect(failed: list[Statement], count: int, dialect: SqlDialect) -> str | None:
    """The dialect that reads what this one refuses, where that is most of `count` statements; None without suspicion."""
    if len(failed) < _FEWEST or len(failed) * 2 <= count:
        return None
    texts = [statement.text for statement in failed[:_TRIED] if len(statement.text) <= _LONGEST]
    most = 0
    best: list[str] = []
    for name in _CANDIDATES:
        other = get_dialect(name)
        if other.name == dialect.name:
            continue
        readable = sum(_reads(text, other) for text in texts)
        if readable * 5 < len(texts) * 4 or readable < max(most, 1):
            continue
        best = [*best, name] if readable == most else [name]
        most = readable
    return " or ".join(best[:2]) or None


def _reads(text: str, dialect: SqlDialect) -> bool:
    try:
        tokens = dialect.sqlglot.tokenize(text)
        nodes = dialect.sqlglot.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, text)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a grammar that was not made for this text may fail in any way
        return False
    return bool(nodes) and not any(isinstance(node, (exp.Command, exp.Condition, exp.Alias)) for node in nodes)
