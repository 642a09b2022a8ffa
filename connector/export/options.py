"""The levels, and the options of the exports under the name they have here."""

from __future__ import annotations

from typing import Literal

from connector.options import Switches as ExportOptions

__all__ = ["LEVELS", "ExportOptions", "Level"]

Level = Literal["complete", "column", "table"]
LEVELS: tuple[Level, ...] = ("complete", "column", "table")
