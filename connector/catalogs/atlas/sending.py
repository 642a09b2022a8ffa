"""Groups entities into requests, sends these in parallel, splits those that the server rejects, and records those that it accepts.

A statement travels with its column lineage and the columns that the server does not have yet: what is created together
costs the server one step, where it would otherwise write, and tell its listeners about, every column and process again for
each of its edges. Writing an edge changes both of its ends, so of two requests at the same time that touch the same table the
server rolls one back; a batch is therefore put together when a worker is free, out of what touches nothing that is on its
way. Batches are small: what a server does for one entity grows with the number of new ones in the same request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from apache_atlas.model.instance import AtlasEntity, AtlasObjectId, AtlasRelatedObjectId, EntityMutationResponse

from connector.catalogs.atlas.client import AtlasClient, compact
from connector.catalogs.atlas.mapping import KINDS
from connector.catalogs.atlas.plan import LINEAGE_KINDS, Existing, Key, PlannedEntity, digest_of
from connector.catalogs.http import RefusedError, encode
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.summary import DeadLetters, Failure, Summary
from connector.common.progress import Progress


@dataclass(frozen=True, slots=True)
class Letter:
    """One entity on its way, with what several sources and other people have added to it."""

    planned: PlannedEntity
    merged: list[str] | None = None
    foreign: dict[str, Any] | None = None
    initial: dict[str, Any] | None = None
    """What the server has of the initial attributes. An update has to say them again, because some are mandatory."""

    @property
    def key(self) -> Key:
        return self.planned.key

    def document(self, guid: str, guids: Mapping[Key, str] = MappingProxyType({})) -> AtlasEntity:
        """The entity as Atlas reads it.

        References go by number to what is in the same request, and by name to what the server has already: Atlas does
        not find by name what a request is only about to create.
        """
        planned, foreign = self.planned, self.foreign or {}
        attributes = {**(planned.initial if self.initial is None else self.initial), **planned.attributes}
        if planned.merged is not None and self.merged is not None:
            attributes[planned.merged] = self.merged
        for name, ends in (("inputs", planned.inputs), ("outputs", planned.outputs)):
            if ends is not None:
                through = planned.through if name == "inputs" else None
                attributes[name] = [_reference(end, guids, through) for end in ends]
        attributes.update({k: v for k, v in foreign.get("attributes", {}).items() if k not in planned.attributes})
        references: dict[str, Any] = {name: _reference(key, guids) for name, key in planned.references.items()}
        references.update(foreign.get("relationshipAttributes", {}))
        document = {"typeName": planned.key[0], "guid": guid, "attributes": attributes}
        document.update({k: v for k, v in foreign.items() if k not in ("attributes", "relationshipAttributes")})
        if references:
            document["relationshipAttributes"] = references
        return compact(AtlasEntity(document))


def _reference(key: Key, guids: Mapping[Key, str], through: str | None = None) -> AtlasObjectId:
    guid = guids.get(key)
    where = {"guid": guid} if guid is not None else {"uniqueAttributes": {"qualifiedName": key[1]}}
    if through is None:
        return compact(AtlasObjectId({"typeName": key[0], **where}))
    return compact(AtlasRelatedObjectId({"typeName": key[0], "relationshipType": through, **where}))


_LOOK_AHEAD = 2000
"""How many waiting entities are looked at for one batch."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much goes into a request, and how many requests go at the same time."""

    entities: int = 60
    bytes: int = 2_000_000
    workers: int = 4


class Schedule:
    """Entities that wait to be sent."""

    def __init__(self, letters: Mapping[Key, Letter], limits: Limits) -> None:
        self._letters = letters
        self._limits = limits
        self._left = dict.fromkeys(letters)
        """What is not on its way yet."""
        self._waiting = _in_order(letters)
        self._busy: set[Key] = set()

    def __bool__(self) -> bool:
        return bool(self._left)

    def take(self) -> list[Letter]:
        """The next batch, parents first; empty when all that waits has to wait for a batch under way."""
        batch: dict[Key, Letter] = {}
        size = 0
        passed: list[Key] = []
        at = 0
        while at < len(self._waiting) and at < _LOOK_AHEAD:
            key = self._waiting[at]
            if key in self._left and key not in batch:
                together = [each for each in self._with_parents(key) if each not in batch]
                if any(each in self._busy for one in together for each in (one, *self._letters[one].planned.needs)):
                    passed.append(key)
                    at += 1
                    continue
                more = sum(len(encode(self._letters[each].document("-1"))) for each in together)
                full = len(batch) + len(together) > self._limits.entities or size + more > self._limits.bytes
                if batch and full:
                    break
                batch.update({each: self._letters[each] for each in together})
                size += more
            at += 1
        self._waiting = passed + self._waiting[at:]
        for key, letter in batch.items():
            del self._left[key]
            self._busy.add(key)
            self._busy.update(letter.planned.needs)
        return list(batch.values())

    def done(self, batch: Iterable[Letter]) -> None:
        """A batch has arrived, or never will. Nothing else under way touches what it touched."""
        for letter in batch:
            self._busy.discard(letter.key)
            self._busy.difference_update(letter.planned.needs)

    def _with_parents(self, key: Key) -> list[Key]:
        """An entity and everything it needs that is not on its way yet, parents first."""
        found: dict[Key, None] = {}

        def visit(each: Key) -> None:
            for other in self._letters[each].planned.needs:
                if other in self._left and other not in found:
                    visit(other)
            found[each] = None

        visit(key)
        return list(found)


def _in_order(letters: Mapping[Key, Letter]) -> list[Key]:
    """Tables and what they are in first: all tables of a schema touch it, so that nothing else could travel beside them.

    Then the statements with their column lineage, which bring their columns along, and last what no statement needs.
    """
    order: dict[Key, None] = {}
    for kind in KINDS:
        if kind not in ("column", *LINEAGE_KINDS):
            order.update(dict.fromkeys(key for key, letter in letters.items() if letter.planned.kind == kind))
    for key, letter in letters.items():
        if letter.planned.kind == "process":
            order[key] = None
            order.update(dict.fromkeys(child for child in letter.planned.children if child in letters))
    order.update(dict.fromkeys(key for key, letter in letters.items() if letter.planned.lineage))
    order.update(dict.fromkeys(letters))
    return list(order)


_ATTEMPTS_WHEN_HALVED = 2
"""A refused request has been retried as a whole; its parts need not wait as long."""


Verdict = Literal["created", "updated", "unchanged"]


@dataclass(slots=True)
class _Taken:
    """What the server did with a request."""

    done: list[tuple[PlannedEntity, str, Verdict]] = field(default_factory=list)
    """Entity, guid and what became of it."""
    refused: list[tuple[Letter, str]] = field(default_factory=list)
    """With the server's reason."""


class Sender:
    """Sends entities, as many requests at a time as there are workers."""

    def __init__(
        self,
        client: AtlasClient,
        ledger: Ledger,
        source: str,
        limits: Limits,
        pool: ThreadPoolExecutor,
        summary: Summary,
        dead_letters: DeadLetters,
        replaced: Set[Key] = frozenset(),
        existing: Mapping[Key, Existing] = MappingProxyType({}),
    ) -> None:
        self._client = client
        self._ledger = ledger
        self._source = source
        self._limits = limits
        self._pool = pool
        self._summary = summary
        self._dead_letters = dead_letters
        self._replaced = replaced
        self._existing = existing
        self._rescued = ledger.rescued()
        self._failed: set[Key] = set()

    def send(self, entities: Iterable[PlannedEntity], merged: dict[Key, list[str]], progress: Progress) -> None:
        """Send entities; what they point to is among them, or on the server."""
        letters = {
            planned.key: Letter(
                planned,
                merged.get(planned.key),
                self._rescued.get(planned.key),
                self._initial(planned),
            )
            for planned in entities
        }
        schedule = Schedule(letters, self._limits)
        pending: dict[Future[_Taken], list[Letter]] = {}
        try:
            while schedule or pending:
                while len(pending) < self._limits.workers and (batch := schedule.take()):
                    sent = [letter for letter in batch if not self._blocked(letter)]
                    if len(sent) < len(batch):
                        progress.advance(len(batch) - len(sent))
                    pending[self._pool.submit(self._deliver, sent)] = batch
                arrived, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in arrived:
                    batch = pending.pop(future)
                    schedule.done(batch)
                    taken = future.result()
                    self._record(taken)
                    progress.advance(len(taken.done) + len(taken.refused))
        finally:
            # What is on its way when another request has failed for good may well arrive.
            for future in as_completed(pending):
                if future.exception() is None:
                    self._record(future.result())

    def _initial(self, planned: PlannedEntity) -> dict[str, Any] | None:
        known = self._existing.get(planned.key) if planned.initial and planned.key not in self._replaced else None
        if known is None:
            return None
        said = {name: known.entity.get_attribute(name) for name in planned.initial}
        return {name: value for name, value in said.items() if value is not None}

    def _blocked(self, letter: Letter) -> bool:
        """Whether something that the entity cannot do without has failed; then it fails too."""
        blocked = next((key for key in letter.planned.needs if key in self._failed), None)
        if blocked is not None:
            self._fail(letter, _blocked_by(blocked))
        return blocked is not None

    def _deliver(self, batch: list[Letter]) -> _Taken:
        """Send a request; what is refused is sent in parts. Runs on a worker thread."""
        if not batch:
            return _Taken()
        taken = self._save(batch, together=True)
        return self._deliver_in_parts(batch) if taken is None else taken

    def _save(self, letters: list[Letter], *, together: bool, attempts: int | None = None) -> _Taken | None:
        """One request, `together` if entities in it refer to each other. None if it is refused and can be divided."""
        guids = {letter.key: f"-{number}" for number, letter in enumerate(letters, start=1)}
        bodies = [letter.document(guids[letter.key], guids if together else {}) for letter in letters]
        try:
            answer = self._client.save(bodies, attempts=attempts)
        except RefusedError as error:
            return _Taken(refused=[(letters[0], str(error))]) if len(letters) == 1 else None
        return _read_answer(letters, guids, answer)

    def _deliver_in_parts(self, batch: list[Letter]) -> _Taken:
        """Kind by kind, so that references by name hold, each halved until the guilty ones stand alone."""
        taken = _Taken()
        failed: set[Key] = set()
        for kind in KINDS:
            letters = []
            for letter in batch:
                if letter.planned.kind == kind:
                    blocked = next((key for key in letter.planned.needs if key in failed), None)
                    if blocked is None:
                        letters.append(letter)
                    else:
                        failed.add(letter.key)
                        taken.refused.append((letter, _blocked_by(blocked)))
            if letters:
                part = self._halve(letters)
                failed.update(letter.key for letter, _ in part.refused)
                taken.done.extend(part.done)
                taken.refused.extend(part.refused)
        return taken

    def _halve(self, letters: list[Letter]) -> _Taken:
        taken = self._save(letters, together=False, attempts=_ATTEMPTS_WHEN_HALVED)
        if taken is not None:
            return taken
        half = len(letters) // 2
        one, two = self._halve(letters[:half]), self._halve(letters[half:])
        return _Taken([*one.done, *two.done], [*one.refused, *two.refused])

    def _record(self, taken: _Taken) -> None:
        """Remember what was taken, before anything else can go wrong."""
        records = [Record(*planned.key, guid, digest_of(planned)) for planned, guid, _ in taken.done]
        claims = [planned.key for planned, _, _ in taken.done if planned.kind == "process"]
        self._ledger.save(records, claims, self._source)
        restored = [planned.key for planned, _, _ in taken.done if planned.key in self._rescued]
        if restored:
            self._ledger.restored(restored)
        for planned, _, verdict in taken.done:
            counts = self._summary.of(planned.key[0])
            if verdict == "unchanged":
                counts.unchanged += 1
            elif verdict == "created" and planned.key not in self._replaced:
                counts.created += 1
            else:
                counts.updated += 1
        for letter, reason in taken.refused:
            self._fail(letter, reason)

    def _fail(self, letter: Letter, reason: str) -> None:
        key = letter.key
        self._failed.add(key)
        self._summary.of(key[0]).failed += 1
        self._summary.failures.append(Failure(*key, reason))
        self._dead_letters.add(*key, reason, letter.document("-1"))
        self._ledger.forget([key, *letter.planned.needs])


def _blocked_by(key: Key) -> str:
    return f"not sent, because {key[0]} {key[1]} is not in the catalog"


def _read_answer(batch: list[Letter], guids: dict[Key, str], answer: EntityMutationResponse) -> _Taken:
    mutated = answer.mutatedEntities or {}
    created = {entity.guid for entity in mutated.get("CREATE") or ()}
    updated = {entity.guid for name in ("UPDATE", "PARTIAL_UPDATE") for entity in mutated.get(name) or ()}
    taken = _Taken()
    for letter in batch:
        guid = str(answer.get_assigned_guid(guids[letter.key]) or "")
        verdict: Verdict = "created" if guid in created else "updated" if guid in updated else "unchanged"
        taken.done.append((letter.planned, guid, verdict))
    return taken
