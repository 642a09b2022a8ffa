"""The two levels derived from the complete model: column to column, and table to table."""

from connector.model.levels.both import Levels, ways_of
from connector.model.levels.column import column_level, column_ways
from connector.model.levels.table import StatementFacts, TableEdge, TableLevel, table_level
from connector.model.levels.walk import ColumnEdge
from connector.model.levels.ways import TakenWay, Transformation, Way, Ways

__all__ = [
    "ColumnEdge",
    "Levels",
    "StatementFacts",
    "TableEdge",
    "TableLevel",
    "TakenWay",
    "Transformation",
    "Way",
    "Ways",
    "column_level",
    "column_ways",
    "table_level",
    "ways_of",
]
