"""Sends requests in parallel, splits those that the server rejects, and records those that it accepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from apache_atlas.model.instance import EntityMutationResponse

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.existing import Existing
from connector.catalogs.atlas.fields import KINDS
from connector.catalogs.atlas.plan import Key, PlannedEntity, digest_of
from connector.catalogs.atlas.scheduling import Letter, Limits, Schedule
from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.summary import DeadLetters, Failure, Summary
from connector.common.progress import Progress

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
        guids = {letter.key: f"-{number}" for number, letter in enumerate(batch, start=1)}
        try:
            answer = self._client.save([letter.document(guids[letter.key], guids) for letter in batch])
        except RefusedError as error:
            if len(batch) == 1:
                return _Taken(refused=[(batch[0], str(error))])
            return self._deliver_in_parts(batch)
        return _read_answer(batch, guids, answer)

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
        guids = {letter.key: f"-{number}" for number, letter in enumerate(letters, start=1)}
        bodies = [letter.document(guids[letter.key]) for letter in letters]
        try:
            answer = self._client.save(bodies, attempts=_ATTEMPTS_WHEN_HALVED)
        except RefusedError as error:
            if len(letters) == 1:
                return _Taken(refused=[(letters[0], str(error))])
            half = len(letters) // 2
            one, two = self._halve(letters[:half]), self._halve(letters[half:])
            return _Taken([*one.done, *two.done], [*one.refused, *two.refused])
        return _read_answer(letters, guids, answer)

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
