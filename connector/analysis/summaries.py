"""DuckDB's SUMMARIZE and DESCRIBE as queries: one row for each column of their source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.nodes import everything_from
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column

if TYPE_CHECKING:
    from connector.analysis.query import QueryReader

_DESCRIBED = {
    exp.Describe: "column_name column_type null key default extra".split(),
    exp.Summarize: "column_name column_type".split(),
}
"""What comes from the definition of the columns, not from their values."""

_COMPUTED = "min max approx_unique avg std q25 q50 q75 count null_percentage".split()
"""Of these only `count` looks at no value."""


def read_summary(queries: QueryReader, node: Any, scope: Scope) -> Rowset:
    """The result of SUMMARIZE or DESCRIBE over a table or a query."""
    builder = queries.builder
    inner = node.args["this"]
    if not isinstance(inner, exp.Query):
        inner = everything_from(inner)
    looked_at = queries.derived(inner, scope)
    found = Rowset(builder.resultset("select_list"))
    every: list[Column] = [column for _, column in looked_at.outputs]
    rows = [looked_at.rows(builder)]
    for name in _DESCRIBED[node.__class__]:
        found.outputs.append((name, builder.column(found.entity, name, name, None)))
    for name in _COMPUTED if node.__class__ is exp.Summarize else ():
        column = builder.column(found.entity, name, name, None)
        if name != "count":
            builder.relate("fdd", column, every, "function")
        builder.relate("fdr", column, rows, "function")
        found.outputs.append((name, column))
    builder.finish(found.entity, builder.reach)
    return found
