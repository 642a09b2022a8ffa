"""The words of the model: the types that its elements can have."""

from __future__ import annotations

from typing import Literal

__all__ = ["BATCH", "FAILURES", "ClauseType", "EntityKind", "ProblemType", "RelationType"]

EntityKind = Literal["table", "view", "resultset", "variable", "path", "stage", "procedure"]

RelationType = Literal["fdd", "fdr", "join", "er", "call"]
"""Data flow; impact; columns that are compared; foreign keys; the call of a routine."""

ClauseType = Literal[
    "select",
    "where",
    "joinCondition",
    "using",
    "mergeCondition",
    "groupBy",
    "having",
    "qualify",
    "orderBy",
    "partitionBy",
    "limit",
    "connectBy",
    "set",
    "values",
    "case condition",
    "distinct",
    "setOperation",
    "unnest",
]
"""The clauses from which columns have an impact."""

ProblemType = Literal[
    "SyntaxError", "SyntaxHint", "AnalyzeError", "InternalError", "LinkOrphanColumn", "Timeout", "Note"
]
"""What could not be read; a guess at why; what could not be resolved; a fault of this program; a column that was linked to
the first of several tables; a statement that took too long; and what cost no lineage."""

FAILURES: frozenset[ProblemType] = frozenset({"SyntaxError", "AnalyzeError", "InternalError", "Timeout"})
"""The types of problems that cost lineage."""

BATCH = "batchQueries"
"""The procedure name of a statement that stands in no routine."""
