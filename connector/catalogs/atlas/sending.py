"""Requests on their way: in parallel, halved where the server refuses, and recorded once they are taken."""

from __future__ import annotations

import json
from collections.abc import Iterable, Set
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field
from typing import Any, Literal

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.payload import Letter, Limits, encode, payload
from connector.catalogs.atlas.plan import Key, PlannedEntity, digest_of
from connector.catalogs.atlas.scheduling import Schedule
from connector.catalogs.dead_letters import DeadLetters
from connector.catalogs.http import RefusedError
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.progress import Progress
from connector.catalogs.summary import Failure, Summary

__all__ = ["Sender"]

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
    """Sends the entities of one kind after the other."""

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
    ) -> None:
        self._client = client
        self._ledger = ledger
        self._source = source
        self._limits = limits
        self._pool = pool
        self._summary = summary
        self._dead_letters = dead_letters
        self._failed: set[Key] = set()
        self._rescued = ledger.rescued()
        self._replaced = replaced

    def skip_missing(self, keys: Iterable[Key]) -> None:
        """Entities that will not be there: what cannot do without them is not sent."""
        self._failed.update(keys)

    def send(self, entities: list[PlannedEntity], merged: dict[Key, list[str]], progress: Progress) -> None:
        """Send entities of one kind; everything they point to is there, or has failed."""
        letters = []
        for number, planned in enumerate(entities):
            blocked = next((key for key in planned.needs if key in self._failed), None)
            document = payload(planned, f"-{number + 1}", merged.get(planned.key), self._rescued.get(planned.key))
            if blocked is not None:
                self._fail(planned, f"not sent, because {blocked[0]} {blocked[1]} is not in the catalog", document)
                progress.advance(1)
            else:
                letters.append(Letter(planned, document["guid"], encode(document)))
        schedule = Schedule(letters, self._limits)
        pending: dict[Future[_Taken], list[Letter]] = {}
        try:
            while schedule or pending:
                while len(pending) < self._limits.workers and (batch := schedule.take()):
                    pending[self._pool.submit(self._deliver, batch)] = batch
                arrived, _ = wait(pending, return_when=FIRST_COMPLETED)
                for future in arrived:
                    batch = pending.pop(future)
                    schedule.done(batch)
                    self._record(future.result())
                    progress.advance(len(batch))
        finally:
            # What is still on its way when another request has failed for good may well arrive.
            for future in as_completed(pending):
                if future.exception() is None:
                    self._record(future.result())

    def _deliver(self, batch: list[Letter], attempts: int | None = None) -> _Taken:
        """Send a request; what is refused is halved until the guilty ones stand alone. Runs on a worker thread."""
        try:
            answer = self._client.save([letter.body for letter in batch], attempts=attempts)
        except RefusedError as error:
            if len(batch) == 1:
                return _Taken(refused=[(batch[0], str(error))])
            half = len(batch) // 2
            one = self._deliver(batch[:half], _ATTEMPTS_WHEN_HALVED)
            two = self._deliver(batch[half:], _ATTEMPTS_WHEN_HALVED)
            return _Taken([*one.done, *two.done], [*one.refused, *two.refused])
        return _read_answer(batch, answer)

    def _record(self, taken: _Taken) -> None:
        """Remember what was taken, before anything else can go wrong."""
        records = [Record(*planned.key, guid, digest_of(planned)) for planned, guid, _ in taken.done]
        claims = [planned.key for planned, _, _ in taken.done if planned.kind == "process"]
        self._ledger.save(records, claims, self._source)
        self._ledger.restored([planned.key for planned, _, _ in taken.done if planned.key in self._rescued])
        for planned, _, verdict in taken.done:
            counts = self._summary.of(planned.key[0])
            if verdict == "unchanged":
                counts.unchanged += 1
            elif verdict == "created" and planned.key not in self._replaced:
                counts.created += 1
            else:
                counts.updated += 1
        for letter, reason in taken.refused:
            self._fail(letter.planned, reason, json.loads(letter.body))

    def _fail(self, planned: PlannedEntity, reason: str, document: Any) -> None:
        self._failed.add(planned.key)
        self._summary.of(planned.key[0]).failed += 1
        self._summary.failures.append(Failure(*planned.key, reason))
        self._dead_letters.add(*planned.key, reason, document)
        self._ledger.forget([planned.key, *planned.needs])


def _read_answer(batch: list[Letter], answer: dict[str, Any]) -> _Taken:
    assigned = answer.get("guidAssignments") or {}
    mutated = answer.get("mutatedEntities") or {}
    created = {entity["guid"] for entity in mutated.get("CREATE") or ()}
    updated = {entity["guid"] for name in ("UPDATE", "PARTIAL_UPDATE") for entity in mutated.get(name) or ()}
    taken = _Taken()
    for letter in batch:
        guid = str(assigned.get(letter.guid, ""))
        verdict: Verdict = "created" if guid in created else "updated" if guid in updated else "unchanged"
        taken.done.append((letter.planned, guid, verdict))
    return taken
