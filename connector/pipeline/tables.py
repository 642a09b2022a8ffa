"""The folder of tables that runs append to, and what of it counts.

Every piece of work writes files into folders of its own, and then one small file that names them: the commit. What no
commit names does not exist for any reader, and the next run removes it. So a run that is killed leaves nothing behind but
work to be done again, and what it has committed is done for good.

    units/00000003-6f2a…/part-….parquet      results: status, complete model and levels of each unit
    statements/00000004-6f2a…/…              what the log tells of statements: first and last seen, runs, users
    rows/00000004-6f2a…/…                    fingerprints of the log rows that have been counted
    column_edges/…, table_edges/…            the levels of these units, one row for each edge
    _commits/00000004-6f2a….json             what counts

A commit is one of two kinds. One with results alone is made while a long analysis goes on. The last one of a run is final:
it holds what the run has read of its sources, and what belongs to it is delivered to the store and the catalogs.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from connector.catalogs.locking import try_lock
from connector.errors import ConfigurationError, UnavailableError

__all__ = [
    "TABLES",
    "Commit",
    "OutdatedUnits",
    "TableFolder",
    "final_groups",
    "open_commits",
    "sources_read",
    "units_now",
]

_COMMITS = "_commits"
_DELIVERED = "_delivered"
_CONTEXT = "_context"
_ATTEMPTS = "_attempts"
_LOCK = "_lock"
_VERSION = 3
TABLES = ("units", "statements", "rows", "column_edges", "table_edges")


@dataclass(slots=True)
class Commit:
    """What one piece of work has added."""

    sequence: int
    run: str
    final: bool = False
    folders: dict[str, str] = field(default_factory=dict)
    """For each table the folder, seen from the top."""
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


class TableFolder:
    """The tables of one job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()

    # --- one run at a time ------------------------------------------------------------------------------------------

    @contextmanager
    def only_run(self, wait: float = 0.0) -> Iterator[None]:
        """Hold the folder for the time of a run. Another run is waited for; after that time it is an error."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigurationError(f"The folder of tables {self.folder} cannot be made: {error.strerror}") from error
        lock = self.folder / _LOCK
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            deadline = time.monotonic() + wait
            while not try_lock(descriptor):
                if time.monotonic() >= deadline:
                    raise UnavailableError(
                        f"Another run works on {self.folder}{_holder(lock)}. Try again when it is done."
                    )
                time.sleep(0.2)
            os.ftruncate(descriptor, 0)
            holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.strftime("%Y-%m-%dT%H:%M:%S%z")}
            os.pwrite(descriptor, json.dumps(holder).encode(), 0)
            self._check_version()
            yield
            os.ftruncate(descriptor, 0)
        finally:
            os.close(descriptor)

    def _check_version(self) -> None:
        file = self.folder / "_version"
        if not file.exists():
            _write_whole(file, str(_VERSION))
        elif (known := file.read_text(encoding="ascii").strip()) != str(_VERSION):
            raise ConfigurationError(
                f"{self.folder} was written by another version of lineage-connector (tables of version {known}; this one "
                f"knows {_VERSION}). Name another folder of tables."
            )

    # --- commits ----------------------------------------------------------------------------------------------------

    def commits(self) -> list[Commit]:
        """What counts, oldest first."""
        found = []
        for file in sorted((self.folder / _COMMITS).glob("*.json")):
            try:
                found.append(Commit(**json.loads(file.read_text(encoding="utf-8"))))
            except (ValueError, TypeError) as error:
                raise ConfigurationError(f"{file} is no commit of these tables: {error}") from error
        return found

    def next_sequence(self) -> int:
        commits = self.commits()
        return commits[-1].sequence + 1 if commits else 1

    def new_folder(self, table: str, commit: Commit) -> Path:
        """A folder for the files of a commit, not made yet: whoever writes makes it."""
        relative = f"{table}/{commit.name}"
        commit.folders[table] = relative
        return self.folder / relative

    def attempts(self, commit: Commit) -> Path:
        """A folder for files that may become some of a commit's."""
        return self.folder / _ATTEMPTS / commit.name

    def commit(self, commit: Commit) -> None:
        """From here on the work counts."""
        folder = self.folder / _COMMITS
        folder.mkdir(exist_ok=True)
        _write_whole(folder / f"{commit.name}.json", json.dumps(asdict(commit), indent=1, sort_keys=True))

    def clean(self) -> list[str]:
        """Remove what no commit names; its folders."""
        named = {relative for commit in self.commits() for relative in commit.folders.values()}
        removed = []
        for table in TABLES:
            for folder in sorted((self.folder / table).glob("*")):
                relative = f"{table}/{folder.name}"
                if relative not in named:
                    shutil.rmtree(folder)
                    removed.append(relative)
        shutil.rmtree(self.folder / _ATTEMPTS, ignore_errors=True)
        for left in (*(self.folder / _COMMITS).glob("*.part"), *(self.folder / _DELIVERED).glob("*.part")):
            left.unlink()
        return removed

    def folders(self, table: str, commits: Sequence[Commit] | None = None) -> list[Path]:
        """The folders of a table that count, oldest first."""
        chosen = self.commits() if commits is None else commits
        return [self.folder / commit.folders[table] for commit in chosen if table in commit.folders]

    @property
    def context_folder(self) -> Path:
        return self.folder / _CONTEXT

    # --- deliveries -------------------------------------------------------------------------------------------------

    def delivered(self, receiver: str) -> set[str]:
        """The commits that a receiver has, by name."""
        file = self._delivery_file(receiver)
        return set(json.loads(file.read_text(encoding="utf-8"))["commits"]) if file.exists() else set()

    def mark_delivered(self, receiver: str, commits: Sequence[Commit]) -> None:
        """A receiver has taken what these commits hold."""
        file = self._delivery_file(receiver)
        file.parent.mkdir(exist_ok=True)
        names = sorted(self.delivered(receiver) | {commit.name for commit in commits})
        _write_whole(file, json.dumps({"receiver": receiver, "commits": names}, indent=1))

    def _delivery_file(self, receiver: str) -> Path:
        safe = "".join(letter if letter.isalnum() else "-" for letter in receiver)[:60].strip("-")
        return self.folder / _DELIVERED / f"{safe}-{_digest(receiver)}.json"


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


def _holder(lock: Path) -> str:
    try:
        holder = json.loads(lock.read_text(encoding="utf-8"))
        return f" (process {holder['pid']} on {holder['host']}, since {holder['since']})"
    except (OSError, ValueError, KeyError):
        return ""


def _write_whole(file: Path, content: str) -> None:
    """The file is there with all of its content, or not at all, whenever the machine stops."""
    part = file.with_name(f"{file.name}.part")
    with part.open("w", encoding="utf-8") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]
