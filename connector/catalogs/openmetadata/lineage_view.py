"""The lineage view: what the search index shows, compared with what the server stores, and repaired where they differ.

The index is a copy that nothing but a new write of an edge brings up to date. An edge that it lacks is written again as it
stands; one that it shows although it is gone is written and deleted once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from connector.catalogs.openmetadata.client import Document, EntityType, OpenMetadataClient, reference
from connector.catalogs.openmetadata.details import SERVER_FIELDS
from connector.catalogs.openmetadata.plan import ARROW
from connector.catalogs.openmetadata.writing import in_lanes
from connector.common.progress import Progress
from connector.errors import UnavailableError

_ROUNDS = 3
_REFRESH = 1.0
"""Seconds after which a search engine shows what it was told."""


@dataclass(frozen=True, slots=True)
class Target:
    """An object into which edges lead."""

    type: EntityType
    id: str
    fqn: str

    @property
    def reference(self) -> Document:
        return {"id": self.id, "type": self.type}


@dataclass(slots=True)
class ViewReport:
    """What was found in the view of some targets."""

    repaired: list[str] = field(default_factory=list)
    """Edges that the view showed wrongly, and shows rightly now."""
    left: list[str] = field(default_factory=list)
    """Edges that it goes on showing wrongly."""
    problem: str | None = None
    """Why the view could not be asked."""


class LineageView:
    """Compares and repairs, a target at a time on each worker."""

    def __init__(self, client: OpenMetadataClient, pool: ThreadPoolExecutor, progress: Progress) -> None:
        self._client = client
        self._pool = pool
        self._progress = progress

    def repair(self, targets: Collection[Target], only: Set[tuple[str, str]] | None = None) -> ViewReport:
        """Bring the view of these targets to what the server stores; with `only`, no other edges are looked at."""
        found = ViewReport()
        self._progress.begin("Checking the view", len(targets))
        try:
            for each in in_lanes(
                self._pool, ([target] for target in targets), lambda target: self._repair_target(target, only)
            ):
                found.repaired.extend(each.repaired)
                found.left.extend(each.left)
                found.problem = found.problem or each.problem
                self._progress.advance(1)
        finally:
            self._progress.end()
        return found

    def _repair_target(self, target: Target, only: Set[tuple[str, str]] | None) -> ViewReport:
        """Runs on a worker thread."""
        found = ViewReport()
        wrong: dict[str, None] = {}
        try:
            for attempt in range(_ROUNDS + 1):
                lacking, surplus = self._differences(target, only)
                names = [_name(end, target) for end in (*lacking, *surplus)]
                if not names:
                    break
                if attempt == 0:
                    self._client.http.backoff.wait(1, at_least=_REFRESH)
                    continue
                wrong.update(dict.fromkeys(names))
                if attempt == _ROUNDS:
                    found.left = names
                    break
                self._write_again(lacking, target)
                self._delete_again(surplus, target)
        except UnavailableError as error:
            found.problem = str(error)
        found.repaired = [name for name in wrong if name not in found.left]
        return found

    def _differences(self, target: Target, only: Set[tuple[str, str]] | None) -> tuple[list[Document], list[Document]]:
        """The other ends of the edges that the view lacks, and of those that it should not show."""
        around = self._client.edges_around(target.type, target.fqn, downstream=False)
        stored = {str(start["id"]): start for start, end, _ in around if str(end["id"]) == target.id}
        shown = self._client.shown_upstream(target.type, target.fqn)
        looked = [key for key in {**stored, **shown} if only is None or (key, target.id) in only]
        lacking = [stored[key] for key in looked if key not in shown]
        return lacking, [shown[key] for key in looked if key not in stored]

    def _write_again(self, ends: Iterable[Document], target: Target) -> None:
        for end in ends:
            details = self._client.edge(str(end["id"]), target.id)
            if details is not None:
                kept = {name: value for name, value in details.items() if name not in SERVER_FIELDS}
                self._client.put_edge(reference(end), target.reference, kept)

    def _delete_again(self, ends: Iterable[Document], target: Target) -> None:
        for end in ends:
            if self._client.edge(str(end["id"]), target.id) is None:
                self._client.put_edge(reference(end), target.reference, {"columnsLineage": []})
                self._client.delete_edge(reference(end), target.reference)


def _name(end: Document, target: Target) -> str:
    return f"{end.get('fullyQualifiedName') or end['id']}{ARROW}{target.fqn}"
