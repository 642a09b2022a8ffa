"""Updates a server to match a plan, with as few requests as possible.

What has to be written is decided first, without a lease: the ledger answers for what was written before and has not changed, and
the rest is read and compared. A run that has nothing to write ends there, and no other run waits for it. The others wait for
their turn, and decide again if another run wrote in the meantime.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Iterable, Set
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from apache_atlas.model.instance import AtlasEntity

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.duplicates import Duplicates, find_duplicates, remove_duplicates
from connector.catalogs.atlas.lease import WriteQueue
from connector.catalogs.atlas.mapping import KINDS
from connector.catalogs.atlas.plan import LINEAGE_KINDS, Existing, Key, Plan, PlannedEntity, digest_of
from connector.catalogs.atlas.replacing import Outdated, Replacer, find_outdated, prune
from connector.catalogs.atlas.sending import Sender
from connector.catalogs.atlas.settings import AtlasSettings
from connector.catalogs.catalog import Session
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.summary import DeadLetters, Summary
from connector.common.progress import Progress

_log = logging.getLogger("connector.catalogs")

_SAMPLE = 40
"""How many entities of the ledger are looked for on the server before the ledger is believed."""


@dataclass(slots=True)
class Decision:
    """What is to be done, and what was found on the way."""

    summary: Summary
    records: dict[Key, Record]
    replacer: Replacer
    existing: dict[Key, Existing] = field(default_factory=dict)
    first_look: frozenset[str] | None = None
    """The leases of the server before it was read; see :meth:`connector.catalogs.atlas.lease.Held.undisturbed_since`."""
    looked: bool = False
    absent: dict[Key, PlannedEntity] = field(default_factory=dict)
    """What the server neither has nor will get."""
    send: dict[Key, PlannedEntity] = field(default_factory=dict)
    merged: dict[Key, list[str]] = field(default_factory=dict)
    settled: list[tuple[PlannedEntity, str]] = field(default_factory=list)
    """What is already correct on the server but missing in the ledger, with its guid."""

    @property
    def changes(self) -> bool:
        """Whether anything has to be written."""
        return bool(self.send or self.replacer)

    def without_unchanged(
        self, entities: Iterable[PlannedEntity], claims: Set[Key] = frozenset()
    ) -> list[PlannedEntity]:
        """The entities that the ledger does not know to be on the server. A process also has to be among the source's `claims`."""
        changed = []
        for entity in entities:
            record = self.records.get(entity.key)
            claimed = entity.kind != "process" or entity.key in claims
            if record is not None and record.digest == digest_of(entity) and claimed:
                self.summary.of(entity.key[0]).unchanged += 1
            else:
                changed.append(entity)
        return changed

    def settle(self, entity: PlannedEntity, guid: str) -> None:
        """The server has the entity as it should be."""
        self.summary.of(entity.key[0]).unchanged += 1
        self.settled.append((entity, guid))


class Decider:
    """Compares one plan with one server, as often as it is asked to."""

    def __init__(
        self,
        plan: Plan,
        client: AtlasClient,
        ledger: Ledger,
        queue: WriteQueue,
        pool: ThreadPoolExecutor,
        progress: Progress,
    ) -> None:
        self._plan = plan
        self._client = client
        self._ledger = ledger
        self._queue = queue
        self._pool = pool
        self._progress = progress

    def decide(self, *, verify: bool) -> Decision:
        """With `verify` the ledger is not believed and everything is read."""
        summary = Summary(notes=list(self._plan.notes))
        records = self._trusted_records(summary) if not verify else {}
        entities: dict[Key, PlannedEntity] = {}
        decision = Decision(summary, records, Replacer(entities, self._plan.child_types, self._client, self._ledger))
        by_kind = self._plan.by_kind()
        objects = [entity for kind in KINDS if kind not in LINEAGE_KINDS for entity in by_kind[kind]]
        self._decide_objects(objects, decision)
        entities.update(_resolved(by_kind["process"], by_kind["column_lineage"], decision))
        self._decide_lineage(entities, decision)
        summary.missing.sort()
        return decision

    # --- what the ledger knows --------------------------------------------------------------------------------------

    def _trusted_records(self, summary: Summary) -> dict[Key, Record]:
        """The ledger, unless a sample of it is gone from the server: then the server is not the one it was."""
        records = self._ledger.records()
        known = [records[key].guid for key in self._plan.entities if key in records]
        if not known:
            return records
        step = max(1, len(known) // _SAMPLE)
        if self._client.all_exist(known[::step][:_SAMPLE]):
            return records
        summary.notes.append("The server does not have what was written to it before; everything was read again.")
        _log.warning("%s", summary.notes[-1])
        self._ledger.forget_all()
        return {}

    # --- tables, columns and what they are in -----------------------------------------------------------------------

    def _decide_objects(self, objects: list[PlannedEntity], decision: Decision) -> None:
        unknown = decision.without_unchanged(objects)
        self._read(unknown, decision, relationships=False)
        for entity in unknown:
            found = decision.existing.get(entity.key)
            if found is None:
                _decide_new(entity, decision)
            elif entity.update and found.differs(entity):
                decision.send[entity.key] = entity
            else:
                decision.settle(entity, found.guid)

    # --- statements -------------------------------------------------------------------------------------------------

    def _decide_lineage(self, entities: dict[Key, PlannedEntity], decision: Decision) -> None:
        unknown = decision.without_unchanged(entities.values(), self._ledger.claims(self._plan.source))
        if not unknown:
            return
        self._read(unknown, decision, relationships=True)
        replacer = decision.replacer
        replacer.known = {
            **{key: record.guid for key, record in decision.records.items()},
            **{key: found.guid for key, found in decision.existing.items()},
        }
        for entity in unknown:
            found = decision.existing.get(entity.key)
            if found is None:
                decision.send[entity.key] = entity
                record = decision.records.get(entity.key)
                if record is not None:
                    replacer.sweep(record.guid)
                continue
            merged = found.merged(entity)
            if merged is not None:
                decision.merged[entity.key] = merged
            if found.outdated(entity):
                replacer.replace(entity, found)
                decision.send[entity.key] = entity
            elif found.differs(entity):
                decision.send[entity.key] = entity
            else:
                decision.settle(entity, found.guid)
            if entity.kind == "process":
                replacer.drop_children(entity, found)

    # --- reading ----------------------------------------------------------------------------------------------------

    def _read(self, entities: list[PlannedEntity], decision: Decision, *, relationships: bool) -> None:
        by_type: dict[str, list[str]] = {}
        for entity in entities:
            by_type.setdefault(entity.key[0], []).append(entity.key[1])
        if not by_type:
            return
        if not decision.looked:
            decision.looked = True
            decision.first_look = self._queue.look()
        self._progress.begin("Reading Atlas", len(entities))
        pending: dict[Future[list[AtlasEntity]], int] = {}
        for type_name, names in by_type.items():
            for portion in self._client.portions(names):
                asked = self._pool.submit(self._client.read_portion, type_name, portion, relationships=relationships)
                pending[asked] = len(portion)
        try:
            for future in as_completed(pending):
                for found in future.result():
                    if found.status in (None, "ACTIVE"):
                        key = (str(found.typeName), str(found.get_attribute("qualifiedName")))
                        decision.existing[key] = Existing(found)
                self._progress.advance(pending[future])
        finally:
            for future in pending:
                future.cancel()
            self._progress.end()


def _decide_new(entity: PlannedEntity, decision: Decision) -> None:
    if entity.create and not any(key in decision.absent for key in entity.references.values()):
        decision.send[entity.key] = entity
        return
    decision.absent[entity.key] = entity
    decision.summary.of(entity.key[0]).missing += 1
    decision.summary.missing.append(entity.key)


def _resolved(
    processes: list[PlannedEntity], columns: list[PlannedEntity], decision: Decision
) -> dict[Key, PlannedEntity]:
    """The statements without the ends that the catalog does not have. What has no ends left is not written.

    They are copies: the plan stays unchanged, and may be compared with the server again.
    """
    absent, summary = decision.absent, decision.summary
    if not absent:
        return {entity.key: entity for entity in (*processes, *columns)}
    kept: dict[Key, PlannedEntity] = {}
    lost: dict[str, dict[Key, None]] = {}

    def present(entity: PlannedEntity) -> PlannedEntity:
        missing = [key for key in (*(entity.inputs or ()), *(entity.outputs or ())) if key in absent]
        if missing:
            lost.setdefault(entity.origin, {}).update(dict.fromkeys(missing))
        inputs = [key for key in entity.inputs or () if key not in absent]
        outputs = [key for key in entity.outputs or () if key not in absent]
        return dataclasses.replace(entity, inputs=inputs, outputs=outputs)

    for planned in columns:
        entity = present(planned)
        if entity.inputs and entity.outputs:
            kept[entity.key] = entity
    result: dict[Key, PlannedEntity] = {}
    for planned in processes:
        process = present(planned)
        process.children = [key for key in planned.children if key in kept]
        without_ends = (planned.outputs and not process.outputs) or (
            planned.inputs and not process.inputs and not process.children
        )
        if without_ends:
            for key in process.children:
                kept.pop(key, None)
            summary.of(process.key[0]).missing += 1
            summary.missing.append(process.key)
        else:
            result[process.key] = process
    summary.unattached.extend(_told(lost, absent))
    return {**result, **kept}


def _told(lost: dict[str, dict[Key, None]], absent: dict[Key, PlannedEntity]) -> Iterable[str]:
    """Where lineage could not be attached, and for want of what. A table that is missing says enough of its columns."""
    for origin, keys in lost.items():
        tables = [key for key in keys if absent[key].kind != "column"]
        named = tables or list(keys)
        yield f"{origin}: not attached, because Atlas does not have {', '.join(f'{kind} {name}' for kind, name in named)}"


class AtlasSession(Session[Plan, Outdated]):
    """An open server. With `repair` in the settings, all but one of the entities that share a name are removed."""

    def __init__(
        self, settings: AtlasSettings, client: AtlasClient, ledger: Ledger, letters: DeadLetters, progress: Progress
    ) -> None:
        self.summary = Summary()
        self._limits = settings.limits
        self._repair = settings.repair
        self._client = client
        self._ledger = ledger
        self._letters = letters
        self._progress = progress

    def write(self, plan: Plan, *, verify: bool) -> None:
        """With `verify`, names that the server has more than once are reported as well."""
        started = time.monotonic()
        verify = verify or self._repair
        with ThreadPoolExecutor(self._limits.workers, thread_name_prefix="atlas") as pool:
            queue = WriteQueue(self._client)
            decider = Decider(plan, self._client, self._ledger, queue, pool, self._progress)
            duplicates = find_duplicates(plan, self._client) if verify else Duplicates()
            decision = decider.decide(verify=verify)
            if decision.changes or (self._repair and duplicates):
                with queue.hold() as held:
                    repaired = Summary()
                    if self._repair and duplicates:
                        remove_duplicates(duplicates, plan, self._client, repaired)
                    if repaired.changed or not held.undisturbed_since(decision.first_look):
                        decision = decider.decide(verify=verify)
                    self._carry_out(decision, plan.source, pool)
                    for type_name, counts in repaired.counts.items():
                        decision.summary.of(type_name).removed += counts.removed
            else:
                self._settle(decision, plan.source)
        self.summary = decision.summary
        duplicates.tell(self.summary, removed=self._repair)
        self.summary.seconds = time.monotonic() - started

    def outdated(self, plan: Plan) -> Outdated:
        return find_outdated(plan, self._client, self._ledger)

    def prune(self, plan: Plan, outdated: Outdated) -> None:
        with WriteQueue(self._client).hold():
            still = find_outdated(plan, self._client, self._ledger).within(outdated)
            prune(still, plan, self._client, self._ledger, self.summary)

    def _carry_out(self, decision: Decision, source: str, pool: ThreadPoolExecutor) -> None:
        summary = decision.summary
        renewed = decision.replacer.carry_out(summary, pool)
        for entity in renewed:
            if entity.key not in decision.send:
                decision.send[entity.key] = entity
                summary.of(entity.key[0]).unchanged -= 1
        self._settle(decision, source)
        sender = Sender(
            self._client,
            self._ledger,
            source,
            self._limits,
            pool,
            summary,
            self._letters,
            replaced={entity.key for entity in renewed},
            existing=decision.existing,
        )
        self._progress.begin("Writing to Atlas", len(decision.send))
        try:
            sender.send(decision.send.values(), decision.merged, self._progress)
        finally:
            self._progress.end()

    def _settle(self, decision: Decision, source: str) -> None:
        """Record what is already correct, so that the next run does not have to read it."""
        fresh = [(entity, guid) for entity, guid in decision.settled if entity.key not in decision.send]
        self._ledger.save(
            [Record(*entity.key, guid, digest_of(entity)) for entity, guid in fresh],
            [entity.key for entity, _ in fresh if entity.kind == "process"],
            source,
        )
