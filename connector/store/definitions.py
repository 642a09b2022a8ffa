"""The statements that define the tables, views and stages of a model, for the `ddl` of the store.

A plain CREATE TABLE moves no data and is therefore not a process of the model, which only records where names occur in the text.
The statement around the first occurrence of a name is its definition if it creates a table, view or stage of that name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from hashlib import md5

from connector.errors import UnknownDialectError
from connector.model import Entity, Model, Script
from connector.sql.dialects import get_dialect
from connector.sql.split import read_statements
from connector.sql.statement import Statement

__all__ = ["Definition", "find_definitions"]

_CREATED = frozenset({"STAGE", "TABLE", "VIEW"})
_EXISTS = ("IF", "NOT", "EXISTS")
_CREATES = re.compile(r"\b(?:create|replace)\b", re.I)
"""Most statements of a log define nothing; this avoids tokenizing them again to find out."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Text of a CREATE statement, its hash, and what it creates: `table`, `view` or `stage`."""

    text: str
    hash: str
    creates: str

    @classmethod
    def of(cls, text: str, creates: str) -> Definition:
        """A definition without its statement: the hash is that of its text without the closing semicolon."""
        text = text.rstrip("; \t\r\n")
        return cls(text, md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(), creates)


def find_definitions(model: Model) -> dict[Entity, Definition]:
    """The last definition of each entity. Empty for a model read from a file, which has no texts."""
    try:
        dialect = get_dialect(model.vendor)
    except UnknownDialectError:
        return {}
    places: dict[Script, list[tuple[int, Entity]]] = {}
    for entity in model.entities:
        if entity.permanent:
            for span in (entity.span, *(entity.occurrences or ())):
                if span is not None and span[0].text:
                    places.setdefault(span[0], []).append((span[1], entity))
    found: dict[Entity, Definition] = {}
    for script in model.scripts:
        named = places.get(script)
        if named and _CREATES.search(script.text):
            _search(named, read_statements(script, dialect).statements, found)
    return found


def _search(named: list[tuple[int, Entity]], statements: list[Statement], found: dict[Entity, Definition]) -> None:
    named.sort(key=lambda place: place[0])
    starts = [statement.start for statement in statements]
    seen: set[int] = set()
    for start, entity in named:
        at = bisect_right(starts, start) - 1
        if at < 0 or at in seen or start >= statements[at].end:
            continue
        seen.add(at)  # only the first name of a statement can be the one it creates
        creates = _creates(statements[at], start)
        if creates is not None:
            found[entity] = Definition(statements[at].text, statements[at].hash, creates)


def _creates(statement: Statement, name_at: int) -> str | None:
    """The text between the beginning and the name: CREATE, possibly more words, and the kind of object."""
    words = []
    for token in statement.tokens:
        if statement.base + token.start >= name_at:
            break
        words.extend(token.text.upper().split())
    if not words or words[0] not in ("CREATE", "REPLACE"):
        return None
    if tuple(words[-3:]) == _EXISTS:
        words = words[:-3]
    return words[-1].lower() if words and words[-1] in _CREATED else None
