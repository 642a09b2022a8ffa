"""What of a model the store keeps: its derived levels, and what they speak of."""

from __future__ import annotations

from connector.model import Column, Entity, Model, Process
from connector.model.levels import ColumnEdge, TableEdge, column_level, table_level
from connector.store.definitions import find_definitions

__all__ = ["LINKS", "Levels"]

LINKS = frozenset({"join", "er"})
"""Edges that say which columns belong together; no data flows along them."""


class Levels:
    """The derived levels of a model, and the entities, columns and statements at their ends."""

    def __init__(self, model: Model, *, keep_temporaries: bool = False) -> None:
        self.columns: list[ColumnEdge] = column_level(model, keep_temporaries=keep_temporaries)
        flows = [edge for edge in self.columns if edge.type not in LINKS]
        self.tables: list[TableEdge] = table_level(model, keep_temporaries=keep_temporaries, edges=flows).relations
        self.entities: list[Entity] = [
            entity for entity in model.entities if entity.permanent and (keep_temporaries or not entity.temporary)
        ]
        used = {column for edge in self.columns for column in (edge.source, edge.target)}
        self.stored_columns: list[Column] = [
            column
            for entity in self.entities
            for column in entity.columns.values()
            if not column.system or column in used
        ]
        self.definitions = find_definitions(model)
        makers = {edge.process for edge in self.columns}
        self.processes: list[Process] = [
            process for process in model.processes if not process.bare_select or process in makers
        ]
