"""What people look up in a store: objects by name, the page of a table, lineage around it, the impact of a change.

Everything here reads. The answers are plain records; how they are shown is the business of whoever asks.
"""

from connector.store.reading.reader import StoreReader, TooSlowError
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
    Statement,
    StatementPage,
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
    "Statement",
    "StatementPage",
    "StoreObject",
    "StoreReader",
    "TooSlowError",
]
