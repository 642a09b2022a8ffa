"""Trees with holes: what the grammar accepts although a part of the statement is missing.

``update set x = 1`` becomes a tree of an UPDATE without a table. Readers rely on complete trees. Where one of them stumbles, the tree
is searched for the hole: if there is one, the statement is wrong, and not this program.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from connector.analysis.nodes import BASE
from connector.analysis.parsing import parse_statement, recover_statement
from connector.sql.dialects import SqlDialect
from connector.sql.statement import Statement

__all__ = ["STUMBLES", "missing_in", "missing_part"]

STUMBLES = (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What a reader raises when it meets a hole."""

_LACKING: dict[type, str] = {
    exp.Insert: "the table to write is missing",
    exp.Update: "the table to write is missing",
    exp.Delete: "the table to write is missing",
    exp.Merge: "the table to write is missing",
    exp.Table: "the name of a table is missing",
    exp.Column: "the name of a column is missing",
    exp.Identifier: "a name is missing",
    exp.Alias: "the expression before an alias is missing",
    exp.Join: "the table to join is missing",
    exp.From: "the table after FROM is missing",
    exp.CTE: "the query of a common table expression is missing",
    exp.Subquery: "a query is missing",
    exp.Dot: "the name before a dot is missing",
}
_PARTS = frozenset({"this", "expression", "expressions", "on", "using", "then", "fields", "columns", "query", "alias"})
_MAIN_PARTS = frozenset({"this", "expression", "true", "false"})
_WRITING = frozenset({exp.Insert, exp.Update, exp.Delete, exp.Merge})
_QUERIES = (exp.Select, getattr(exp, "SetOperation", exp.Union))
_TRUTHS = (exp.Boolean, exp.Var, exp.Literal)


def missing_in(statement: Statement, dialect: SqlDialect) -> str | None:
    """What a statement lacks whose trees are no longer at hand; None if it is complete."""
    try:
        trees = parse_statement(statement, dialect)
    except ParseError as error:
        recovered = recover_statement(statement, dialect, error)
        trees = recovered[0] if recovered is not None else []
    found = (missing_part(tree) for tree in trees if tree is not None)
    return next((each for each in found if each is not None), None)


def missing_part(tree: Any) -> str | None:
    """What a tree lacks, in words; None if it is complete."""
    pending = [tree]
    while pending:
        node = pending.pop()
        hole = _hole(node)
        if hole is not None:
            return hole
        for name, value in node.args.items():
            if isinstance(value, list):
                if None in value:
                    return f"a part of {node.key.upper()} is missing"
                pending.extend([each for each in value if isinstance(each, BASE)])
            elif isinstance(value, BASE):
                pending.append(value)
            elif (
                isinstance(value, bool) and name in (_PARTS if value else _MAIN_PARTS) and not isinstance(node, _TRUTHS)
            ):
                return f"a part of {node.key.upper()} is missing"
    return None


def _hole(node: Any) -> str | None:
    """What a single node lacks."""
    kind, args = node.__class__, node.args
    this = args.get("this")
    said = _LACKING.get(kind)
    if said is not None and (this is None or (kind in _WRITING and isinstance(this, _QUERIES))):
        return said
    if kind is exp.Column and isinstance(this, (exp.Tuple, exp.Paren)):
        return _LACKING[exp.Column]
    if kind is exp.CTE and (args.get("alias") is None or args["alias"].args.get("this") is None):
        return "the name of a common table expression is missing"
    if kind is exp.Pivot and isinstance(args.get("expressions"), bool):
        return "a part of PIVOT is missing"
    if kind is exp.Insert and not args.get("expression") and not args.get("default"):
        return "the rows to insert are missing"
    if isinstance(node, exp.Binary) and (this is None or args.get("expression") is None):
        return f"an operand of {node.key.upper()} is missing"
    if (kind is exp.Tuple and not args.get("expressions")) or node.error_messages():
        return f"a part of {node.key.upper()} is missing"
    return None
