"""Opens a database from a file name or a URL, with the same transactions and exceptions for both databases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DatabaseError, InterfaceError, NoSuchModuleError, OperationalError
from sqlalchemy.pool import NullPool

from connector.addresses import safe_url
from connector.common.extras import install_command
from connector.common.failures import first_line
from connector.errors import ConfigurationError, UnavailableError

_WAIT = 30
"""Seconds to wait for another writer, or for a server to respond."""

_WRITER_LOCK = 0x6C696E65616765
"""The PostgreSQL advisory lock that is held while loading into the store."""

_PERMISSION_DENIED = "42501"


class Database:
    """The location of a store. Every failure to reach it is raised as `UnavailableError`."""

    def __init__(self, target: str | Path) -> None:
        url, self.path = _parse(target)
        self.label = str(self.path) if self.path is not None else safe_url(url.render_as_string(hide_password=True))
        self._engine = _sqlite(url) if self.path is not None else _postgresql(url)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection with a consistent snapshot of the store."""
        with self._failures(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection for the only writer, in a single transaction."""
        with self._failures(), self._engine.connect() as plain:
            connection = plain.execution_options(writer=True)
            with connection.begin():
                if self.path is None:
                    connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _WRITER_LOCK})
                yield connection

    def refresh_statistics(self, connection: Connection) -> None:
        """After a large load, PostgreSQL needs updated statistics to plan the recursive queries well; SQLite does not."""
        if self.path is None:
            connection.execute(text("ANALYZE lineage_column_edges, lineage_table_edges"))

    @contextmanager
    def _failures(self) -> Iterator[None]:
        # The rows of a load are passed to the driver directly, so its own exceptions can occur, too.
        driver: Any = self._engine.dialect.loaded_dbapi
        try:
            yield
        except (OperationalError, InterfaceError) as error:
            raise UnavailableError(f"The store {self.label} cannot be reached: {first_line(error)}") from error
        except driver.DatabaseError as error:
            if isinstance(error, driver.OperationalError) or getattr(error, "sqlstate", None) == _PERMISSION_DENIED:
                raise UnavailableError(f"The store {self.label} cannot be reached: {first_line(error)}") from error
            self._refuse_damaged(error)
            raise
        except DatabaseError as error:
            if getattr(error.orig, "sqlstate", None) == _PERMISSION_DENIED:
                raise UnavailableError(f"The store {self.label} cannot be reached: {first_line(error)}") from error
            self._refuse_damaged(error)
            raise

    def _refuse_damaged(self, error: BaseException) -> None:
        """A file that no attempt will ever read is a matter of the settings, not of waiting."""
        if "file is not a database" in str(error):
            raise ConfigurationError(f"{self.label} is not a lineage store: it is not a SQLite file.") from error
        if "malformed" in str(error):
            raise ConfigurationError(
                f"The store {self.label} is damaged: {first_line(error)}. Restore it from a backup, or remove it and run "
                "with --full."
            ) from error


def _parse(target: str | Path) -> tuple[URL, Path | None]:
    """The URL, and the path of a SQLite file."""
    if isinstance(target, Path) or "://" not in target:
        path = Path(target)
        return URL.create("sqlite", database=str(path)), path
    try:
        url = make_url(target)
    except (ArgumentError, ValueError) as error:
        raise ConfigurationError("Invalid store URL; expected a form like postgresql://user@host/database.") from error
    if url.get_backend_name() == "sqlite" and url.database:
        return url, Path(url.database)
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg"), None
    raise ConfigurationError(f"A store is a SQLite file or a PostgreSQL database; {url.drivername!r} is not supported.")


def _sqlite(url: URL) -> Engine:
    engine = create_engine(url, poolclass=NullPool, hide_parameters=True, connect_args={"timeout": _WAIT})

    @event.listens_for(engine, "connect")
    def _leave_transactions_to_us(connection: Any, _record: Any) -> None:
        # Python's own transaction handling starts too late for a consistent read, and does not cover DDL.
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writer"):
            # A large cache that is not spilled keeps the file readable for others until the commit.
            connection.exec_driver_sql("PRAGMA cache_size = -262144")
            connection.exec_driver_sql("PRAGMA cache_spill = OFF")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    try:
        return create_engine(url, connect_args={"connect_timeout": _WAIT}, hide_parameters=True, pool_pre_ping=True)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise ConfigurationError(
            f"A store in PostgreSQL needs the driver psycopg: {install_command('postgres')}"
        ) from error
