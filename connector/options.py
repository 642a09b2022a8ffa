"""One options object, with the same names in Python, on the command line and in YAML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Options", "QueryIdentity", "RowColumn"]

QueryIdentity = Literal["text", "canonical", "shape"]
RowColumn = Literal["PseudoRows", "RelationRows"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the analysis decides one way or the other. The defaults are those of model version 1.2.1."""

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

    keep_temporaries: bool = False
    """The derived levels show temporary tables instead of looking through them."""

    query_identity: QueryIdentity = "text"
    """What makes two statements the same one."""
