"""A small input, which the driver reads, deduplicates, makes to units and counts by itself.

What is worth a single task gains nothing from the readers, shuffles and aggregations of Spark: its queries would make a Java that
has just started load and compile a thousand classes, and start a worker that reads the same files. The functions are those that
the workers apply to a large input.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

import pyarrow as pa

from connector.common.arrow_columns import values_of
from connector.pipeline.spark.deduplication import (
    DEDUPLICATED,
    TALLY,
    TEXT,
    Deduplicate,
    deduplicated_batch,
    worker_guard,
)
from connector.pipeline.spark.sessions import OF_SESSIONS, UNIT_SCHEMA, SessionUnits, SplitSessions
from connector.sources.logs.rows import BoundTable
from connector.sources.record import SourceStatement

UNIT, FIGURE = "unit", "figure"
"""Further kinds of rows: a unit to analyse, and a figure by its name."""

_Row = dict[str, Any]
_ROWS_AT_ONCE = 10_000
_OF_UNITS = ("precedence", "gid", "size", "changes", "unit", "sessions", "times", "sequences")
"""What of a text only its unit needs."""


@dataclass(frozen=True)
class SmallLog:
    """The files of a log."""

    tables: tuple[BoundTable, ...]
    into: Deduplicate


@dataclass(frozen=True)
class SmallInput:
    """All that a run reads."""

    scripts: tuple[SourceStatement, ...]
    into: Deduplicate
    """What is done with the scripts."""
    logs: tuple[SmallLog, ...]
    giant: int
    """Characters of a unit that is counted as a giant."""

    def read(self) -> pa.Table:
        """Rows as `Deduplicate` makes them, but units apart from the texts, and one for each key; and their figures.

        Raises SourceError for a log that cannot be read.
        """
        rows = self._rows()
        batches = [deduplicated_batch(rows[at : at + _ROWS_AT_ONCE]) for at in range(0, len(rows), _ROWS_AT_ONCE)]
        return pa.Table.from_batches(batches, DEDUPLICATED)

    def _rows(self) -> list[_Row]:
        try:
            found = list(chain.from_iterable(self._deduplicated()))
        finally:
            # A driver may live on for long, and need no child any more.
            worker_guard(self.into.seconds, self.into.memory_mb).close()
        units: dict[str, _Row] = {}
        for unit in self._units(found):
            known = units.setdefault(unit["key"], unit)
            if unit["precedence"] < known["precedence"]:
                units[unit["key"]] = unit
        for row in found:
            if row["kind"] == TEXT:
                for name in _OF_UNITS:
                    row.pop(name, None)
        return [*found, *units.values(), *self._figures([unit["size"] for unit in units.values()])]

    def _deduplicated(self) -> Iterator[list[_Row]]:
        if self.scripts:
            yield from self.into.rows(self.scripts)
        for log in self.logs:
            yield from log.into.rows(chain.from_iterable(log.tables))

    def _units(self, found: Sequence[_Row]) -> Iterator[_Row]:
        """What `frames.single_units` and `frames.session_units` make: Spark sorts members to bring those of a session together."""
        names = UNIT_SCHEMA.names
        texts = [row for row in found if row["kind"] == TEXT]
        tallies = [row for row in found if row["kind"] == TALLY]
        stateful = frozenset((row["source"], session) for row in tallies for session in row.get("sessions") or ())
        alone = [row for row in texts if row["alone"] or not stateful]
        units: Iterable[tuple[Any, ...]] = map(itemgetter(*names), alone)
        if stateful:
            of_sessions = map(itemgetter(*OF_SESSIONS), (row for row in texts if not row["alone"]))
            members = sorted(SplitSessions(stateful).members(of_sessions), key=attrgetter("place"))
            units = chain(units, SessionUnits(self.into.context).units(members))
        return ({"kind": UNIT, **dict(zip(names, unit, strict=True))} for unit in units)

    def _figures(self, sizes: Sequence[int]) -> list[_Row]:
        """The figures of `frames.figures_of`, for a run that knows no unit yet."""
        giants = sum(size > self.giant for size in sizes)
        figures = {"units": len(sizes), "letters": sum(sizes), "giants": giants}
        return [{"kind": FIGURE, "key": name, "runs": figure} for name, figure in figures.items()]


def rows_of(table: pa.Table, kind: str, names: Sequence[str]) -> list[_Row]:
    """Some columns of the rows of one kind."""
    found: list[_Row] = []
    for batch in table.to_batches():
        kinds = values_of(batch.column("kind"))
        rows = zip(*(values_of(batch.column(name)) for name in names), strict=True)
        found.extend(dict(zip(names, row, strict=True)) for its, row in zip(kinds, rows, strict=True) if its == kind)
    return found
