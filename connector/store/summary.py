"""What a load did."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any


@dataclass(slots=True)
class Counts:
    """How many rows of one kind a load created, updated, removed and left unchanged."""

    created: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0

    def add(self, other: Counts) -> None:
        self.created += other.created
        self.updated += other.updated
        self.removed += other.removed
        self.unchanged += other.unchanged


@dataclass(slots=True)
class LoadSummary:
    """The outcome of one load, by kind of row."""

    run: str
    source: str
    objects: Counts = field(default_factory=Counts)
    columns: Counts = field(default_factory=Counts)
    processes: Counts = field(default_factory=Counts)
    column_edges: Counts = field(default_factory=Counts)
    table_edges: Counts = field(default_factory=Counts)
    descriptions: Counts = field(default_factory=Counts)

    @property
    def kinds(self) -> dict[str, Counts]:
        named = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in named if isinstance(value, Counts)}

    @property
    def total(self) -> Counts:
        total = Counts()
        for counts in self.kinds.values():
            total.add(counts)
        return total

    @property
    def changed(self) -> bool:
        """Whether anything but the record of the run was written."""
        total = self.total
        return bool(total.created or total.updated or total.removed)

    def add(self, other: LoadSummary) -> None:
        """Adds the counts of another part of the same load."""
        for kind, counts in self.kinds.items():
            counts.add(other.kinds[kind])

    def to_dict(self) -> dict[str, Any]:
        return {
            "run": self.run,
            "source": self.source,
            **asdict(self.total),
            **{kind: asdict(counts) for kind, counts in self.kinds.items()},
        }
