"""The command in this process, for speed. What only a real process shows is in test_process.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from connector.cli import app

Run = Callable[..., Result]

LOAD = """insert into core.orders (id, total)
select o.order_id, o.amount * 1.19
from raw.orders o
where o.status = 'paid';
"""

BROKEN = """insert into core.orders (id) select order_id from raw.orders;

select a b c d from ((;

insert into core.customers (id) select customer_id from raw.customers;
"""


@pytest.fixture
def run() -> Run:
    """Calls the command with arguments and, perhaps, something on stdin."""
    runner = CliRunner()

    def call(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        return runner.invoke(app, [str(argument) for argument in arguments], input=stdin)

    return call


@pytest.fixture
def load(tmp_path: Path) -> Path:
    """A script of one statement that loads a table."""
    return _script(tmp_path / "load.sql", LOAD)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A script whose second statement, in line 3, is no SQL."""
    return _script(tmp_path / "broken.sql", BROKEN)


def _script(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path
