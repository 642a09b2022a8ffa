"""Replacing and removing processes, so that the lineage that Atlas shows is right.

On a server with soft deletes, the default, an edge that a process loses is marked as deleted and goes on being shown; a
deleted process stays in the answer too. Only what is purged is gone. So a process that loses edges is deleted, purged
and written anew, with all that others had added to it: their part is put into the ledger first, for the case that the
run ends in between.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from apache_atlas.model.instance import AtlasStruct

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.plan import Existing, Key, Plan, PlannedEntity
from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger
from connector.catalogs.summary import Summary

_log = logging.getLogger("connector.catalogs")

NO_PURGE = (
    "This user may not delete and purge entities, so edges that statements no longer have stay visible in Atlas; "
    "push once with --verify as a user who may."
)


class Replacer:
    """Collects what has to go, and removes it before anything new is written."""

    def __init__(
        self,
        entities: Mapping[Key, PlannedEntity],
        child_types: Set[str],
        client: AtlasClient,
        ledger: Ledger,
    ) -> None:
        self._entities = entities
        self._child_types = child_types
        self._client = client
        self._ledger = ledger
        self.known: Mapping[Key, str] = {}
        """The server's own keys of the entities that it has."""
        self._replaced: dict[Key, tuple[PlannedEntity, Existing]] = {}
        self._dropped: dict[str, str] = {}
        self._deleted_before: dict[str, None] = {}

    def __bool__(self) -> bool:
        return bool(self._replaced or self._dropped or self._deleted_before)

    def replace(self, planned: PlannedEntity, found: Existing) -> None:
        """The entity has edges that it should not have."""
        self._replaced[planned.key] = (planned, found)

    def drop_children(self, process: PlannedEntity, found: Existing) -> None:
        """Column lineage of columns that the statement no longer writes."""
        wanted = {self.known.get(key) for key in process.children}
        for guid, type_name in found.children(self._child_types).items():
            if guid not in wanted:
                self._dropped[guid] = type_name

    def sweep(self, guid: str) -> None:
        """An entity that we wrote and that was deleted: the response would contain it next to its replacement."""
        self._deleted_before[guid] = None

    def carry_out(self, summary: Summary, pool: ThreadPoolExecutor) -> list[PlannedEntity]:
        """Remove everything; returns the entities that have to be written anew because they went with it."""
        if not self:
            return []
        try:
            renewed = self._remove_all(pool)
        except RefusedError as error:
            if error.status != 403:
                raise
            summary.notes.append(NO_PURGE)
            self._ledger.restored(self._replaced)  # nothing was taken away
            return []
        for type_name in self._dropped.values():
            summary.of(type_name).removed += 1
        return renewed

    def _remove_all(self, pool: ThreadPoolExecutor) -> list[PlannedEntity]:
        if not self._client.may_purge():
            raise RefusedError(403, "", "purging is not allowed")
        renewed = self._rescue(pool)
        guids = [found.guid for _, found in self._replaced.values()]
        remove(self._client, [*guids, *self._dropped], purge=True)
        purge_quietly(self._client, list(self._deleted_before))
        return renewed

    def _rescue(self, pool: ThreadPoolExecutor) -> list[PlannedEntity]:
        """Keep what others have added, and name the parts that go with their process."""
        renewed: dict[Key, PlannedEntity] = {}
        for planned, _ in self._replaced.values():
            renewed[planned.key] = planned
            renewed.update({key: self._entities[key] for key in planned.children})
        guids = {key: guid for key in renewed if (guid := self.known.get(key)) is not None}
        contents = pool.map(self._foreign, [renewed[key] for key in guids], guids.values())
        self._ledger.rescue({key: content for key, content in zip(guids, contents, strict=True) if content})
        self._ledger.forget(renewed)
        return list(renewed.values())

    def _foreign(self, planned: PlannedEntity, guid: str) -> dict[str, object]:
        try:
            return Existing(self._client.one(guid)).foreign(planned)
        except RefusedError as error:
            if error.status == 404:
                return {}
            raise


def remove(client: AtlasClient, guids: Iterable[str], *, purge: bool) -> None:
    """Delete entities and, where we may, purge them."""
    listed = list(guids)
    client.delete(listed)
    if purge:
        purge_quietly(client, listed)


def purge_quietly(client: AtlasClient, guids: list[str]) -> None:
    """Purge what is deleted. A server may refuse after the work is done, while it writes its audit record."""
    try:
        client.purge(guids)
    except RefusedError as error:
        _log.debug("purge: %s", error)


@dataclass(slots=True)
class Outdated:
    """What a source wrote earlier and no longer has."""

    remove: dict[Key, str] = field(default_factory=dict)
    """Processes that no other source has, with their guids."""
    release: dict[Key, tuple[str, list[str]]] = field(default_factory=dict)
    """Processes that other sources have too: guid and the sources that stay."""
    gone: list[Key] = field(default_factory=list)
    """Processes that the server does not have either."""

    def __bool__(self) -> bool:
        return bool(self.remove or self.release or self.gone)

    def within(self, earlier: Outdated) -> Outdated:
        """What was outdated then and still is."""
        return Outdated(
            {key: guid for key, guid in self.remove.items() if key in earlier.remove},
            {key: found for key, found in self.release.items() if key in earlier.release or key in earlier.remove},
            [key for key in self.gone if key in earlier.gone or key in earlier.remove or key in earlier.release],
        )


def find_outdated(plan: Plan, client: AtlasClient, ledger: Ledger) -> Outdated:
    """The processes of the plan's source that the plan does not hold, by the ledger and by what the server says."""
    found = Outdated()
    claims = {key for key in ledger.claims(plan.source) if key not in plan.entities}
    others = ledger.claimed_by_others(plan.source)
    for type_name, attribute in plan.process_types.items():
        claimed = sorted(name for kind, name in claims if kind == type_name)
        entities: dict[str, AtlasStruct] = {str(each.guid): each for each in client.read(type_name, claimed)}
        if attribute is not None:
            for each in client.search(type_name, [attribute]):
                if plan.source in (each.get_attribute(attribute) or ()):
                    entities.setdefault(str(each.guid), each)
        for guid, entity in entities.items():
            key = (type_name, str(entity.get_attribute("qualifiedName")))
            if key in plan.entities:
                continue
            sources = (entity.get_attribute(attribute) or []) if attribute else []
            rest = sorted(set(sources) - {plan.source})
            if rest or key in others:
                found.release[key] = (guid, rest)
            else:
                found.remove[key] = guid
    seen = {*found.remove, *found.release}
    found.gone = sorted(key for key in claims if key[0] in plan.process_types and key not in seen)
    return found


def prune(outdated: Outdated, plan: Plan, client: AtlasClient, ledger: Ledger, summary: Summary) -> None:
    """Remove what is outdated. Column lineage goes with its process."""
    for (type_name, name), (_, rest) in outdated.release.items():
        attribute = plan.process_types[type_name]
        if attribute is not None:
            client.set_attributes(type_name, name, {attribute: rest})
        summary.of(type_name).updated += 1
    if outdated.remove:
        may_purge = client.may_purge()
        remove(client, outdated.remove.values(), purge=may_purge)
        if not may_purge and NO_PURGE not in summary.notes:
            summary.notes.append(NO_PURGE)
        for type_name, _ in outdated.remove:
            summary.of(type_name).removed += 1
    keys = [*outdated.remove, *outdated.release, *outdated.gone]
    ledger.forget(outdated.remove)
    ledger.disclaim(keys, plan.source)
