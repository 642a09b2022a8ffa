"""The options, with the same names in Python, on the command line and in YAML."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from typing import Literal

QueryIdentity = Literal["text", "canonical", "shape"]
RowColumn = Literal["PseudoRows", "RelationRows"]


@dataclass(frozen=True, slots=True)
class Switches:
    """What is shown of a model, and how."""

    impact: bool = True
    """Include indirect lineage (fdr): filters, join conditions, groupings."""

    dataflow: bool = True
    """Include direct lineage (fdd): where the data itself flows."""

    joins: bool = True
    """Include relations between joined columns, and foreign keys."""

    function: bool = True
    """Show functions on the complete level; otherwise their arguments lead directly to what uses the result."""

    recordset: bool = True
    """Show intermediate resultsets on the complete level; otherwise relations bypass them. The result of a plain SELECT is kept."""

    columns: bool = True
    """Show columns on the complete level; otherwise relations connect entities."""

    top_select: bool = False
    """Include plain SELECT statements, with their columns as targets."""

    temporaries: bool = False
    """Show temporary tables on the column and table levels instead of collapsing them."""

    impact_csv: bool = False
    """Include indirect lineage in the column CSV, which cannot distinguish it from direct lineage."""

    intermediate_csv: bool = False
    """Write one row per step to the column CSV, with resultsets named by their hash, instead of end-to-end rows."""

    safe_csv: bool = True
    """Put an apostrophe before CSV cells that a spreadsheet would interpret as formulas."""

    color: bool = False
    """Use colours in the text format."""

    event_time: str = "1970-01-01T00:00:00.000Z"
    """OpenLineage: time of the events. A fixed time keeps the output reproducible."""

    namespace: str | None = None
    """OpenLineage: namespace of jobs and datasets; defaults to the cluster."""


@dataclass(frozen=True, slots=True)
class Options(Switches):
    """All options: choices of the analysis, and what is shown of its result.

    The defaults are those of model version 1.2.1.
    """

    row_column: RowColumn = "PseudoRows"
    """Name of the system column that represents the rows of a table or resultset."""

    count_direct: bool = True
    """Treat ``COUNT(x)`` as data from ``x`` (fdd); otherwise ``x`` only influences it (fdr)."""

    case_condition_direct: bool = True
    """Treat the conditions of a CASE as data (fdd), like its results; otherwise they only influence the result (fdr)."""

    link_orphans: bool = False
    """Assign an unqualified column that could belong to several tables to the first of them, and report it."""

    constant_functions: bool = False
    """Include functions that read no column."""

    foreign_key_as_er: bool = False
    """Represent a foreign key as an ``er`` relation instead of data flow (fdd)."""

    write_through_views: bool = False
    """Treat a write to a view of the scripts as a write to the view and to the tables whose columns it shows."""

    query_identity: QueryIdentity | None = None
    """What makes two statements the same: their text; ``canonical``, their text without layout, comments and case; or ``shape``,
    that text without literals. Defaults to ``text`` for scripts and ``shape`` for query logs, where the same statement returns with
    other literals every night."""

    def identity_of(self, *, log: bool) -> QueryIdentity:
        """What makes two statements of a script, or of a query log, the same one."""
        return self.query_identity or ("shape" if log else "text")


def explain_options() -> dict[str, str]:
    """The description of each option, from its docstring: the help of its flag, and its description in the schema."""
    explained: dict[str, str] = {}
    for class_ in (Switches, Options):
        body = ast.parse(inspect.getsource(class_)).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
                continue
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                explained[field.target.id] = inspect.cleandoc(str(text.value.value))
    return explained
