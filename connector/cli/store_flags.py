"""The flags of the commands that use the store."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

__all__ = [
    "DEFAULT_STORE",
    "Depth",
    "Name",
    "RunName",
    "SourceName",
    "StoreTarget",
    "SummaryForm",
    "TraceForm",
    "WithColumns",
]

DEFAULT_STORE = "lineage.db"

StoreTarget = Annotated[
    str,
    typer.Option(
        "--store",
        "-s",
        metavar="FILE|URL",
        envvar="LINEAGE_STORE",
        help="SQLite file of the store, or postgresql://user@host/database.",
    ),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A table, view, path, stage or column: its qualified name, or any unambiguous ending of it (schema.table, table, "
        "table.column).",
        show_default=False,
    ),
]
Depth = Annotated[int | None, typer.Option(min=1, metavar="N", help="Number of steps to follow.", show_default="all")]
WithColumns = Annotated[bool, typer.Option("--columns", help="Follow columns instead of tables.")]
SourceName = Annotated[
    str | None,
    typer.Option("--source", metavar="NAME", help="Name of the source of the scripts.", show_default="the inputs"),
]
RunName = Annotated[
    str | None,
    typer.Option("--run", metavar="ID", help="Loads with the same id form one run.", show_default="a new one"),
]


class SummaryForm(str, Enum):
    text = "text"
    json = "json"


class TraceForm(str, Enum):
    text = "text"
    json = "json"
    csv = "csv"
    mermaid = "mermaid"
    dot = "dot"
