"""The complete lineage model: plain data, without any behaviour that depends on SQL."""

from connector.model.entities import (
    Argument,
    Column,
    Description,
    Entity,
    Flow,
    Model,
    Problem,
    Procedure,
    Process,
    Relation,
    Span,
)
from connector.model.script import PositionScript, Script
from connector.model.vocabulary import (
    BATCH,
    FAILURES,
    ClauseType,
    EffectType,
    EntityKind,
    ProblemType,
    ProcessType,
    RelationType,
)

__all__ = [
    "BATCH",
    "FAILURES",
    "Argument",
    "ClauseType",
    "Column",
    "Description",
    "EffectType",
    "Entity",
    "EntityKind",
    "Flow",
    "Model",
    "PositionScript",
    "Problem",
    "ProblemType",
    "Procedure",
    "Process",
    "ProcessType",
    "Relation",
    "RelationType",
    "Script",
    "Span",
]
