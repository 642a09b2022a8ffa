"""The descriptions of edges: the statements behind an edge, for people, and which parts of it are ours.

An edge is one record on the server, and several of our sources, other tools and people may all have a part in it. Each of
our sources has a paragraph in the description. People read which statements there are, where they stand and since when; in
an HTML comment above it, which no page shows, stands the mark: the queryHashIds, the routines, and a short hash of every
pair of columns that the source wrote. What no mark claims belongs to others and is never touched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from connector.common.hashing import text_hash

_BLOCK = re.compile(
    r"<!-- lineage-connector (?P<mark>\{[^\n>]*\}) -->\n(?:(?!<!-- lineage-connector ).)*?<!-- /lineage-connector -->",
    re.S,
)
_END = "<!-- /lineage-connector -->"
_LINES = 10
"""How many statements are described; the mark knows them all."""


class Told(NamedTuple):
    """What people are told of a statement."""

    kind: str
    """What it does: ``Insert``."""
    place: str = ""
    """The file it stands in, or the log it comes from."""
    since: str = ""
    """The day on which it was first seen."""

    def line(self) -> str:
        text = self.kind or "Statement"
        if self.place:
            text += f" in {self.place}"
        return _plain(f"{text}, since {self.since}" if self.since else text)


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
    told: tuple[tuple[str, Told], ...] = ()
    """For people, by queryHashId."""

    def claims(self, source: str, target: str, function: str) -> bool:
        """Whether a pair of columns is ours. Some tools lose the function of what they do not understand; it is ours still."""
        way = way_hash(source, target, function)
        return way in self.ways or (not function and any(each.startswith(way[:8]) for each in self.ways))

    def since(self, statement: str) -> str:
        """The day that an earlier run has noted for a statement."""
        return next((told.since for name, told in self.told if name == statement), "")

    def block(self) -> str:
        """The paragraph of the source, with the mark above it."""
        mark: dict[str, Any] = {"source": self.source, "statements": self.statements}
        if self.more:
            mark["more"] = self.more
        if self.routines:
            mark["routines"] = self.routines
        if self.ways:
            mark["columns"] = " ".join(sorted(self.ways))
        if self.shared:
            mark["shared"] = True
        if self.told:
            mark["told"] = self.told
        # Nothing in the mark may end the comment.
        written = json.dumps(mark).replace(">", "\\u003e")
        return f"<!-- lineage-connector {written} -->\n{self._text()}\n{_END}"

    def _text(self) -> str:
        number = len(self.statements) + self.more
        lines = [f"**{_plain(self.source)}**: {number} statement{'s' * (number != 1)}, by lineage-connector"]
        lines += [f"- {told.line()}" for _, told in self.told[:_LINES]]
        rest = self.more + max(0, len(self.told) - _LINES)
        if rest:
            lines.append(f"- and {rest} more")
        if self.routines:
            lines.append(_plain(f"- in {', '.join(self.routines)}"))
        return "\n".join(lines)


def way_hash(source: str, target: str, function: str) -> str:
    """A short name for a pair of columns and what happens between them; within one edge it is unique enough."""
    return text_hash(f"{source}\n{target}")[:8] + text_hash(function)[:4]


def _plain(text: str) -> str:
    """Text that is no markup, on one line."""
    return " ".join(escape(text, quote=False).split())


def read_marks(description: str | None) -> tuple[str, dict[str, Mark]]:
    """The description that others wrote, and our marks by their sources."""
    if not description:
        return "", {}
    marks: dict[str, Mark] = {}
    pieces: list[str] = []
    end = 0
    for match in _BLOCK.finditer(description):
        mark = _read(match["mark"])
        if mark is not None:
            marks[mark.source] = mark
            pieces.append(description[end : match.start()])
            end = match.end()
    if not marks:
        return description, marks
    # Without what write_marks puts before and between our paragraphs.
    first, *between = pieces
    return first.removesuffix("\n\n") + "".join(piece.strip("\n") for piece in between) + description[end:], marks


def _read(text: str) -> Mark | None:
    """A mark, unless it was edited."""
    try:
        found = json.loads(text)
        return Mark(
            str(found["source"]),
            tuple(map(str, found["statements"])),
            int(found.get("more", 0)),
            tuple(map(str, found.get("routines", ()))),
            frozenset(str(found.get("columns", "")).split()),
            bool(found.get("shared", False)),
            tuple((str(name), Told(*map(str, told))) for name, told in found.get("told", ())),
        )
    except (ValueError, KeyError, TypeError):
        return None


def write_marks(foreign: str, marks: Mapping[str, Mark]) -> str:
    """A description that :func:`read_marks` takes apart again."""
    blocks = "\n\n".join(marks[source].block() for source in sorted(marks))
    return "\n\n".join(part for part in (foreign, blocks) if part)
