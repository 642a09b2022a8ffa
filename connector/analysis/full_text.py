"""SQL Server's full-text and semantic search in FROM: `CONTAINSTABLE(documents, (title, body), 'words')`.

The first argument is a table and the second a list of its columns: neither is a value of the tables around.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.analysis.table_functions import function_call
from connector.model import Column

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader

__all__ = ["read_search"]

_OUTPUTS = {
    "CONTAINSTABLE": ("key", "rank"),
    "FREETEXTTABLE": ("key", "rank"),
    "SEMANTICKEYPHRASETABLE": ("column_id", "document_key", "keyphrase", "score"),
    "SEMANTICSIMILARITYDETAILSTABLE": ("keyphrase", "score"),
    "SEMANTICSIMILARITYTABLE": ("source_column_id", "matched_column_id", "matched_document_key", "score"),
}
_COMPUTED = ("rank", "keyphrase", "score")
"""Columns made from the text that is searched. The others say which row or column it stands in."""


def read_search(sources: SourceReader, node: Any, scope: Scope) -> Rowset | None:
    """The rows that a search finds; None for any other function."""
    _, call = function_call(node)
    outputs = _OUTPUTS.get(str(call.args["this"]).upper()) if call.__class__ is exp.Anonymous else None
    arguments = call.args.get("expressions") or []
    if outputs is None or len(arguments) < 2 or arguments[0].__class__ is not exp.Column:
        return None
    builder, names = sources.builder, sources.names
    parts = [arguments[0].args.get(part) for part in ("this", "table", "db")]
    searched = exp.Table(
        **{place: part.copy() for place, part in zip(("this", "db", "catalog"), parts, strict=True) if part is not None}
    )
    table = sources.base_table(searched)
    builder.flow.sources[table.entity] = None
    inner = Scope(None, scope)
    inner.add(names.key(searched.args["this"]), table)
    looked_at: list[Column] = []
    for item in arguments[1].args.get("expressions") or [arguments[1]]:
        if item.__class__ is exp.Star:
            looked_at.extend(names.whole_row(table))
        else:
            looked_at.extend(sources.expressions.columns(item, inner))
    found = Rowset(builder.resultset("function", names.span(call)))
    for name in outputs:
        column = builder.column(found.entity, names.key_of(name), name, None)
        if name in _COMPUTED:
            builder.relate("fdd", column, looked_at, "function")
        found.outputs.append((names.key_of(name), column))
    builder.relate("fdr", builder.rows(found.entity), looked_at, "function", "where")
    builder.finish(found.entity, builder.reach)
    return found
