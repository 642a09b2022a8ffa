"""The two levels that are derived from the complete model: column to column, and table to table."""

from connector.model.levels.column import ColumnEdge, column_level
from connector.model.levels.table import StatementFacts, TableEdge, TableLevel, table_level

__all__ = ["ColumnEdge", "StatementFacts", "TableEdge", "TableLevel", "column_level", "table_level"]
