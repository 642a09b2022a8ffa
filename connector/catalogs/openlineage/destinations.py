"""The two places that take events: a service and a file. Both take one event after the other, and each event once."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from connector.catalogs.http import HttpClient, RefusedError
from connector.catalogs.openlineage.settings import OpenLineageSettings
from connector.errors import UnavailableError, cannot_write

_WRONG_PLACE = frozenset({403, 404, 405})
"""Answers that say something about the address or the key, and nothing about the event."""

_RUN_ID = re.compile(rb'"runId": "([0-9a-f-]{36})"')
_EVENT_TYPE = re.compile(rb'"eventType": "([A-Z]+)"')

Event = dict[str, Any]
Outcome = str | None
"""Why an event was refused, or None."""


class Destination(Protocol):
    """Takes events."""

    def send(self, events: Sequence[Event]) -> list[Outcome]:
        """Hand over some events; what comes back says of each whether it was taken."""
        ...


@contextmanager
def open_destination(settings: OpenLineageSettings) -> Iterator[Destination]:
    """The place that the settings name."""
    if settings.file is not None:
        yield _EventFile(settings.file)
        return
    with settings.connect() as client, ThreadPoolExecutor(settings.workers, thread_name_prefix="openlineage") as pool:
        yield _Service(client, settings.endpoint, pool)


def knock(client: HttpClient, endpoint: str) -> None:
    """Check that the service responds and accepts our credentials. It offers nothing but to post events, so any response will do."""
    try:
        client.request("GET", "/" + endpoint.strip("/"), expects_json=False)
    except RefusedError as error:
        if error.status == 403:
            raise UnavailableError(f"OpenLineage at {client.url} denied access: {error}") from None


class _Service:
    """An HTTP service. It takes one event in a request; several requests are under way at once."""

    def __init__(self, client: HttpClient, endpoint: str, pool: ThreadPoolExecutor) -> None:
        self._client = client
        self._path = "/" + endpoint.strip("/")
        self._pool = pool

    def send(self, events: Sequence[Event]) -> list[Outcome]:
        return list(self._pool.map(self._post, events))

    def _post(self, event: Event) -> Outcome:
        body = json.dumps(event, ensure_ascii=False).encode()
        try:
            self._client.request("POST", self._path, data=body, expects_json=False)
        except RefusedError as error:
            if error.status in _WRONG_PLACE:
                raise UnavailableError(
                    f"OpenLineage at {self._client.url} rejected the event at {self._path}: {error}"
                ) from None
            return str(error)
        return None


class _EventFile:
    """A file of JSON lines that grows.

    A run may be killed between writing an event and remembering it. So what stands in the file already is not written again,
    and a line that was cut off is taken away.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._present = _present(file)
        except OSError as error:
            raise cannot_write(file, error) from error

    def send(self, events: Sequence[Event]) -> list[Outcome]:
        new = [event for event in events if _key(event) not in self._present]
        text = "".join([json.dumps(event, ensure_ascii=False) + "\n" for event in new])
        try:
            with self._file.open("ab") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise cannot_write(self._file, error) from error
        self._present.update(map(_key, new))
        return [None] * len(events)


def _key(event: Event) -> tuple[bytes, bytes]:
    return event["run"]["runId"].encode(), event["eventType"].encode()


def _present(file: Path) -> set[tuple[bytes, bytes]]:
    """Run and type of the events in a file, which ends with a whole line afterwards."""
    found: set[tuple[bytes, bytes]] = set()
    if not file.exists():
        return found
    whole = 0
    with file.open("rb") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            run = _RUN_ID.search(line)
            kind = _EVENT_TYPE.search(line)
            if run and kind:
                found.add((run[1], kind[1]))
    if whole < file.stat().st_size:
        os.truncate(file, whole)
    return found
