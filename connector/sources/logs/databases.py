"""A query log in a database, read through SQLAlchemy."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import URL, Connection, CursorResult, Select, TextClause, column, or_, select, text

from connector.errors import ConfigurationError, SourceError
from connector.sources.databases.engine import connecting, parse_url
from connector.sources.logs.layout import load_preset
from connector.sources.logs.tables import RawTable
from connector.sources.logs.times import TimeReader
from connector.sources.models import LogSource

_log = logging.getLogger("connector.sources")

Query = TextClause | Select[Any]

_LOOKED_AT = 100
"""Number of rows to examine for the type of a column."""


def log_query(source: LogSource) -> str:
    """The query to run: that of the settings, their table, or that of the preset."""
    if source.query:
        return source.query.strip().rstrip(";")
    if source.table:
        return f"SELECT * FROM {source.table}"
    preset = load_preset(source.preset) if source.preset else None
    if preset is None or preset.query is None:
        raise ConfigurationError(f"{source.place}: set table or query to select the log in the database")
    return preset.query.strip()


def open_query(source: LogSource) -> RawTable:
    """The result of a query as a table."""
    url = parse_url(source.url or "", source.user, source.password)
    query = text(_escaped(log_query(source)))
    with connecting(url) as connection, _asked(connection, query) as result:
        # Nothing is fetched here: the column names are available before the rows.
        columns = list(result.keys())

    def later(name: str, since: datetime, times: TimeReader) -> RawTable:
        return replace(table, rows=partial(_rows, url, _later(url, query, columns, name, since, times), columns))

    table = RawTable(source.place, columns, partial(_rows, url, query, columns), later=later)
    return table


def _rows(url: URL, query: Query, columns: Sequence[str], wanted: Sequence[str]) -> Iterator[Sequence[Any]]:
    places = [columns.index(name) for name in wanted]
    with connecting(url) as connection, _asked(connection, query) as result:
        for row in result:
            yield [row[place] for place in places]


def _later(url: URL, query: TextClause, columns: Sequence[str], name: str, since: datetime, times: TimeReader) -> Query:
    """The query without rows from before a time. It is unchanged if the database cannot do that: the reader filters the rows
    again."""
    with connecting(url) as connection, _asked(connection, query) as result:
        place = columns.index(name)
        seen = next((row[place] for row in islice(result, _LOOKED_AT) if row[place] is not None), None)
    if not isinstance(seen, datetime) or len(set(columns)) < len(columns):
        return query
    inner = query.columns(*[column(each) for each in columns]).subquery("lineage_log")
    time = inner.c[name]
    limited = select(inner).where(or_(time >= times.written(since, seen), time.is_(None)))
    try:
        with connecting(url) as connection, _asked(connection, limited):
            return limited
    except SourceError as error:  # a query that cannot be used as a subquery, such as one with an ORDER BY
        _log.debug("cannot limit the query by time, reading the whole log: %s", error)
        return query


def _asked(connection: Connection, query: Query) -> CursorResult[Any]:
    """The result, row by row: a log may not fit into memory."""
    return connection.execution_options(stream_results=True, max_row_buffer=1000).execute(query)


def _escaped(query: str) -> str:
    """Escapes colons, after which SQLAlchemy expects a parameter; a query in the settings has none."""
    return query.replace("\\:", ":").replace(":", "\\:")
