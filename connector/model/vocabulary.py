"""The words of the model: the types that its elements can have."""

from __future__ import annotations

from typing import Literal

EntityKind = Literal["table", "view", "resultset", "variable", "path", "stage", "procedure"]

ProcessType = Literal[
    "Alter Table",
    "Bulk Insert",
    "Cache Table",
    "Call",
    "Copy",
    "Create Alert",
    "Create Dynamic Table",
    "Create Event",
    "Create External Table",
    "Create Function",
    "Create Macro",
    "Create Materialized View",
    "Create Model",
    "Create Procedure",
    "Create Projection",
    "Create Rule",
    "Create Script",
    "Create Sink",
    "Create Stage",
    "Create Stream",
    "Create Table",
    "Create Table Clone",
    "Create Table Like",
    "Create Task",
    "Create Trigger",
    "Create View",
    "Declare Cursor",
    "Delete",
    "Export",
    "Fetch",
    "For Loop",
    "Get",
    "Hive Load",
    "Import",
    "Insert",
    "Load",
    "Merge",
    "Open Cursor",
    "Put",
    "Return",
    "Select",
    "Select Into",
    "Set",
    "Swap",
    "Unload",
    "Update",
]
"""What a statement is. A routine or an object of another kind has its own name behind `Create`."""

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

EffectType = Literal[
    "alter_table",
    "append_table",
    "call",
    "case",
    "copy",
    "create_external_table",
    "create_stage",
    "create_stream",
    "create_table",
    "create_view",
    "cursor",
    "delete",
    "exchange_partition",
    "export",
    "foreign_key",
    "function",
    "insert",
    "like_table",
    "load",
    "merge",
    "merge_insert",
    "merge_update",
    "rename_table",
    "select",
    "swap_table",
    "trigger",
    "unload",
    "update",
]
"""What a relation does with the data."""

ProblemType = Literal[
    "SyntaxError", "SyntaxHint", "AnalyzeError", "InternalError", "LinkOrphanColumn", "Timeout", "Note"
]
"""What could not be read; a guess at why; what could not be resolved; a fault of this program; a column that was linked to
the first of several tables; a statement that took too long; and what cost no lineage."""

FAILURES: frozenset[ProblemType] = frozenset({"SyntaxError", "AnalyzeError", "InternalError", "Timeout"})
"""The types of problems that cost lineage."""

BATCH = "batchQueries"
"""The procedure name of a statement that stands in no routine."""
