"""What the settings define for all statements of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connector.sources.logs.rows import Place
from connector.sources.record import Defaults

if TYPE_CHECKING:
    from connector.sources.models import LogSource

__all__ = ["asked_columns", "place_of"]


def place_of(source: LogSource, defaults: Defaults) -> Place:
    """What all statements of a log have in common."""
    from connector.sources.logs.presets import load_preset

    preset = load_preset(source.preset) if source.preset else None
    name = source.name or source.place
    return Place(
        origin=name,
        source=name,
        dialect=source.dialect or (preset.dialect if preset else None) or defaults.dialect,
        database=source.default_database or defaults.database,
        schema=source.default_schema or defaults.schema,
        cluster=source.cluster or defaults.cluster,
    )


def asked_columns(source: LogSource) -> frozenset[str]:
    """The columns that the settings map explicitly. A column of a preset may be missing from an export, but a missing column
    of the settings is a mistake."""
    return frozenset(source.columns.model_fields_set) if "columns" in source.model_fields_set else frozenset()
