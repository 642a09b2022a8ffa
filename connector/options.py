"""The options, with the same names in Python, on the command line and in YAML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Options", "QueryIdentity", "RowColumn", "Switches"]

QueryIdentity = Literal["text", "canonical", "shape"]
RowColumn = Literal["PseudoRows", "RelationRows"]


@dataclass(frozen=True, slots=True)
class Switches:
    """What is shown of a model, and how."""

    impact: bool = True
    """Show impact (fdr)."""

    dataflow: bool = True
    """Show data flow (fdd)."""

    joins: bool = True
    """Show join and foreign-key relations."""

    function: bool = True
    """Complete level: show functions; otherwise relations lead from their arguments directly to what uses the result."""

    recordset: bool = True
    """Complete level: show intermediate resultsets; otherwise relations bypass them. The result of a plain SELECT is kept."""

    columns: bool = True
    """Complete level: show columns; otherwise relations connect entities."""

    top_select: bool = False
    """Include plain SELECT statements as processes, with their columns as targets."""

    temporaries: bool = False
    """Column and table level: show temporary tables instead of collapsing them."""

    impact_csv: bool = False
    """Column CSV: include impact, which this format cannot distinguish from data flow."""

    intermediate_csv: bool = False
    """Column CSV: one row per step, with resultsets named by their hash, instead of end-to-end rows."""

    safe_csv: bool = True
    """CSV: defuse cells that a spreadsheet would interpret as formulas."""

    color: bool = False
    """Text: use terminal colours."""

    event_time: str = "1970-01-01T00:00:00.000Z"
    """OpenLineage: time of the events. SQL text has no time of its own; a fixed time keeps the output reproducible."""

    namespace: str | None = None
    """OpenLineage: namespace of jobs and datasets; defaults to the model's cluster."""


@dataclass(frozen=True, slots=True)
class Options(Switches):
    """All options: choices of the analysis, and what is shown of its result.

    The defaults are those of model version 1.2.1.
    """

    row_column: RowColumn = "PseudoRows"
    """Name of the system column that represents the rows of a table or resultset."""

    count_direct: bool = True
    """``COUNT(x)`` takes its data from ``x`` (fdd); otherwise ``x`` only influences it (fdr)."""

    case_condition_direct: bool = True
    """Columns in CASE conditions are data (fdd), like the results; otherwise they only influence the result (fdr)."""

    link_orphans: bool = False
    """Assign an unqualified column that could belong to several tables to the first of them, and report it."""

    constant_functions: bool = False
    """Include functions that read no column."""

    foreign_key_as_er: bool = False
    """Represent a foreign key as an ``er`` relation instead of ``fdd``."""

    query_identity: QueryIdentity | None = None
    """What makes two statements the same one. When left out, ``text`` for scripts and ``shape`` for query logs, where the same
    statement comes back with other literals every night."""

    def identity_of(self, *, log: bool) -> QueryIdentity:
        """What makes two statements of a script, or of a query log, the same one."""
        return self.query_identity or ("shape" if log else "text")
