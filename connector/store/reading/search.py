"""Finds objects and columns by what people remember of their names.

A name is found by any of its parts, in any case and order (`orders core`); failing that by its letters in order
(`dimcust` finds `dim_customer`), and failing that by likeness (`custmoer`). The database narrows the names down; they
are ranked here: an object with exactly that name comes before one that merely contains the word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, select

from connector.naming import parse_name
from connector.store.lookup import any_letter, like
from connector.store.object_rows import DATASETS
from connector.store.reading.records import ROW_COLUMNS, Column, ColumnHit, Found, ObjectHit, StoreObject
from connector.store.rows import select_among
from connector.store.tables import COLUMN_NAMES, COLUMNS, OBJECT_NAMES, OBJECTS, TABLE_EDGES

_CANDIDATES = 20_000
"""Maximum number of names to rank; beyond that, the search has to be more specific."""

_ALIKE = 0.7
"""How alike two words have to be, by the letters that they have in common in the same order."""

_SHORT = 3
"""Fewer letters than this occur in order in nearly every name."""


_LONG = 40
"""Longer words are only searched literally: a pattern with a gap after each letter is slow to match."""


class _Name(NamedTuple):
    number: int
    name: str
    kind: str
    owner: int = 0


def search(connection: Connection, wanted: str, kind: str | None, *, page: int, size: int) -> Found:
    words = wanted.lower().split()
    if kind == "column":
        if not words:
            return _listed_columns(connection, page, size)
        names = _ranked(connection, _COLUMN_NAMES, COLUMNS.c.qualified_name, words)
        shown = names[(page - 1) * size : page * size]
        return Found(len(names), [], _column_hits(connection, shown), {"column": len(names)})
    if not words:
        return _listed(connection, kind, page, size)
    names = _ranked(connection, _OBJECT_NAMES, OBJECTS.c.qualified_name, words)
    kinds = Counter(name.kind for name in names)
    if kind:
        names = [name for name in names if name.kind == kind]
    return Found(len(names), _object_hits(connection, names[(page - 1) * size : page * size]), [], dict(kinds))


_OBJECT_NAMES = OBJECT_NAMES.add_columns(OBJECTS.c.parent_id).where(OBJECTS.c.object_type.in_(DATASETS))
_COLUMN_NAMES = COLUMN_NAMES.add_columns(COLUMNS.c.parent_id)


def _listed(connection: Connection, kind: str | None, page: int, size: int) -> Found:
    """Without words: all of them by name, counted and paged by the database."""
    count = select(OBJECTS.c.object_type, func.count()).where(OBJECTS.c.object_type.in_(DATASETS))
    kinds = {row[0]: row[1] for row in connection.execute(count.group_by(OBJECTS.c.object_type))}
    name = OBJECTS.c.qualified_name
    query = _OBJECT_NAMES.order_by(func.lower(name), name).limit(size).offset((page - 1) * size)
    if kind:
        query = query.where(OBJECTS.c.object_type == kind)
    total = sum(kinds.values()) if not kind else kinds.get(kind, 0)
    return Found(total, _object_hits(connection, _names(connection, query)), [], kinds)


def _listed_columns(connection: Connection, page: int, size: int) -> Found:
    total = connection.execute(select(func.count()).select_from(COLUMNS)).scalar_one()
    name = COLUMNS.c.qualified_name
    query = _COLUMN_NAMES.order_by(func.lower(name), name).limit(size).offset((page - 1) * size)
    return Found(total, [], _column_hits(connection, _names(connection, query)), {"column": total})


def _ranked(connection: Connection, query: Select[Any], column: Any, words: list[str]) -> list[_Name]:
    """The first method that finds anything is used; methods are not mixed, so that hits are not buried among guesses."""
    bounded = query.limit(_CANDIDATES)
    for pattern, fits in ((_holding, _holds), (_in_order, _has_in_order)):
        if fits is _has_in_order and not all(_SHORT <= len(word) <= _LONG for word in words):
            continue
        candidates = _names(connection, bounded.where(*[like(column, pattern(word)) for word in words]))
        found = [name for name in candidates if all(fits(name.name.lower(), word) for word in words)]
        if found:
            return sorted(found, key=lambda name: _rank(name.name.lower(), words))
    return _alike(_names(connection, bounded), words)


def _names(connection: Connection, query: Select[Any]) -> list[_Name]:
    return [
        _Name(int(guid), name, kind, int(owner) if owner and owner.isdecimal() else 0)
        for guid, name, kind, owner in connection.execute(query)
        if guid.isdecimal()
    ]


def _holds(name: str, word: str) -> bool:
    return word in name


def _has_in_order(name: str, word: str) -> bool:
    at = -1
    for char in word:
        at = name.find(char, at + 1)
        if at < 0:
            return False
    return True


def _holding(word: str) -> str:
    return f"%{''.join([any_letter(char) for char in word])}%"


def _in_order(word: str) -> str:
    return f"%{'%'.join([any_letter(char) for char in word])}%"


def _rank(name: str, words: Sequence[str]) -> tuple[int, int, str]:
    """Ranks a name: equal, starts with the word, contains it in its own name, contains it in its qualifiers."""
    own = parse_name(name).parts[-1]
    worst = 0
    for word in words:
        if own == word or name.partition("@")[0].endswith("." + word):
            fit = 0
        elif own.startswith(word):
            fit = 1
        elif f"_{word}" in own or f".{word}" in own:
            fit = 2
        elif word in own:
            fit = 3
        else:
            fit = 4
        worst = max(worst, fit)
    return worst, len(own), name


def _alike(names: Iterable[_Name], words: Sequence[str]) -> list[_Name]:
    scored = []
    for name in names:
        own = parse_name(name.name).parts[-1].lower()
        pieces = [own, *(piece for piece in own.split("_") if piece != own)]
        score = min(max(_likeness(word, piece) for piece in pieces) for word in words)
        if score >= _ALIKE:
            scored.append((-score, name.name, name))
    return [name for _, _, name in sorted(scored)]


def _likeness(one: str, other: str) -> float:
    """How alike two words are, from 0 to 1; 0 as well where a quick look shows that it is not enough."""
    matcher = SequenceMatcher(None, one, other)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    return matcher.ratio()


# --- what is shown of a hit -------------------------------------------------------------------------------------------


def _object_hits(connection: Connection, names: Sequence[_Name]) -> list[ObjectHit]:
    numbers = [name.number for name in names]
    edges = TABLE_EDGES.c
    named = [COLUMNS.c.qualified_name.not_like(f"%.{name}@%") for name in ROW_COLUMNS]
    columns = _counts(connection, COLUMNS.c.parent_id, COLUMNS.c.guid, [str(number) for number in numbers], *named)
    upstream = _counts(connection, edges.target_id, edges.source_id, numbers)
    downstream = _counts(connection, edges.source_id, edges.target_id, numbers)
    return [
        ObjectHit(
            StoreObject(name.number, name.name, name.kind),
            columns.get(str(name.number), 0),
            upstream.get(name.number, 0),
            downstream.get(name.number, 0),
        )
        for name in names
    ]


def _counts(connection: Connection, by: Any, what: Any, values: Sequence[Any], *conditions: Any) -> dict[Any, int]:
    query = select(by, func.count(what.distinct())).where(by.in_(values), *conditions).group_by(by)
    return {row[0]: row[1] for row in connection.execute(query)}


def _column_hits(connection: Connection, names: Sequence[_Name]) -> list[ColumnHit]:
    rows = select_among(connection, OBJECT_NAMES, OBJECTS.c.guid, {str(name.owner) for name in names})
    owners = {int(guid): StoreObject(int(guid), name, kind) for guid, name, kind in rows}
    return [ColumnHit(Column(name.number, name.name, name.owner), owners[name.owner]) for name in names]
