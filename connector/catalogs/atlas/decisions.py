"""Decides what has to be written by comparing a plan with the ledger and the server. Nothing is written here.

The ledger answers for what was written before and has not changed. The rest is read and compared.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

from apache_atlas.model.instance import AtlasEntity

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.existing import Existing
from connector.catalogs.atlas.fields import KINDS
from connector.catalogs.atlas.lease import WriteQueue
from connector.catalogs.atlas.plan import LINEAGE_KINDS, Key, Plan, PlannedEntity, digest_of
from connector.catalogs.atlas.replacing import Replacer
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.summary import Summary
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
        unknown = []
        for entity in objects:
            record = decision.records.get(entity.key)
            if record is not None and record.digest == digest_of(entity):
                decision.summary.of(entity.key[0]).unchanged += 1
            else:
                unknown.append(entity)
        self._read(unknown, decision, relationships=False)
        for entity in unknown:
            found = decision.existing.get(entity.key)
            if found is None:
                _decide_new(entity, decision)
            elif entity.update and found.differs(entity):
                decision.send[entity.key] = entity
            else:
                decision.summary.of(entity.key[0]).unchanged += 1
                decision.settled.append((entity, found.guid))

    # --- statements -------------------------------------------------------------------------------------------------

    def _decide_lineage(self, entities: dict[Key, PlannedEntity], decision: Decision) -> None:
        claims = self._ledger.claims(self._plan.source)
        unknown = []
        for entity in entities.values():
            record = decision.records.get(entity.key)
            claimed = entity.kind != "process" or entity.key in claims
            if record is not None and record.digest == digest_of(entity) and claimed:
                decision.summary.of(entity.key[0]).unchanged += 1
            else:
                unknown.append(entity)
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
                decision.summary.of(entity.key[0]).unchanged += 1
                decision.settled.append((entity, found.guid))
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
