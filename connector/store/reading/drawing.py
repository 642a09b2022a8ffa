"""The content of the store in the form that the page displays: for the file that a run writes, and for the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from connector.export.page import PageColumn, PageObject, PageProcess, PageTableEdge
from connector.store.reading.records import Column, GraphEdge, StoredStatement, StoreObject
from connector.store.tables import NO_PROCESS


def columns_by_owner(columns: Iterable[Column]) -> dict[int, list[Column]]:
    """The columns of each object, in order."""
    found: dict[int, list[Column]] = {}
    for column in columns:
        found.setdefault(column.owner, []).append(column)
    return found


def page_object(found: StoreObject, columns: Iterable[Column] = ()) -> PageObject:
    """A card."""
    place = found.place
    return PageObject(
        found.number,
        "table" if found.kind == "pseudoTable" else found.kind,
        place.name,
        place.database,
        place.schema,
        found.qualified_name,
        [PageColumn(column.name, column.is_rows, column.data_type, column.comment) for column in columns],
        uri=place.name if found.kind == "path" else None,
        comment=found.comment,
    )


def page_table_edges(edges: Iterable[GraphEdge]) -> list[PageTableEdge]:
    """Lines from card to card."""
    return [PageTableEdge(edge.type, edge.source, edge.target, edge.process or None) for edge in edges]


def page_processes(statements: Mapping[int, StoredStatement], texts: Mapping[int, str | None]) -> list[PageProcess]:
    """The statements behind the lines; `texts` contains what may be shown of them."""
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
