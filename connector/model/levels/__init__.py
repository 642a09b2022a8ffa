"""The two levels derived from the complete model: column to column, and table to table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from connector.model.entities import Model
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


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The levels of one model, impact included, without joins."""

    columns: list[ColumnEdge]
    tables: TableLevel
    ways: Ways
    """How each written column is computed, also where no edge says so."""

    @classmethod
    def of(cls, model: Model, *, keep_temporaries: bool = False) -> Levels:
        """Derive them."""
        columns = column_level(model, joins=False, keep_temporaries=keep_temporaries)
        tables = table_level(model, keep_temporaries=keep_temporaries, edges=columns)
        return cls(columns, tables, ways_of(model, columns, keep_temporaries=keep_temporaries))


def ways_of(model: Model, edges: Iterable[ColumnEdge], *, keep_temporaries: bool) -> Ways:
    """The paths of a column level: its edges know them, where there are any."""
    known = next((edge.level for edge in edges if edge.level is not None), None)
    return known if known is not None else column_ways(model, keep_temporaries=keep_temporaries)
