"""JSON for all three levels."""

from __future__ import annotations

import json
from typing import Any

from connector.errors import ConfigurationError
from connector.export.complete import complete_dict
from connector.export.derived import column_dict, table_dict
from connector.export.view import LEVELS, ExportOptions
from connector.model import Model
from connector.model.levels import ColumnEdge


def to_dict(
    model: Model,
    level: str = "complete",
    options: ExportOptions | None = None,
    edges: list[ColumnEdge] | None = None,
) -> dict[str, Any]:
    """The object of a level as plain data; a JSON Schema of each is in ``connector/export/schemas``.

    `edges` avoids deriving the column level again: for the level ``column`` according to the options, for ``table`` with
    impact.
    """
    options = options or ExportOptions()
    if level == "complete":
        return complete_dict(model, options)
    if level == "column":
        return column_dict(model, options, edges)
    if level == "table":
        return table_dict(model, options, edges)
    raise ConfigurationError(f"unknown level {level!r}: choose one of {', '.join(LEVELS)}")


class JsonExporter:
    name = "json"
    levels = LEVELS

    def render(self, model: Model, level: str, options: ExportOptions) -> str:
        return json.dumps(to_dict(model, level, options), indent=2, ensure_ascii=False) + "\n"
