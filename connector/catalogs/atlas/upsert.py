"""Updates a server to match a plan, with as few requests as possible.

What has to be written is decided first, without a lease. A run that has nothing to write ends there, and no other run waits for it. The
others wait for their turn, and decide again if another run wrote in the meantime.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from connector.catalogs.atlas.client import AtlasClient
from connector.catalogs.atlas.decisions import Decider, Decision
from connector.catalogs.atlas.duplicates import Duplicates, find_duplicates, remove_duplicates
from connector.catalogs.atlas.lease import WriteQueue
from connector.catalogs.atlas.plan import Plan, digest_of
from connector.catalogs.atlas.scheduling import Limits
from connector.catalogs.atlas.sending import Sender
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.summary import DeadLetters, Summary
from connector.common.progress import NoProgress, Progress


def upsert(
    plan: Plan,
    client: AtlasClient,
    ledger: Ledger,
    *,
    limits: Limits | None = None,
    verify: bool = False,
    repair: bool = False,
    progress: Progress | None = None,
    dead_letters: DeadLetters | None = None,
) -> Summary:
    """Write a plan.

    With `verify` the ledger is not believed, everything is read, and names that the server has more than once are reported; with
    `repair` all but one of them are removed.
    """
    started = time.monotonic()
    load = _Load(plan, client, ledger, limits or Limits(), progress or NoProgress(), dead_letters or DeadLetters(None))
    summary = load.run(verify=verify or repair, repair=repair)
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

    def run(self, *, verify: bool, repair: bool) -> Summary:
        with ThreadPoolExecutor(self._limits.workers, thread_name_prefix="atlas") as pool:
            queue = WriteQueue(self._client)
            decider = Decider(self._plan, self._client, self._ledger, queue, pool, self._progress)
            duplicates = find_duplicates(self._plan, self._client) if verify else Duplicates()
            decision = decider.decide(verify=verify)
            if decision.changes or (repair and duplicates):
                with queue.hold() as held:
                    repaired = Summary()
                    if repair and duplicates:
                        remove_duplicates(duplicates, self._plan, self._client, repaired)
                    if repaired.changed or not held.undisturbed_since(decision.first_look):
                        decision = decider.decide(verify=verify)
                    self._write(decision, pool)
                    for type_name, counts in repaired.counts.items():
                        decision.summary.of(type_name).removed += counts.removed
            else:
                self._settle(decision)
        duplicates.tell(decision.summary, removed=repair)
        return decision.summary

    def _write(self, decision: Decision, pool: ThreadPoolExecutor) -> None:
        summary = decision.summary
        renewed = decision.replacer.carry_out(summary, pool)
        for entity in renewed:
            if entity.key not in decision.send:
                decision.send[entity.key] = entity
                summary.of(entity.key[0]).unchanged -= 1
        self._settle(decision)
        sender = Sender(
            self._client,
            self._ledger,
            self._plan.source,
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

    def _settle(self, decision: Decision) -> None:
        """Record what is already correct, so that the next run does not have to read it."""
        fresh = [(entity, guid) for entity, guid in decision.settled if entity.key not in decision.send]
        self._ledger.save(
            [Record(*entity.key, guid, digest_of(entity)) for entity, guid in fresh],
            [entity.key for entity, _ in fresh if entity.kind == "process"],
            self._plan.source,
        )
