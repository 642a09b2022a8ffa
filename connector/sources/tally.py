"""How many rows a source gave, and how many were passed over, so that nothing is left out silently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """Counts of one reading."""

    read: int = 0
    """Statements that were given on."""
    truncated: int = 0
    """Among them: texts that the log has cut off."""
    failed: int = 0
    """Rows of queries that failed, or that do not count by the settings."""
    hidden: int = 0
    """Rows whose text the log does not show."""
    empty: int = 0
    """Rows without a text."""
    unreadable: int = 0
    """Lines that are no row."""
    old: int = 0
    """Rows from before the time from which on was asked."""

    @property
    def passed_over(self) -> int:
        """Rows that were not given on, except for those that are known from before."""
        return self.failed + self.hidden + self.empty + self.unreadable

    @classmethod
    def of(cls, counts: Mapping[str, Any]) -> Tally:
        """From a mapping, such as the metrics of a Spark observation."""
        return cls(**{field.name: int(counts.get(field.name) or 0) for field in fields(cls)})
