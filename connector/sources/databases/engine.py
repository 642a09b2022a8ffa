"""Connects to databases through SQLAlchemy, with the same exceptions for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import SecretStr
from sqlalchemy import URL, Connection, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from connector.addresses import safe_url
from connector.common.failures import first_line
from connector.errors import ConfigurationError, SourceError, UnavailableError
from connector.sources.addresses import sqlalchemy_url

_SECONDS = 30
"""Seconds to wait for a server."""

_DRIVERS = {
    "postgresql": ("postgresql+psycopg", "psycopg[binary]", {"connect_timeout": _SECONDS}),
    "postgres": ("postgresql+psycopg", "psycopg[binary]", {"connect_timeout": _SECONDS}),
    "mysql": ("mysql+pymysql", "pymysql", {"connect_timeout": _SECONDS}),
    "mariadb": ("mariadb+pymysql", "pymysql", {"connect_timeout": _SECONDS}),
    "sqlite": ("sqlite", "", {"timeout": _SECONDS}),
    "mssql": ("mssql+pyodbc", "pyodbc", {"timeout": _SECONDS}),
    "oracle": ("oracle+oracledb", "oracledb", {}),
    "redshift": ("redshift+psycopg2", "sqlalchemy-redshift", {}),
    "snowflake": ("snowflake", "snowflake-sqlalchemy", {}),
    "bigquery": ("bigquery", "sqlalchemy-bigquery", {}),
    "databricks": ("databricks", "databricks-sqlalchemy", {}),
    "trino": ("trino", "trino[sqlalchemy]", {}),
    "hive": ("hive", "pyhive[hive]", {}),
    "impala": ("impala", "impyla", {}),
    "teradatasql": ("teradatasql", "teradatasqlalchemy", {}),
    "clickhouse": ("clickhouse", "clickhouse-sqlalchemy", {}),
    "duckdb": ("duckdb", "duckdb-engine", {}),
}
"""For each type of address: the default driver, its package, and its arguments for the timeout."""

_DIALECTS = {
    "postgres": "postgresql",
    "teradatasql": "teradata",
    "awsathena": "athena",
    "ibm_db_sa": "db2",
}
"""SQLAlchemy's dialect names where they differ from ours."""


def parse_url(url: str, user: str | None = None, password: SecretStr | None = None) -> URL:
    """The address with a driver and credentials."""
    try:
        parsed = make_url(sqlalchemy_url(url))
    except (ArgumentError, ValueError):
        # The error contains the address, including the password.
        raise ConfigurationError("Invalid database URL; expected a form like postgresql://user@host/name.") from None
    known = _DRIVERS.get(parsed.drivername)
    if known is not None:
        parsed = parsed.set(drivername=known[0])
    if user is not None:
        parsed = parsed.set(username=user)
    if password is not None:
        parsed = parsed.set(password=password.get_secret_value())
    return parsed


def dialect_of(url: URL) -> str:
    """The dialect's name for :func:`connector.sql.dialects.get_dialect`."""
    name = url.get_backend_name()
    return _DIALECTS.get(name, name)


@contextmanager
def connecting(url: URL) -> Iterator[Connection]:
    """A read-only connection. Raises `UnavailableError`, or `SourceError` if a statement fails."""
    label = safe_url(url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True))
    engine = _engine(url, label)
    try:
        try:
            connection = engine.connect()
        except SQLAlchemyError as error:
            raise UnavailableError(f"The database {label} cannot be reached: {_reason(error, url)}") from None
        with connection:
            try:
                yield connection
            except SQLAlchemyError as error:
                lost = isinstance(error, DBAPIError) and error.connection_invalidated
                kind = UnavailableError if lost else SourceError
                raise kind(f"The database {label} failed to answer a query: {_reason(error, url)}") from None
    finally:
        engine.dispose()


def _engine(url: URL, label: str) -> Engine:
    backend = url.get_backend_name()
    package, wait = _DRIVERS.get(backend, ("", "", {}))[1:]
    arguments: dict[str, Any] = dict(wait) if url.drivername == _DRIVERS.get(backend, ("",))[0] else {}
    if backend == "sqlite" and url.database and url.database != ":memory:":
        # SQLite would create a missing file; a source is only read.
        url = url.set(database=f"file:{url.database}", query={**url.query, "mode": "ro", "uri": "true"})
    try:
        return create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args=arguments)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        hint = f": pip install '{package}'" if package else " for SQLAlchemy"
        missing = getattr(error, "name", None) or url.drivername
        raise ConfigurationError(f"The database {label} needs the driver {missing}{hint}") from None
    except (SQLAlchemyError, TypeError) as error:
        raise ConfigurationError(f"The database {label}: {_reason(error, url)}") from None


def _reason(error: BaseException, url: URL) -> str:
    """The first line of the driver's message, without the password."""
    reason = first_line(error)
    return reason.replace(url.password, "***") if url.password else reason
