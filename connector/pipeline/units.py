"""Units: what is analysed as a whole, and the key that identifies it.

A script is one unit. A statement of a query log is one unit, however often it was run, unless it belongs to a session that
changes state: such a session is one unit of its statements in order. A unit is known by what it says and by all that
decides how it is understood, and by nothing else, so that the same input has the same keys in any order and in any number
of partitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import NamedTuple

from connector.options import QueryIdentity

LONG_SESSION = 2000
"""Statements of a session that are analysed together. A connection that is never closed is no unit of work."""


class Question(NamedTuple):
    """A text to take apart."""

    text: str
    dialect: str
    mode: QueryIdentity


class Identified(NamedTuple):
    """What a text holds."""

    identities: tuple[str, ...]
    """In order. None of them where the text is empty or all comment."""
    changes_state: bool = False
    """Whether later statements of the session depend on it."""
    reason: str | None = None
    message: str | None = None
    """Why it could not be taken apart; it then counts as one statement."""


class UnitText(NamedTuple):
    """One text of a unit: a whole script, or one statement of a session."""

    text: str
    name: str = ""
    """Where it comes from, for messages and coordinates."""
    database: str | None = None
    schema: str | None = None


class Unit(NamedTuple):
    """Something to analyse."""

    key: str
    dialect: str
    cluster: str | None
    texts: tuple[UnitText, ...]
    source: str = ""
    line: int = 1
    """The line of its file on which the first text begins."""
    statements: int = 1
    reason: str | None = None
    message: str | None = None
    """Why it cannot be analysed, where taking it apart has shown that already."""
    log: bool = False
    """Whether it comes from a query log."""
    row: str = ""
    """Of a log: the name of a row or session that has it."""

    @property
    def place(self) -> str:
        """Where it comes from, for messages."""
        name = self.texts[0].name
        return f"{name} ({self.row})" if self.row else name

    @property
    def size(self) -> int:
        return sum(len(text.text) for text in self.texts)


class Work(NamedTuple):
    """Units to analyse, and where the process that does it finds the context."""

    context: str
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class SessionStatement:
    """A statement of a session with what its key is made of."""

    text: UnitText
    identities: tuple[str, ...]
    changes_state: bool


def unit_key(
    context: str,
    dialect: str,
    cluster: str | None,
    parts: Sequence[tuple[str | None, str | None, Sequence[str]]],
) -> str:
    """The key of a unit: the digest of the context, dialect and cluster, and for each text its database, schema and identities."""
    digest = md5(usedforsecurity=False)
    for word in (context, dialect, cluster):
        digest.update(_word(word))
    for database, schema, identities in parts:
        digest.update(_word(database) + _word(schema))
        for identity in identities:
            digest.update(identity.encode("ascii"))
        digest.update(b"\x02")
    return digest.hexdigest()


def _word(word: str | None) -> bytes:
    """A word between marks that no name holds; none is not the same as an empty one."""
    return b"\x00\x01" if word is None else b"\x00" + word.encode("utf-8", "surrogatepass")


def session_units(statements: Sequence[SessionStatement], like: Unit, context: str) -> Iterator[Unit]:
    """The units of a session whose statements stand in order. `like` is a unit of its source, dialect and cluster."""
    for piece in session_pieces(statements):
        parts = [(each.text.database, each.text.schema, each.identities) for each in piece]
        yield Unit(
            unit_key(context, like.dialect, like.cluster, parts),
            like.dialect,
            like.cluster,
            tuple([each.text for each in piece]),
            like.source,
            1,
            sum(len(each.identities) for each in piece),
            log=True,
            row=like.row,
        )


def session_pieces(
    statements: Sequence[SessionStatement], longest: int = LONG_SESSION
) -> Iterator[list[SessionStatement]]:
    """A session as units: what comes before the first change of state one by one, the rest together.

    A long session is cut. Each piece begins with all the statements before it that change state, so that its own mean what
    they meant; the statements that come twice so are found to be the same ones later.
    """
    at = 0
    while at < len(statements) and not statements[at].changes_state:
        yield [statements[at]]
        at += 1
    before: list[SessionStatement] = []
    while at < len(statements):
        piece = list(statements[at : at + longest])
        yield [*before[-longest:], *piece]
        before.extend(statement for statement in piece if statement.changes_state)
        at += longest
