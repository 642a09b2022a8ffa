"""A catalog on paper: as much as the protocol asks for, and nothing that the program could know beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from connector.catalogs.catalog import Catalog, DeliverySettings, PruneSettings, Seen, Session
from connector.common.progress import Progress
from connector.errors import UnavailableError
from connector.lineage import Lineage


class PaperSettings(DeliverySettings, PruneSettings):
    """A sheet of paper."""

    type: Literal["paper"] = "paper"
    """The kind of catalog."""
    url: str
    """The sheet: a file."""
    pencil: Literal["soft", "hard"] = "soft"
    """What is written with."""

    @property
    def dead_letter_file(self) -> Path:
        return Path(self.url + ".dead")


@dataclass
class Plan:
    source: str
    lines: list[str]


@dataclass
class Crossed:
    remove: list[tuple[str, str]]
    release: list[tuple[str, str]]

    def __bool__(self) -> bool:
        return bool(self.remove)


class Sheet(Session[Plan, Crossed]):
    def __init__(self, file: Path, progress: Progress) -> None:
        from connector.catalogs.summary import Summary

        self.summary = Summary()
        self._file = file
        self._progress = progress

    def _lines(self) -> list[str]:
        return self._file.read_text().splitlines() if self._file.exists() else []

    def write(self, plan: Plan, *, verify: bool) -> None:
        self._progress.begin("Writing on paper", len(plan.lines))
        known = self._lines()
        new = [line for line in plan.lines if line not in known]
        self._file.write_text("".join(f"{line}\n" for line in [*known, *new]))
        counts = self.summary.of("line")
        counts.created, counts.unchanged = len(new), len(plan.lines) - len(new)
        self._progress.advance(len(plan.lines))
        self._progress.end()

    def outdated(self, plan: Plan) -> Crossed:
        return Crossed([("line", line) for line in self._lines() if line not in plan.lines], [])

    def prune(self, plan: Plan, outdated: Crossed) -> None:
        gone = {line for _, line in outdated.remove}
        self._file.write_text("".join(f"{line}\n" for line in self._lines() if line not in gone))
        self.summary.of("line").removed = len(gone)


class PaperCatalog(Catalog[PaperSettings, Plan, Crossed]):
    """Paper: a line for each edge between tables."""

    name = "paper"
    title = "Paper"
    settings_class = PaperSettings
    login_flags: ClassVar[Mapping[str, str]] = {"url": "PAPER_URL"}
    flags: ClassVar[Mapping[str, str]] = {"pencil": "soft"}

    @property
    def place(self) -> str:
        return self.settings.url

    def check(self) -> str:
        if not Path(self.settings.url).parent.is_dir():
            raise UnavailableError(f"There is no table under {self.settings.url}.")
        return f"{self.settings.url}: there is paper"

    def plan(self, lineages: Iterable[Lineage], *, source: str, seen: Mapping[str, Seen] | None = None) -> Plan:
        found = [
            f"{edge['source']['table']} -> {edge['target']['table']}"
            for lineage in lineages
            for edge in lineage.to_dict("table")["relations"]
        ]
        return Plan(source, sorted(set(found)))

    def show(self, plan: Plan) -> Iterable[str]:
        return plan.lines

    @contextmanager
    def open(self, progress: Progress) -> Iterator[Sheet]:
        yield Sheet(Path(self.settings.url), progress)
