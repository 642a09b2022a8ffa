"""From a part of the store to the document that the page draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from connector.export.page import PageColumnEdge, edges_document
from connector.store.reading.drawing import columns_by_owner, page_object, page_processes, page_table_edges
from connector.store.reading.records import Graph, GraphEdge, Overview

__all__ = ["graph_document", "overview_document"]


def graph_document(
    graph: Graph, texts: Mapping[int, str | None], shown: Callable[[GraphEdge], str | None]
) -> dict[str, Any]:
    """The lineage around an object; `texts` and `shown` give what may be shown of statements and of expressions."""
    start = graph.start_column or graph.start
    by_owner = columns_by_owner(graph.columns.values())
    names = {number: (column.owner, column.name) for number, column in graph.columns.items()}
    document = edges_document(
        title=start.qualified_name,
        objects=[page_object(each, by_owner.get(each.number, ())) for each in graph.objects.values()],
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
                transformation=edge.transformation,
                expression=shown(edge),
            )
            for edge in graph.column_edges
        ],
        table_edges=page_table_edges(graph.table_edges),
        processes=page_processes(graph.statements, texts),
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
        objects=[page_object(each) for each in overview.objects.values()],
        table_edges=page_table_edges(overview.edges),
        processes=page_processes(overview.statements, {}),
        level="table",
        truncated=overview.truncated,
    ) | {"total": overview.total}
