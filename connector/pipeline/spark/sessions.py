"""From the texts of sessions to units, in Spark's workers.

Most sessions change nothing, and their texts are units by themselves. Of one that changes state, the members come from
wherever they were read to one place, and become units together. A text brings its places in sessions along, so that nothing
has to be joined.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple

import pyarrow as pa

from connector.common.arrow_columns import record_batch, values_of
from connector.pipeline.groups import precedence
from connector.pipeline.units import SessionStatement, Unit, session_units

UNIT_SCHEMA = pa.schema(
    [("key", pa.string()), ("precedence", pa.string()), ("size", pa.int64()), ("unit", pa.binary())]
)
"""A unit as a row. Of several with one key the first by `precedence` is analysed."""
OF_SESSIONS = (
    *("source", "gid", "identities", "changes", "sessions", "times", "sequences"),
    *("key", "precedence", "size", "unit"),
)
"""The columns that `SplitSessions` reads."""
MEMBER_SCHEMA = pa.schema(
    [
        ("place", pa.string()),
        ("session", pa.string()),
        ("time", pa.int64()),
        ("sequence", pa.int64()),
        ("gid", pa.string()),
        ("identities", pa.list_(pa.string())),
        ("changes", pa.bool_()),
        *UNIT_SCHEMA,
    ]
)
"""A text at its place in a session, or a unit by itself. Rows with the same `place` belong together."""
_MEMBERS_AT_ONCE = 1000


class Member(NamedTuple):
    """A row of `MEMBER_SCHEMA`."""

    place: str
    session: str | None
    time: int | None
    sequence: int | None
    gid: str | None
    identities: Sequence[str] | None
    changes: bool | None
    key: str | None
    precedence: str | None
    size: int | None
    unit: bytes

    @property
    def order(self) -> tuple[bool, int, bool, int, str]:
        """In the order in which they ran; what has no time comes last."""
        return self.time is None, self.time or 0, self.sequence is None, self.sequence or 0, self.gid or ""


@dataclass(frozen=True)
class SplitSessions:
    """Texts of sessions to the members of sessions that change state, and to units where they stand outside of such sessions."""

    stateful: frozenset[tuple[str, str]]
    """Source and name of the sessions that change state."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        columns = ([values_of(batch.column(name)) for name in OF_SESSIONS] for batch in batches)
        members = self.members(row for batch in columns for row in zip(*batch, strict=True))
        while rows := list(islice(members, _MEMBERS_AT_ONCE)):
            yield record_batch(list(zip(*rows, strict=True)), MEMBER_SCHEMA)

    def members(self, texts: Iterable[tuple[Any, ...]]) -> Iterator[Member]:
        """The same for texts that are here already, as the values of `OF_SESSIONS`."""
        for source, gid, identities, changes, sessions, times, sequences, key, *unit in texts:
            outside = False
            for session, time, sequence in zip(sessions, times, sequences, strict=True):
                if (source, session) in self.stateful:
                    place = f"{source}\0{session}"
                    told = gid, identities, changes, None, None, None, unit[-1]
                    yield Member(place, session, time, sequence, *told)
                else:
                    outside = True
            if outside:
                yield Member(key, None, None, None, None, None, None, key, *unit)


@dataclass(frozen=True)
class SessionUnits:
    """What `SplitSessions` makes, sorted by place, to units: the statements of a session in order, and others as they are."""

    context: str
    """The digest that is part of the keys."""

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        found = (Member(*row) for batch in batches for row in zip(*map(values_of, batch.columns), strict=True))
        units = self.units(found)
        while rows := list(islice(units, _MEMBERS_AT_ONCE)):
            yield record_batch(list(zip(*rows, strict=True)), UNIT_SCHEMA)

    def units(self, sorted_members: Iterable[Member]) -> Iterator[tuple[Any, ...]]:
        """The same for members that are here already: the values of `UNIT_SCHEMA`."""
        for _, together in groupby(sorted_members, key=lambda row: row.place):
            members = list(together)
            if members[0].session is None:
                yield from (row[-4:] for row in members)
            else:
                yield from self._units_of_session(members[0].session, sorted(members, key=lambda row: row.order))

    def _units_of_session(self, session: str, members: Sequence[Member]) -> Iterator[tuple[Any, ...]]:
        singles: list[Unit] = [pickle.loads(row.unit) for row in members]
        statements = [
            SessionStatement(unit.texts[0], tuple(row.identities or ()), bool(row.changes))
            for unit, row in zip(singles, members, strict=True)
        ]
        like = singles[0]._replace(row=f"session {session}")
        for number, unit in enumerate(session_units(statements, like, self.context)):
            order = precedence(unit, f"{session}/{number}")
            yield unit.key, order, unit.size, pickle.dumps(unit, pickle.HIGHEST_PROTOCOL)
