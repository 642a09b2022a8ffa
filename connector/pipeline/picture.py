"""The picture of a store: one HTML file with its objects, its edges and what its statements say, literals masked."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, func, select

from connector.export.page import PageColumnEdge, edges_document, render_page
from connector.sql.dialects import get_dialect
from connector.sql.identity import mask_literals
from connector.store.engine import Database
from connector.store.reading.drawing import columns_by_owner, page_object, page_processes, page_table_edges
from connector.store.reading.graph import read_overview
from connector.store.reading.records import Column, StoredStatement, StoreObject
from connector.store.reading.resolving import columns_of
from connector.store.reading.texts import read_texts
from connector.store.store import Store
from connector.store.tables import COLUMN_EDGES, NO_PROCESS

_OBJECTS = 5_000
"""A larger page would be unreadable: the objects with the most edges are shown, and the page says that there are more."""
_COLUMN_EDGES = 50_000
"""A store with more is shown table by table."""
_CARDS = 60
"""With more objects than this the page opens with the tables alone, which a person can take in."""


def store_picture(store: str, title: str) -> str:
    """The page of a whole store, as HTML."""
    Store.open(store, create=False).close()  # upgrades an older one, as every command does
    database = Database(store)
    try:
        with database.reading() as connection:
            overview = read_overview(connection, most=_OBJECTS)
            columns = _columns(connection, overview.objects)
            texts = read_texts(connection, set(overview.statements) - {NO_PROCESS})
            column_edges = _column_edges(connection, columns, overview.statements, texts)
    finally:
        database.close()
    by_owner = columns_by_owner(columns.values())
    document = edges_document(
        title=title,
        objects=[page_object(each, by_owner.get(each.number, ())) for each in overview.objects.values()],
        column_edges=column_edges,
        table_edges=page_table_edges(overview.edges),
        processes=page_processes(overview.statements, {key: _masked(*each) for key, each in texts.items()}),
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
    connection: Connection,
    columns: Mapping[int, Column],
    statements: Mapping[int, StoredStatement],
    texts: Mapping[int, tuple[str, str]],
) -> list[PageColumnEdge]:
    """The edges between the columns that are shown."""
    if not columns:
        return []
    table = COLUMN_EDGES.c
    query = select(
        table.type,
        table.source_id,
        table.target_id,
        table.process_id,
        table.effect_type,
        table.clause_type,
        table.join_type,
        table.condition,
        table.transformation,
        table.expression,
    ).order_by(table.target_id, table.source_id, table.process_id, table.type)
    found = []
    for kind, source, target, process, effect, clause, join_type, condition, made, text in connection.execute(query):
        start, end = columns.get(source), columns.get(target)
        if start is None or end is None or (process != NO_PROCESS and process not in statements):
            continue
        found.append(
            PageColumnEdge(
                kind,
                (start.owner, start.name),
                (end.owner, end.name),
                process or None,
                effect,
                clause,
                join_type=join_type,
                condition=condition,
                transformation=made,
                expression=_masked(text, texts[process][1]) if text is not None and process in texts else None,
            )
        )
    return found


def _masked(text: str, dialect: str) -> str:
    """Text without its literals: the file may go to people who must not see them."""
    return mask_literals(text, get_dialect(dialect))
