"""`lineage-connector dialects`: the names that `--dialect` takes."""

from __future__ import annotations

import typer

from connector.sql.dialects import supported_dialects


def dialects() -> None:
    """List the SQL dialects, one per line."""
    for name in supported_dialects():
        typer.echo(name)
