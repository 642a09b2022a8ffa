"""What a server should hold after a run, from the exported levels of the model alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from connector.lineage import Lineage
from connector.naming import bare_name

__all__ = ["Edges", "End", "Name", "ends_of", "expected_edges", "fqn", "in_words", "name_of"]

End = dict[str, Any]
Name = tuple[str, ...]
"""From the service to the table."""
Edges = dict[tuple[str, str], set[tuple[str, str]]]
"""For each edge, by the names of its ends, the pairs of columns."""

_ROWS = ("PseudoRows", "RelationRows")
_WORDS = {
    '"': "__reserved__quote__",
    ">": "__reserved__arrow__",
    "::": "__reserved__colon__",
    "\n": "__reserved__newline__",
    "\r": "__reserved__carriage_return__",
    "\t": "__reserved__tab__",
}


def in_words(name: str) -> str:
    """A name with what the server forbids written as the ingestion client writes it."""
    return re.sub('::|[">\n\r\t]', lambda found: _WORDS[found[0]], name)


def fqn(parts: Name) -> str:
    return ".".join(f'"{part}"' if "." in part else part for part in parts)


def name_of(end: End, service: str) -> Name:
    """Where a table stands: a dialect without schemas has its databases as schemas of `default`."""
    if end["schema"] is None:
        layers = ("default", end["database"])
    else:
        layers = (end["database"], end["schema"])
    return tuple(in_words(part) for part in (service, *layers, end["table"]))


def ends_of(lineage: Lineage) -> Iterator[End]:
    """The tables and columns at the ends of all relations."""
    for level in ("table", "column"):
        for relation in lineage.to_dict(level)["relations"]:
            yield from (end for end in (relation["source"], relation["target"]) if _are_tables(end))


def expected_edges(lineage: Lineage, service: str) -> Edges:
    """The edges between tables with the pairs of columns that data flows between."""
    edges: Edges = {}
    functions = {bare_name(entity) for entity in lineage.model.entities if entity.sub_type == "function"}
    for relation in lineage.to_dict("table")["relations"]:
        source, target = relation["source"], relation["target"]
        if source["table"] in functions:
            continue  # what a function returns is a table in the model, and none in a catalog
        if _are_tables(source, target) and relation["type"] in ("fdd", "fdr"):
            edges.setdefault((fqn(name_of(source, service)), fqn(name_of(target, service))), set())
    for relation in lineage.to_dict("column", impact=False)["relations"]:
        source, target = relation["source"], relation["target"]
        if not _are_tables(source, target):
            continue
        pair = fqn(name_of(source, service)), fqn(name_of(target, service))
        if relation["type"] == "fdd" and pair in edges and not {source["column"], target["column"]} & {*_ROWS, "*"}:
            columns = (fqn((in_words(end["column"]),)) for end in (source, target))
            edges[pair].add(tuple(columns))  # type: ignore[arg-type]
    return edges


def _are_tables(*ends: End) -> bool:
    """Real ones: not paths or stages, and not what the model has for columns of no table; that is in no database."""
    return all(end["kind"] in ("table", "view") and end["database"] for end in ends)
