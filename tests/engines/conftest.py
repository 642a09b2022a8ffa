"""The judges import each other by their full names; databases for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.engines.dependencies import Connection
from tests.postgres_server import NoPostgresError, running_server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    try:
        with running_server() as url:
            yield url
    except NoPostgresError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def database(postgres_server: str) -> Iterator[Connection]:
    """A connection to a database that is empty, and gone afterwards."""
    name = f"judge_{uuid4().hex}"
    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
        with psycopg.connect(f"{postgres_server}/{name}", autocommit=True) as connection:
            yield connection
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
