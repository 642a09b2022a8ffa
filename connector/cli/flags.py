"""The flags that commands share, so that a flag has one name, one meaning and one help text everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from connector.export import FORMATS, Level
from connector.guard import Limits
from connector.options import QueryIdentity, RowColumn
from connector.sql.dialects import supported_dialects


def _complete_dialect(incomplete: str) -> list[str]:
    return [name for name in supported_dialects() if name.startswith(incomplete)]


def _complete_format(incomplete: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(incomplete)]


def _switch(flag: str, description: str) -> typer.models.OptionInfo:
    """A flag that turns something on that is otherwise off, and so needs no opposite."""
    option: typer.models.OptionInfo = typer.Option(flag, help=description)
    return option


# --- what is read -----------------------------------------------------------------------------------------------

Inputs = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE|DIR|-",
        help="SQL scripts, folders that are searched for them, or - for stdin. All together make one model.",
        show_default=False,
    ),
]
Dialect = Annotated[
    str,
    typer.Option(
        "--dialect",
        "-d",
        metavar="NAME",
        help="SQL dialect of the scripts; the command dialects lists the names.",
        autocompletion=_complete_dialect,
    ),
]
Metadata = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Columns of known tables: JSON, or DDL scripts. May be given several times."),
]
DefaultDatabase = Annotated[
    str | None, typer.Option(metavar="NAME", help="Database of names that are written without one.")
]
DefaultSchema = Annotated[
    str | None, typer.Option(metavar="NAME", help="Schema of names that are written without one.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Instance or server the tables live on; the part behind the @ of a qualified name."
    ),
]

# --- what it may take -----------------------------------------------------------------------------------------------

Timeout = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        metavar="SECONDS",
        help="Time for a statement; one that takes more is reported and left out.",
        show_default="no limit, 30 with --memory",
    ),
]
Memory = Annotated[
    int | None,
    typer.Option(
        min=50,
        metavar="MB",
        help="Memory for a statement; one that takes more is reported and left out.",
        show_default="no limit, 500 with --timeout",
    ),
]


def limits(seconds: float | None, memory_mb: int | None) -> Limits | None:
    """What --timeout and --memory say together; None when neither is given."""
    if seconds is None and memory_mb is None:
        return None
    default = Limits()
    return Limits(
        default.seconds if seconds is None else seconds, default.memory_mb if memory_mb is None else memory_mb
    )


# --- how it is read: the fields of `connector.options.Options` ----------------------------------------------------

LinkOrphans = Annotated[
    bool, _switch("--link-orphans", "A column that may belong to several tables goes to the first of them.")
]
CountDirect = Annotated[bool, typer.Option(help="COUNT(x) takes its data from x.")]
CaseConditionDirect = Annotated[bool, typer.Option(help="The conditions of a CASE count as its data.")]
ConstantFunctions = Annotated[bool, _switch("--constant-functions", "Keep functions that read no column.")]
ForeignKeyAsEr = Annotated[
    bool, _switch("--foreign-key-as-er", "A foreign key is an er relation and not a flow of data.")
]
Temporaries = Annotated[
    bool,
    _switch("--temporaries", "Show temporary tables on the derived levels instead of looking through them."),
]
RowColumnName = Annotated[RowColumn, typer.Option(help="Name of the column that stands for the rows.")]
Identity = Annotated[
    QueryIdentity | None,
    typer.Option(
        show_default="text",
        help="What makes two statements the same: their text; their text but for layout, comments and case; "
        "or that without literals.",
    ),
]

# --- what is written, and where -----------------------------------------------------------------------------------

AnyLevel = Annotated[
    Level | None,
    typer.Option(
        "--level",
        "-l",
        help="What is shown: every step on the way, only columns of tables, or only tables.",
        show_default="the first that the format has",
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help=f"Form of the result: {', '.join(FORMATS)}.",
        autocompletion=_complete_format,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the result to a file; - is stdout.", show_default="-"),
]
Color = Annotated[
    bool | None,
    typer.Option(help="Colours in the text format.", show_default="on a terminal, unless NO_COLOR is set"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No messages but fatal ones.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done.")]

# --- how much of it is shown: the fields of `connector.export.ExportOptions` ---------------------------------------

Impact = Annotated[bool, typer.Option(help="Indirect lineage: filters, join conditions, groupings.")]
Dataflow = Annotated[bool, typer.Option(help="Direct lineage: where the data itself goes.")]
Joins = Annotated[bool, typer.Option(help="Relations between joined columns, and foreign keys.")]
Columns = Annotated[bool, typer.Option(help="Columns, on the complete level.")]
Recordset = Annotated[bool, typer.Option(help="Intermediate resultsets, on the complete level.")]
Function = Annotated[bool, typer.Option(help="Functions, on the complete level.")]
TopSelect = Annotated[bool, _switch("--top-select", "A bare SELECT counts too; its columns are targets.")]
ImpactCsv = Annotated[
    bool, _switch("--impact-csv", "Indirect lineage in the column CSV, which cannot tell it from direct.")
]
IntermediateCsv = Annotated[bool, _switch("--intermediate-csv", "One row for each step in the column CSV.")]
SafeCsv = Annotated[bool, _switch("--safe-csv", "Make cells harmless that a spreadsheet takes for formulas.")]
Namespace = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="OpenLineage: namespace of jobs and datasets.", show_default="the cluster"),
]
EventTime = Annotated[
    str,
    typer.Option(
        metavar="TIME", help="OpenLineage: time of the events. A fixed one keeps the output the same on every run."
    ),
]
