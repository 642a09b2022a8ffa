"""Deduplicates the statements that Spark's workers read: texts to analyse, runs to count, and tallies.

A log says the same things over and over. What can be put together is put together where it is read, and only what is left
travels: of the texts that are one unit the one that will be analysed, of the runs of a statement how often, when and by
whom. A text of a session travels with the places that it has in sessions, because one of them may turn out to change state.
"""

from __future__ import annotations

import pickle
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from connector.common.arrow_columns import record_batch
from connector.common.collector import collector_paused
from connector.common.hashing import text_hash
from connector.guard import Limits
from connector.options import QueryIdentity
from connector.pipeline.groups import Group, fingerprint, group_of, precedence, row_name, single_unit
from connector.pipeline.guarded import GuardedIdentification, Performing, new_guard
from connector.pipeline.units import Identified, Question, Unit
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
        ("changes", pa.bool_()),  # whether it changes the state of its session
        ("alone", pa.bool_()),  # whether it is known to stand outside of sessions
        ("unit", pa.binary()),
        # runs: of the text, or by themselves where each one counts
        ("identities", pa.list_(pa.string())),
        ("runs", pa.int64()),
        ("first_seen", _TIME),
        ("last_seen", _TIME),
        ("users", pa.list_(pa.string())),
        ("fingerprints", pa.list_(pa.binary())),
        # places of the text in sessions, one element for each; of a tally the sessions that change state
        ("sessions", pa.list_(pa.string())),
        ("times", pa.list_(pa.int64())),  # microseconds: Arrow would load pandas to read a list of timestamps
        ("sequences", pa.list_(pa.int64())),
    ]
)
"""The columns of all kinds of rows; what does not apply to a row is null."""

_HELD_ROWS, _HELD_LETTERS, _HELD_RUNS = 25_000, 8_000_000, 250_000
"""How much a task holds before it passes it on: rows of the result, letters of their texts, and runs that were added up. A run
costs no more than its fingerprint, and whatever is passed on too early travels once more for every unit in it."""
_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=timezone.utc), timedelta(microseconds=1)
_KNOWN_TEXTS = 20_000
"""Texts whose identities a worker remembers from one task to the next."""


@lru_cache(maxsize=1)
def worker_guard(seconds: float, memory_mb: int) -> Performing:
    """The guard of this worker process. It lives as long as the process, over all tasks that Spark gives it.

    Its child loads what it needs while the worker reads.
    """
    guard = new_guard(Limits(seconds, memory_mb))
    guard.start()
    return guard


@dataclass(frozen=True)
class Deduplicate:
    """The statements of a log, or of scripts, into distinct rows."""

    source: str
    """The log, for rows that hold no statement."""
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
        return map(deduplicated_batch, self.rows(found))

    def rows(self, found: Iterable[Found]) -> Iterator[list[dict[str, Any]]]:
        """The same before it travels: the values of each row that has any, by name."""
        held = _Deduplication(self)
        for piece in in_pieces(found):
            with collector_paused():
                held.add(piece)
            if held.is_full:
                yield held.take()
        held.count()
        yield held.take()


def deduplicated_batch(rows: Sequence[dict[str, Any]]) -> pa.RecordBatch:
    """Rows as they travel."""
    return record_batch([[row.get(name) for row in rows] for name in DEDUPLICATED.names], DEDUPLICATED)


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


@dataclass(slots=True)
class _SessionText:
    """A text that sessions hold, with its places there and what its runs tell."""

    group: Group
    identified: Identified
    row: str = ""
    """The first of its rows, by name."""
    runs: _Runs | None = None
    sessions: list[str] = field(default_factory=list)
    times: list[int | None] = field(default_factory=list)
    sequences: list[int] = field(default_factory=list)

    def add(self, row: SourceStatement) -> None:
        assert row.session_id is not None
        name = row_name(row)
        self.row = min(self.row, name) if self.sessions else name
        self.sessions.append(row.session_id)
        self.times.append(None if row.started_at is None else (row.started_at - _EPOCH) // _MICROSECOND)
        self.sequences.append(row.sequence)

    def described(self, context: str) -> dict[str, Any]:
        number = self.group.number
        unit = single_unit(self.group, self.identified, context, self.row)
        return {
            **_text_row(precedence(unit, number), number, unit),
            "alone": False,
            "changes": self.identified.changes_state,
            "identities": self.identified.identities,
            "sessions": self.sessions,
            "times": self.times,
            "sequences": self.sequences,
            **({} if self.runs is None else self.runs.described()),
        }


class _Deduplication:
    """The rows of one task."""

    def __init__(self, how: Deduplicate) -> None:
        self._how = how
        self._identifying = _identifying(how.mode, how.seconds, how.memory_mb)
        self._tallies: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By source: a task may read the scripts of several."""
        self._stateful: set[str] = set()
        self._latest: datetime | None = None
        self._given: set[str] = set()
        """Scripts that were met before, by the number of their group."""
        self._clear()

    def _clear(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._candidates: dict[tuple[Any, ...], _Candidate] = {}
        self._in_sessions: dict[Group, _SessionText] = {}
        self._runs = 0
        self._letters = 0

    @property
    def is_full(self) -> bool:
        held = len(self._rows) + len(self._candidates) + len(self._in_sessions)
        return held >= _HELD_ROWS or self._letters >= _HELD_LETTERS or self._runs >= _HELD_RUNS

    def add(self, found: list[Found]) -> None:
        statements: list[SourceStatement] = []
        for each in found:
            if isinstance(each, str):
                self._tallies[self._how.source][each] += 1
            else:
                statements.append(each)
                self._tallies[each.source]["read"] += 1
        self._runs += len(statements)
        groups = [group_of(statement) for statement in statements]
        texts = [text_hash(group.text) for group in groups]
        found_in = self._identifying(groups, texts)
        for statement, group, text, identified in zip(statements, groups, texts, found_in, strict=True):
            if statement.truncated:
                self._tallies[statement.source]["truncated"] += 1
            started = statement.started_at
            if started is not None and (self._latest is None or started > self._latest):
                self._latest = started
            if not group.query:
                self._add_script(statement, group, text, identified)
            elif statement.session_id is not None:
                self._add_session_row(statement, group, identified)
            else:
                self._add_row(statement, group, text, identified)

    def _add_script(self, script: SourceStatement, group: Group, text: str, identified: Identified) -> None:
        if group.number not in self._given:
            self._given.add(group.number)
            self._tallies[group.source]["statements"] += len(identified.identities)
            self._candidate(script, group, text, identified)

    def _add_session_row(self, row: SourceStatement, group: Group, identified: Identified) -> None:
        assert row.session_id is not None
        if identified.changes_state:
            self._stateful.add(row.session_id)
        if not identified.identities:
            self._add_run(row, identified)
            return
        text = self._in_sessions.get(group)
        if text is None:
            self._letters += len(group.text)
            text = self._in_sessions[group] = _SessionText(group, identified)
        text.add(row)
        if self._how.one_by_one:
            self._add_run(row, identified)
            return
        if text.runs is None:
            text.runs = _Runs(identified.identities)
        text.runs.add(row)

    def _add_row(self, row: SourceStatement, group: Group, text: str, identified: Identified) -> None:
        candidate = self._candidate(row, group, text, identified)
        if candidate is None or self._how.one_by_one:
            self._add_run(row, identified)
            return
        if candidate.runs is None:
            candidate.runs = _Runs(identified.identities)
        candidate.runs.add(row)

    def _candidate(self, row: SourceStatement, group: Group, text: str, identified: Identified) -> _Candidate | None:
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
        unit = single_unit(group, identified, self._how.context, row_name(row))
        order = precedence(unit, number)
        if known is None:
            self._letters += len(group.text)
            known = self._candidates[place] = _Candidate(order, number, unit)
        elif order < known.precedence:
            known.precedence, known.gid, known.unit = order, number, unit
        return known

    def _add_run(self, row: SourceStatement, identified: Identified) -> None:
        runs = _Runs(identified.identities)
        runs.add(row)
        self._rows.append({"kind": RUN, "source": row.source, **runs.described()})

    def count(self) -> None:
        """The tallies, once all is read."""
        for source, tally in self._tallies.items():
            told = {"kind": TALLY, "source": source, "last_seen": self._latest}
            self._rows.extend({**told, "key": what, "runs": count} for what, count in tally.items())
            if self._stateful:  # only logs have sessions, and a task reads one log
                self._rows.append({**told, "key": "stateful", "runs": 0, "sessions": sorted(self._stateful)})

    def take(self) -> list[dict[str, Any]]:
        """What has been put together so far."""
        rows = self._rows
        for each in self._candidates.values():
            told = {} if each.runs is None else each.runs.described()
            rows.append({**_text_row(each.precedence, each.gid, each.unit), "alone": True, **told})
        rows.extend(text.described(self._how.context) for text in self._in_sessions.values())
        self._clear()
        return rows


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
