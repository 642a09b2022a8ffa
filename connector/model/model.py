"""The container of one complete lineage model."""

from __future__ import annotations

from dataclasses import dataclass, field

from connector.model.entities import Entity, Problem, Procedure, Process, Relation
from connector.model.script import Script

__all__ = ["Model"]


@dataclass(slots=True, eq=False)
class Model:
    """All that was found in a set of scripts, in order of first appearance."""

    vendor: str
    """The reference's name of the dialect, `dbvoracle` and the like."""
    layers: int = 3
    """How many layers a table name has in this dialect: 2 is database.table, 3 is database.schema.table."""
    default_schema: str = "default"
    """What a missing schema is called: `dbo` in the SQL Server family."""
    cluster: str = "default"
    scripts: list[Script] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
