"""The switches of the exports: one object, with the same names in Python, on the command line and in YAML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["LEVELS", "ExportOptions", "Level"]

Level = Literal["complete", "column", "table"]
LEVELS: tuple[Level, ...] = ("complete", "column", "table")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What is shown of a model, and how."""

    impact: bool = True
    """Show impact (fdr)."""

    dataflow: bool = True
    """Show data flow (fdd)."""

    joins: bool = True
    """Show join and foreign-key relations."""

    function: bool = True
    """Complete level: show functions; otherwise their arguments lead straight to what uses the result."""

    recordset: bool = True
    """Complete level: show intermediate resultsets; otherwise relations lead past them. The result of a bare SELECT stays."""

    columns: bool = True
    """Complete level: show columns; otherwise relations lead from entity to entity."""

    top_select: bool = False
    """A bare SELECT is a process, and its columns are targets."""

    temporaries: bool = False
    """Derived levels: show temporary tables instead of looking through them."""

    impact_csv: bool = False
    """Column CSV: also rows for impact, which that format cannot tell from data."""

    intermediate_csv: bool = False
    """Column CSV: one row for each step, resultsets named by their hash, instead of end to end."""

    safe_csv: bool = False
    """CSV: cells that a spreadsheet would take for a formula are made harmless."""

    color: bool = False
    """Text: colours of a terminal."""

    event_time: str = "1970-01-01T00:00:00.000Z"
    """OpenLineage: the time of the events. A lineage of text has none of its own, and the output is the same each time."""

    namespace: str | None = None
    """OpenLineage: the namespace of jobs and datasets; the model's cluster when not given."""
