"""What a run has committed, and what follows from it: how far sources were read, which units they have now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Commit:
    """A piece of work that counts. A long analysis makes several; the last one of a run is final: it holds what the run
    has read of its sources, and what belongs to it is delivered to the store and the catalogs."""

    sequence: int
    """Numbers grow, with gaps. Every row of the tables carries that of its commit."""
    run: str
    final: bool = False
    rows: dict[str, int] = field(default_factory=dict)
    """How many rows it has added, by table."""
    sources: dict[str, Any] = field(default_factory=dict)
    """Of a final one: for each source how far it was read."""
    context: str = ""
    """What decided how the units of this run were understood."""
    units: dict[str, list[str]] = field(default_factory=dict)
    """Of a final one: for each source that was read as a whole, as scripts are, the keys of the units it has now."""
    shared: list[str] = field(default_factory=list)
    """Keys among all of these that a log has too."""
    started: str = ""
    finished: str = ""
    problems: int = 0

    @property
    def name(self) -> str:
        return f"{self.sequence:08}-{self.run}"


def final_groups(commits: Sequence[Commit]) -> list[list[Commit]]:
    """Commits that belong together: those up to and with each final one. What comes after the last waits for its own."""
    groups: list[list[Commit]] = []
    open_group: list[Commit] = []
    for commit in commits:
        open_group.append(commit)
        if commit.final:
            groups.append(open_group)
            open_group = []
    return groups


def open_commits(commits: Sequence[Commit]) -> list[Commit]:
    """Commits that wait for a final one: those behind the last."""
    finished = sum(len(group) for group in final_groups(commits))
    return list(commits[finished:])


def sources_read(commits: Sequence[Commit]) -> Mapping[str, Any]:
    """How far each source was read."""
    found: dict[str, Any] = {}
    for commit in commits:
        found.update(commit.sources)
    return found


def units_now(commits: Sequence[Commit]) -> dict[str, list[str]]:
    """For each source that is read as a whole the units that it has."""
    found: dict[str, list[str]] = {}
    for commit in commits:
        found.update(commit.units)
    return found


class OutdatedUnits:
    """Units of scripts that have been changed or removed since. What a log has told stays: it has happened."""

    def __init__(self, commits: Sequence[Commit], sources: Iterable[str]) -> None:
        """`sources` are those that the job has now."""
        self._wholes = {source for commit in commits for source in commit.units}
        ever = {key for commit in commits for keys in commit.units.values() for key in keys}
        current = units_now(commits)
        kept = {key for source in sources for key in current.get(source, ())}
        kept.update(key for commit in commits for key in commit.shared)
        self._keys = ever - kept

    def __call__(self, key: str, source: str) -> bool:
        """Whether a result with this key, of this source, counts no more."""
        return key in self._keys and source in self._wholes
