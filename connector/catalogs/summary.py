"""What a load did, as figures and as a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TextIO

from connector.errors import cannot_write

_SHOWN = 3


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
    lacking: bool = False
    """It was not refused: the catalog lacks what it leads to, which the summary lists as missing."""


@dataclass(slots=True)
class Summary:
    """What a load did."""

    counts: dict[str, Counts] = field(default_factory=dict)
    """By type."""
    failures: list[Failure] = field(default_factory=list)
    missing: list[tuple[str, str]] = field(default_factory=list)
    """Type and name of what the catalog does not have and the mapping does not create."""
    wanted_by: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """Of what is missing, the lineage that wanted it."""
    lineage_types: set[str] = field(default_factory=set)
    """Which of the types are lineage and not objects, in a catalog that counts the two apart."""
    unattached: list[str] = field(default_factory=list)
    """Where lineage was not written because an end of it is missing: file, line, statement and what is missing."""
    notes: list[str] = field(default_factory=list)
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
    def parts(self) -> dict[str, Counts]:
        """The total, or objects and lineage apart where adding them up says nothing."""
        if not self.lineage_types:
            return {"total": self.total}
        found = {"objects": Counts(), "lineage": Counts()}
        for name, counts in self.counts.items():
            found["lineage" if name in self.lineage_types else "objects"] += counts
        return found

    def miss(self, type_name: str, name: str, wanted_by: Iterable[str] = ()) -> None:
        """Something is missing: counted once, with all the lineage that wanted it."""
        key = (type_name, name)
        if key not in self.wanted_by:
            self.missing.append(key)
            self.of(type_name).missing += 1
            self.wanted_by[key] = []
        self.wanted_by[key].extend(each for each in wanted_by if each not in self.wanted_by[key])

    def missing_lines(self) -> Iterator[str]:
        """A line for each thing that is missing."""
        for type_name, name in self.missing:
            wanting = self.wanted_by.get((type_name, name), [])
            yield f"{type_name} {name}" + (f", wanted by {_some(wanting)}" if wanting else "")

    @property
    def changed(self) -> bool:
        total = self.total
        return bool(total.created or total.updated or total.removed)

    def to_dict(self) -> dict[str, object]:
        """For machines."""
        return {
            "total": asdict(self.total),
            "types": {name: asdict(counts) for name, counts in self.counts.items()},
            "failures": [{"type": each.type, "name": each.name, "reason": each.reason} for each in self.failures],
            **({part: asdict(counts) for part, counts in self.parts.items()} if self.lineage_types else {}),
            "missing": [
                {"type": kind, "name": name, "wanted_by": self.wanted_by.get((kind, name), [])}
                for kind, name in self.missing
            ],
            "unattached": self.unattached,
            "notes": self.notes,
            "seconds": round(self.seconds, 3),
        }

    def table(self) -> str:
        """For people."""
        heads = [each.name for each in fields(Counts)]
        rows = [[name, *_cells(counts)] for name, counts in self.counts.items()]
        sums = [[name, *_cells(counts)] for name, counts in self.parts.items()]
        rows += sums
        wide = max([len(row[0]) for row in rows] + [4])
        lines = [_line("type", heads, wide), *(_line(row[0], row[1:], wide) for row in rows)]
        lines.insert(-len(sums), "-" * len(lines[0]))
        return "\n".join(lines)


def _cells(counts: Counts) -> list[str]:
    return [f"{value:,}" if value else "-" for value in asdict(counts).values()]


def _line(name: str, cells: Iterable[str], wide: int) -> str:
    return f"{name:<{wide}}" + "".join(f"{cell:>11}" for cell in cells)


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN:,} more"


class DeadLetters:
    """Written as failures happen, so that a killed run leaves them too. Without failures there is no file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stream: TextIO | None = None
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(file, error) from error

    def __enter__(self) -> DeadLetters:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def add(self, type_name: str, name: str, reason: str, entity: Any) -> None:
        if self._stream is None:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self._file.open("w", encoding="utf-8")
            except OSError as error:
                raise cannot_write(self._file, error) from error
        letter = {"type": type_name, "qualifiedName": name, "reason": reason, "entity": entity}
        self._stream.write(json.dumps(letter, ensure_ascii=False) + "\n")
        self._stream.flush()
