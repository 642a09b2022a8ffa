"""A query log in a database, read through SQLAlchemy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, text

from connector.errors import ConfigurationError
from connector.sources.databases.engine import connecting, parse_url
from connector.sources.logs.presets import load_preset
from connector.sources.logs.tables import RawTable
from connector.sources.models import LogSource

__all__ = ["log_query", "open_query"]


def log_query(source: LogSource) -> str:
    """What is asked of the database: the settings' query, their table, or the preset's own query."""
    if source.query:
        return source.query.strip().rstrip(";")
    if source.table:
        return f"SELECT * FROM {source.table}"
    preset = load_preset(source.preset) if source.preset else None
    if preset is None or preset.query is None:
        raise ConfigurationError(f"{source.place}: say which table or query of the database the log is")
    return preset.query.strip()


def open_query(source: LogSource) -> RawTable:
    """The answer of a database as a table."""
    url = parse_url(source.url or "", source.user, source.password)
    query = log_query(source)
    with connecting(url) as connection, _asked(connection, query) as result:
        # Nothing is fetched here: the names of the columns come before the rows.
        columns = list(result.keys())
    return RawTable(source.place, columns, lambda wanted: _rows(url, query, columns, wanted))


def _rows(url: URL, query: str, columns: Sequence[str], wanted: Sequence[str]) -> Iterator[Sequence[Any]]:
    places = [columns.index(name) for name in wanted]
    with connecting(url) as connection, _asked(connection, query) as result:
        for row in result:
            yield [row[place] for place in places]


def _asked(connection: Connection, query: str) -> CursorResult[Any]:
    """The answer, row by row: a log may be larger than the memory."""
    return connection.execution_options(stream_results=True, max_row_buffer=1000).execute(text(_escaped(query)))


def _escaped(query: str) -> str:
    """SQLAlchemy takes a word behind a colon for a parameter; a query of the settings has none."""
    return query.replace("\\:", ":").replace(":", "\\:")
