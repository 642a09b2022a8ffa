"""The two levels derived from the complete model: column to column, and table to table."""

from connector.model.levels.column import column_level, column_ways
from connector.model.levels.table import StatementFacts, TableEdge, TableLevel, table_level
from connector.model.levels.walk import ColumnEdge
from connector.model.levels.ways import Transformation, Way, Ways

__all__ = [
    "ColumnEdge",
    "StatementFacts",
    "TableEdge",
    "TableLevel",
    "Transformation",
    "Way",
    "Ways",
    "column_level",
    "column_ways",
    "table_level",
]
