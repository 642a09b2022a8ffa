"""Queries on a store: objects by name, the details of a table, the lineage around it, the impact of a change.

Everything here is read-only. The results are plain records; displaying them is up to the caller.
"""

from connector.store.reading.records import (
    Column,
    ColumnHit,
    Found,
    Graph,
    GraphEdge,
    Impact,
    ImpactedColumn,
    ImpactedObject,
    ObjectHit,
    ObjectPage,
    Overview,
    Place,
    StatementPage,
    StoredStatement,
    StoreObject,
)

__all__ = [
    "Column",
    "ColumnHit",
    "Found",
    "Graph",
    "GraphEdge",
    "Impact",
    "ImpactedColumn",
    "ImpactedObject",
    "ObjectHit",
    "ObjectPage",
    "Overview",
    "Place",
    "StatementPage",
    "StoreObject",
    "StoredStatement",
]
