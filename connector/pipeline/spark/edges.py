"""The levels as tables of their own: one row for each edge, its ends by name.

The workers derive the levels, because that takes the whole model of a unit at once and no other unit. What is left to do
here is to put names in place of numbers and to leave out what several units have found alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import Observation
from pyspark.sql import functions as sf

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["write_edges"]

_END = "IF(e.process < 0, NULL, statements[e.process].{0})"
_COLUMN_EDGES = f"""
inline(transform(column_edges, e -> struct(
    e.type AS type,
    objects[object_columns[e.source].object].name AS source_table,
    object_columns[e.source].name AS source,
    objects[object_columns[e.target].object].name AS target_table,
    object_columns[e.target].name AS target,
    e.effect AS effect,
    e.clause AS clause,
    e.join_type AS join_type,
    e.condition AS condition,
    {_END.format("name")} AS process,
    {_END.format("identity")} AS identity
)))
"""
_TABLE_EDGES = f"""
inline(transform(table_edges, e -> struct(
    e.type AS type,
    objects[e.source].name AS source,
    objects[e.source].type AS source_kind,
    objects[e.target].name AS target,
    objects[e.target].type AS target_kind,
    {_END.format("name")} AS process,
    {_END.format("identity")} AS identity
)))
"""


def write_edges(units: DataFrame, folders: Mapping[str, Path]) -> tuple[int, int]:
    """Write the edges of both levels; how many there are."""
    return (
        _write(
            units.select("objects", "object_columns", "statements", "column_edges"),
            _COLUMN_EDGES,
            folders["column_edges"],
        ),
        _write(units.select("objects", "statements", "table_edges"), _TABLE_EDGES, folders["table_edges"]),
    )


def _write(units: DataFrame, expression: str, folder: Path) -> int:
    observation = Observation()
    edges = units.where("objects IS NOT NULL").selectExpr(expression).distinct()
    edges.observe(observation, sf.count("*").alias("edges")).write.mode("overwrite").parquet(folder.as_uri())
    return int(observation.get["edges"])
