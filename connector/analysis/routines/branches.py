"""The values of variables after an IF, a CASE or a loop: those of any branch.

A statement before a loop has read the old value of a variable. What the loop writes must not reach that statement, and
yet inside the loop and after it both values count. So a variable that has been read gets a second version where the
loop begins, which starts with what the first one held.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot.tokenizer_core import Token

from connector.analysis.routines.dynamic import Constants
from connector.analysis.routines.preparing import take_into
from connector.analysis.routines.texts import Value, choice_of
from connector.sql.families import Family
from connector.sql.procedural.steps import Assign, Enter, Execute, Fetch, Leave, Sql, Step


@dataclass(slots=True)
class _Branching:
    """A statement with branches, while it is open."""

    before: Constants
    total: bool = False
    ends: list[Constants] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)


class Branches:
    """Keeps the texts of variables apart by branch, and puts them together where the branches meet.

    A loop counts as a branch that is taken once: what a text grows to by going round again is more of the same.
    """

    def __init__(self) -> None:
        self._open: list[_Branching] = []

    @property
    def certain(self) -> bool:
        """Whether what happens here surely happens, and once: outside any branch and loop."""
        return not self._open

    def enter(self, constants: Constants) -> None:
        self._open.append(_Branching(dict(constants)))

    def turn(self, constants: Constants, *, otherwise: bool) -> None:
        """Another branch: it begins with what held before the first. With an ELSE one of the branches is taken."""
        if self._open:
            branching = self._open[-1]
            branching.total = branching.total or otherwise
            branching.ends.append(dict(constants))
            constants.clear()
            constants.update(branching.before)

    def leave(self, constants: Constants) -> None:
        if not self._open:
            return
        branching = self._open.pop()
        branching.ends.append(dict(constants))
        for key in branching.changed:
            # The statement may do nothing at all: what held before may still hold, if there was something.
            candidates = [end[key] for end in branching.ends if key in end]
            if key in branching.before and not branching.total:
                candidates.append(branching.before[key])
            constants[key] = choice_of(candidates)
        if self._open:
            self._open[-1].changed |= branching.changed

    def assigned(self, constants: Constants, key: str, value: Value) -> None:
        """A variable gets a new value."""
        if self._open:
            self._open[-1].changed.add(key)
        constants[key] = value


def assigned_within(steps: list[Step], at: int, family: Family) -> list[list[Token]]:
    """The targets of all that is written between the Enter at `at` and its Leave."""
    found: list[list[Token]] = []
    depth = 0
    for step in steps[at:]:
        if isinstance(step, Enter):
            depth += 1
        elif isinstance(step, Leave):
            depth -= 1
            if not depth:
                break
        elif isinstance(step, (Assign, Fetch, Execute)):
            found.extend(step.targets)
        elif isinstance(step, Sql) and not family.batches:
            found.extend(take_into(step.tokens)[1])
    return found
