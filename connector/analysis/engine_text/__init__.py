"""Expressions as Spark, DuckDB and ClickHouse write them back: the names these engines give to unnamed columns."""

from connector.analysis.engine_text.duckdb import DuckDbForm
from connector.analysis.engine_text.engines import ClickHouseForm, SparkForm
from connector.analysis.engine_text.form import Form, UnprintableError, function_word

__all__ = ["FORMS", "Form", "UnprintableError", "function_word"]

FORMS: dict[str, type[Form]] = {"spark": SparkForm, "duckdb": DuckDbForm, "clickhouse": ClickHouseForm}
