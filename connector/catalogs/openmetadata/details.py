"""The details of an edge: ours, those of others that are already there, and both merged.

A PUT replaces an edge as a whole, so everything that others wrote has to be in it again. Where another tool or a person
has a pair of columns too, theirs counts, function included; two sources of ours stand beside each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace

from connector.catalogs.openmetadata.client import Document, reference
from connector.catalogs.openmetadata.edge_descriptions import Mark, Told, read_marks, way_hash, write_marks
from connector.catalogs.openmetadata.plan import LINEAGE_SOURCES

Way = tuple[str, str, str]
"""Fully qualified names of the source column and the target column, and what happens between them."""

_OURS = ("columnsLineage", "sqlQuery", "description", "source", "pipeline")
SERVER_FIELDS = ("createdAt", "createdBy", "updatedAt", "updatedBy")
"""What the server itself says of an edge."""
_PIECE = re.compile(r"^-- lineage-connector ([0-9a-f]{32})\n", re.M)


@dataclass(frozen=True, slots=True)
class TextLimits:
    """How much text of statements one edge carries."""

    characters: int = 100_000
    statements: int = 100


@dataclass(slots=True)
class Contribution:
    """What one of our sources has to say of an edge."""

    source: str
    made: str
    columns: list[Document] = field(default_factory=list)
    """As the server wants them: fromColumns, toColumn, function."""
    statements: dict[str, str | None] = field(default_factory=dict)
    """Text by queryHashId."""
    routines: tuple[str, ...] = ()
    pipeline: Document | None = None
    told: dict[str, Told] = field(default_factory=dict)
    """What people are told of the statements, by queryHashId."""

    @property
    def ways(self) -> list[Way]:
        return [way for entry in self.columns for way in _ways(entry)]


@dataclass(slots=True)
class _Stored:
    """An edge of the server, taken apart."""

    details: Document
    foreign_text: str
    marks: dict[str, Mark]
    foreign_query: str
    pieces: dict[str, str]
    """Text of our statements by queryHashId."""

    @classmethod
    def read(cls, details: Document) -> _Stored:
        foreign, marks = read_marks(details.get("description"))
        query, pieces = _read_query(str(details.get("sqlQuery") or ""), marks)
        return cls(details, foreign, marks, query, pieces)

    @property
    def columns(self) -> list[Document]:
        return list(self.details.get("columnsLineage") or ())

    def others(self, source: str) -> dict[str, Mark]:
        """The marks of our other sources."""
        return {name: mark for name, mark in self.marks.items() if name != source}

    def texts(self, marks: Mapping[str, Mark]) -> dict[str, str | None]:
        """The text of the statements of these marks."""
        return {name: self.pieces.get(name) for mark in marks.values() for name in mark.statements}

    @property
    def rest(self) -> Document:
        """What we neither write nor touch."""
        return {key: value for key, value in self.details.items() if key not in (*_OURS, *SERVER_FIELDS)}


def merge(stored: Document | None, ours: Contribution, limits: TextLimits | None = None, today: str = "") -> Document:
    """The details that the edge should have: our part as it is now, and everything of others."""
    limits = limits or TextLimits()
    if stored is None:
        claimed = frozenset(way_hash(*way) for way in ours.ways)
        mark = _mark(ours, claimed, limits, Mark(ours.source), today, shared=False)
        return _details(ours.columns, ours.made, ours.pipeline, "", {ours.source: mark}, "", ours.statements, limits)
    there = _Stored.read(stored)
    others = there.others(ours.source)
    old = there.marks.get(ours.source, Mark(ours.source))
    kept = _kept(there.columns, old, others)
    ways = {way for entry in kept for way in _ways(entry)}
    foreign_pairs = {way[:2] for way in ways if not any(mark.claims(*way) for mark in others.values())}
    shared = not there.marks or any(mark.shared for mark in there.marks.values())
    foreign = shared or bool(foreign_pairs or there.foreign_text or there.foreign_query)
    claimed = frozenset(way_hash(*way) for way in ours.ways if way[:2] not in foreign_pairs)
    marks = {**others, ours.source: _mark(ours, claimed, limits, old, today, shared=shared)}
    statements = {**there.texts(others), **ours.statements}
    added = _others_than(ours.columns, foreign_pairs, ways)
    source = _source(str(stored.get("source") or "Manual"), ours.made, foreign=foreign, others=bool(others))
    pipeline = _pipeline(stored.get("pipeline"), ours, old, foreign=foreign, others=others)
    query = there.foreign_query
    return {
        **there.rest,
        **_details([*kept, *added], source, pipeline, there.foreign_text, marks, query, statements, limits),
    }


def without(stored: Document, source: str, limits: TextLimits | None = None) -> Document | None:
    """The details without the part of one of our sources; None when nothing is left, and the edge may go."""
    there = _Stored.read(stored)
    others = there.others(source)
    old = there.marks.get(source)
    if old is None:
        return stored
    kept = _kept(there.columns, old, others)
    foreign = old.shared or bool(there.foreign_text or there.foreign_query)
    if not others and not kept and not foreign:
        return None
    pipeline = _reference(stored.get("pipeline"))
    if pipeline is not None and (stored.get("pipeline") or {}).get("fullyQualifiedName") in old.routines:
        pipeline = None
    marks = {name: _as_shared(mark, shared=old.shared) for name, mark in others.items()}
    made = str(stored.get("source") or "Manual")
    text, query = there.foreign_text, there.foreign_query
    statements = there.texts(others)
    return {**there.rest, **_details(kept, made, pipeline, text, marks, query, statements, limits or TextLimits())}


def same(stored: Document | None, wanted: Document) -> bool:
    """Whether the server holds what we mean. The order of columns does not count."""
    if stored is None:
        return False
    return (
        str(stored.get("source") or "Manual") == wanted["source"]
        and (stored.get("description") or "") == (wanted.get("description") or "")
        and (stored.get("sqlQuery") or "") == (wanted.get("sqlQuery") or "")
        and _reference(stored.get("pipeline")) == _reference(wanted.get("pipeline"))
        and _comparable(stored) == _comparable(wanted)
    )


# --- parts ------------------------------------------------------------------------------------------------------------


def _details(
    columns: list[Document],
    source: str,
    pipeline: Document | None,
    foreign_text: str,
    marks: Mapping[str, Mark],
    foreign_query: str,
    statements: Mapping[str, str | None],
    limits: TextLimits,
) -> Document:
    details: Document = {"source": source, "columnsLineage": columns}
    description = write_marks(foreign_text, marks)
    query = _write_query(foreign_query, statements, marks, limits.characters)
    if description:
        details["description"] = description
    if query:
        details["sqlQuery"] = query
    if pipeline is not None:
        details["pipeline"] = pipeline
    return details


def _mark(
    ours: Contribution, claimed: frozenset[str], limits: TextLimits, old: Mark, today: str, *, shared: bool
) -> Mark:
    """Our mark. A statement of which no log knows the first day has that on which we first wrote it."""
    names = sorted(ours.statements)
    listed = tuple(names[: limits.statements])
    told = tuple(
        (name, each._replace(since=each.since or old.since(name) or today))
        for name in listed
        if (each := ours.told.get(name)) is not None
    )
    return Mark(ours.source, listed, len(names) - len(listed), ours.routines, claimed, shared, told)


def _as_shared(mark: Mark, *, shared: bool) -> Mark:
    return replace(mark, shared=mark.shared or shared)


def _ways(entry: Document) -> list[Way]:
    target, function = str(entry.get("toColumn")), str(entry.get("function") or "")
    return [(str(source), target, function) for source in entry.get("fromColumns") or ()]


def _kept(columns: list[Document], ours: Mark, others: Mapping[str, Mark]) -> list[Document]:
    """What remains without our part: what no source claims, and what another source of ours has in exactly this form."""

    def stays(way: Way) -> bool:
        return not ours.claims(*way) or any(way_hash(*way) in mark.ways for mark in others.values())

    return _only(columns, stays)


def _others_than(columns: list[Document], pairs: Set[tuple[str, ...]], ways: Set[Way]) -> list[Document]:
    return _only(columns, lambda way: way[:2] not in pairs and way not in ways)


def _only(columns: list[Document], wanted: Callable[[Way], bool]) -> list[Document]:
    kept = []
    for entry in columns:
        names = [way[0] for way in _ways(entry) if wanted(way)]
        if names:
            kept.append({**entry, "fromColumns": names})
    return kept


def _source(stored: str, ours: str, *, foreign: bool, others: bool) -> str:
    """Who made the edge. An edge of others stays theirs; among our own sources the order of `LINEAGE_SOURCES` decides."""
    if foreign:
        return stored
    if others and stored in LINEAGE_SOURCES:
        return min(stored, ours, key=[str(each) for each in LINEAGE_SOURCES].index)
    return ours


def _pipeline(
    stored: Document | None, ours: Contribution, old: Mark, *, foreign: bool, others: Mapping[str, Mark]
) -> Document | None:
    if stored is None:
        return ours.pipeline
    name = stored.get("fullyQualifiedName")
    of_others = any(name in mark.routines for mark in others.values())
    is_foreign = foreign and name not in old.routines and name not in ours.routines
    return _reference(stored) if of_others or is_foreign else ours.pipeline


def _reference(entity: Document | None) -> Document | None:
    return reference(entity) if entity else None


def _comparable(details: Document) -> set[Way]:
    """The columns of an edge, whatever entries they stand in: one with two sources says what two with one each say."""
    return {way for entry in details.get("columnsLineage") or () for way in _ways(entry)}


# --- the text of statements -------------------------------------------------------------------------------------------


def _write_query(
    foreign: str, statements: Mapping[str, str | None], marks: Mapping[str, Mark], longest: int
) -> str | None:
    """One statement as it is; several each under a line with its queryHashId, so that they can be told apart again."""
    texts = {name: text for name, text in sorted(statements.items()) if text}
    if _alone(marks) is not None and not foreign:
        return next((_cut(text, longest) for text in texts.values()), None)
    pieces = [foreign] if foreign else []
    size = 0
    for name, text in texts.items():
        piece = f"-- lineage-connector {name}\n{_cut(text, longest)};"
        if size and size + len(piece) > longest:
            continue  # a shorter one may still fit; the description names them all
        size += len(piece)
        pieces.append(piece)
    return "\n\n".join(pieces) or None


def _read_query(query: str, marks: Mapping[str, Mark]) -> tuple[str, dict[str, str]]:
    """What others wrote, and the text of our statements."""
    if not marks:
        return query, {}
    parts = _PIECE.split(query)
    if len(parts) == 1:
        alone = _alone(marks)
        return ("", {alone: query}) if alone is not None else (query, {})
    pieces = {name: text.strip().removesuffix(";") for name, text in zip(parts[1::2], parts[2::2], strict=True)}
    return parts[0].strip(), pieces


def _alone(marks: Mapping[str, Mark]) -> str | None:
    """The one statement behind an edge that is ours alone."""
    names = {name for mark in marks.values() for name in mark.statements}
    if len(names) != 1 or any(mark.shared or mark.more for mark in marks.values()):
        return None
    return next(iter(names))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + "\n-- …"
