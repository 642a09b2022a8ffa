"""The names of a trace, taken apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from connector.naming import join_name, parse_name
from connector.store.trace import Trace, TraceNode

__all__ = ["End", "end_of", "short_names"]


class End(NamedTuple):
    """Where a table or column belongs. The table of a path is its URI."""

    database: str | None
    schema: str | None
    table: str
    column: str | None


def end_of(node: TraceNode, *, is_column: bool) -> End:
    *owner, last = parse_name(node.qualified_name).parts
    column = None
    if is_column and owner:
        column, last = last, owner.pop()
    database = owner[0] if owner else None
    schema = owner[1] if len(owner) > 1 else None
    return End(database, schema, last, column)


def short_names(trace: Trace) -> dict[str, str]:
    """Names by qualified name for people: without the cluster, when all of them live on the same one."""
    return _shorten([trace.name, *(node.qualified_name for node in (*trace.starts, *trace.nodes))])


def _shorten(names: Iterable[str]) -> dict[str, str]:
    known = {name: parse_name(name).cluster for name in names}
    clusters = set(known.values())
    if len(clusters) > 1:
        return {name: name for name in known}
    return {
        name: name.removesuffix(join_name([], cluster)) if cluster is not None else name
        for name, cluster in known.items()
    }
