"""Bringing a server to what a plan says, with as few requests as it takes.

The ledger answers for what was written before and has not changed. The rest is read, compared, and written only where
it differs: parents before children, many entities in a request, a few requests at a time.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.existing import Existing
from connector.catalogs.atlas.fields import KINDS
from connector.catalogs.atlas.payload import Limits
from connector.catalogs.atlas.plan import LINEAGE_KINDS, Key, Plan, PlannedEntity, digest_of
from connector.catalogs.atlas.replacing import Replacer
from connector.catalogs.atlas.sending import Sender
from connector.catalogs.dead_letters import DeadLetters
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.progress import NoProgress, Progress
from connector.catalogs.summary import Summary

__all__ = ["upsert"]

_log = logging.getLogger("connector.catalogs")

_SAMPLE = 40
"""How many entities of the ledger are looked for on the server before the ledger is believed."""


@dataclass(slots=True)
class _State:
    """What is known while a load goes on."""

    records: dict[Key, Record]
    claims: set[Key]
    existing: dict[Key, Existing] = field(default_factory=dict)
    absent: set[Key] = field(default_factory=set)
    """What the server neither has nor will get."""
    send: dict[Key, PlannedEntity] = field(default_factory=dict)
    merged: dict[Key, list[str]] = field(default_factory=dict)
    replaced: set[Key] = field(default_factory=set)

    def guid(self, key: Key) -> str | None:
        """The server's own key of an entity that it has."""
        if key in self.existing:
            return self.existing[key].guid
        return self.records[key].guid if key in self.records else None


def upsert(
    plan: Plan,
    client: AtlasClient,
    ledger: Ledger,
    *,
    limits: Limits | None = None,
    verify: bool = False,
    progress: Progress | None = None,
    dead_letters: DeadLetters | None = None,
) -> Summary:
    """Write a plan. With `verify` the ledger is not believed and everything is read."""
    started = time.monotonic()
    load = _Load(plan, client, ledger, limits or Limits(), progress or NoProgress(), dead_letters or DeadLetters(None))
    summary = load.run(verify=verify)
    summary.seconds = time.monotonic() - started
    return summary


class _Load:
    def __init__(
        self, plan: Plan, client: AtlasClient, ledger: Ledger, limits: Limits, progress: Progress, letters: DeadLetters
    ) -> None:
        self._plan = plan
        self._client = client
        self._ledger = ledger
        self._limits = limits
        self._progress = progress
        self._letters = letters
        self._summary = Summary(notes=list(plan.notes))

    def run(self, *, verify: bool) -> Summary:
        summary = self._summary
        with ThreadPoolExecutor(self._limits.workers, thread_name_prefix="atlas") as pool:
            records = self._trusted_records() if not verify else {}
            state = _State(records, self._ledger.claims(self._plan.source))
            by_kind = self._plan.by_kind()
            objects = [entity for kind in KINDS if kind not in LINEAGE_KINDS for entity in by_kind[kind]]
            self._decide_objects(objects, state, pool)
            statements = self._resolved(by_kind["process"], by_kind["column_lineage"], state)
            self._decide_lineage(statements, state, pool)
            sender = Sender(
                self._client,
                self._ledger,
                self._plan.source,
                self._limits,
                pool,
                summary,
                self._letters,
                state.replaced,
            )
            self._progress.begin("Writing to Atlas", len(state.send))
            try:
                sender.send(state.send.values(), state.merged, self._progress)
            finally:
                self._progress.end()
        summary.missing.sort()
        return summary

    # --- what the ledger knows --------------------------------------------------------------------------------------

    def _trusted_records(self) -> dict[Key, Record]:
        """The ledger, unless a sample of it is gone from the server: then the server is not the one it was."""
        records = self._ledger.records()
        known = [records[key].guid for key in self._plan.entities if key in records]
        if not known:
            return records
        step = max(1, len(known) // _SAMPLE)
        if self._client.all_exist(known[::step][:_SAMPLE]):
            return records
        self._summary.notes.append("The server does not have what was written to it before; everything was read again.")
        _log.warning("%s", self._summary.notes[-1])
        self._ledger.forget_all()
        return {}

    # --- tables, columns and what they are in -----------------------------------------------------------------------

    def _decide_objects(self, objects: list[PlannedEntity], state: _State, pool: ThreadPoolExecutor) -> None:
        unknown = []
        for entity in objects:
            record = state.records.get(entity.key)
            if record is not None and record.digest == digest_of(entity):
                self._summary.of(entity.key[0]).unchanged += 1
            else:
                unknown.append(entity)
        self._read(unknown, state, pool, relationships=False)
        settled = []
        for entity in unknown:
            found = state.existing.get(entity.key)
            if found is None:
                self._decide_new(entity, state)
            elif entity.update and found.differs(entity):
                state.send[entity.key] = entity
            else:
                self._summary.of(entity.key[0]).unchanged += 1
                settled.append(Record(*entity.key, found.guid, digest_of(entity)))
        self._ledger.save(settled)

    def _decide_new(self, entity: PlannedEntity, state: _State) -> None:
        if entity.create and not any(key in state.absent for key in entity.references.values()):
            state.send[entity.key] = entity
            return
        state.absent.add(entity.key)
        self._summary.of(entity.key[0]).missing += 1
        self._summary.missing.append(entity.key)

    # --- statements -------------------------------------------------------------------------------------------------

    def _resolved(
        self, processes: list[PlannedEntity], columns: list[PlannedEntity], state: _State
    ) -> list[PlannedEntity]:
        """The statements without the ends that the catalog does not have. What has no ends left is not written."""
        absent = state.absent
        kept: dict[Key, PlannedEntity] = {}
        for entity in columns:
            entity.inputs = [key for key in entity.inputs or () if key not in absent]
            entity.outputs = [key for key in entity.outputs or () if key not in absent]
            if entity.inputs and entity.outputs:
                kept[entity.key] = entity
        result = []
        for process in processes:
            before = process.inputs, process.outputs
            process.inputs = [key for key in process.inputs or () if key not in absent]
            process.outputs = [key for key in process.outputs or () if key not in absent]
            process.children = [key for key in process.children if key in kept]
            lost = (before[1] and not process.outputs) or (before[0] and not process.inputs and not process.children)
            if lost:
                for key in process.children:
                    kept.pop(key, None)
                self._summary.of(process.key[0]).missing += 1
                self._summary.missing.append(process.key)
            else:
                result.append(process)
        return [*result, *kept.values()]

    def _decide_lineage(self, entities: list[PlannedEntity], state: _State, pool: ThreadPoolExecutor) -> None:
        unknown = []
        for entity in entities:
            record = state.records.get(entity.key)
            claimed = entity.kind != "process" or entity.key in state.claims
            if record is not None and record.digest == digest_of(entity) and claimed:
                self._summary.of(entity.key[0]).unchanged += 1
            else:
                unknown.append(entity)
        if not unknown:
            return
        self._read(unknown, state, pool, relationships=True)
        replacer = Replacer(self._plan, self._client, self._ledger, self._summary, pool, state.guid)
        settled = []
        for entity in unknown:
            found = state.existing.get(entity.key)
            if found is None:
                state.send[entity.key] = entity
                record = state.records.get(entity.key)
                if record is not None:
                    replacer.sweep(record.guid)
                continue
            merged = found.merged(entity)
            if merged is not None:
                state.merged[entity.key] = merged
            if found.outdated(entity):
                replacer.replace(entity, found)
                state.send[entity.key] = entity
            elif found.differs(entity):
                state.send[entity.key] = entity
            else:
                self._summary.of(entity.key[0]).unchanged += 1
                settled.append((entity, found))
            if entity.kind == "process":
                replacer.drop_children(entity, found)
        for entity in replacer.carry_out():
            state.replaced.add(entity.key)
            if entity.key not in state.send:
                state.send[entity.key] = entity
                self._summary.of(entity.key[0]).unchanged -= 1
        fresh = [(entity, found) for entity, found in settled if entity.key not in state.send]
        self._ledger.save(
            [Record(*entity.key, found.guid, digest_of(entity)) for entity, found in fresh],
            [entity.key for entity, _ in fresh if entity.kind == "process"],
            self._plan.source,
        )

    # --- reading ----------------------------------------------------------------------------------------------------

    def _read(
        self, entities: list[PlannedEntity], state: _State, pool: ThreadPoolExecutor, *, relationships: bool
    ) -> None:
        by_type: dict[str, list[str]] = {}
        for entity in entities:
            by_type.setdefault(entity.key[0], []).append(entity.key[1])
        if not by_type:
            return
        self._progress.begin("Reading Atlas", len(entities))
        pending: dict[Future[list[dict[str, Any]]], str] = {}
        for type_name, names in by_type.items():
            for query in self._client.read_queries(type_name, names, relationships=relationships):
                pending[pool.submit(self._client.read_query, query)] = query
        try:
            for future in as_completed(pending):
                for found in future.result():
                    if found.get("status", "ACTIVE") == "ACTIVE":
                        name = str((found.get("attributes") or {}).get("qualifiedName"))
                        state.existing[(str(found["typeName"]), name)] = Existing(found)
                self._progress.advance(pending[future].count("qualifiedName="))
        finally:
            for future in pending:
                future.cancel()
            self._progress.end()
