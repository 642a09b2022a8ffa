"""From a part of the store to the document that the page draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from connector.export.page import (
    PageColumn,
    PageColumnEdge,
    PageObject,
    PageProcess,
    PageTableEdge,
    edges_document,
)
from connector.store.reading import Column, Graph, GraphEdge, Overview, Statement, StoreObject
from connector.store.tables import NO_PROCESS

__all__ = ["graph_document", "overview_document"]


def graph_document(graph: Graph, texts: Mapping[int, str | None]) -> dict[str, Any]:
    """The lineage around an object; `texts` holds what may be shown of the statements."""
    start = graph.start_column or graph.start
    by_owner: dict[int, list[Column]] = {}
    for column in graph.columns.values():
        by_owner.setdefault(column.owner, []).append(column)
    names = {number: (column.owner, column.name) for number, column in graph.columns.items()}
    document = edges_document(
        title=start.qualified_name,
        objects=[_object(each, by_owner.get(each.number, ())) for each in graph.objects.values()],
        column_edges=[
            PageColumnEdge(
                edge.type,
                names[edge.source],
                names[edge.target],
                edge.process or None,
                edge.effect,
                edge.clause,
                join_type=edge.join_type,
                condition=edge.condition,
            )
            for edge in graph.column_edges
        ],
        table_edges=_table_edges(graph.table_edges),
        processes=_processes(graph.statements, texts),
        truncated=graph.truncated,
    )
    document["start"] = {"id": str(start.number), "kind": graph.start.kind, "qualifiedName": graph.start.qualified_name}
    if graph.start_column is not None:
        document["start"]["column"] = graph.start_column.name
    return document


def overview_document(overview: Overview, title: str) -> dict[str, Any]:
    """The whole store, without the texts of its statements."""
    return edges_document(
        title=title,
        objects=[_object(each, ()) for each in overview.objects.values()],
        table_edges=_table_edges(overview.edges),
        processes=_processes(overview.statements, {}),
        level="table",
        truncated=overview.truncated,
    ) | {"total": overview.total}


def _object(found: StoreObject, columns: Iterable[Column]) -> PageObject:
    place = found.place
    return PageObject(
        found.number,
        "table" if found.kind == "pseudoTable" else found.kind,
        place.name,
        place.database,
        place.schema,
        found.qualified_name,
        [PageColumn(column.name, system=column.is_rows) for column in columns],
        uri=place.name if found.kind == "path" else None,
    )


def _table_edges(edges: Iterable[GraphEdge]) -> list[PageTableEdge]:
    return [PageTableEdge(edge.type, edge.source, edge.target, edge.process or None) for edge in edges]


def _processes(statements: Mapping[int, Statement], texts: Mapping[int, str | None]) -> list[PageProcess]:
    return [
        PageProcess(
            statement.number,
            statement.type,
            statement.hash,
            statement.procedure,
            texts.get(number),
            statement.users,
            statement.first_seen,
            statement.last_seen,
            statement.count,
            statement.origin,
        )
        for number, statement in statements.items()
        if number != NO_PROCESS
    ]
