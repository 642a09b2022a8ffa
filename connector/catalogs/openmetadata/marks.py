"""The marks in an edge's description, by which a later run knows what is ours in it.

An edge is one record on the server, and several of our sources, other tools and people may all have a part in it. Each of
our sources leaves one line: its name, the queryHashIds of its statements, its routines, and a short hash of every pair of
columns that it wrote. What no line claims belongs to others and is never touched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import md5

__all__ = ["Mark", "read_marks", "way_hash", "write_marks"]

_LINE = re.compile(
    r'^lineage-connector, source (?P<source>"(?:[^"\\\n]|\\.)*"): statements (?P<statements>-|[0-9a-f, ]+)'
    r"(?: and (?P<more>\d+) more)?(?:; routines (?P<routines>\[[^\n]*?\]))?(?:; columns (?P<ways>[0-9a-f ]+))?"
    r"(?P<shared>; beside others)?$",
    re.M,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """The part of one of our sources in an edge."""

    source: str
    statements: tuple[str, ...] = ()
    more: int = 0
    """How many statements there are beside those."""
    routines: tuple[str, ...] = ()
    """Fully qualified names."""
    ways: frozenset[str] = frozenset()
    """Hashes of the pairs of columns with their functions."""
    shared: bool = False
    """The edge was there before us."""

    def claims(self, source: str, target: str, function: str) -> bool:
        """Whether a pair of columns is ours. Some tools lose the function of what they do not understand; it is ours still."""
        way = way_hash(source, target, function)
        return way in self.ways or (not function and any(each.startswith(way[:8]) for each in self.ways))

    def line(self) -> str:
        statements = ", ".join(self.statements) or "-"
        text = f"lineage-connector, source {json.dumps(self.source)}: statements {statements}"
        if self.more:
            text += f" and {self.more} more"
        if self.routines:
            text += f"; routines {json.dumps(self.routines)}"
        if self.ways:
            text += f"; columns {' '.join(sorted(self.ways))}"
        return f"{text}; beside others" if self.shared else text


def way_hash(source: str, target: str, function: str) -> str:
    """A short name for a pair of columns and what happens between them; within one edge it is unique enough."""
    return _short(f"{source}\n{target}", 8) + _short(function, 4)


def _short(text: str, size: int) -> str:
    return md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:size]


def read_marks(description: str | None) -> tuple[str, dict[str, Mark]]:
    """The description that others wrote, and our marks by their sources."""
    if not description:
        return "", {}
    marks: dict[str, Mark] = {}
    for match in _LINE.finditer(description):
        source = json.loads(match["source"])
        marks[source] = Mark(
            source,
            tuple(match["statements"].replace("-", "").replace(",", " ").split()),
            int(match["more"] or 0),
            tuple(json.loads(match["routines"] or "[]")),
            frozenset((match["ways"] or "").split()),
            bool(match["shared"]),
        )
    return _foreign(description) if marks else description, marks


def _foreign(description: str) -> str:
    """The description without our lines, and without what :func:`write_marks` puts before them."""
    pieces = _LINE.split(description)[:: _LINE.groups + 1]
    between = "".join(piece.strip("\n") for piece in pieces[1:-1])
    return pieces[0].removesuffix("\n\n") + between + pieces[-1]


def write_marks(foreign: str, marks: Mapping[str, Mark]) -> str:
    """A description that :func:`read_marks` takes apart again."""
    lines = "\n".join(marks[source].line() for source in sorted(marks))
    return "\n\n".join(part for part in (foreign, lines) if part)
