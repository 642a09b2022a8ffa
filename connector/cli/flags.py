"""The flags that commands share, so that a flag has one name, one meaning and one help text everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from connector.export import FORMATS, Level
from connector.options import QueryIdentity, RowColumn
from connector.sql.dialects import supported_dialects

if TYPE_CHECKING:
    from connector.guard import Limits


def _complete_dialect(incomplete: str) -> list[str]:
    return [name for name in supported_dialects() if name.startswith(incomplete)]


def _complete_format(incomplete: str) -> list[str]:
    return [name for name in FORMATS if name.startswith(incomplete)]


def _switch(flag: str, description: str) -> typer.models.OptionInfo:
    """A flag that only turns something on, so it needs no negative form."""
    option: typer.models.OptionInfo = typer.Option(flag, help=description)
    return option


# --- what is read -----------------------------------------------------------------------------------------------

Inputs = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE|DIR|-",
        help="SQL scripts, folders to search for them, or - for stdin. All of them form one model.",
        show_default=False,
    ),
]
Dialect = Annotated[
    str,
    typer.Option(
        "--dialect",
        "-d",
        metavar="NAME",
        help="SQL dialect of the scripts; see the command dialects.",
        autocompletion=_complete_dialect,
    ),
]
Metadata = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE", help="Columns of known tables: JSON files or DDL scripts. Can be given several times."
    ),
]
DefaultDatabase = Annotated[str | None, typer.Option(metavar="NAME", help="Database of unqualified names.")]
DefaultSchema = Annotated[str | None, typer.Option(metavar="NAME", help="Schema of unqualified names.")]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Instance or server of the tables: the part of a qualified name after the @."),
]

# --- what it may take -----------------------------------------------------------------------------------------------

Timeout = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        metavar="SECONDS",
        help="Time limit for a statement; one that exceeds it is reported and skipped.",
        show_default="no limit, 30 with --memory",
    ),
]
Memory = Annotated[
    int | None,
    typer.Option(
        min=50,
        metavar="MB",
        help="Memory limit for a statement; one that exceeds it is reported and skipped.",
        show_default="no limit, 500 with --timeout",
    ),
]


def limits(seconds: float | None, memory_mb: int | None) -> Limits | None:
    """The limits of --timeout and --memory; None if neither is given."""
    if seconds is None and memory_mb is None:
        return None
    from connector.guard import Limits

    default = Limits()
    return Limits(
        default.seconds if seconds is None else seconds, default.memory_mb if memory_mb is None else memory_mb
    )


# --- how it is read: the fields of `connector.options.Options` ----------------------------------------------------

LinkOrphans = Annotated[
    bool, _switch("--link-orphans", "Assign a column that could belong to several tables to the first of them.")
]
CountDirect = Annotated[bool, typer.Option(help="Treat COUNT(x) as data from x.")]
CaseConditionDirect = Annotated[bool, typer.Option(help="Treat the conditions of a CASE as data.")]
ConstantFunctions = Annotated[bool, _switch("--constant-functions", "Include functions that read no column.")]
ForeignKeyAsEr = Annotated[
    bool, _switch("--foreign-key-as-er", "Represent a foreign key as an er relation instead of data flow.")
]
Temporaries = Annotated[
    bool,
    _switch("--temporaries", "Show temporary tables on the column and table levels instead of collapsing them."),
]
RowColumnName = Annotated[RowColumn, typer.Option(help="Name of the column that represents the rows.")]
Identity = Annotated[
    QueryIdentity | None,
    typer.Option(
        show_default="text",
        help="What makes two statements the same: their text; their text ignoring layout, comments and case; "
        "or their text also ignoring literals.",
    ),
]

# --- what is written, and where -----------------------------------------------------------------------------------

AnyLevel = Annotated[
    Level | None,
    typer.Option(
        "--level",
        "-l",
        help="Level of detail: every step, only table columns, or only tables.",
        show_default="the first one that the format supports",
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help=f"Output format: {', '.join(FORMATS)}.",
        autocompletion=_complete_format,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the result to a file; - for stdout.", show_default="-"),
]
Color = Annotated[
    bool | None,
    typer.Option(help="Use colours in the text format.", show_default="on a terminal, unless NO_COLOR is set"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show fatal errors only.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Show progress.")]

# --- how much of it is shown: the fields of `connector.export.ExportOptions` ---------------------------------------

Impact = Annotated[bool, typer.Option(help="Include indirect lineage: filters, join conditions, groupings.")]
Dataflow = Annotated[bool, typer.Option(help="Include direct lineage: where the data itself flows.")]
Joins = Annotated[bool, typer.Option(help="Include relations between joined columns, and foreign keys.")]
Columns = Annotated[bool, typer.Option(help="Show columns on the complete level.")]
Recordset = Annotated[bool, typer.Option(help="Show intermediate resultsets on the complete level.")]
Function = Annotated[bool, typer.Option(help="Show functions on the complete level.")]
TopSelect = Annotated[bool, _switch("--top-select", "Include plain SELECT statements, with their columns as targets.")]
ImpactCsv = Annotated[
    bool,
    _switch("--impact-csv", "Include indirect lineage in the column CSV, which cannot distinguish it from direct."),
]
IntermediateCsv = Annotated[bool, _switch("--intermediate-csv", "Write one row per step to the column CSV.")]
SafeCsv = Annotated[
    bool, typer.Option(help="Put an apostrophe before CSV cells that a spreadsheet would interpret as formulas.")
]
Namespace = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="OpenLineage: namespace of jobs and datasets.", show_default="the cluster"),
]
EventTime = Annotated[
    str,
    typer.Option(metavar="TIME", help="OpenLineage: time of the events. A fixed time keeps the output reproducible."),
]
