"""Reads MATCH_RECOGNIZE: a rowset of its measures and the columns it partitions by."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from connector.analysis.names import NameResolver
from connector.analysis.nodes import BASE
from connector.analysis.pivots import let_through
from connector.analysis.rowset import Rowset
from connector.analysis.scope import Scope
from connector.model import Column

if TYPE_CHECKING:
    from connector.analysis.sources import SourceReader


def read_match(sources: SourceReader, match: Any, scope: Scope) -> None:
    """MATCH_RECOGNIZE makes a new rowset of its measures and the columns it partitions by."""
    builder = sources.builder
    entity = builder.resultset("select_list")
    found = Rowset(entity)
    args = _without_variables(match, scope, sources.names, sources.expressions.statement.tokens).args
    impacts: dict[Column, None] = {}
    for item in args.get("partition_by") or ():
        for column in sources.expressions.columns(item, scope):
            sources.queries.direct_output(found, sources.names.key_of(column.name), column.name, column.span, column)
            impacts[column] = None
    for part in ("order", "define"):
        for item in args.get(part) if isinstance(args.get(part), list) else [args.get(part)]:
            if isinstance(item, BASE):
                impacts.update(sources.expressions.columns(item, scope))
    for measure in args.get("measures") or ():
        inner = measure.args["this"]
        if inner.__class__ is exp.Alias:
            identifier = inner.args["alias"]
            column = builder.column(entity, sources.names.key(identifier), sources.names.written(identifier), None)
            builder.relate("fdd", column, sources.expressions.columns(inner.args["this"], scope), "select")
            found.outputs.append((sources.names.key(identifier), column))
    if impacts:
        builder.relate("fdr", builder.rows(entity), impacts, "select", "where")
    if str(args.get("rows") or "").upper().startswith("ALL"):
        # ALL ROWS PER MATCH keeps the columns of each row.
        for source in list(scope.sources.values()):
            let_through(sources, source, found, {name for name, _ in found.outputs})
    alias = args.get("alias")
    key = sources.names.key(alias.args["this"]) if alias is not None and alias.args.get("this") else f"\0{entity.id}"
    scope.clear()
    scope.add(key, found)
    builder.finish(entity, builder.reach)


def _without_variables(match: Any, scope: Scope, names: NameResolver, tokens: list[Token]) -> Any:
    """MATCH_RECOGNIZE with plain columns: in ``LAST(down.price)`` and ``CLASSIFIER(u)``, a variable of the pattern says which
    row is meant, not which column."""
    pattern = match.args.get("pattern")
    words = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in pattern.name) if pattern else ""
    subsets = [following.text for token, following in pairwise(tokens) if token.text.upper() == "SUBSET"]
    variables = {names.key_of(name) for name in (*words.split(), *subsets)} - scope.sources.keys()
    found = match.copy()
    for column in list(found.find_all(exp.Column)):
        qualifier, call = column.args.get("table"), column.parent
        if qualifier is not None and column.args.get("db") is None and names.key(qualifier) in variables:
            column.set("table", None)
        elif call.__class__ is exp.Anonymous and call.name.upper() == "CLASSIFIER":
            call.set("expressions", [])
    return found
