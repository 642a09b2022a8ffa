"""The content of a store as the page displays it: the document for the server, and one HTML file of a whole store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from connector.export.page import (
    PageColumn,
    PageColumnEdge,
    PageObject,
    PageProcess,
    PageTableEdge,
    edges_document,
    render_page,
)
from connector.store.engine import Database
from connector.store.reading.details import Texts, read_texts
from connector.store.reading.graph import edges_query, read_overview
from connector.store.reading.records import Column, GraphEdge, StoredStatement, StoreObject
from connector.store.reading.resolving import columns_of
from connector.store.store import Store
from connector.store.tables import COLUMN_EDGES, NO_PROCESS

_OBJECTS = 5_000
"""A larger page would be unreadable: the objects with the most edges are shown, and the page says that there are more."""
_COLUMN_EDGES = 50_000
"""A store with more is shown table by table."""
_CARDS = 60
"""With more objects than this the page opens with the tables alone, which a person can take in."""


def store_document(
    title: str,
    objects: Iterable[StoreObject],
    table_edges: Iterable[GraphEdge],
    statements: Mapping[int, StoredStatement],
    *,
    columns: Mapping[int, Column] | None = None,
    column_edges: Iterable[GraphEdge] = (),
    texts: Mapping[int, tuple[str, str]] | None = None,
    shown: Texts | None = None,
    level: str | None = None,
    truncated: bool = False,
) -> dict[str, Any]:
    """The data of the page. `texts` has the texts of statements with their dialects, and `shown` what may be shown of them."""
    columns, texts, shown = columns or {}, texts or {}, shown or Texts(show_literals=False)
    by_owner: dict[int, list[PageColumn]] = {}
    for column in columns.values():
        described = PageColumn(column.name, column.is_rows, column.data_type, column.comment)
        by_owner.setdefault(column.owner, []).append(described)
    return edges_document(
        title=title,
        objects=[_page_object(each, by_owner.get(each.number, [])) for each in objects],
        column_edges=[
            PageColumnEdge(
                edge.type,
                (columns[edge.source].owner, columns[edge.source].name),
                (columns[edge.target].owner, columns[edge.target].name),
                edge.process or None,
                edge.effect,
                edge.clause,
                join_type=edge.join_type,
                condition=edge.condition,
                transformation=edge.transformation,
                expression=shown.shown(edge.expression, texts[edge.process][1]) if edge.process in texts else None,
            )
            for edge in column_edges
        ],
        table_edges=[PageTableEdge(edge.type, edge.source, edge.target, edge.process or None) for edge in table_edges],
        processes=[
            PageProcess(
                statement.number,
                statement.type,
                statement.hash,
                statement.procedure,
                shown.shown(*texts[number]) if number in texts else None,
                statement.users,
                statement.first_seen,
                statement.last_seen,
                statement.count,
                statement.origin,
            )
            for number, statement in statements.items()
            if number != NO_PROCESS
        ],
        level=level,
        truncated=truncated,
    )


def _page_object(found: StoreObject, columns: list[PageColumn]) -> PageObject:
    place = found.place
    return PageObject(
        found.number,
        "table" if found.kind == "pseudoTable" else found.kind,
        place.name,
        place.database,
        place.schema,
        found.qualified_name,
        columns,
        uri=place.name if found.kind == "path" else None,
        comment=found.comment,
    )


def store_picture(store: str, title: str) -> str:
    """The page of a whole store, as HTML. Literals are masked: the file may go to people who must not see them."""
    Store.open(store, create=False).close()  # upgrades an older one, as every command does
    database = Database(store)
    try:
        with database.reading() as connection:
            overview = read_overview(connection, most=_OBJECTS)
            columns = _columns(connection, overview.objects)
            texts = read_texts(connection, set(overview.statements) - {NO_PROCESS})
            column_edges = _column_edges(connection, columns, overview.statements) if columns else []
    finally:
        database.close()
    document = store_document(
        title,
        overview.objects.values(),
        overview.edges,
        overview.statements,
        columns=columns,
        column_edges=column_edges,
        texts=texts,
        level="column" if column_edges and len(overview.objects) <= _CARDS else "table",
        truncated=overview.truncated,
    )
    return render_page(document)


def _columns(connection: Connection, objects: Mapping[int, StoreObject]) -> dict[int, Column]:
    edges = connection.execute(select(func.count()).select_from(COLUMN_EDGES)).scalar_one()
    if edges > _COLUMN_EDGES:
        return {}
    return {column.number: column for column in columns_of(connection, list(objects))}


def _column_edges(
    connection: Connection, columns: Mapping[int, Column], statements: Mapping[int, StoredStatement]
) -> list[GraphEdge]:
    """The edges between the columns that are shown."""
    table = COLUMN_EDGES.c
    query = edges_query(COLUMN_EDGES).order_by(table.target_id, table.source_id, table.process_id, table.type)
    edges = (GraphEdge(*row) for row in connection.execute(query))
    return [
        edge
        for edge in edges
        if edge.source in columns
        and edge.target in columns
        and (edge.process == NO_PROCESS or edge.process in statements)
    ]
