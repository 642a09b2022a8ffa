"""The container of one complete lineage model."""

from __future__ import annotations

from dataclasses import dataclass, field

from connector.model.entities import Entity, Problem, Procedure, Process, Relation
from connector.model.script import Script

__all__ = ["Model"]


@dataclass(slots=True, eq=False)
class Model:
    """Everything found in a set of scripts, in order of first occurrence."""

    vendor: str
    """The specification's name of the dialect, such as `dbvoracle`."""
    layers: int = 3
    """The number of parts of a table name in this dialect: 2 for database.table, 3 for database.schema.table."""
    default_schema: str = "default"
    """The name of a missing schema: `dbo` in the SQL Server family."""
    cluster: str = "default"
    scripts: list[Script] = field(default_factory=list)
    processes: list[Process] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    procedures: list[Procedure] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
