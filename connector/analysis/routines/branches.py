"""What texts variables hold behind an IF, a CASE or a loop: those of any branch."""

from __future__ import annotations

from dataclasses import dataclass, field

from connector.analysis.routines.dynamic import UNKNOWN, Constants, Text

__all__ = ["Branches"]

_LIMIT = 8


@dataclass(slots=True)
class _Branching:
    """A statement with branches, while it is open."""

    before: Constants
    loop: bool
    total: bool = False
    ends: list[Constants] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)


class Branches:
    """Keeps the constants of variables apart by branch, and puts them together where the branches meet."""

    def __init__(self) -> None:
        self._open: list[_Branching] = []

    @property
    def certain(self) -> bool:
        """Whether what happens here surely happens, and once: outside any branch and loop."""
        return not self._open

    def enter(self, constants: Constants, loop: bool) -> None:
        self._open.append(_Branching(dict(constants), loop))

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
            merged: list[Text] = []
            known = True
            # The statement may do nothing at all: what held before may still hold, if there was something.
            candidates = [end.get(key) for end in branching.ends]
            if key in branching.before and not branching.total:
                candidates.append(branching.before[key])
            for texts in candidates:
                if texts is None:
                    continue
                if not texts:
                    known = False
                merged.extend(text for text in texts if text not in merged)
            constants[key] = merged if known and len(merged) <= _LIMIT else []
        if self._open:
            self._open[-1].changed |= branching.changed

    def assigned(self, constants: Constants, key: str, texts: list[Text]) -> None:
        """A variable gets a new value. In a loop a value that is built of its own last one grows: nobody knows it."""
        if self._open:
            self._open[-1].changed.add(key)
            if any(each.loop for each in self._open) and self._grows(constants.get(key), texts):
                texts = []
        constants[key] = texts

    @staticmethod
    def _grows(before: list[Text] | None, after: list[Text]) -> bool:
        if not before:
            return False
        return any(
            old.text and old.text != new.text and old.text in new.text and UNKNOWN not in old.text
            for old in before
            for new in after
        )
