"""How many rows a source yielded and how many were skipped, so that nothing is skipped silently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["Tally"]


@dataclass(slots=True)
class Tally:
    """The counts of one read."""

    read: int = 0
    """Statements that were read."""
    truncated: int = 0
    """Among them: texts that the log has truncated."""
    failed: int = 0
    """Rows of failed queries, or that the settings exclude."""
    hidden: int = 0
    """Rows whose text the log does not show."""
    empty: int = 0
    """Rows without a text."""
    unreadable: int = 0
    """Malformed lines."""
    old: int = 0
    """Rows from before the requested time."""

    @property
    def passed_over(self) -> int:
        """Skipped rows, except for those that were read before."""
        return self.failed + self.hidden + self.empty + self.unreadable

    @classmethod
    def of(cls, counts: Mapping[str, Any]) -> Tally:
        """Creates a tally from a mapping, such as the metrics of a Spark observation."""
        return cls(**{field.name: int(counts.get(field.name) or 0) for field in fields(cls)})
