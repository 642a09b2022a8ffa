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
        help="A table, view, path, stage or column: its qualified name, or the end of it (schema.table, table, "
        "table.column) when only one object ends so.",
        show_default=False,
    ),
]
Depth = Annotated[int | None, typer.Option(min=1, metavar="N", help="Steps to follow.", show_default="all")]
WithColumns = Annotated[bool, typer.Option("--columns", help="Column by column instead of table by table.")]
SourceName = Annotated[
    str | None,
    typer.Option("--source", metavar="NAME", help="Where the scripts come from.", show_default="the inputs"),
]
RunName = Annotated[
    str | None,
    typer.Option("--run", metavar="ID", help="Loads with the same id count as one run.", show_default="a new one"),
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
