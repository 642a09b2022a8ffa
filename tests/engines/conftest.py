"""The judges import each other by their full names; databases for them."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest

from tests.engines.dependencies import Connection


@pytest.fixture(scope="module")
def database(postgres_server: str) -> Iterator[Connection]:
    """A connection to a database that is empty, and gone afterwards."""
    name = f"judge_{uuid4().hex}"
    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
        with psycopg.connect(f"{postgres_server}/{name}", autocommit=True) as connection:
            yield connection
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
