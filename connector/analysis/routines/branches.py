"""What text variables hold behind an IF, a CASE or a loop: that of any branch."""

from __future__ import annotations

from dataclasses import dataclass, field

from connector.analysis.routines.dynamic import Constants
from connector.analysis.routines.texts import Value, choice_of

__all__ = ["Branches"]


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
