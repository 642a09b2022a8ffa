"""The pipeline in one thread, without Spark: for a catalog's own ingestion, for small jobs, and as a reference for tests.

The functions are those that Spark's workers call, and the units, their keys and their results are the same.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from connector.pipeline.analysing import analyse_unit
from connector.pipeline.context import AnalysisContext, serialised
from connector.pipeline.groups import Group, group_of, precedence, row_name, single_unit
from connector.pipeline.guarded import GuardedIdentification, guarded_results, new_guard
from connector.pipeline.identify import identify
from connector.pipeline.results import UnitResult
from connector.pipeline.units import Identified, Question, SessionStatement, Unit, session_units
from connector.sources.record import SourceStatement
from connector.store.processes import LogHistory


@dataclass(slots=True)
class Collected:
    """What some statements come down to."""

    units: list[Unit] = field(default_factory=list)
    """By key."""
    history: list[LogHistory] = field(default_factory=list)
    """What the log tells of statements, by source and identity."""
    rows: int = 0
    statements: int = 0
    """Distinct ones."""


def collect_units(
    statements: Iterable[SourceStatement], context: AnalysisContext, *, guarded: bool = True
) -> Collected:
    """The distinct units among some statements, and what their runs tell.

    Without a guard a text that cannot be read in time, or in memory, takes the process with it.
    """
    rows = list(statements)
    groups = [group_of(row) for row in rows]
    distinct = list(dict.fromkeys(groups))
    questions = [
        Question(group.text, group.dialect, context.options.identity_of(log=group.query)) for group in distinct
    ]
    if guarded:
        with new_guard(context.limits) as guard:
            answers = list(GuardedIdentification(guard).identify(questions))
    else:
        answers = [identify(question) for question in questions]
    found = dict(zip(distinct, answers, strict=True))
    collected = Collected(rows=len(rows), history=_history(rows, groups, found))
    collected.statements = len({identity for each in answers for identity in each.identities})
    stateful = {
        (row.source, row.session_id)
        for row, group in zip(rows, groups, strict=True)
        if row.session_id is not None and group.query and found[group].changes_state
    }
    sessions: dict[tuple[str, str | None], list[tuple[SourceStatement, Group]]] = {session: [] for session in stateful}
    alone: dict[Group, str] = {}
    for row, group in zip(rows, groups, strict=True):
        session = row.source, row.session_id
        if group.query and session in stateful:
            sessions[session].append((row, group))
        else:
            name = row_name(row)
            alone[group] = min(alone.get(group, name), name)
    chosen = _Chosen()
    for group, name in alone.items():
        each = found[group]
        if each.identities:
            chosen.add(single_unit(group, each, context.digest, name), group.number)
    for (_, session_id), members in sessions.items():
        members.sort(key=_session_order)
        in_order = [(single_unit(group, found[group], context.digest), found[group]) for _, group in members]
        together = [
            SessionStatement(unit.texts[0], each.identities, each.changes_state)
            for unit, each in in_order
            if each.identities
        ]
        like = in_order[0][0]._replace(row=f"session {session_id}")
        for number, unit in enumerate(session_units(together, like, context.digest)):
            chosen.add(unit, f"{session_id}/{number}")
    collected.units = chosen.units()
    return collected


def analyse_plain(units: Iterable[Unit], context: AnalysisContext, *, guarded: bool = True) -> Iterator[UnitResult]:
    """The results of units, one after the other."""
    if not guarded:
        for unit in units:
            yield analyse_unit(unit, context)
        return
    with tempfile.TemporaryDirectory() as folder, new_guard(context.limits) as guard:
        file = Path(folder) / "context.json"
        file.write_bytes(serialised(context))
        yield from guarded_results(units, guard, str(file))


class _Chosen:
    """One unit for each key: the first in an order that depends on content alone."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, Unit]] = {}

    def add(self, unit: Unit, number: str) -> None:
        order = precedence(unit, number)
        known = self._first.get(unit.key)
        if known is None or order < known[0]:
            self._first[unit.key] = order, unit

    def units(self) -> list[Unit]:
        return [self._first[key][1] for key in sorted(self._first)]


def _session_order(member: tuple[SourceStatement, Group]) -> tuple[bool, float, int, str]:
    row, group = member
    started = row.started_at
    return started is None, started.timestamp() if started is not None else 0.0, row.sequence, group.number


def _history(rows: list[SourceStatement], groups: list[Group], found: dict[Group, Identified]) -> list[LogHistory]:
    history: dict[tuple[str, str], LogHistory] = {}
    for row, group in zip(rows, groups, strict=True):
        if not group.query:
            continue
        users = (row.user,) if row.user is not None else ()
        for identity in found[group].identities:
            run = LogHistory(identity, row.source, row.started_at, row.started_at, 1, users)
            known = history.setdefault((row.source, identity), run)
            if known is not run:
                known.add(run)
    return [history[key] for key in sorted(history)]
