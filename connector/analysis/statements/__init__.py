"""One reader for each kind of statement, found by the class of its syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.statements.create import read_create, read_definition
from connector.analysis.statements.definitions import (
    read_columns_change,
    read_default_change,
    read_removal,
    read_synonym,
    read_transfer,
    read_use,
)
from connector.analysis.statements.delete import delete_from, read_delete
from connector.analysis.statements.descriptions import read_comment_on
from connector.analysis.statements.insert import insert_into, read_insert, read_multi_insert
from connector.analysis.statements.merge import merge_into, read_merge
from connector.analysis.statements.movements import read_copies, read_movement, read_stage
from connector.analysis.statements.others import locking_reader, read_cache, read_pivot_statement
from connector.analysis.statements.select import read_query_statement
from connector.analysis.statements.update import read_update, update_table
from connector.sql.readers.readings import (
    ColumnsChange,
    Comment,
    Copies,
    DefaultChange,
    Movement,
    Removal,
    Stage,
    Synonym,
    TableDefinition,
    Transfer,
)

__all__ = ["INNER_DML", "READERS", "READINGS", "StatementReader", "read_inner_dml"]

StatementReader = Callable[[Context, Any], None]

READERS: dict[type, StatementReader] = {
    exp.Select: read_query_statement,
    exp.Union: read_query_statement,
    exp.Except: read_query_statement,
    exp.Intersect: read_query_statement,
    exp.Subquery: read_query_statement,
    exp.Insert: read_insert,
    exp.MultitableInserts: read_multi_insert,
    exp.Create: read_create,
    exp.Update: read_update,
    exp.Delete: read_delete,
    exp.Merge: read_merge,
    exp.Use: read_use,
    exp.Cache: read_cache,
    exp.Pivot: read_pivot_statement,
}
READERS[exp.LockingStatement] = locking_reader(READERS)

READINGS: dict[type, StatementReader] = {
    ColumnsChange: read_columns_change,
    Comment: read_comment_on,
    Copies: read_copies,
    DefaultChange: read_default_change,
    Movement: read_movement,
    Removal: read_removal,
    Stage: read_stage,
    Synonym: read_synonym,
    TableDefinition: read_definition,
    Transfer: read_transfer,
}
"""What the token readers find, by its class."""

INNER_DML: dict[type, Callable[[Context, Any, Scope], Rowset]] = {
    exp.Insert: insert_into,
    exp.Update: update_table,
    exp.Delete: delete_from,
    exp.Merge: merge_into,
}


def read_inner_dml(ctx: Context, node: Any, scope: Scope) -> Rowset:
    """A data-changing statement in a WITH clause: a flow of its own in the same process."""
    outer = ctx.builder.flow
    ctx.builder.flow = type(outer)(None)
    if node.args.get("with_") is not None:
        ctx.queries.ctes.read(node.args["with_"], scope)
    result = INNER_DML[node.__class__](ctx, node, scope)
    ctx.builder.flow = outer
    return result
