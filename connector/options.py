"""One options object, with the same names in Python, on the command line and in YAML."""

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


@dataclass(frozen=True, slots=True)
class Options(Switches):
    """All switches: what the analysis decides one way or the other, and what is shown of it.

    The defaults are those of model version 1.2.1.
    """

    row_column: RowColumn = "PseudoRows"
    """Name of the system column that stands for the rows of a table or resultset."""

    count_direct: bool = True
    """``COUNT(x)`` takes data from ``x`` (fdd); otherwise ``x`` only has an impact (fdr)."""

    case_condition_direct: bool = True
    """Columns in a CASE condition are fdd like the results; otherwise fdr."""

    link_orphans: bool = False
    """An unqualified column that may belong to several tables goes to the first of them, and an error says so."""

    constant_functions: bool = False
    """Functions without a column argument make a resultset too."""

    foreign_key_as_er: bool = False
    """A foreign key makes an ``er`` relation instead of ``fdd``."""

    query_identity: QueryIdentity | None = None
    """What makes two statements the same one. When left out, ``text`` for scripts and ``shape`` for query logs, where the same
    statement comes back with other literals every night."""

    def identity_of(self, *, log: bool) -> QueryIdentity:
        """What makes two statements of a script, or of a query log, the same one."""
        return self.query_identity or ("shape" if log else "text")
