"""Stores in SQLite and in PostgreSQL; a test that takes `store` or `target` runs on both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool
from typer.testing import CliRunner, Result

from connector.cli import app
from connector.store import Store

Run = Callable[..., Result]
Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The URL of a schema that is empty, and gone afterwards."""
    name = f"lineage_{uuid4().hex}"
    driver = postgres_server.replace("postgresql:", "postgresql+psycopg:")
    admin = create_engine(f"{driver}/postgres", poolclass=NullPool)
    with admin.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    yield f"{postgres_server}/postgres?options=-csearch_path%3D{name}"
    with admin.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {name} CASCADE"))


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "lineage.db")
    url: str = request.getfixturevalue("postgres")
    return url


@pytest.fixture
def store(target: str) -> Iterator[Store]:
    with Store.open(target) as opened:
        yield opened


@pytest.fixture
def rows(target: str) -> Callable[[], Rows]:
    """Reads all the tables of the store, past the store."""

    def read() -> Rows:
        url = target.replace("postgresql:", "postgresql+psycopg:") if "://" in target else f"sqlite:///{target}"
        engine = create_engine(url, poolclass=NullPool)
        with engine.connect() as connection:
            names = inspect(connection).get_table_names()
            return {
                name: sorted([tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))], key=repr)
                for name in names
            }

    return read


@pytest.fixture
def run() -> Run:
    """Calls the command with arguments and, perhaps, something on stdin."""
    runner = CliRunner()

    def call(*arguments: str | Path, stdin: str | None = None) -> Result:
        return runner.invoke(app, [str(argument) for argument in arguments], input=stdin)

    return call
