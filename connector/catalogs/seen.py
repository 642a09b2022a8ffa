"""What a query log tells about a statement beside its text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

__all__ = ["Seen"]


@dataclass(frozen=True, slots=True)
class Seen:
    """When and how often a statement was seen, where a query log tells."""

    first: datetime | None = None
    last: datetime | None = None
    count: int = 1
