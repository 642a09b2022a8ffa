"""Logs, scripts and jobs for the tests of the pipeline, and what a store holds in the end."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connector.settings.models import Job

if TYPE_CHECKING:
    from connector.pipeline.tables import LineageTables

HERE = Path(__file__).parent
LONG = bool(os.environ.get("LINEAGE_LONG"))
START = datetime(2024, 1, 1, tzinfo=timezone.utc)
COLUMNS = {
    "text": "query_text",
    "user": "user_name",
    "started_at": "start_time",
    "session_id": "session_id",
    "database": "database_name",
    "schema": "schema_name",
}
Row = dict[str, Any]


def log_row(
    text: str, second: int = 0, *, user: str = "etl", session: str | None = None, schema: str | None = "mart"
) -> Row:
    return {
        "query_text": text,
        "user_name": user,
        "start_time": (START + timedelta(seconds=second)).isoformat(),
        "session_id": session,
        "database_name": "dwh",
        "schema_name": schema,
    }


def good_statement(number: int, literal: int = 0) -> str:
    return (
        f"insert into mart.target_{number % 40} (id, name, total_{number % 7})\n"
        f"select o.id, c.name, sum(o.amount) from raw.orders_{number % 11} o join raw.customers c on o.customer_id = c.id\n"
        f"where o.day > '{literal}' and c.region_{number} = 1 group by o.id, c.name"
    )


def good_rows(count: int, distinct: int) -> list[Row]:
    """Statements that come back with other literals, by three users."""
    return [log_row(good_statement(at % distinct, at), at, user=f"user{at // distinct % 3}") for at in range(count)]


def session_rows() -> list[Row]:
    """Two sessions with temporary tables and changes of schema, mixed with each other and with the rest."""
    return [
        log_row("create temporary table work as select a, b from raw.first_source", 1, session="one", schema=None),
        log_row("use schema other", 2, session="two", schema=None),
        log_row("insert into mart.result (x) select a from work", 3, session="one", schema=None),
        log_row("insert into here (x) select y from there", 4, session="two", schema=None),
        log_row("insert into mart.plain (x) select y from raw.plain_source", 5, session="three", schema=None),
        log_row("set timezone = 'UTC'", 6, session="three", schema=None),
    ]


def write_log(path: Path, rows: Iterable[Row]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def make_job(folder: Path, **more: Any) -> Job:
    """A job over the log and the scripts of a folder, as far as they are there."""
    sources: list[dict[str, Any]] = []
    if (folder / "log").exists():
        sources.append({"type": "log", "name": "log", "paths": [str(folder / "log")], "columns": COLUMNS})
    if (folder / "sql").exists():
        sources.append({"type": "files", "name": "scripts", "paths": [str(folder / "sql")]})
    settings: dict[str, Any] = {
        "name": "nightly",
        "dialect": "snowflake",
        "sources": sources,
        "store": {"url": str(folder / "lineage.db"), "tables": str(folder / "tables")},
        **more,
    }
    return Job.model_validate(settings)


STORE_TABLES = (
    "sqlflow_dbobjects",
    "sqlflow_columns",
    "lineage_processes",
    "lineage_column_edges",
    "lineage_table_edges",
    "lineage_log_history",
)


def store_content(folder: Path, tables: Sequence[str] = STORE_TABLES) -> dict[str, list[tuple[Any, ...]]]:
    """All that a store says, sorted; runs, which hold times, are left out."""
    connection = sqlite3.connect(folder / "lineage.db")
    try:
        return {table: sorted(connection.execute(f"select * from {table}"), key=repr) for table in tables}
    finally:
        connection.close()


def tables_of(folder: Path) -> LineageTables:
    """The tables of a job over this folder."""
    from connector.pipeline.storage import Storage
    from connector.pipeline.tables import LineageTables

    return LineageTables(Storage(str(folder / "tables")))


def table_content(folder: Path) -> dict[str, list[str]]:
    """All rows of the tables, each as text without the number of its commit, sorted."""
    from connector.pipeline.files import SCHEMAS

    return {table: rows_as_text(tables_of(folder), table) for table in SCHEMAS}


def rows_as_text(tables: LineageTables, table: str) -> list[str]:
    found = []
    for file in tables.files(table):
        with tables.opened(file) as opened:
            found.extend(opened.read().drop_columns(["sequence"]).to_pylist())
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in found)
