"""The whole way from lineage to OpenLineage events, for the command line and for scheduled runs."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from connector.catalogs.dead_letters import DeadLetters
from connector.catalogs.ledger import Ledger, Record
from connector.catalogs.locking import only_writer
from connector.catalogs.openlineage.collecting import JobEvent, collect
from connector.catalogs.openlineage.destinations import Destination, open_destination
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.catalogs.progress import NoProgress, Progress
from connector.catalogs.summary import Failure, Summary
from connector.lineage import Lineage

if TYPE_CHECKING:
    from connector.catalogs.atlas.statements import Seen

__all__ = ["push"]

_TYPE = "job"
_CHUNK = 100
"""How many events are handed over before the ledger remembers them: what a killed run may send again."""


def push(
    lineages: Iterable[Lineage],
    settings: OpenLineageSettings,
    *,
    source: str,
    seen: Mapping[str, Seen] | None = None,
    verify: bool = False,
    progress: Progress | None = None,
    now: datetime | None = None,
) -> Summary:
    """Send the lineage as events: those of statements that are new, and of those whose lineage has changed.

    `source` names the input in the ledger. OpenLineage has no way to ask what a service holds, so `verify` sends everything
    again; an event that was sent before has the same run and changes nothing.
    """
    started = time.monotonic()
    found = collect(lineages, settings, now=now or datetime.now(timezone.utc), seen=seen)
    summary = Summary()
    letters = DeadLetters(settings.dead_letter_file)
    with (
        only_writer(settings.place),
        Ledger(settings.state, settings.place) as ledger,
        open_destination(settings) as destination,
    ):
        try:
            _Load(destination, ledger, source, summary, letters, progress or NoProgress()).run(found, verify=verify)
        finally:
            letters.close()
    summary.seconds = time.monotonic() - started
    return summary


class _Load:
    def __init__(
        self,
        destination: Destination,
        ledger: Ledger,
        source: str,
        summary: Summary,
        letters: DeadLetters,
        progress: Progress,
    ) -> None:
        self._destination = destination
        self._ledger = ledger
        self._source = source
        self._summary = summary
        self._letters = letters
        self._progress = progress

    def run(self, events: Sequence[JobEvent], *, verify: bool) -> None:
        known = self._ledger.records()
        wanted = []
        for event in events:
            record = known.get((_TYPE, event.name))
            if record is not None and record.digest == event.digest and not verify:
                self._summary.of(_TYPE).unchanged += 1
            else:
                wanted.append(event)
        self._progress.begin("Sending events", len(wanted))
        try:
            for start in range(0, len(wanted), _CHUNK):
                self._send(wanted[start : start + _CHUNK], known)
        finally:
            self._progress.end()

    def _send(self, chunk: Sequence[JobEvent], known: Mapping[tuple[str, str], Record]) -> None:
        outcomes = self._destination.send([event.content for event in chunk])
        counts = self._summary.of(_TYPE)
        taken = []
        for event, refused in zip(chunk, outcomes, strict=True):
            if refused is None:
                taken.append(event)
                if (_TYPE, event.name) in known:
                    counts.updated += 1
                else:
                    counts.created += 1
            else:
                counts.failed += 1
                self._summary.failures.append(Failure(_TYPE, event.name, refused))
                self._letters.add(_TYPE, event.name, refused, event.content)
        self._ledger.save(
            [Record(_TYPE, event.name, event.run_id, event.digest) for event in taken],
            [(_TYPE, event.name) for event in taken],
            self._source,
        )
        self._summary.requests += len(chunk)
        self._progress.advance(len(chunk))
