"""One module for each kind of statement, found by what it declares.

- `TREES`: readers of what the grammar makes of a statement, by the class of the syntax tree
- `READS`: readers of statements that the grammar does not know, by their first word; others are in `connector.sql.readers`
- `MEANINGS`: what such readers find, by its class, and the function that makes lineage of it
- `INNER`: readers of statements that change data and may stand in a WITH clause
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from connector.analysis.context import Context
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.common.lazy import declared
from connector.sql.readers import TOKEN_READERS, TokenReader

__all__ = ["INNER_DML", "READERS", "READINGS", "WORDS", "StatementReader", "read_inner_dml"]

StatementReader = Callable[[Context, Any], None]

READERS: dict[type, StatementReader] = declared(__name__, __path__, "TREES")

READINGS: dict[type, StatementReader] = declared(__name__, __path__, "MEANINGS")

WORDS: dict[str, TokenReader] = TOKEN_READERS | declared(__name__, __path__, "READS")

INNER_DML: dict[type, Callable[[Context, Any, Scope], Rowset]] = declared(__name__, __path__, "INNER")


def read_inner_dml(ctx: Context, node: Any, scope: Scope) -> Rowset:
    """A data-changing statement in a WITH clause: a flow of its own in the same process."""
    outer = ctx.builder.flow
    ctx.builder.flow = type(outer)(None)
    if node.args.get("with_") is not None:
        ctx.queries.ctes.read(node.args["with_"], scope)
    result = INNER_DML[node.__class__](ctx, node, scope)
    ctx.builder.flow = outer
    return result
