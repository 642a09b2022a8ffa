"""What a load did, as figures and as a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

__all__ = ["Counts", "Failure", "Summary"]


@dataclass(slots=True)
class Counts:
    """Entities of one kind."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    missing: int = 0
    """The mapping does not create them, and the catalog does not have them."""
    failed: int = 0

    def __iadd__(self, other: Counts) -> Counts:
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))
        return self


@dataclass(frozen=True, slots=True)
class Failure:
    """An entity that the catalog did not take."""

    type: str
    name: str
    reason: str


@dataclass(slots=True)
class Summary:
    """What a load did."""

    counts: dict[str, Counts] = field(default_factory=dict)
    """By type."""
    failures: list[Failure] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)
    """Type and name of what the catalog does not have and the mapping does not create."""
    notes: list[str] = field(default_factory=list)
    requests: int = 0
    seconds: float = 0.0

    def of(self, type_name: str) -> Counts:
        return self.counts.setdefault(type_name, Counts())

    @property
    def total(self) -> Counts:
        total = Counts()
        for counts in self.counts.values():
            total += counts
        return total

    @property
    def changed(self) -> bool:
        total = self.total
        return bool(total.created or total.updated or total.removed)

    def to_dict(self) -> dict[str, object]:
        """For machines."""
        return {
            "total": _figures(self.total),
            "types": {name: _figures(counts) for name, counts in self.counts.items()},
            "failures": [{"type": each.type, "name": each.name, "reason": each.reason} for each in self.failures],
            "missing": [{"type": kind, "name": name} for kind, name in self.missing],
            "notes": self.notes,
            "seconds": round(self.seconds, 3),
        }

    def table(self) -> str:
        """For people."""
        heads = [each.name for each in fields(Counts)]
        rows = [[name, *_cells(counts)] for name, counts in self.counts.items()]
        rows.append(["total", *_cells(self.total)])
        wide = max([len(row[0]) for row in rows] + [4])
        lines = [_line("type", heads, wide), *(_line(row[0], row[1:], wide) for row in rows)]
        lines.insert(-1, "-" * len(lines[0]))
        return "\n".join(lines)


def _figures(counts: Counts) -> dict[str, int]:
    return {each.name: getattr(counts, each.name) for each in fields(counts)}


def _cells(counts: Counts) -> list[str]:
    return [f"{value:,}" if value else "-" for value in _figures(counts).values()]


def _line(name: str, cells: Iterable[str], wide: int) -> str:
    return f"{name:<{wide}}" + "".join(f"{cell:>11}" for cell in cells)
