"""Views that are used before they are defined: further down in the same script, or in a later file.

In a folder of files the order of names says nothing, and scripts that a database wrote out list views by name, not by
need. If a query reads a table that is not known yet, the text is searched for the view's definition, and the columns
are worked out in a model of their own; the definition itself is analysed when its turn comes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from connector.metadata import MappingMetadata, MetadataProvider, TableInfo
from connector.model import Entity, Script
from connector.naming import split_parts
from connector.sql.dialects import SqlDialect
from connector.sql.masked_names import derived_names
from connector.sql.split import read_fragment, read_in_parts
from connector.sql.statement import Statement

ViewReader = Callable[[Statement, MetadataProvider], "tuple[Entity, list[str]] | None"]
"""Gives the view that a statement defines and its columns, None when they cannot all be told."""

_HEAD = 120
"""How far before the word VIEW the word CREATE is looked for: the options between them are few."""


class LaterViews:
    """Metadata that asks the caller's first, and the definitions in the scripts then."""

    __slots__ = (
        "_definitions",
        "_dialect",
        "_found",
        "_metadata",
        "_reading",
        "_scripts",
        "_statements",
        "at_hand",
        "read",
    )

    def __init__(self, scripts: Sequence[Script], dialect: SqlDialect, metadata: MetadataProvider | None) -> None:
        self._scripts = scripts
        self._dialect = dialect
        self._metadata = metadata
        self.read: ViewReader | None = None
        self.at_hand: Statement | None = None
        """The statement that is being analysed."""
        self._definitions: dict[str, list[tuple[int, int]]] | None = None
        self._statements: dict[int, list[Statement]] = {}
        self._found = MappingMetadata()
        self._reading = False
        """Whether definitions are being read: what they need has been read before them."""

    def describe(self, database: str | None, schema: str | None, name: str) -> TableInfo | None:
        described = self._metadata.describe(database, schema, name) if self._metadata is not None else None
        if described is not None:
            return described
        if self.read is None:
            return None
        if self._definitions is None:
            self._definitions = self._index()
        places = self._definitions.get(name.lower())
        if places and not self._reading and not all(map(self._is_at_hand, places)):
            self._reading = True
            self._read_definitions(name.lower())
            self._reading = False
        return self._found.describe(database, schema, name)

    def _is_at_hand(self, place: tuple[int, int]) -> bool:
        """Whether the statement that is being analysed is the definition itself."""
        at_hand = self.at_hand
        return (
            at_hand is not None
            and at_hand.script is self._scripts[place[0]]
            and at_hand.start <= place[1] < at_hand.end
        )

    def _read_definitions(self, name: str) -> None:
        """Reads a view after those it needs, one by one: a chain of any length needs no deeper stack."""
        assert self._definitions is not None
        assert self.read is not None
        definitions = self._definitions
        waiting = [name]
        begun: set[str] = set()
        while waiting:
            current = waiting[-1]
            if current not in definitions:
                waiting.pop()
                continue
            places = definitions[current]
            if current not in begun:
                begun.add(current)
                words = {token.text.lower() for statement in self._statements_at(places) for token in statement.tokens}
                needed = sorted(word for word in words if word in definitions and word not in begun)
                if needed:
                    waiting += needed
                    continue
            waiting.pop()
            del definitions[current]
            for statement in self._statements_at(places):
                view = self.read(statement, self)
                if view is not None:
                    entity, columns = view
                    parts = [part for part in (entity.database, entity.schema, entity.table) if part]
                    self._found.add(parts, TableInfo(tuple(columns), True, masked=derived_names(columns)))

    def _index(self) -> dict[str, list[tuple[int, int]]]:
        """Where the text may define views, by the last part of the name. Comments and strings are not told apart here."""
        found: dict[str, list[tuple[int, int]]] = {}
        for number, script in enumerate(self._scripts):
            for offset, name in _defined_views(script.text):
                found.setdefault(name.lower(), []).append((number, offset))
        return found

    def _statements_at(self, places: Sequence[tuple[int, int]]) -> Iterator[Statement]:
        """The statements in which these places lie, one at a time: a large script may define a view again and again."""
        for number, offset in places:
            statements = self._statements.get(number)
            if statements is None:
                statements = self._statements[number] = self._read(self._scripts[number])
            at = bisect_right(statements, offset, key=attrgetter("start")) - 1
            if at >= 0 and offset < statements[at].end:
                found = statements[at]
                yield from [found] if found.tokens else self._read_again(found)

    def _read(self, script: Script) -> list[Statement]:
        """The statements that may define a view; those of a script that is read in parts without their tokens."""
        kept: list[Statement] = []
        last: list[Statement] = []
        for part in read_in_parts(script, self._dialect):
            kept += [found.with_tokens([]) for found in last]
            last = [found for found in part.statements if "view" in found.text[:1000].lower()]
        return kept + ([found.with_tokens([]) for found in last] if kept else last)

    def _read_again(self, statement: Statement) -> list[Statement]:
        return read_fragment(statement.script, statement.text, statement.start, self._dialect).statements


def _defined_views(text: str) -> Iterator[tuple[int, str]]:
    lower = text.lower()
    at = lower.find("view")
    while at >= 0:
        head = lower[max(0, at - _HEAD) : at]
        if "create" in head or "replace" in head:
            name = _name_behind(lower, text, at + 4)
            if name:
                yield at, name
        at = lower.find("view", at + 4)


def _name_behind(lower: str, text: str, at: int) -> str:
    """The last part of the name that follows VIEW [IF NOT EXISTS]."""
    words = lower[at : at + 60].split(None, 3)
    if words[:3] == ["if", "not", "exists"]:
        at = lower.find("exists", at) + 6
    while at < len(text) and text[at].isspace():
        at += 1
    end = at
    closing = ""
    while end < len(text):
        character = text[end]
        if closing:
            closing = "" if character == closing else closing
        elif character in _QUOTES:
            closing = _QUOTES[character]
        elif character.isspace() or character in "(;":
            break
        end += 1
    parts = split_parts(text[at:end])
    return parts[-1] if parts else ""


_QUOTES = {'"': '"', "`": "`", "[": "]"}
