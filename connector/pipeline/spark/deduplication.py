"""What Spark's workers make of the statements that they read: texts to analyse, runs to count, and tallies.

A log says the same things over and over. What can be put together is put together where it is read, and only what is left
travels: of the texts that are one unit the one that will be analysed, of the runs of a statement how often, when and by
whom. Rows of a session keep their texts and their order, because the session may turn out to change state.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from connector.common.arrow_columns import record_batch, values_of
from connector.common.collector import collector_paused
from connector.guard import Limits
from connector.hashing import text_hash
from connector.options import QueryIdentity
from connector.pipeline.groups import Group, fingerprint, group_of, precedence, row_name, single_unit
from connector.pipeline.guarded import GuardedIdentification, Performing, new_guard
from connector.pipeline.units import Identified, Question, SessionStatement, Unit, session_units
from connector.sources.record import SourceStatement
from connector.sources.spark import Found, in_pieces

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

TEXT, RUN, TALLY = "text", "run", "tally"
"""The kinds of distinct rows."""

_TIME = pa.timestamp("us", tz="UTC")
DEDUPLICATED = pa.schema(
    [
        ("kind", pa.string()),
        ("source", pa.string()),
        # a text to analyse
        ("key", pa.string()),  # the unit that it is; of a tally what is counted
        ("precedence", pa.string()),
        ("gid", pa.string()),
        ("size", pa.int64()),
        ("changes", pa.bool_()),  # whether it changes the state of its session; told of each run in a session, too
        ("alone", pa.bool_()),  # whether it is known to stand outside of sessions
        ("unit", pa.binary()),
        # runs: of the text, or by themselves where each one counts
        ("identities", pa.list_(pa.string())),
        ("runs", pa.int64()),
        ("first_seen", _TIME),
        ("last_seen", _TIME),
        ("users", pa.list_(pa.string())),
        ("fingerprints", pa.list_(pa.binary())),
        ("session_id", pa.string()),
        ("sequence", pa.int64()),
    ]
)
"""The columns of all kinds of rows; what does not apply to a row is null."""

_HELD_ROWS, _HELD_LETTERS, _HELD_RUNS = 25_000, 8_000_000, 250_000
"""How much a task holds before it passes it on: rows of the result, letters of their texts, and runs that were added up. A run
costs no more than its fingerprint, and whatever is passed on too early travels once more for every unit in it."""
_KNOWN_TEXTS = 20_000
"""Texts whose identities a worker remembers from one task to the next."""


@lru_cache(maxsize=1)
def worker_guard(seconds: float, memory_mb: int) -> Performing:
    """The guard of this worker process. It lives as long as the process, over all tasks that Spark gives it."""
    return new_guard(Limits(seconds, memory_mb))


@dataclass(frozen=True)
class Deduplicate:
    """The statements of one source into distinct rows."""

    source: str
    context: str
    """The digest that is part of the keys."""
    mode: QueryIdentity
    seconds: float
    memory_mb: int
    one_by_one: bool = False
    """Whether each run of the log is a row of its own, because some may have been counted before."""

    @property
    def schema(self) -> StructType:
        from pyspark.sql.pandas.types import from_arrow_schema

        return from_arrow_schema(DEDUPLICATED)

    def __call__(self, found: Iterable[Found]) -> Iterator[pa.RecordBatch]:
        held = _Deduplication(self)
        for piece in in_pieces(found):
            with collector_paused():
                held.add(piece)
            if held.is_full:
                yield held.batch()
        held.count()
        yield held.batch()


@dataclass(slots=True)
class _Runs:
    """What the runs of a statement tell."""

    identities: tuple[str, ...]
    runs: int = 0
    first: datetime | None = None
    last: datetime | None = None
    users: dict[str, None] = field(default_factory=dict)
    fingerprints: list[bytes] = field(default_factory=list)

    def add(self, row: SourceStatement) -> None:
        self.runs += 1
        started = row.started_at
        if started is not None:
            if self.first is None or started < self.first:
                self.first = started
            if self.last is None or started > self.last:
                self.last = started
        if row.user is not None:
            self.users[row.user] = None
        self.fingerprints.append(fingerprint(row))

    def described(self) -> dict[str, Any]:
        return {
            "identities": self.identities,
            "runs": self.runs,
            "first_seen": self.first,
            "last_seen": self.last,
            "users": list(self.users),
            "fingerprints": self.fingerprints,
        }


@dataclass(slots=True)
class _Candidate:
    """The text that stands for a unit, of those that a task has read, and what the runs of all of them tell."""

    precedence: str
    gid: str
    unit: Unit
    runs: _Runs | None = None

    def may_yield_to(self, text: str) -> bool:
        """Whether a text with this hash may come before: the hash is the first thing that decides."""
        return text <= self.precedence[: len(text)]


class _Deduplication:
    """The rows of one task."""

    def __init__(self, how: Deduplicate) -> None:
        self._how = how
        self._identifying = _identifying(how.mode, how.seconds, how.memory_mb)
        self._tally: Counter[str] = Counter()
        self._latest: datetime | None = None
        self._given: dict[str, str] = {}
        """Scripts and texts of sessions that were met before, by the number of their group, and the row that stands for each."""
        self._clear()

    def _clear(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._candidates: dict[tuple[Any, ...], _Candidate] = {}
        self._places: dict[str, int] = {}
        """Where the texts of sessions stand among the rows, by the number of their group."""
        self._runs = 0
        self._letters = 0

    @property
    def is_full(self) -> bool:
        held = len(self._rows) + len(self._candidates)
        return held >= _HELD_ROWS or self._letters >= _HELD_LETTERS or self._runs >= _HELD_RUNS

    def add(self, found: list[Found]) -> None:
        statements: list[SourceStatement] = []
        for each in found:
            if isinstance(each, str):
                self._tally[each] += 1
            else:
                statements.append(each)
        self._runs += len(statements)
        self._tally["read"] += len(statements)
        groups = [group_of(statement) for statement in statements]
        texts = [text_hash(group.text) for group in groups]
        found_in = self._identifying(groups, texts)
        for statement, group, text, identified in zip(statements, groups, texts, found_in, strict=True):
            if statement.truncated:
                self._tally["truncated"] += 1
            started = statement.started_at
            if started is not None and (self._latest is None or started > self._latest):
                self._latest = started
            if not group.query:
                self._add_script(group, text, identified)
            elif statement.session_id is not None:
                self._add_session_row(statement, group, identified)
            else:
                self._add_row(statement, group, text, identified)

    def _add_script(self, group: Group, text: str, identified: Identified) -> None:
        if group.number not in self._given:
            self._given[group.number] = ""
            self._tally["statements"] += len(identified.identities)
            self._candidate(group, text, identified, "")

    def _add_session_row(self, row: SourceStatement, group: Group, identified: Identified) -> None:
        number = group.number
        if identified.changes_state:
            self._tally["stateful"] += 1
        name = row_name(row)
        if identified.identities and (number not in self._given or name < self._given[number]):
            self._given[number] = name
            unit = single_unit(group, identified, self._how.context, name)
            text = _text_row(precedence(unit, number), number, unit)
            made = {**text, "alone": False, "changes": identified.changes_state, "identities": identified.identities}
            if number in self._places:
                self._rows[self._places[number]] = made
            else:
                self._letters += len(group.text)
                self._places[number] = len(self._rows)
                self._rows.append(made)
        told = {"session_id": row.session_id, "sequence": row.sequence, "changes": identified.changes_state}
        self._add_run(row, identified, gid=number, **told)

    def _add_row(self, row: SourceStatement, group: Group, text: str, identified: Identified) -> None:
        candidate = self._candidate(group, text, identified, row_name(row))
        if candidate is None or self._how.one_by_one:
            self._add_run(row, identified)
            return
        if candidate.runs is None:
            candidate.runs = _Runs(identified.identities)
        candidate.runs.add(row)

    def _candidate(self, group: Group, text: str, identified: Identified, row: str) -> _Candidate | None:
        """What stands for the unit of a text, which may now be this text; None for one without a statement."""
        identities = identified.identities
        if not identities:
            return None
        # All that the key of the unit is made of, and cheaper than the key itself.
        place = group.dialect, group.cluster, group.database, group.schema, identities
        known = self._candidates.get(place)
        if known is not None and not known.may_yield_to(text):
            return known
        number = group.number
        unit = single_unit(group, identified, self._how.context, row)
        order = precedence(unit, number)
        if known is None:
            self._letters += len(group.text)
            known = self._candidates[place] = _Candidate(order, number, unit)
        elif order < known.precedence:
            known.precedence, known.gid, known.unit = order, number, unit
        return known

    def _add_run(self, row: SourceStatement, identified: Identified, **more: Any) -> None:
        runs = _Runs(identified.identities)
        runs.add(row)
        self._rows.append({"kind": RUN, "source": self._how.source, **runs.described(), **more})

    def count(self) -> None:
        """The tallies, once all is read."""
        source = self._how.source
        self._rows.extend(
            {"kind": TALLY, "source": source, "key": what, "runs": count, "last_seen": self._latest}
            for what, count in self._tally.items()
        )

    def batch(self) -> pa.RecordBatch:
        """What has been put together so far."""
        rows = self._rows
        for each in self._candidates.values():
            told = {} if each.runs is None else each.runs.described()
            rows.append({**_text_row(each.precedence, each.gid, each.unit), "alone": True, **told})
        self._clear()
        return record_batch([[row.get(name) for row in rows] for name in DEDUPLICATED.names], DEDUPLICATED)


def _text_row(order: str, number: str, unit: Unit) -> dict[str, Any]:
    return {
        "kind": TEXT,
        "source": unit.source,
        "key": unit.key,
        "precedence": order,
        "gid": number,
        "size": unit.size,
        "unit": pickle.dumps(unit, pickle.HIGHEST_PROTOCOL),
    }


class _Identifying:
    """The identities in texts. Those of texts that come again are remembered."""

    def __init__(self, mode: QueryIdentity, guard: Performing) -> None:
        self._mode = mode
        self._guarded = GuardedIdentification(guard)
        self._known: dict[tuple[str, str], Identified] = {}

    def __call__(self, groups: Sequence[Group], texts: Sequence[str]) -> list[Identified]:
        """What the texts of groups hold, by the hashes of the texts."""
        names = [(group.dialect, text) for group, text in zip(groups, texts, strict=True)]
        if len(self._known) > _KNOWN_TEXTS:
            self._known.clear()
        asked: dict[tuple[str, str], Question] = {}
        for name, group in zip(names, groups, strict=True):
            if name not in self._known and name not in asked:
                asked[name] = Question(group.text, group.dialect, self._mode)
        self._known.update(zip(asked, self._guarded.identify(asked.values()), strict=True))
        return [self._known[name] for name in names]


@lru_cache(maxsize=3)
def _identifying(mode: QueryIdentity, seconds: float, memory_mb: int) -> _Identifying:
    return _Identifying(mode, worker_guard(seconds, memory_mb))


# --- sessions -----------------------------------------------------------------------------------------------------------

UNIT_DDL = "key string, precedence string, size bigint, unit binary"
"""A unit as a row. Of several with one key the first by `precedence` is analysed."""
_UNIT_SCHEMA = pa.schema(
    [("key", pa.string()), ("precedence", pa.string()), ("size", pa.int64()), ("unit", pa.binary())]
)


@dataclass(frozen=True)
class SessionUnits:
    """The statements of one session, in order, as units."""

    context: str
    """The digest that is part of the keys."""

    def __call__(self, table: pa.Table) -> pa.Table:
        names = ("started_at", "sequence", "gid", "unit", "identities", "changes")
        columns = [[value for chunk in table.column(name).chunks for value in values_of(chunk)] for name in names]
        rows = sorted(zip(*columns, strict=True), key=_session_order)
        singles: list[Unit] = [pickle.loads(unit) for _, _, _, unit, _, _ in rows]
        statements = [
            SessionStatement(unit.texts[0], tuple(identities), bool(changes))
            for unit, (*_, identities, changes) in zip(singles, rows, strict=True)
        ]
        session = table.column("session_id")[0].as_py()
        units = list(session_units(statements, singles[0]._replace(row=f"session {session}"), self.context))
        made: list[list[Any]] = [
            [unit.key for unit in units],
            [precedence(unit, f"{session}/{number}") for number, unit in enumerate(units)],
            [unit.size for unit in units],
            [pickle.dumps(unit, pickle.HIGHEST_PROTOCOL) for unit in units],
        ]
        return pa.Table.from_batches([record_batch(made, _UNIT_SCHEMA)])


def _session_order(row: tuple[Any, ...]) -> tuple[bool, datetime | None, bool, int | None, str]:
    """In the order in which they ran; what has no time comes last."""
    started, sequence, gid = row[:3]
    return started is None, started, sequence is None, sequence, gid
