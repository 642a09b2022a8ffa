"""The protocol of catalogs.

The command line, the scheduled run and `check` only use :class:`Catalog`. A new catalog is a package with a subclass of it and a
line in :mod:`connector.catalogs`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from connector.catalogs.summary import Summary
from connector.common.progress import NoProgress, Progress
from connector.lineage import Lineage

PlanT = TypeVar("PlanT")
SettingsT = TypeVar("SettingsT", bound=BaseModel)
OutdatedT = TypeVar("OutdatedT", bound="Outdated")


# --- settings ---------------------------------------------------------------------------------------------------------


class DeliverySettings(BaseModel):
    """The settings of a delivery that all catalogs share. Each catalog adds its own."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    type: str
    """The type of catalog."""
    source: str | None = None
    """Name under which the lineage is written. Lineage written under other names is never pruned. Defaults to the name of the
    job."""
    verify: bool = False
    """Check on the server what was written before, instead of trusting the ledger."""

    @property
    def dead_letter_file(self) -> Path:
        """File for what the catalog refuses."""
        raise NotImplementedError

    @property
    def prunes(self) -> bool:
        """Whether to remove what the source no longer has. A catalog that cannot remove anything has no such setting."""
        return bool(getattr(self, "prune", False))


class PruneSettings(BaseModel):
    """For catalogs that can remove what they were given."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    prune: bool = False
    """Remove from the catalog the lineage that the source no longer has."""


# --- writing ----------------------------------------------------------------------------------------------------------


class Outdated(Protocol):
    """What a source wrote earlier and no longer contains. Each item is a type and a name."""

    @property
    def remove(self) -> Collection[tuple[str, str]]:
        """Items that no other source wrote."""

    @property
    def release(self) -> Collection[tuple[str, str]]:
        """Items that are kept because other sources also wrote them."""

    def __bool__(self) -> bool: ...


PruneIf = Callable[[Any], bool]
"""Decides whether outdated items are removed."""


class Session(ABC, Generic[PlanT, OutdatedT]):
    """An open catalog, locked for one writer. The summary counts what has been done so far."""

    summary: Summary

    @abstractmethod
    def write(self, plan: PlanT, *, verify: bool) -> None:
        """Write the plan to the catalog. With `verify`, the catalog is read instead of trusting the ledger."""

    def outdated(self, plan: PlanT) -> OutdatedT | None:
        """What the source of the plan wrote earlier and no longer contains; None if the catalog cannot remove anything."""
        return None

    def prune(self, plan: PlanT, outdated: OutdatedT) -> None:
        """Remove what is outdated."""
        raise NotImplementedError


RunState = Literal["START", "COMPLETE", "FAIL"]


class RunWatcher(Protocol):
    """Notified of the start and the outcome of a scheduled run."""

    def tell(self, state: RunState, moment: datetime, reason: str = "") -> None:
        """The `reason` is that of a failure."""


class Catalog(ABC, Generic[SettingsT, PlanT, OutdatedT]):
    """One catalog: its settings, and how lineage is planned, written, verified and pruned there."""

    name: ClassVar[str]
    """The ``type`` of its settings, and the name of its ``push`` command."""
    title: ClassVar[str]
    """The name shown to users."""
    settings_class: ClassVar[type[DeliverySettings]]
    """An entry of a job's ``catalogs``, a subclass of `DeliverySettings`."""
    login_flags: ClassVar[Mapping[str, str]]
    """The settings for the address and the login, each a flag of the same name, with the default shown in its help. Secrets are
    never flags, but files that contain them can be."""
    flags: ClassVar[Mapping[str, str]] = {}
    """Further settings that ``push`` offers as flags."""

    def __init__(self, settings: SettingsT) -> None:
        self.settings = settings

    @property
    @abstractmethod
    def place(self) -> str:
        """Address of the server or path of the file, without secrets."""

    @property
    def needs_everything(self) -> bool:
        """Whether a delivery must contain all lineage of its source instead of only new lineage."""
        return False

    @property
    def looks_again(self) -> bool:
        """Whether a scheduled run is delivered even if there is nothing new, because the content of the catalog may have
        changed."""
        return False

    @abstractmethod
    def check(self) -> str:
        """Describe the catalog, or raise a `ConnectorError` that explains what would fail. Nothing is changed."""

    @abstractmethod
    def plan(self, lineages: Iterable[Lineage], *, source: str, seen: Mapping[str, Seen] | None = None) -> PlanT:
        """What the catalog should contain for these models. Does not contact the server."""

    def known_columns(self, lineages: Iterable[Lineage] | None = None) -> Mapping[str, Sequence[str]]:
        """The columns that the catalog knows, in order, by ``database.schema.table``: of the tables in these models, or of all
        tables. They serve as metadata for the analysis. Empty if the catalog has no columns."""
        return {}

    @abstractmethod
    def show(self, plan: PlanT) -> Iterable[str]:
        """The plan as readable lines."""

    @abstractmethod
    def open(self, progress: Progress) -> AbstractContextManager[Session[PlanT, OutdatedT]]:
        """Connect, and lock out other writers until the session is closed."""

    def watch(self, job: str, run_id: str) -> RunWatcher | None:
        """A watcher for catalogs that record scheduled runs."""
        return None

    @classmethod
    def push(
        cls,
        lineages: Iterable[Lineage],
        settings: SettingsT,
        *,
        source: str,
        seen: Mapping[str, Seen] | None = None,
        verify: bool = False,
        prune_if: PruneIf | None = None,
        progress: Progress | None = None,
    ) -> Summary:
        """Write lineage to the catalog that the settings describe; see `deliver`."""
        catalog = cls(settings)
        return catalog.deliver(lineages, source=source, seen=seen, verify=verify, prune_if=prune_if, progress=progress)

    def deliver(
        self,
        lineages: Iterable[Lineage],
        *,
        source: str,
        seen: Mapping[str, Seen] | None = None,
        verify: bool = False,
        prune_if: PruneIf | None = None,
        progress: Progress | None = None,
    ) -> Summary:
        """Plan, write and prune.

        `source` names the input: what another source has written is never pruned. `prune_if` decides whether outdated items are
        removed; without it, and after failures, nothing is removed.
        """
        plan = self.plan(lineages, source=source, seen=seen)
        with self.open(progress or NoProgress()) as session:
            session.write(plan, verify=verify)
            if prune_if is not None and session.summary.failures:
                session.summary.notes.append("Nothing was removed, because something failed.")
            elif prune_if is not None:
                outdated = session.outdated(plan)
                if outdated and prune_if(outdated):
                    session.prune(plan, outdated)
        return session.summary


# --- catalogs with types of their own -----------------------------------------------------------------------------------


class TypeChange(Protocol):
    """The difference between a type and its version on the server."""

    @property
    def name(self) -> str: ...

    @property
    def action(self) -> Literal["create", "update", "keep", "newer", "refuse"]: ...

    @property
    def details(self) -> Sequence[str]: ...


class KeepsTypes(ABC):
    """A catalog whose types have to be created first, with the ``typedefs`` commands."""

    @classmethod
    @abstractmethod
    def type_documents(cls, folder: Path | None) -> list[dict[str, Any]]:
        """The typedefs of a folder, or the shipped ones."""

    @classmethod
    @abstractmethod
    def type_lines(cls, folder: Path | None) -> list[str]:
        """The same as readable lines."""

    @abstractmethod
    def type_changes(self, folder: Path | None, *, apply: bool) -> Sequence[TypeChange]:
        """The differences between the types on the server and the typedefs; with `apply`, types are created and updated."""


@dataclass(frozen=True, slots=True)
class Seen:
    """When and how often a statement was run, according to a query log."""

    first: datetime | None = None
    last: datetime | None = None
    count: int = 1
