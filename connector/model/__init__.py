"""The complete lineage model: plain data, without any behaviour that depends on SQL."""

from connector.model.entities import (
    Argument,
    Column,
    Description,
    Entity,
    EntityKind,
    Flow,
    Problem,
    Procedure,
    Process,
    Relation,
    Span,
)
from connector.model.model import Model
from connector.model.script import PositionScript, Script

__all__ = [
    "Argument",
    "Column",
    "Description",
    "Entity",
    "EntityKind",
    "Flow",
    "Model",
    "PositionScript",
    "Problem",
    "Procedure",
    "Process",
    "Relation",
    "Script",
    "Span",
]
